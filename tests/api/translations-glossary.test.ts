import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertPage, writePage } from '../support/content.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { reverseWords, translatedSpace, waitForTranslation } from '../support/translations.ts'

let octavo: TestServer
let params: { organizationId: string }
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  params = { organizationId: octavo.admin.organizationId }
})
afterAll(() => octavo.stop())

type Operations = NonNullable<Parameters<typeof octavo.admin.api.updateGlossaryEntries>[0]['body']>['operations']

const change = (...operations: Operations) => octavo.admin.api.updateGlossaryEntries({ params, body: { operations } })
const list = async (query: { orderBy?: 'en' | 'fr'; limit?: number; page?: string } = {}) =>
  octavo.admin.api.listGlossaryEntries({ params, query })
const clear = async () => {
  const { items } = await list({ limit: 1000 })
  await change(...items.map(({ id }) => ({ type: 'delete' as const, id })))
}

describe('the glossary', () => {
  test('lists its entries by term or by age, in pages', async () => {
    await change(
      { type: 'insert', translations: { en: 'zebra', fr: 'a' } },
      { type: 'insert', translations: { en: 'Apple' } },
      { type: 'insert', translations: { en: 'mango', fr: 'B' } },
    )
    const terms = async (query: Parameters<typeof list>[0]) =>
      (await list(query)).items.map(({ translations }) => translations['en'])
    expect(await terms({})).toEqual(['mango', 'Apple', 'zebra'])
    expect(await terms({ orderBy: 'en' })).toEqual(['Apple', 'mango', 'zebra'])
    expect(await terms({ orderBy: 'fr' })).toEqual(['zebra', 'mango', 'Apple'])
    const first = await list({ orderBy: 'en', limit: 2 })
    expect(first.count).toBe(3)
    expect(await terms({ orderBy: 'en', limit: 2, page: first.next?.page ?? '' })).toEqual(['zebra'])
    await clear()
    expect(await list()).toMatchObject({ count: 0, items: [] })
  })

  test('applies all operations or none', async () => {
    await change({ type: 'insert', translations: { en: 'page', fr: 'page' } })
    const [entry] = (await list()).items
    const id = entry?.id ?? ''
    const add = { type: 'insert', translations: { en: 'text', fr: 'texte' } } as const
    const refusals: [Operations, number][] = [
      [[add, { type: 'update', id: 'missing', translations: { en: 'x' } }], 404],
      [[add, { type: 'insert', translations: { en: 'PAGE', fr: 'feuille' } }], 409],
      [[add, { type: 'update', id, translations: { en: 'text', fr: 'mot' } }], 409],
      [[add, { type: 'insert', translations: {} }], 400],
      [[add, { type: 'insert', translations: { en: '   ' } }], 400],
      [[add, { type: 'insert', translations: { en: 'a\nb' } }], 400],
      [[add, { type: 'insert', translations: { en: 'x'.repeat(256) } }], 400],
      [[add, { type: 'insert', translations: { klingon: 'x' } }], 400],
      [Array.from({ length: 1001 }, () => add), 400],
    ]
    for (const [operations, status] of refusals) await expect(change(...operations)).rejects.toMatchObject({ status })
    expect((await list()).items).toEqual([entry])
    await change(
      add,
      { type: 'update', id, translations: { en: 'page', de: 'Seite' } },
      { type: 'delete', id: 'missing' },
    )
    expect(await list()).toMatchObject({ count: 2 })
    expect(await octavo.admin.api.getGlossaryEntry({ params: { ...params, glossaryEntryId: id } })).toMatchObject({
      translations: { en: 'page', de: 'Seite' },
    })
    await clear()
  })

  test('is sent with the texts that contain its terms, and checked', async () => {
    const translated = await translatedSpace(octavo, [insertPage('Read the page.', { title: 'First' })])
    const { pages } = await octavo.admin.api.getCurrentRevision({ params: { spaceId: translated.sourceId } })
    const page = pages[0]?.id ?? ''
    await change({ type: 'insert', translations: { en: 'page', fr: 'feuille' } })
    translated.takeSentTexts()
    await translated.editSource(writePage(page, 'Read the page.\n\nOpen the page.'))
    expect(await translated.run()).toMatchObject({ openFindings: 1 })
    expect(translated.takeSentTexts()).toEqual(['Open the page.', 'Open the page.'])
    const { items } = await octavo.admin.api.listTranslationFindings({ params: translated.params, query: {} })
    expect(items).toMatchObject([
      {
        kind: 'glossary',
        source: 'Open the page.',
        current: 'nepO eht egap.',
        message: 'The glossary translates “page” as “feuille”',
      },
    ])
    const findingId = items[0]?.id ?? ''
    const machine = { params: { ...translated.params, findingId }, body: { use: 'machine' as const } }
    await expect(octavo.admin.api.resolveTranslationFinding(machine)).rejects.toMatchObject({ status: 409 })

    translated.engine.translateWith((text) => reverseWords(text).replace('egap', 'feuille'))
    await translated.editSource(writePage(page, 'Read the page.\n\nOpen that page.'))
    expect(await translated.run()).toMatchObject({ openFindings: 0 })
    expect(await translated.read(page)).toContain('daeR eht egap.\n\nnepO taht feuille.')
    await clear()
  })
})

describe('the translation memory', () => {
  test('has translations for all spaces of an organization, and can be cleared', async () => {
    const translated = await translatedSpace(octavo, [insertPage('Shared text.', { title: 'Shared title' })])
    translated.takeSentTexts()
    const { api } = octavo.admin
    const copy = await api.duplicateSpace({ params: { spaceId: translated.sourceId } })
    const create = async (language: 'fr' | 'de') => {
      const body = { language, source: { space: copy.id, language: 'en' as const } }
      const { id } = await api.createTranslation({ params, body })
      return waitForTranslation(octavo.admin, id)
    }
    const reused = await create('fr')
    expect(reused).toMatchObject({ openFindings: 0, stats: { runs: 1, totalWords: 0, totalPages: 1 } })
    expect(translated.takeSentTexts()).toEqual([])
    expect((await create('de')).stats.totalWords).toBe(4)
    expect(translated.takeSentTexts().sort()).toEqual(['Shared text.', 'Shared title'])

    await api.deleteTranslation({ params: { ...params, translationId: reused.id } })
    await api.clearTranslationMemory({ params, query: { language: 'fr' } })
    await create('fr')
    expect(translated.takeSentTexts().sort()).toEqual(['Shared text.', 'Shared title'])
  })

  test('contains nothing of other organizations', async () => {
    const translated = await translatedSpace(octavo, [insertPage('A secret text.', { title: 'A title' })])
    const { api } = octavo.admin
    const other = await api.createOrganization({ body: { title: 'Elsewhere' } })
    const space = await api.createSpace({ params: { organizationId: other.id }, body: { title: 'Space', empty: true } })
    await api.updateSpaceContent({
      params: { spaceId: space.id },
      body: { changes: [insertPage('A secret text.', { title: 'A title' }) as never] },
    })
    await api.setTranslationEngine({
      params: { organizationId: other.id },
      body: { kind: 'deepl', url: translated.engine.url, key: 'key' },
    })
    translated.takeSentTexts()
    const created = await api.createTranslation({
      params: { organizationId: other.id },
      body: { language: 'fr', source: { space: space.id, language: 'en' } },
    })
    await waitForTranslation({ ...octavo.admin, organizationId: other.id }, created.id)
    expect(translated.takeSentTexts().sort()).toEqual(['A secret text.', 'A title'])
  })
})
