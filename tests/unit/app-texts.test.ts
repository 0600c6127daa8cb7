import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { listTextAreas } from '../../src/app/texts/areas.ts'
import { auditActions } from '../../src/contract/audit-actions.ts'

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
    // Names of actions are part of the contract, so that a new action needs a translation.
    if (source.includes("= defineTexts('auditActions', auditActions)")) tables.set('auditActions', auditActions)
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
const translated = languages.filter((code) => existsSync(join(root, 'texts', code)))

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

/** Returns the translated texts of a language by the area whose module contains them. */
async function readTranslation(code: string): Promise<Map<string, Record<string, string>>> {
  const folder = join(root, 'texts', code)
  const areas = readdirSync(folder).filter((file) => file !== 'index.ts')
  const modules = areas.map(async (file) => {
    const { default: texts } = (await import(join(folder, file))) as { default: Record<string, string> }
    return [file.replace('.ts', ''), texts] as const
  })
  return new Map(await Promise.all(modules))
}

/** Returns the areas of all groups of texts. */
async function readAreasOfGroups(code: string): Promise<Map<string, string>> {
  const areas = new Map<string, string>()
  for (const [area, texts] of await readTranslation(code))
    for (const group of new Set(Object.keys(texts).map((key) => key.split('.')[0] as string))) {
      expect(areas.has(group), `${group} is in ${areas.get(group)} and ${area}`).toBe(false)
      areas.set(group, area)
    }
  return areas
}

/** Returns the groups of texts that a module can show, also those of modules that it loads on demand. */
function collectGroups(file: string, visited = new Set<string>()): string[] {
  const found = sources.find((one) => one.file === file)
  if (!found || visited.has(file)) return []
  visited.add(file)
  const groups = Array.from(found.source.matchAll(/= defineTexts\(\s*'(\w+)'/g), ([, group = '']) => group)
  const imports = found.source.matchAll(/^(?:import|export) (?!type\b)[^;]*? from '(\..+?)'|import\('(\..+?)'\)/gm)
  for (const [, imported, loaded = ''] of imports)
    groups.push(...collectGroups(join(dirname(file), imported ?? loaded), visited))
  return groups
}

/** Returns the addresses of all screens, each with the module of the screen. */
function readRoutes(): { path: string; file: string }[] {
  const source = readFileSync(join(root, 'routes.ts'), 'utf8')
  return Array.from(source.matchAll(/paths: \[([^\]]+)\],\s*load: \(\) => import\('\.\/(.+?)'\)/g)).flatMap(
    ([, paths = '', file = '']) => Array.from(paths.matchAll(/'(.+?)'/g), ([, path = '']) => ({ path, file })),
  )
}

describe.skipIf(translated.length === 0)('translations', () => {
  test.each(translated)('%s has exactly the texts of the screens, with the same placeholders', async (code) => {
    const areas = await readTranslation(code)
    const translation = Object.assign({}, ...areas.values()) as Record<string, string>
    const texts = listTexts(tables, code)
    expect([...areas.values()].flatMap((area) => Object.keys(area)).toSorted()).toEqual([...texts.keys()].toSorted())
    for (const [key, text] of texts) {
      // A form for one thing may leave the number out.
      const isSingular = /\.(?:zero|one|two)$/.test(key)
      const expected = listPlaceholders(text).filter((name) => !isSingular || name !== '{count}')
      const found = listPlaceholders(translation[key] ?? '').filter((name) => !isSingular || name !== '{count}')
      expect([key, found]).toEqual([key, expected])
    }
    expect(textsSource).toContain(`import('./texts/${code}/index.ts')`)
    for (const area of areas.keys())
      expect(readFileSync(join(root, 'texts', code, 'index.ts'), 'utf8')).toContain(`'./${area}.ts'`)
  })

  test('all languages have the same texts in the same areas', async () => {
    const [first = new Map<string, string>(), ...others] = await Promise.all(translated.map(readAreasOfGroups))
    for (const other of others) expect(other).toEqual(first)
  })

  test('the areas of a screen contain all texts that it can show', async () => {
    const areaOf = await readAreasOfGroups(translated[0] as string)
    const routes = readRoutes()
    expect(routes.length).toBeGreaterThan(70)
    const missing = routes.flatMap(({ path, file }) => {
      const loaded = new Set<string>(['common', ...listTextAreas(path.replace(/\{\w+\}/g, '1'))])
      const needed = new Set(collectGroups(file).map((group) => areaOf.get(group) as string))
      return Array.from(needed, (area) => ({ path, area })).filter(({ area }) => !loaded.has(area))
    })
    expect(missing).toEqual([])
    const groupsOfAllScreens = collectGroups('main.tsx', new Set(['routes.ts']))
    expect(groupsOfAllScreens).toContain('palette')
    for (const group of groupsOfAllScreens) expect([group, areaOf.get(group)]).toEqual([group, 'common'])
  })
})
