import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TranslationFinding } from '../../src/contract/translation.ts'
import { days } from '../../src/kernel/time.ts'
import { emptySpace, insertPage, updatePage, writePage } from '../support/content.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'
import { advanceClock } from '../support/sweep.ts'
import { type TranslatedSpace, translatedSpace } from '../support/translations.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(() => octavo.stop())

const start = (markdown: string, more: Record<string, unknown> = {}) =>
  translatedSpace(octavo, [insertPage(markdown, { title: 'First', ...more })])

const pagesOf = async (spaceId: string) => (await octavo.admin.api.getCurrentRevision({ params: { spaceId } })).pages

const firstPage = async ({ sourceId }: TranslatedSpace) => (await pagesOf(sourceId))[0]?.id ?? ''

const listFindings = async ({ params }: TranslatedSpace): Promise<TranslationFinding[]> =>
  (await octavo.admin.api.listTranslationFindings({ params, query: { status: 'open' } })).items

const resolve = ({ params }: TranslatedSpace, finding: TranslationFinding | undefined, use: 'keep' | 'machine') =>
  octavo.admin.api.resolveTranslationFinding({ params: { ...params, findingId: finding?.id ?? '' }, body: { use } })

const tabs = (title: string, text: string) =>
  `{% tabs %}\n{% tab title="${title}" %}\n${text}\n\nMore text.\n{% endtab %}\n{% endtabs %}`

const table = (title: string, cell: string) => `| ${title} | Size |\n| --- | --- |\n| ${cell} | Large |\n`

const tag = (label: string) => ({ operation: 'set_tags', tags: [{ slug: 'new', label }] })

const variables = (product: string) => ({ operation: 'set_variables', variables: { product } })

describe('what people changed in a translation', () => {
  test('is kept in titles and descriptions, also if the source removes them', async () => {
    const translated = await start('A text.', { description: 'A description.' })
    const page = await firstPage(translated)
    await translated.editResult(updatePage(page, { title: 'Premier', description: 'Une description.' }))
    await translated.editSource(updatePage(page, { title: 'New first', description: '' }))
    expect(await translated.run()).toMatchObject({ openFindings: 2 })
    const found = await listFindings(translated)
    const [title, description] = ['title', 'description'].map((name) => found.find(({ field }) => field === name))
    expect(title).toMatchObject({ field: 'title', source: 'New first', machine: 'weN tsrif', current: 'Premier' })
    expect(description).toMatchObject({ field: 'description', source: '', machine: '', current: 'Une description.' })
    const resultId = translated.translation.result?.space ?? ''
    expect(await pagesOf(resultId)).toMatchObject([{ title: 'Premier', description: 'Une description.' }])
    await resolve(translated, title, 'machine')
    await resolve(translated, description, 'keep')
    await expect(resolve(translated, title, 'machine')).rejects.toMatchObject({ status: 409 })
    expect(await pagesOf(resultId)).toMatchObject([{ title: 'weN tsrif', description: 'Une description.' }])
    expect(await translated.run()).toMatchObject({ openFindings: 0 })
    expect(await pagesOf(resultId)).toMatchObject([{ title: 'weN tsrif', description: 'Une description.' }])
  })

  test('is kept if the source removes the block, until somebody decides otherwise', async () => {
    const translated = await start('One text.\n\nAnother text.')
    const page = await firstPage(translated)
    await translated.editResult(writePage(page, 'enO txet.\n\nUn autre texte.'))
    await translated.editSource(writePage(page, 'One text.'))
    expect(await translated.run()).toMatchObject({ openFindings: 1 })
    expect(await translated.read(page)).toContain('enO txet.\n\nUn autre texte.')
    const [finding] = await listFindings(translated)
    expect(finding).toMatchObject({ source: '', machine: '', current: 'Un autre texte.' })
    await resolve(translated, finding, 'machine')
    expect(await translated.read(page)).toMatch(/enO txet\.\n$/)
  })

  test('includes blocks that they removed or added', async () => {
    const translated = await start('One text.\n\nAnother text.')
    const page = await firstPage(translated)
    await translated.editResult(writePage(page, 'enO txet.\n\nUn ajout.'))
    await translated.editSource(writePage(page, 'One text.\n\nAnother changed text.'))
    expect(await translated.run()).toMatchObject({ openFindings: expect.any(Number) })
    expect(await translated.read(page)).toContain('Un ajout.')
  })

  test('is kept inside a block whose own text is replaced', async () => {
    const translated = await start(tabs('Linux', 'A text.'))
    const page = await firstPage(translated)
    const result = (await translated.read(page)).replace('xuniL', 'Sous Linux').replace('A txet.', 'Un texte.')
    await translated.editResult(writePage(page, result.replace(/^# .*\n+/, '')))
    await translated.editSource(writePage(page, tabs('Debian', 'A text.')))
    expect(await translated.run()).toMatchObject({ openFindings: 1 })
    const [finding] = await listFindings(translated)
    expect(finding).toMatchObject({ source: 'Debian', machine: 'naibeD', current: 'Sous Linux' })

    // A change of another text of the tab leaves the finding open.
    await translated.editSource(writePage(page, tabs('Debian', 'A text.').replace('More', 'Much more')))
    expect(await translated.run()).toMatchObject({ openFindings: 1 })
    await resolve(translated, finding, 'machine')
    const read = await translated.read(page)
    expect(read).toContain('title="naibeD"')
    expect(read).toContain('Un texte.\n\nhcuM erom txet.')
  })

  test('is kept in tables', async () => {
    const translated = await start(table('Color', 'Red'))
    const page = await firstPage(translated)
    const result = (await translated.read(page)).replace('roloC', 'Couleur').replace('deR', 'Rouge')
    await translated.editResult(writePage(page, result.replace(/^# .*\n+/, '')))
    await translated.editSource(writePage(page, table('Paint', 'Blue').replace('Large', 'Small')))
    await translated.run()
    const read = await translated.read(page)
    for (const word of ['Couleur', 'Rouge', 'llamS', 'eziS']) expect(read).toContain(word)
    const texts = (await listFindings(translated)).flatMap(({ machine }) => machine.split(/\s+/))
    expect(texts).toEqual(expect.arrayContaining(['tniaP', 'eulB']))
  })

  test('is kept in reusable contents, tags and variables', async () => {
    const translated = await start('A text.')
    const part = { operation: 'insert_reusable_content', title: 'Part', document: { markdown: 'Some words.' } }
    await translated.editSource(part, tag('New'), variables('The tool'))
    expect((await translated.run()).failure).toBeUndefined()
    const spaceId = translated.translation.result?.space ?? ''
    const { reusableContents } = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
    const reusableContent = reusableContents[0]?.id ?? ''
    const updatePart = (markdown: string) => ({
      operation: 'update_reusable_content',
      reusableContent,
      document: { markdown },
    })
    await translated.editResult(updatePart('Des mots.'), tag('Nouveau'), variables('L’outil'))
    await translated.editSource(updatePart('Other words.'), tag('Newer'), variables('The program'))
    expect(await translated.run()).toMatchObject({ openFindings: 3 })
    const found = await listFindings(translated)
    expect(found.map(({ current }) => current).sort()).toEqual(['Des mots.', 'L’outil', 'Nouveau'])
    const finding = found.find((one) => one.reusableContent === reusableContent)
    expect(finding).toMatchObject({ source: 'Other words.', machine: 'rehtO sdrow.' })
    await resolve(translated, finding, 'machine')
    const content = await octavo.admin.api.getReusableContentById({
      params: { spaceId, reusableContentId: reusableContent },
      query: {},
    })
    expect(JSON.stringify(content)).not.toContain('Des mots.')
  })

  test('is found again after unused content was removed', async () => {
    const own = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
    const translated = await translatedSpace(own, [insertPage('One text.\n\nAnother text.', { title: 'First' })])
    const { api } = own.admin
    const { pages } = await api.getCurrentRevision({ params: { spaceId: translated.sourceId } })
    const page = pages[0]?.id ?? ''
    await translated.editResult(writePage(page, 'Un texte.\n\nrehtonA txet.'))
    await translated.editSource(writePage(page, 'One new text.\n\nAnother text.'))
    expect(await translated.run()).toMatchObject({ openFindings: 1 })
    const unused = await emptySpace(own.admin)
    await api.deleteSpaceById({ params: { spaceId: unused } })
    await advanceClock(own, days(8))
    await translated.editSource(writePage(page, 'One new text.\n\nAnother changed text.'))
    const done = await translated.run()
    expect(done.failure).toBeUndefined()
    expect(await translated.read(page)).toContain('Un texte.\n\nrehtonA degnahc txet.')
  })

  test('includes pages that they added, and is listed if the source removes the page', async () => {
    const translated = await translatedSpace(octavo, [
      insertPage('A text.', { title: 'First' }),
      insertPage('Another text.', { title: 'Second' }),
    ])
    const [first, second] = await pagesOf(translated.sourceId)
    await translated.editResult(
      insertPage('Une page.', { title: 'Ajout' }),
      writePage(second?.id ?? '', 'Un autre texte.'),
    )
    await translated.editSource({ operation: 'delete_page', page: second?.id }, writePage(first?.id ?? '', 'New text.'))
    expect(await translated.run()).toMatchObject({ openFindings: 1 })
    expect(await listFindings(translated)).toMatchObject([{ kind: 'removed', page: { id: second?.id } }])
    const resultId = translated.translation.result?.space ?? ''
    const pages = await pagesOf(resultId)
    expect(pages.map(({ title }) => title).sort()).toEqual(['Ajout', 'tsriF'])
    expect(await translated.read(first?.id ?? '')).toContain('weN txet.')
  })
})
