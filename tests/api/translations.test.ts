import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertPage, updatePage, writePage } from '../support/content.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { type TranslatedSpace, translatedSpace } from '../support/translations.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

const guide = `Read **this** [page](https://example.com/a) first.

## Install it

Run \`npm install\` with {{ name }}.

\`\`\`js
const word = 'not translated'
\`\`\`
`

const pageIds = async (translated: TranslatedSpace): Promise<string[]> => {
  const { pages } = await octavo.admin.api.getCurrentRevision({ params: { spaceId: translated.sourceId } })
  return pages.map(({ id }) => id)
}

describe('a translation', () => {
  test('is a space with the same pages in another language', async () => {
    const translated = await translatedSpace(octavo, [insertPage(guide, { title: 'Start here' })])
    const [page = ''] = await pageIds(translated)
    expect(translated.translation).toMatchObject({
      object: 'translation',
      status: 'completed',
      source: { space: translated.sourceId, language: 'en' },
      language: 'fr',
      result: { language: 'fr' },
      stats: { runs: 1, totalPages: 1, latestPages: 1 },
      openFindings: 0,
    })
    expect(translated.translation.failure).toBeUndefined()
    expect(await translated.read(page)).toBe(`# tratS ereh

daeR **siht** [egap](https://example.com/a) tsrif.

## llatsnI ti <a href="#install-it" id="install-it"></a>

nuR \`npm install\` htiw {{ name }}.

\`\`\`js
const word = 'not translated'
\`\`\`
`)
    const space = await octavo.admin.api.getSpaceById({
      params: { spaceId: translated.translation.result?.space ?? '' },
    })
    expect(space).toMatchObject({ title: 'Guide (français)', language: 'fr' })
  })

  test('sends only texts whose source has changed', async () => {
    const translated = await translatedSpace(octavo, [insertPage('One text.\n\nAnother text.', { title: 'First' })])
    const [page = ''] = await pageIds(translated)
    expect(translated.takeSentTexts().sort()).toEqual(['Another text.', 'First', 'One text.'])
    await translated.run()
    expect(translated.takeSentTexts()).toEqual([])
    await translated.editSource(writePage(page, 'One text.\n\nA changed text.'))
    const { stats } = await translated.run()
    expect(translated.takeSentTexts()).toEqual(['A changed text.'])
    expect(stats).toMatchObject({ runs: 3, totalPages: 1, latestPages: 1, latestWords: 3 })
    expect(await translated.read(page)).toContain('enO txet.\n\nA degnahc txet.')
  })

  test('keeps what people changed, and lists texts whose source has changed since', async () => {
    const translated = await translatedSpace(octavo, [insertPage('One text.\n\nAnother text.', { title: 'First' })])
    const [page = ''] = await pageIds(translated)
    await translated.editResult(writePage(page, 'Un texte.\n\nrehtonA txet.'))
    await translated.editSource(writePage(page, 'One text.\n\nSome other text.'))
    expect(await translated.run()).toMatchObject({ openFindings: 0 })
    expect(await translated.read(page)).toContain('Un texte.\n\nemoS rehto txet.')

    await translated.editSource(writePage(page, 'One new text.\n\nSome other text.'))
    expect(await translated.run()).toMatchObject({ openFindings: 1 })
    expect(await translated.read(page)).toContain('Un texte.\n\nemoS rehto txet.')
    const { items } = await octavo.admin.api.listTranslationFindings({ params: translated.params })
    expect(items).toMatchObject([
      {
        kind: 'source-changed',
        status: 'open',
        page: { id: page },
        source: 'One new text.',
        machine: 'enO wen txet.',
        current: 'Un texte.',
      },
    ])
    const findingId = items[0]?.id ?? ''
    const resolved = await octavo.admin.api.resolveTranslationFinding({
      params: { ...translated.params, findingId },
      body: { use: 'machine' },
    })
    expect(resolved).toMatchObject({ status: 'resolved', resolvedAt: expect.any(String) })
    expect(await translated.read(page)).toContain('enO wen txet.\n\nemoS rehto txet.')
  })

  test('follows the structure of the source', async () => {
    const translated = await translatedSpace(octavo, [
      insertPage('A.', { title: 'First' }),
      insertPage('B.', { title: 'Second' }),
    ])
    const [first = '', second = ''] = await pageIds(translated)
    await translated.editSource(
      updatePage(second, { slug: 'new-slug', into: first }),
      insertPage('Something new.', { title: 'Third' }),
    )
    await translated.run()
    const spaceId = translated.translation.result?.space ?? ''
    const { pages } = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
    expect(pages).toMatchObject([
      { id: first, title: 'tsriF', pages: [{ id: second, slug: 'new-slug', title: 'dnoceS' }] },
      { title: 'drihT' },
    ])
    await translated.editSource({ operation: 'delete_page', page: second })
    await translated.run()
    const after = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
    expect(after.pages).toMatchObject([{ id: first, pages: [] }, { title: 'drihT' }])
  })
})
