import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RevisionChanges, SemanticChange } from '../../src/contract/semantic-changes.ts'
import { editLive, emptySpace, insertPage, propose, updatePage, writePage } from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const api = () => octavo.admin.api

/** Creates a space with these pages and a change request in it. */
async function spaceWith(...texts: string[]) {
  const spaceId = await emptySpace(octavo.admin)
  const pages = await editLive(octavo.admin, spaceId, ...texts.map((text) => insertPage(text)))
  const request = await propose(octavo.admin, spaceId)
  return {
    ...request,
    spaceId,
    pages,
    changes: (query: object = {}) => api().getChangeRequestChanges({ params: request.params, query }),
    head: async () => (await api().getSpaceById({ params: { spaceId } })).revision,
  }
}

/** Describes changes of pages as `type title +added -removed`, sorted. */
const summarize = ({ changes }: Pick<RevisionChanges, 'changes'>) => changes.map(summarizeChange).toSorted()

function summarizeChange(change: SemanticChange): string {
  if (!('page' in change)) return change.type
  const stats = 'stats' in change ? ` +${change.stats.added} -${change.stats.removed}` : ''
  return `${change.type} ${change.page.title}${stats}`
}

test('a change request can be compared with the revision of a review', async () => {
  const space = await spaceWith('# A\n\nOne.', '# B\n\nTwo.')
  const [a = '', b = ''] = space.pages
  await space.edit(writePage(a, 'One, reviewed.'))
  const { revision } = await api().submitChangeRequestReview({ params: space.params, body: { status: 'approved' } })
  expect(await space.changes({ comparedWith: revision })).toEqual({ changes: [] })
  await space.edit(writePage(b, 'Two, edited later.\n\nMore.'), insertPage('# C\n\nThree.\n\nFour.'))
  expect(summarize(await space.changes({ comparedWith: revision }))).toEqual([
    'page_created C +2 -0',
    'page_edited B +2 -1',
  ])
  expect(summarize(await space.changes())).toHaveLength(3)
})

test('two revisions of a space can be compared in both directions', async () => {
  const space = await spaceWith('# A\n\nOne.\n\n* list\n* of items', '# B\n\nTwo.')
  const [a = '', b = ''] = space.pages
  const first = await space.head()
  await editLive(octavo.admin, space.spaceId, updatePage(a, { title: 'AA' }))
  await editLive(octavo.admin, space.spaceId, writePage(a, 'One.'), { operation: 'delete_page', page: b })
  const last = await space.head()
  const compare = (revisionId: string, comparedWith?: string) =>
    api().getRevisionSemanticChanges({
      params: { spaceId: space.spaceId, revisionId },
      query: { ...(comparedWith !== undefined && { comparedWith }) },
    })
  expect(summarize(await compare(last, first))).toEqual(['page_deleted B +0 -1', 'page_edited AA +0 -1'])
  expect(summarize(await compare(first, last))).toEqual(['page_created B +1 -0', 'page_edited A +1 -0'])
  expect(await compare(last, last)).toEqual({ changes: [] })
  expect(summarize(await compare(last))).toHaveLength(2)

  const { revision: proposed } = await api().getChangeRequestById({ params: space.params })
  expect(summarize(await compare(last, proposed))).toHaveLength(2)
  const elsewhere = await spaceWith('# A')
  for (const comparedWith of [await elsewhere.head(), 'unknown']) {
    expect(await refusal(compare(last, comparedWith))).toBe('404')
    expect(await refusal(space.changes({ comparedWith }))).toBe('404')
  }
})

test('blocks=false omits the blocks of changes and keeps their counts', async () => {
  const space = await spaceWith('# A\n\nOne.\n\nTwo.')
  await space.edit(writePage(space.pages[0] ?? '', 'One, edited.\n\nTwo.\n\nThree.'))
  const [full] = (await space.changes()).changes
  const [brief] = (await space.changes({ blocks: 'false' })).changes
  expect(full).toMatchObject({ stats: { added: 2, removed: 1 }, blocks: [{ kind: 'edited' }, { kind: 'added' }] })
  const { blocks: _, ...rest } = full as typeof full & { blocks: unknown }
  expect(brief).toEqual(rest)
})

test('a cursor continues with the same two revisions, also after the change request was edited', async () => {
  const space = await spaceWith('# A\n\nOne.')
  await space.edit(...Array.from({ length: 9 }, (_, index) => insertPage(`# New ${index}`)))
  const titles: string[] = []
  let page: string | undefined
  do {
    const reply = await space.changes({ limit: '4', ...(page !== undefined && { page }) })
    titles.push(...reply.changes.map((change) => ('page' in change ? change.page.title : change.type)))
    expect(reply.more ?? 0).toBe(9 - titles.length)
    page = reply.next?.page
    await space.edit(insertPage('# Meanwhile', { at: 0 }))
  } while (page !== undefined)
  expect(titles.toSorted()).toEqual(Array.from({ length: 9 }, (_, index) => `New ${index}`))
  expect(await space.changes({ limit: '0' })).toEqual({ changes: [], more: 12 })
})

/** Returns 60 paragraphs of 10,000 characters. */
const long = (word: string) => Array.from({ length: 60 }, (_, at) => `${at} ${word.repeat(2500)}`).join('\n\n')

test('a reply with long texts contains fewer changes than the limit, and a cursor for the others', async () => {
  const space = await spaceWith(...Array.from({ length: 4 }, (_, index) => `# Page ${index}\n\n${long('old ')}`))
  await space.edit(...space.pages.map((id) => writePage(id, long('new '))))
  const reply = await space.changes({ limit: '1000' })
  expect(reply.changes.length).toBeLessThan(4)
  expect(reply.changes.length + (reply.more ?? 0)).toBe(4)
  const rest = await space.changes({ limit: '1000', page: reply.next?.page })
  expect(rest.changes.length).toBeGreaterThan(0)
  const brief = await space.changes({ limit: '1000', blocks: 'false' })
  expect(brief.changes).toHaveLength(4)
})
