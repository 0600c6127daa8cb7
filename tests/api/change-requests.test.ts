import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage, propose, readLive, updatePage, writePage } from '../support/content.ts'
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

const paragraph = (text: string) => ({
  object: 'document' as const,
  data: {},
  nodes: [
    {
      object: 'block' as const,
      type: 'paragraph',
      nodes: [{ object: 'text' as const, leaves: [{ object: 'leaf' as const, text, marks: [] }] }],
    },
  ],
})

/** Returns the change request counts of a space: all, open, drafts. */
async function numbersOf(spaceId: string): Promise<number[]> {
  const space = await admin.api.getSpaceById({ params: { spaceId } })
  return [space.changeRequests, space.changeRequestsOpen, space.changeRequestsDraft]
}

test('a new change request is a draft at the head of the space and can be read by id or number', async () => {
  const spaceId = await emptySpace(admin)
  const { revision } = await admin.api.getSpaceById({ params: { spaceId } })
  const first = await admin.api.createChangeRequest({ params: { spaceId }, body: { subject: 'First' } })
  expect(first).toMatchObject({
    object: 'change-request',
    number: 1,
    status: 'draft',
    subject: 'First',
    space: spaceId,
    revision,
    revisionInitial: revision,
    comments: 0,
    outdated: false,
    createdBy: { id: admin.id },
    permissions: { view: true, comment: true, edit: true, review: true, merge: true },
  })
  for (const absent of ['description', 'links', 'mergedBy', 'mergedAt', 'revisionMerged', 'revisionMergedAncestor']) {
    expect(first).not.toHaveProperty(absent)
  }
  const second = await admin.api.createChangeRequest({ params: { spaceId }, body: {} })
  expect(second).toMatchObject({ number: 2, subject: '' })

  const find = (changeRequestId: string) => admin.api.getChangeRequestById({ params: { spaceId, changeRequestId } })
  expect(await find(first.id)).toEqual(first)
  expect(await find('1')).toEqual(first)
  expect(await find('2')).toEqual(second)
  for (const unknown of ['0', '3', '01', '99999999999', 'nothing']) expect(await refusal(find(unknown))).toBe('404')
  const elsewhere = { spaceId: await emptySpace(admin), changeRequestId: first.id }
  expect(await refusal(admin.api.getChangeRequestById({ params: elsewhere }))).toBe('404')
})

test('the change request counts of a space are correct after every status change', async () => {
  const spaceId = await emptySpace(admin)
  const proposals = [await propose(admin, spaceId), await propose(admin, spaceId), await propose(admin, spaceId)]
  const [first, second, third] = proposals as [(typeof proposals)[0], (typeof proposals)[0], (typeof proposals)[0]]
  expect(await numbersOf(spaceId)).toEqual([3, 0, 3])
  const setStatus = (proposal: typeof first, status: 'draft' | 'open' | 'archived') =>
    admin.api.updateChangeRequestById({ params: proposal.params, body: { status } })

  const steps: [() => Promise<unknown>, number[]][] = [
    [() => setStatus(first, 'open'), [3, 1, 2]],
    [() => setStatus(first, 'open'), [3, 1, 2]],
    [() => setStatus(first, 'archived'), [3, 0, 2]],
    [() => setStatus(first, 'draft'), [3, 0, 3]],
    [() => setStatus(second, 'archived'), [3, 0, 2]],
    [() => setStatus(second, 'open'), [3, 1, 2]],
    [() => second.merge(), [3, 0, 2]],
    [() => refusal(second.merge()), [3, 0, 2]],
    [() => refusal(setStatus(second, 'open')), [3, 0, 2]],
    [() => third.merge(), [3, 0, 1]],
    [
      () => admin.api.requestReviewersForChangeRequest({ params: first.params, body: { users: [octavo.admin.id] } }),
      [3, 1, 0],
    ],
  ]
  for (const [step, expected] of steps) {
    await step()
    expect(await numbersOf(spaceId)).toEqual(expected)
  }
  // Duplicating a space does not copy its change requests.
  const copy = await admin.api.duplicateSpace({ params: { spaceId } })
  expect([copy.changeRequests, copy.changeRequestsOpen, copy.changeRequestsDraft]).toEqual([0, 0, 0])
  expect(await admin.api.createChangeRequest({ params: { spaceId: copy.id }, body: {} })).toMatchObject({ number: 1 })
})

const link = (url: string) => ({ ref: { kind: 'url' as const, url } })

test('subject, description and links can be updated, and invalid values are rejected with 400', async () => {
  const spaceId = await emptySpace(admin)
  const { params } = await propose(admin, spaceId, 'Before')
  const set = (body: Parameters<typeof admin.api.updateChangeRequestById>[0]['body']) =>
    admin.api.updateChangeRequestById({ params, body })

  const described = await set({ description: paragraph('Why') })
  expect(described).toMatchObject({ subject: 'Before', description: paragraph('Why') })
  expect((await set({ subject: 'After' })).description).toEqual(described.description)
  expect(await set({ description: { object: 'document', data: {}, nodes: [] } })).not.toHaveProperty('description')

  const linked = await set({ links: [link('https://one.example/'), { ...link('https://two.example/'), title: 'Two' }] })
  const [one, two] = linked.links ?? []
  expect(two).toMatchObject({ ref: { url: 'https://two.example/' }, title: 'Two' })
  const relinked = await set({
    links: [
      { id: two?.id, ...link('https://two.example/moved') },
      { id: 'made-up', ...link('https://three.example/') },
      { id: two?.id, ...link('https://four.example/') },
    ],
  })
  const ids = relinked.links?.map(({ id }) => id) ?? []
  expect(ids[0]).toBe(two?.id)
  expect(new Set([...ids, one?.id, 'made-up']).size).toBe(5)
  expect(await set({ links: [] })).not.toHaveProperty('links')

  expect(await refusal(set({ links: Array.from({ length: 11 }, () => link('https://many.example/')) }))).toBe(
    '400 body.links',
  )
  expect(await refusal(set({ links: [link('javascript:alert(1)')] }))).toBe('400 body.links.0.ref.url')
  expect(await refusal(set({ subject: 'x'.repeat(101) }))).toBe('400 body.subject')
  expect(await refusal(set({ status: 'merged' as never }))).toBe('400 body.status')
})

test('a merge combines the proposed changes with later changes of the space', async () => {
  const spaceId = await emptySpace(admin)
  const editor = await octavo.member('edit', 'Editor')
  const [pageId = ''] = await editLive(admin, spaceId, insertPage('# Page\n\nFirst.\n\nSecond.'))
  const live = await admin.api.getSpaceById({ params: { spaceId } })
  const proposal = await propose(editor, spaceId, 'Both')
  const read = () => admin.api.getChangeRequestById({ params: proposal.params })
  await proposal.edit(writePage(pageId, 'First, proposed.\n\nSecond.'), insertPage('# Added\n\nProposed.'))
  expect(await read()).toMatchObject({ outdated: false, revisionInitial: live.revision })
  expect((await readLive(admin, spaceId, pageId)).markdown).toContain('First.')

  await editLive(admin, spaceId, writePage(pageId, 'First.\n\nSecond, live.'), updatePage(pageId, { title: 'Renamed' }))
  expect(await read()).toMatchObject({ outdated: true, revisionInitial: live.revision })
  expect(await read()).not.toHaveProperty('revisionMergedAncestor')
  expect(await refusal(editor.api.mergeChangeRequest({ params: proposal.params }))).toBe('403')

  const ahead = await admin.api.getSpaceById({ params: { spaceId } })
  const proposed = await read()
  const merged = await admin.api.mergeChangeRequest({ params: proposal.params })
  expect(merged.result).toBe('merge')
  const page = await readLive(admin, spaceId, pageId)
  expect(page.title).toBe('Renamed')
  expect(page.markdown).toContain('First, proposed.')
  expect(page.markdown).toContain('Second, live.')
  const { pages } = await admin.api.listPages({ params: { spaceId } })
  expect(pages.map(({ title }) => title)).toEqual(['Renamed', 'Added'])

  expect((await admin.api.getSpaceById({ params: { spaceId } })).revision).toBe(merged.revision)
  const ended = await read()
  expect(ended).toMatchObject({
    status: 'merged',
    outdated: false,
    revision: proposed.revision,
    revisionMerged: merged.revision,
    mergedBy: { id: admin.id },
    createdBy: { id: editor.id },
  })
  expect(ended.mergedAt).toBe(ended.updatedAt)
  expect(await admin.api.getRevisionById({ params: { spaceId, revisionId: merged.revision } })).toMatchObject({
    type: 'merge',
    parents: [ahead.revision, proposed.revision],
    mergedFrom: { object: 'change-request', id: proposal.id, status: 'merged' },
  })
  const { changes } = await admin.api.getChangeRequestChanges({ params: proposal.params })
  expect(changes.map(({ type }) => type).sort()).toEqual(['page_created', 'page_edited'])
})

test('an update merges the live content into the change request and records both parents', async () => {
  const spaceId = await emptySpace(admin)
  const [pageId = ''] = await editLive(admin, spaceId, insertPage('# Page\n\nFirst.\n\nSecond.'))
  const proposal = await propose(admin, spaceId)
  await proposal.edit(writePage(pageId, 'First, proposed.\n\nSecond.'))
  const before = await admin.api.getChangeRequestById({ params: proposal.params })
  expect(await proposal.update()).toEqual({ revision: before.revision, result: 'update' })

  await editLive(admin, spaceId, writePage(pageId, 'First.\n\nSecond, live.'))
  const live = await admin.api.getSpaceById({ params: { spaceId } })
  const updated = await proposal.update()
  expect(updated.result).toBe('update')
  expect(await admin.api.getChangeRequestById({ params: proposal.params })).toMatchObject({
    status: 'draft',
    outdated: false,
    revision: updated.revision,
    revisionInitial: before.revisionInitial,
    revisionMergedAncestor: live.revision,
  })
  expect(await admin.api.getRevisionById({ params: { spaceId, revisionId: updated.revision } })).toMatchObject({
    type: 'update',
    parents: [before.revision, live.revision],
  })
  const page = await admin.api.getPageInChangeRequestById({
    params: { ...proposal.params, pageId },
    query: { format: 'markdown' },
  })
  expect(page).toMatchObject({ markdown: expect.stringContaining('First, proposed.\n\nSecond, live.') })
  // The changes of a change request exclude content that an update merged from the space.
  const { changes } = await admin.api.getChangeRequestChanges({ params: proposal.params })
  expect(changes).toMatchObject([{ type: 'page_edited', page: { id: pageId } }])
  expect((await readLive(admin, spaceId, pageId)).markdown).toContain('First.\n\nSecond, live.')
  expect((await proposal.merge()).result).toBe('merge')
})

test('an archived or merged change request rejects edits, reviews and merges with 409', async () => {
  const spaceId = await emptySpace(admin)
  const [archived, merged] = [await propose(admin, spaceId), await propose(admin, spaceId)]
  await archived.edit(insertPage('# Kept'))
  await admin.api.updateChangeRequestById({ params: archived.params, body: { status: 'archived' } })
  await merged.merge()
  for (const { params, edit, merge, update } of [archived, merged]) {
    const before = await admin.api.getChangeRequestById({ params })
    const attempts = [
      edit(insertPage('# Late')),
      merge(),
      update(),
      admin.api.submitChangeRequestReview({ params, body: { status: 'approved' } }),
      admin.api.requestReviewersForChangeRequest({ params, body: { users: [admin.id] } }),
      admin.api.resolveChangeRequestConflicts({ params, body: { side: 'ours' } }),
    ]
    expect(await Promise.all(attempts.map((attempt) => refusal(attempt)))).toEqual(attempts.map(() => '409'))
    expect(await admin.api.getChangeRequestById({ params })).toEqual(before)
  }
  expect(await refusal(admin.api.updateChangeRequestById({ params: merged.params, body: { subject: 'Late' } }))).toBe(
    '409',
  )
  await admin.api.updateChangeRequestById({ params: archived.params, body: { status: 'open' } })
  expect((await archived.merge()).result).toBe('merge')
  const { pages } = await admin.api.listPages({ params: { spaceId } })
  expect(pages.map(({ title }) => title)).toEqual(['Kept'])
})

test('the contributors are the users who changed the content, with the number of their edits', async () => {
  const spaceId = await emptySpace(admin)
  const editor = await octavo.member('edit', 'Contributor')
  const proposal = await propose(admin, spaceId)
  const list = async () => (await admin.api.getContributorsByChangeRequestId({ params: proposal.params })).items
  expect(await list()).toEqual([])
  await proposal.edit(insertPage('# One'))
  const [pageId = ''] = await proposal.edit(insertPage('# Two'))
  await editor.api.updateChangeRequestContent({
    params: proposal.params,
    body: { changes: [updatePage(pageId, { title: 'Second' }) as never] },
  })
  // An edit without effect is not counted.
  await editor.api.updateChangeRequestContent({
    params: proposal.params,
    body: { changes: [updatePage(pageId, { title: 'Second' }) as never] },
  })
  const found = new Map((await list()).map((one) => [one.user.id, one]))
  expect(found.size).toBe(2)
  expect(found.get(admin.id)).toMatchObject({ count: 2, actionType: 'edit' })
  expect(found.get(editor.id)).toMatchObject({ count: 1, actionType: 'edit' })
  const paged = await readAllPages((page) =>
    admin.api.getContributorsByChangeRequestId({ params: proposal.params, query: { limit: '1', page } }),
  )
  expect(paged.flat().map(({ user }) => user.id)).toEqual([...found.keys()])
})

test('an update with `Prefer: return=minimal` returns 204 without a body', async () => {
  const spaceId = await emptySpace(admin)
  const { params } = await propose(admin, spaceId)
  const path = `/v1/spaces/${spaceId}/change-requests/${params.changeRequestId}`
  const init = { method: 'PATCH', body: JSON.stringify({ subject: 'Quiet' }), token: admin.token }
  const reply = await octavo.fetch(path, { ...init, headers: { prefer: 'return=minimal' } })
  expect([reply.status, reply.headers.get('preference-applied'), await reply.text()]).toEqual([
    204,
    'return=minimal',
    '',
  ])
  expect(await admin.api.getChangeRequestById({ params })).toMatchObject({ subject: 'Quiet' })
})
