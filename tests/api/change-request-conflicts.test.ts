import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConflictSide } from '../../src/contract/change-request.ts'
import {
  type Change,
  type Proposal,
  editLive,
  emptySpace,
  insertPage,
  propose,
  readLive,
  updatePage,
  writePage,
} from '../support/content.ts'
import { readAllPages } from '../support/lists.ts'
import { refusal } from '../support/refusal.ts'
import { type Admin, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let admin: Admin
beforeAll(async () => {
  octavo = await startTestServer()
  admin = octavo.admin
})
afterAll(() => octavo.stop())

interface Dispute extends Proposal {
  spaceId: string
  pageId: string
  conflicts: () => ReturnType<typeof openConflicts>
  resolve: (side: ConflictSide, at?: number) => Promise<unknown>
  resolveAll: (side: ConflictSide) => Promise<unknown>
  /** Reads the page in the change request. */
  ours: () => Promise<{ title: string; markdown: string }>
  live: () => Promise<{ title: string; markdown: string }>
}

async function openConflicts(params: Proposal['params']) {
  return (await admin.api.listChangeRequestConflicts({ params, query: { status: 'open' } })).items
}

const told = (page: { title: string; markdown?: string | undefined }) => ({
  title: page.title,
  markdown: page.markdown?.replace(/^# .*\n+/, '').trim() ?? '',
})

/** Creates a page that a change request and the live space change differently. */
async function dispute(markdown: string, ours: (page: string) => Change[], live: (page: string) => Change[]) {
  const spaceId = await emptySpace(admin)
  const [pageId = ''] = await editLive(admin, spaceId, insertPage(`# Page\n\n${markdown}`))
  const proposal = await propose(admin, spaceId)
  await proposal.edit(...ours(pageId))
  await editLive(admin, spaceId, ...live(pageId))
  const made: Dispute = {
    ...proposal,
    spaceId,
    pageId,
    conflicts: () => openConflicts(proposal.params),
    async resolve(side, at = 0) {
      const conflict = (await made.conflicts())[at]
      const params = { ...proposal.params, conflictId: conflict?.id ?? '' }
      return admin.api.resolveChangeRequestConflict({ params, body: { side } })
    },
    resolveAll: (side) => admin.api.resolveChangeRequestConflicts({ params: proposal.params, body: { side } }),
    async ours() {
      const params = { ...proposal.params, pageId }
      const page = await admin.api.getPageInChangeRequestById({ params, query: { format: 'markdown' } })
      if (page.type !== 'document') throw new Error(`The page is a ${page.type}`)
      return told(page)
    },
    live: async () => told(await readLive(admin, spaceId, pageId)),
  }
  return made
}

const sentence = () =>
  dispute(
    'Before.\n\nThe old words.\n\nAfter.',
    (page) => [writePage(page, 'Before.\n\nOur new words.\n\nAfter.')],
    (page) => [writePage(page, 'Before.\n\nTheir new words.\n\nAfter, live.')],
  )

const textOf = (block: unknown): string => (JSON.stringify(block).match(/"text":"([^"]*)"/g) ?? []).join('')

test('a merge with conflicts leaves the live content unchanged and updates the change request', async () => {
  const { live, ours, conflicts, merge, params, spaceId } = await sentence()
  const before = await admin.api.getSpaceById({ params: { spaceId } })
  const outcome = await merge()
  expect(outcome.result).toBe('conflicts')

  expect(await admin.api.getSpaceById({ params: { spaceId } })).toEqual(before)
  expect((await live()).markdown).toBe('Before.\n\nTheir new words.\n\nAfter, live.')
  // The update applies the other live changes; the conflicting block keeps the text of the change request.
  expect((await ours()).markdown).toBe('Before.\n\nOur new words.\n\nAfter, live.')
  expect(await admin.api.getChangeRequestById({ params })).toMatchObject({
    status: 'draft',
    outdated: false,
    revision: outcome.revision,
    revisionMergedAncestor: before.revision,
  })
  const [conflict, ...others] = await conflicts()
  expect(others).toEqual([])
  expect(conflict).toMatchObject({ object: 'change-request-conflict', type: 'block', status: 'open' })
  expect(textOf(conflict?.base)).toContain('The old words.')
  expect(textOf(conflict?.ours)).toContain('Our new words.')
  expect(textOf(conflict?.theirs)).toContain('Their new words.')
  expect(await merge()).toEqual(outcome)
})

test.for([
  ['ours', 'Our new words.'],
  ['theirs', 'Their new words.'],
  ['base', 'The old words.'],
] as const)('a block conflict is resolved once with %s, and the change request merges', async ([side, words]) => {
  const { live, ours, update, merge, params, conflicts } = await sentence()
  expect((await update()).result).toBe('conflicts')
  const [conflict] = await conflicts()
  const conflictId = conflict?.id ?? ''
  const resolve = (by: ConflictSide) =>
    admin.api.resolveChangeRequestConflict({ params: { ...params, conflictId }, body: { side: by } })
  expect(await resolve(side)).toMatchObject({ id: conflictId, status: 'resolved', resolution: side })
  expect(await refusal(resolve('ours'))).toBe('409')
  const all = await admin.api.listChangeRequestConflicts({ params })
  expect(all).toMatchObject({ count: 1, items: [{ id: conflictId, status: 'resolved', resolution: side }] })
  expect(await conflicts()).toEqual([])

  const markdown = `Before.\n\n${words}\n\nAfter, live.`
  expect((await ours()).markdown).toBe(markdown)
  expect((await merge()).result).toBe('merge')
  expect((await live()).markdown).toBe(markdown)
})

test('conflicts are resolved one by one or all open ones together', async () => {
  const { resolve, resolveAll, conflicts, update, merge, live, params } = await dispute(
    'One.\n\nTwo.\n\nThree.',
    (page) => [
      updatePage(page, { title: 'Ours', description: 'Ours', document: { markdown: 'One o.\n\nTwo.\n\nThree o.' } }),
    ],
    (page) => [
      updatePage(page, {
        title: 'Theirs',
        description: 'Theirs',
        document: { markdown: 'One t.\n\nTwo.\n\nThree t.' },
      }),
    ],
  )
  await update()
  const found = await conflicts()
  expect(found.map(({ type, field }) => field ?? type).sort()).toEqual(['block', 'block', 'description', 'title'])
  const paged = await readAllPages((page) =>
    admin.api.listChangeRequestConflicts({ params, query: { limit: '3', page } }),
  )
  expect(paged.map((items) => items.length)).toEqual([3, 1])
  await resolve(
    'ours',
    found.findIndex(({ field }) => field === 'title'),
  )
  expect((await merge()).result).toBe('conflicts')
  expect(await resolveAll('theirs')).toMatchObject({ id: params.changeRequestId, status: 'draft' })
  expect(await conflicts()).toEqual([])
  expect((await merge()).result).toBe('merge')
  expect(await live()).toEqual({ title: 'Ours', markdown: 'One t.\n\nTwo.\n\nThree t.' })
  const contributors = await admin.api.getContributorsByChangeRequestId({ params })
  expect(contributors.items).toMatchObject([{ user: { id: admin.id }, actionType: 'edit', count: 2 }])
})

test.for(['ours', 'theirs'] as const)(
  'resolving with %s decides whether a page edited here and deleted live is kept',
  async (side) => {
    const { merge, conflicts, resolveAll, spaceId, pageId } = await dispute(
      'Words.',
      (page) => [writePage(page, 'Other words.')],
      (page) => [{ operation: 'delete_page', page }],
    )
    expect((await merge()).result).toBe('conflicts')
    expect(await conflicts()).toMatchObject([{ type: 'existence', page: pageId, ours: {}, theirs: null }])
    await resolveAll(side)
    expect((await merge()).result).toBe('merge')
    const { pages } = await admin.api.listPages({ params: { spaceId } })
    expect(pages.map(({ id }) => id)).toEqual(side === 'ours' ? [pageId] : [])
    if (side === 'ours') expect((await readLive(admin, spaceId, pageId)).markdown).toContain('Other words.')
  },
)

test.for(['ours', 'theirs'] as const)(
  'resolving with %s decides whether a page deleted here and edited live is kept',
  async (side) => {
    const { merge, conflicts, resolve, spaceId, pageId } = await dispute(
      'Words.',
      (page) => [{ operation: 'delete_page', page }],
      (page) => [writePage(page, 'Other words.')],
    )
    expect((await merge()).result).toBe('conflicts')
    expect(await conflicts()).toMatchObject([{ type: 'existence', page: pageId, ours: null, theirs: {} }])
    expect((await readLive(admin, spaceId, pageId)).markdown).toContain('Other words.')
    await resolve(side)
    expect((await merge()).result).toBe('merge')
    const { pages } = await admin.api.listPages({ params: { spaceId } })
    expect(pages.map(({ id }) => id)).toEqual(side === 'ours' ? [] : [pageId])
  },
)

/** Returns the titles of the live pages, indented by depth. */
async function treeOf(spaceId: string): Promise<string[]> {
  const { pages } = await admin.api.listPages({ params: { spaceId } })
  const lines = (list: typeof pages, depth: string): string[] =>
    list.flatMap((page) => [
      depth + page.title,
      ...('pages' in page ? lines(page.pages as typeof pages, `${depth}>`) : []),
    ])
  return lines(pages, '')
}

test.for([
  ['ours', ['First', '>Page', 'Second']],
  ['theirs', ['First', 'Second', '>Page']],
  ['base', ['First', 'Second', 'Page']],
] as const)('a page moved on both sides gets the parent that %s has', async ([side, expected]) => {
  const spaceId = await emptySpace(admin)
  const [first, second, page = ''] = await editLive(
    admin,
    spaceId,
    insertPage('# First'),
    insertPage('# Second'),
    insertPage('# Page'),
  )
  const { edit, merge, params } = await propose(admin, spaceId)
  await edit(updatePage(page, { into: first }))
  await editLive(admin, spaceId, updatePage(page, { into: second }))
  expect((await merge()).result).toBe('conflicts')
  expect(await openConflicts(params)).toMatchObject([{ type: 'place', page, base: null, ours: first, theirs: second }])
  expect(await treeOf(spaceId)).toEqual(['First', 'Second', '>Page'])
  await admin.api.resolveChangeRequestConflicts({ params, body: { side } })
  expect((await merge()).result).toBe('merge')
  expect(await treeOf(spaceId)).toEqual(expected)
})

test.for([
  ['ours', ['B', '>A']],
  ['theirs', ['A', '>B']],
] as const)('two pages moved under each other get the hierarchy of %s', async ([side, expected]) => {
  const spaceId = await emptySpace(admin)
  const [a = '', b = ''] = await editLive(admin, spaceId, insertPage('# A'), insertPage('# B'))
  const { edit, merge, params } = await propose(admin, spaceId)
  await edit(updatePage(a, { into: b }))
  await editLive(admin, spaceId, updatePage(b, { into: a }))
  expect((await merge()).result).toBe('conflicts')
  await admin.api.resolveChangeRequestConflicts({ params, body: { side } })
  expect((await merge()).result).toBe('merge')
  expect(await treeOf(spaceId)).toEqual(expected)
})

test('an update or merge refreshes open conflicts and reopens resolved ones after a new live change', async () => {
  const { spaceId, pageId, update, merge, conflicts, resolve, params, live } = await dispute(
    'Words.',
    (page) => [updatePage(page, { title: 'Ours' })],
    (page) => [updatePage(page, { title: 'Theirs' })],
  )
  await update()
  const [first] = await conflicts()
  await editLive(admin, spaceId, updatePage(pageId, { title: 'Theirs again' }))
  expect(await admin.api.getChangeRequestById({ params })).toMatchObject({ outdated: true })
  expect((await update()).result).toBe('conflicts')
  expect(await conflicts()).toMatchObject([{ id: first?.id, ours: 'Ours', theirs: 'Theirs again' }])

  // The conflict was resolved against an older live value, so a newer one reopens it.
  await resolve('ours')
  await editLive(admin, spaceId, updatePage(pageId, { title: 'Theirs at last' }))
  expect((await merge()).result).toBe('conflicts')
  expect(await conflicts()).toMatchObject([{ id: first?.id, status: 'open', theirs: 'Theirs at last' }])
  await resolve('theirs')
  expect((await merge()).result).toBe('merge')
  expect((await live()).title).toBe('Theirs at last')
})

test('an update removes a conflict when both sides have the same value', async () => {
  const { spaceId, pageId, update, merge, conflicts, live } = await dispute(
    'Words.',
    (page) => [updatePage(page, { title: 'Ours' })],
    (page) => [updatePage(page, { title: 'Theirs' })],
  )
  await update()
  expect(await conflicts()).toHaveLength(1)
  await editLive(admin, spaceId, updatePage(pageId, { title: 'Ours' }))
  expect((await update()).result).toBe('update')
  expect(await conflicts()).toEqual([])
  expect((await merge()).result).toBe('merge')
  expect((await live()).title).toBe('Ours')
})

test('resolving with theirs keeps edits made in the space after the conflict was found', async () => {
  const { spaceId, pageId, update, merge, conflicts, resolve, live, ours } = await dispute(
    'The start of it is plain. The end of it is old.',
    (page) => [writePage(page, 'The start of it is plain. The end of it is ours.')],
    (page) => [writePage(page, 'The start of it is plain. The end of it is theirs.')],
  )
  await update()
  const latest = 'The very start of it is plain. The end of it is theirs.'
  await editLive(admin, spaceId, writePage(pageId, latest))
  expect((await update()).result).toBe('conflicts')
  expect((await ours()).markdown).toBe('The very start of it is plain. The end of it is ours.')
  expect(textOf((await conflicts())[0]?.theirs)).toContain(latest)
  await resolve('theirs')
  expect((await merge()).result).toBe('merge')
  expect((await live()).markdown).toBe(latest)
})

test('resolving with ours keeps edits made in the change request while conflicts are open', async () => {
  const { pageId, update, edit, resolveAll, merge, live } = await sentence()
  await update()
  await edit(writePage(pageId, 'Before.\n\nOur better words.\n\nAfter, live.'))
  await resolveAll('ours')
  expect((await merge()).result).toBe('merge')
  expect((await live()).markdown).toBe('Before.\n\nOur better words.\n\nAfter, live.')
})

const paragraphs = (word: string) =>
  Array.from({ length: 600 }, (_, at) => `Paragraph ${at} has ${word} here.`).join('\n\n')

test('one request resolves 600 conflicts of a page', async () => {
  const { merge, params, resolveAll, live } = await dispute(
    paragraphs('nothing'),
    (page) => [writePage(page, paragraphs('ours'))],
    (page) => [writePage(page, paragraphs('theirs'))],
  )
  expect((await merge()).result).toBe('conflicts')
  expect(await admin.api.listChangeRequestConflicts({ params, query: { limit: '1' } })).toMatchObject({ count: 600 })
  await resolveAll('theirs')
  expect((await merge()).result).toBe('merge')
  expect((await live()).markdown).toBe(paragraphs('theirs'))
})
