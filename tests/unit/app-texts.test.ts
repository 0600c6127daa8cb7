import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..', 'src', 'app')

/** Sources of the modules of the app by their path, without the one that defines the function. */
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && file !== 'texts.ts')
  .map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }))

type TextTable = Record<string, string | Record<string, string>>

/** Returns the text tables of all screens by their group. The modules cannot be imported outside of a browser. */
function readTextTables(): Map<string, TextTable> {
  const tables = new Map<string, TextTable>()
  for (const { file, source } of sources) {
    for (const [, group = '', literal = ''] of source.matchAll(/= defineTexts\(\s*'(\w+)',\s*(\{[^]*?\}),?\s*\)\n/g)) {
      expect(tables.has(group), `${group} in ${file} is used twice`).toBe(false)
      // The literal contains only texts, as the type of `defineTexts` requires.
      tables.set(group, structuredClone(runInNewContext(`(${literal})`)) as TextTable)
    }
  }
  return tables
}

/** Returns the English texts by the keys of a translation; a text with plural forms has one key for each category. */
function listTexts(tables: Map<string, TextTable>, language: string): Map<string, string> {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const texts = new Map<string, string>()
  for (const [group, table] of tables)
    for (const [name, text] of Object.entries(table)) {
      if (typeof text === 'string') texts.set(`${group}.${name}`, text)
      else for (const category of pluralCategories) texts.set(`${group}.${name}.${category}`, text['other'] ?? '')
    }
  return texts
}

const listPlaceholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].toSorted()

const tables = readTextTables()
const textsSource = readFileSync(join(root, 'texts.ts'), 'utf8')
const languages = [...textsSource.matchAll(/^ {2}(\w\w): '/gm)].map(([, code = '']) => code)
const translated = languages.filter((code) => existsSync(join(root, 'texts', `${code}.ts`)))

test('the texts of all screens are found', () => {
  expect(languages).toContain('en')
  expect(tables.get('ui')).toMatchObject({ home: 'Home' })
  const calls = sources.flatMap(({ source }) => source.match(/= defineTexts\(/g) ?? [])
  expect(tables.size).toBe(calls.length)
})

test('plural texts have the two English forms', () => {
  for (const [group, table] of tables)
    for (const [name, text] of Object.entries(table))
      if (typeof text !== 'string')
        expect([`${group}.${name}`, Object.keys(text)]).toEqual([`${group}.${name}`, ['one', 'other']])
})

describe.skipIf(translated.length === 0)('translations', () => {
  test.each(translated)('%s has exactly the texts of the screens, with the same placeholders', async (code) => {
    const { default: translation } = (await import(join(root, 'texts', `${code}.ts`))) as {
      default: Record<string, string>
    }
    const texts = listTexts(tables, code)
    expect(Object.keys(translation).toSorted()).toEqual([...texts.keys()].toSorted())
    for (const [key, text] of texts) {
      // A form for one thing may leave the number out.
      const isSingular = /\.(?:zero|one|two)$/.test(key)
      const expected = listPlaceholders(text).filter((name) => !isSingular || name !== '{count}')
      const found = listPlaceholders(translation[key] ?? '').filter((name) => !isSingular || name !== '{count}')
      expect([key, found]).toEqual([key, expected])
    }
    expect(textsSource).toContain(`import('./texts/${code}.ts')`)
  })
})
