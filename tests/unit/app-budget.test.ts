import { readFileSync, readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { appEntry } from '../../src/site/assets.ts'

/** Maximum size of the compressed scripts that a screen loads before it is usable, in bytes. */
const maxScreen = 60 * 1024
const maxEditor = 170 * 1024

const folder = new URL('../../dist/assets/app/', import.meta.url)
const readModule = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

/** Returns modules with all that they import, except what they load on demand. */
function collectModules(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    const imports = readModule(name).matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)
    collectModules(
      Array.from(imports, ([, imported = '']) => imported),
      found,
    )
  }
  return found
}

const sizes = new Map<string, number>()

const sizeOf = (name: string): number => {
  const size = sizes.get(name) ?? gzipSync(readModule(name)).byteLength
  sizes.set(name, size)
  return size
}

const sumOf = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + sizeOf(name), 0)

test('every screen of the web app needs at most 60 KB of compressed script', () => {
  const large = appEntry.screens
    .map(({ paths, modules }) => ({ path: paths[0], bytes: sumOf(collectModules([appEntry.file, ...modules])) }))
    .filter(({ bytes }) => bytes > maxScreen)
  expect(appEntry.screens.length).toBeGreaterThan(50)
  expect(large).toEqual([])
})

test('the visual editor needs at most 170 KB with its screen', () => {
  const screen = appEntry.screens.find(({ paths }) => paths.some((path) => path.endsWith('/{number}/pages/{pageId}')))
  const editor = readdirSync(folder).filter((name) => /^visual-editor-[\w-]+\.js$/.test(name))
  expect(editor).toHaveLength(1)
  const modules = collectModules([appEntry.file, ...(screen?.modules ?? []), ...editor])
  expect(modules.size).toBeGreaterThan(15)
  expect(sumOf(modules)).toBeLessThanOrEqual(maxEditor)
})
