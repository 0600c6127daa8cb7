import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../src/client/client.ts'
import type { ContentChange } from '../../src/contract/content-changes.ts'
import { type Change, editLive, emptySpace, insertPage, propose, readLive, updatePage } from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const api = () => octavo.admin.api

/** Creates a space with a page, and a change request in it. */
async function pageWith(markdown: string) {
  const spaceId = await emptySpace(octavo.admin)
  const [pageId = ''] = await editLive(octavo.admin, spaceId, insertPage(`# Page\n\n${markdown}`))
  const { params } = await propose(octavo.admin, spaceId)
  const read = (format: 'markdown' | 'document') =>
    api().getPageInChangeRequestById({ params: { ...params, pageId }, query: { format } })
  return {
    spaceId,
    pageId,
    params,
    revision: async () => (await api().getChangeRequestById({ params })).revision,
    async save(base: string | undefined, document: object) {
      const change = updatePage(pageId, { document, ...(base !== undefined && { base }) }) as ContentChange
      const body = { changes: [change] }
      const reply = await api().updateChangeRequestContent({ params, query: { compat: 'false' }, body })
      if (!('changes' in reply)) throw new Error('The reply is that of the compatible form')
      return reply
    },
    async markdown() {
      const page = await read('markdown')
      return 'markdown' in page ? (page.markdown ?? '').replace(/^# Page\n+/, '').trim() : ''
    },
    async document() {
      const page = await read('document')
      if (!('document' in page) || !page.document) throw new Error('The page has no document')
      return page.document as unknown as EditedDocument
    },
  }
}

interface EditedDocument {
  nodes: { key: string; nodes: { leaves: { text: string }[] }[] }[]
}

/** Replaces the text of the block at an index, as an editor does. */
function withText(document: EditedDocument, index: number, text: string): EditedDocument {
  const copy = structuredClone(document)
  const leaf = copy.nodes[index]?.nodes[0]?.leaves[0]
  if (!leaf) throw new Error('The block has no text')
  leaf.text = text
  return copy
}

const twoParagraphs = 'First paragraph.\n\nSecond paragraph.'

test('two writers who edit different blocks of a page from the same revision both keep their changes', async () => {
  const page = await pageWith(twoParagraphs)
  const [base, read] = [await page.revision(), await page.document()]
  const first = await page.save(base, { document: withText(read, 0, 'First, by Ann.') })
  expect(first.changes).toEqual([{ object: 'updated_page', page: expect.objectContaining({ id: page.pageId }) }])
  const second = await page.save(base, { document: withText(read, 1, 'Second, by Ben.') })
  expect(second.changes).toEqual([expect.objectContaining({ object: 'updated_page', merged: true })])
  expect(await page.markdown()).toBe('First, by Ann.\n\nSecond, by Ben.')
  expect((await page.document()).nodes.map(({ key }) => key)).toEqual(read.nodes.map(({ key }) => key))
  // A repeated request, for example after a lost reply, changes nothing.
  const repeated = await page.save(second.changeRequest.revision, { document: await page.document() })
  expect(repeated.changeRequest.revision).toBe(second.changeRequest.revision)
})

test('writers who change the same sentence get 409 with the key of the block, and nothing is stored', async () => {
  const page = await pageWith(twoParagraphs)
  const [base, read] = [await page.revision(), await page.document()]
  const { changeRequest } = await page.save(base, { document: withText(read, 1, 'Second, by Ann.') })
  const both = withText(withText(read, 0, 'First, by Ben.'), 1, 'Second, by Ben.')
  const error = await page.save(base, { document: both }).catch((thrown: unknown) => thrown)
  if (!(error instanceof ApiError)) throw new Error('The request was not refused')
  expect(error.status).toBe(409)
  expect(error.details).toEqual([
    { path: 'body.changes.0.document', message: expect.any(String), block: read.nodes[1]?.key },
  ])
  expect(await page.revision()).toBe(changeRequest.revision)
  expect(await page.markdown()).toBe('First paragraph.\n\nSecond, by Ann.')
  // The same text from both writers is not a conflict; without a base, the text replaces what others changed.
  await page.save(base, { document: withText(read, 1, 'Second, by Ann.') })
  await page.save(undefined, { document: both })
  expect(await page.markdown()).toBe('First, by Ben.\n\nSecond, by Ben.')
})

test('Markdown is merged by block, with insertions and deletions of both sides, and keeps the keys of blocks', async () => {
  const page = await pageWith('* one\n* two\n\nMiddle.\n\nOld end.')
  const [base, read] = [await page.revision(), await page.document()]
  await page.save(base, { markdown: '* one\n* two\n\nInserted by Ann.\n\nMiddle.\n\nOld end.' })
  const reply = await page.save(base, { markdown: '* one\n* two\n\nMiddle.' })
  expect(reply.changes).toMatchObject([{ merged: true }])
  expect(await page.markdown()).toBe('* one\n* two\n\nInserted by Ann.\n\nMiddle.')
  const [list, , middle] = (await page.document()).nodes
  expect([list?.key, middle?.key]).toEqual([read.nodes[0]?.key, read.nodes[1]?.key])
})

test('the published content of a space is saved with a base too, and one request can merge several pages', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const pages = await editLive(
    octavo.admin,
    spaceId,
    insertPage('# A\n\nOne.\n\nTwo.'),
    insertPage('# B\n\nOne.\n\nTwo.'),
  )
  const { revision: base } = await api().getSpaceById({ params: { spaceId } })
  const write = (markdown: string, more: object = {}): Change[] =>
    pages.map((page) => updatePage(page, { document: { markdown }, ...more }))
  await editLive(octavo.admin, spaceId, ...write('One changed.\n\nTwo.'))
  const body = { changes: write('One.\n\nTwo changed.', { base }) as ContentChange[] }
  const { changes } = await api().updateSpaceContent({ params: { spaceId }, body })
  expect(changes).toMatchObject([{ merged: true }, { merged: true }])
  for (const page of pages) {
    expect((await readLive(octavo.admin, spaceId, page)).markdown).toContain('One changed.\n\nTwo changed.')
  }
  // Blocks that were changed differently are named, and nothing is stored.
  const contradiction = { changes: write('One, otherwise.\n\nTwo.', { base }) as ContentChange[] }
  const error = await api()
    .updateSpaceContent({ params: { spaceId }, body: contradiction })
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ status: 409, details: [{ block: expect.any(String) }] })
  expect((await readLive(octavo.admin, spaceId, pages[0] ?? '')).markdown).toContain('One changed.\n\nTwo changed.')
})

test('Markdown with the title of the base does not undo a new title, and a changed title replaces it', async () => {
  const page = await pageWith(twoParagraphs)
  const base = await page.revision()
  const title = async () =>
    (await api().getPageInChangeRequestById({ params: { ...page.params, pageId: page.pageId } })).title
  const rename = { operation: 'update_page', page: page.pageId, title: 'Renamed' } as ContentChange
  await api().updateChangeRequestContent({ params: page.params, body: { changes: [rename] } })
  await page.save(base, { markdown: '# Page\n\nFirst, changed.\n\nSecond paragraph.' })
  expect(await title()).toBe('Renamed')
  await page.save(base, { markdown: '# Mine\n\nFirst, changed.\n\nSecond paragraph.' })
  expect(await title()).toBe('Mine')
})

test('a base of another space, an unknown base, and a base without the page are refused and change nothing', async () => {
  const page = await pageWith(twoParagraphs)
  const other = await pageWith(twoParagraphs)
  const { items } = await api().listRevisions({ params: { spaceId: page.spaceId } })
  const before = await page.revision()
  for (const base of [await other.revision(), 'unknown', items.at(-1)?.id]) {
    expect(await refusal(page.save(base, { markdown: 'Text.' }))).toBe('400 body.changes.0.base')
  }
  expect(await page.revision()).toBe(before)
})
