import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..', 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const statement =
  /(?:import|export|const)\s+(?:type\s+)?(?:\{([^}]*)\}|\*(?:\s+as\s+\w+)?)\s*(?:from\s*|=\s*await import\()'(\.[^']+)'/g

/** Returns the names that a file imports or re-exports from other files as `file name`, or `file *` for all names. */
function namesFrom(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8').replace(/\/\*.*?\*\//gs, '')
  return Array.from(text.matchAll(statement)).flatMap(([, list = '*', from = '']) => {
    const target = relative(source, join(source, dirname(file), from))
    const names = list.split(',').map((one) => one.replace(/^\s*type\s+|\s+as\s+\w+|:\s*\w+/g, '').trim())
    return names.filter(Boolean).map((name) => `${target} ${name}`)
  })
}

test('other folders import only names that src/content/index.ts exports', () => {
  const listed = new Set(namesFrom('content/index.ts'))
  const isListed = (name: string) => listed.has(name) || listed.has(name.replace(/ .*/, ' *'))
  const unlisted = files
    .filter((file) => !file.startsWith('content/'))
    .flatMap((file) => namesFrom(file).map((name) => ({ file, name })))
    .filter(({ name }) => name.startsWith('content/') && !isListed(name))
  expect(unlisted).toEqual([])
})

test('all imports of src/content have a form that namesFrom recognizes', () => {
  const unread = files.filter((file) => {
    if (file.startsWith('content/')) return false
    const text = readFileSync(join(source, file), 'utf8')
    const imported = Array.from(text.matchAll(/'(\.[^']*content\/[^']*\.ts)'/g), ([, from = '']) =>
      relative(source, join(source, dirname(file), from)),
    ).filter((target) => target.startsWith('content/'))
    const read = new Set(namesFrom(file).map((name) => name.replace(/ .*/, '')))
    return imported.some((target) => !read.has(target))
  })
  expect(unread).toEqual([])
})
