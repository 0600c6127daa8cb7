import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChangeRequestStatus } from '../../src/contract/change-request.ts'
import { emptySpace, insertPage, propose } from '../support/content.ts'
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

/** Creates one change request of each status and returns their ids. */
async function oneOfEach(spaceId: string): Promise<Record<ChangeRequestStatus, string>> {
  const make = () => propose(admin, spaceId)
  const [draft, open, archived, merged] = [await make(), await make(), await make(), await make()]
  await admin.api.updateChangeRequestById({ params: open.params, body: { status: 'open' } })
  await admin.api.updateChangeRequestById({ params: archived.params, body: { status: 'archived' } })
  await merged.merge()
  return { draft: draft.id, open: open.id, archived: archived.id, merged: merged.id }
}

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

test('space lists filter by one status, organization lists by several, and both default to open', async () => {
  const spaceId = await emptySpace(admin)
  const made = await oneOfEach(spaceId)
  const list = (status?: ChangeRequestStatus) =>
    admin.api.listChangeRequestsForSpace({ params: { spaceId }, query: status ? { status } : {} })
  expect(await list()).toMatchObject({ count: 1, items: [{ id: made.open, status: 'open' }] })
  for (const [status, id] of Object.entries(made)) {
    expect(idsOf(await list(status as ChangeRequestStatus))).toEqual([id])
  }
  expect(await refusal(list('closed' as never))).toBe('400 query.status')

  const params = { organizationId: admin.organizationId }
  const listAll = async (query: string) => {
    const path = `/v1/orgs/${params.organizationId}/change-requests?space=${spaceId}${query}`
    const reply = await octavo.fetch(path, { token: admin.token })
    return idsOf((await reply.json()) as { items: { id: string }[] }).sort()
  }
  expect(await listAll('')).toEqual([made.open])
  expect(await listAll('&status=draft')).toEqual([made.draft])
  expect(await listAll('&status=draft&status=merged')).toEqual([made.draft, made.merged].sort())
})

test('lists filter by creator, contributor and requested reviewer', async () => {
  const spaceId = await emptySpace(admin)
  const editor = await octavo.member('edit', 'Editor')
  const mine = await propose(admin, spaceId)
  const theirs = await propose(editor, spaceId)
  await editor.api.updateChangeRequestContent({
    params: mine.params,
    body: { changes: [insertPage('# Helped') as never] },
  })
  await admin.api.requestReviewersForChangeRequest({ params: mine.params, body: { users: [editor.id] } })
  await admin.api.updateChangeRequestById({ params: theirs.params, body: { status: 'open' } })

  const narrowed: [Record<string, string>, string[]][] = [
    [{ creator: admin.id }, [mine.id]],
    [{ creator: editor.id }, [theirs.id]],
    [{ contributor: editor.id }, [mine.id]],
    [{ contributor: admin.id }, []],
    [{ requestedReviewer: editor.id }, [mine.id]],
    [{ requestedReviewer: admin.id }, []],
    [{ creator: admin.id, contributor: editor.id, requestedReviewer: editor.id }, [mine.id]],
    [{ creator: editor.id, contributor: editor.id }, []],
    [{ creator: 'nobody' }, []],
  ]
  for (const [query, expected] of narrowed) {
    const inSpace = await admin.api.listChangeRequestsForSpace({ params: { spaceId }, query })
    expect([idsOf(inSpace), inSpace.count]).toEqual([expected, expected.length])
    const params = { organizationId: admin.organizationId }
    const inAll = await admin.api.listChangeRequestsForOrganization({ params, query: { ...query, space: spaceId } })
    expect(inAll).toEqual(inSpace)
  }
})

test('lists are paginated and sorted newest first by creation or update time', async () => {
  const spaceId = await emptySpace(admin)
  const made: string[] = []
  for (let number = 1; number <= 5; number++) made.push((await propose(admin, spaceId)).id)
  octavo.clock.advance(1000)
  const changeRequestId = made[1] as string
  await admin.api.updateChangeRequestById({ params: { spaceId, changeRequestId }, body: { subject: 'Touched' } })
  const newest = made.toReversed()
  const expected = {
    createdAt: newest,
    updatedAt: [changeRequestId, ...newest.filter((id) => id !== changeRequestId)],
  }
  for (const orderBy of ['createdAt', 'updatedAt'] as const) {
    const query = { status: 'draft', orderBy, limit: '2' } as const
    const inSpace = await readAllPages((page) =>
      admin.api.listChangeRequestsForSpace({ params: { spaceId }, query: { ...query, page } }),
    )
    expect(inSpace.map((items) => items.length)).toEqual([2, 2, 1])
    expect(inSpace.flat().map(({ id }) => id)).toEqual(expected[orderBy])
    const params = { organizationId: admin.organizationId }
    const inAll = await readAllPages((page) =>
      admin.api.listChangeRequestsForOrganization({
        params,
        query: { ...query, status: ['draft'], page, space: spaceId },
      }),
    )
    expect(inAll).toEqual(inSpace)
  }
  const byDefault = await admin.api.listChangeRequestsForSpace({ params: { spaceId }, query: { status: 'draft' } })
  expect(idsOf(byDefault)).toEqual(expected.updatedAt)
  const nowhere = admin.api.listChangeRequestsForSpace({ params: { spaceId }, query: { page: 'nowhere' } })
  expect(await refusal(nowhere)).toBe('400 query.page')
})

test('the list of an organization contains only visible change requests, with the permissions of the caller', async () => {
  const stranger = await octavo.person('Owner')
  const { id: organizationId } = await stranger.api.createOrganization({ body: { title: 'Elsewhere' } })
  const owner = { ...stranger, organizationId, spaceId: '' }
  const [shown, hidden, deleted] = [await emptySpace(owner), await emptySpace(owner), await emptySpace(owner)]
  await owner.api.updateSpaceById({ params: { spaceId: hidden }, body: { defaultLevel: null } })
  await owner.api.updateSpaceById({ params: { spaceId: shown }, body: { defaultLevel: 'comment' } })
  const made = new Map<string, string>()
  for (const spaceId of [shown, hidden, deleted]) {
    const { id, params } = await propose(owner, spaceId)
    await owner.api.updateChangeRequestById({ params, body: { status: 'open' } })
    made.set(spaceId, id)
  }
  await owner.api.deleteSpaceById({ params: { spaceId: deleted } })
  const invited = await octavo.person('Reader')
  await owner.api.inviteUsersToOrganization({
    params: { organizationId },
    body: { emails: [{ email: invited.email, role: 'read' }] },
  })
  const list = (api: typeof invited.api, query: { space?: string } = {}) =>
    api.listChangeRequestsForOrganization({ params: { organizationId }, query })

  expect(await list(owner.api)).toMatchObject({ count: 2 })
  expect(await list(invited.api)).toMatchObject({
    count: 1,
    items: [{ id: made.get(shown), permissions: { view: true, comment: true, edit: false, merge: false } }],
  })
  for (const space of [hidden, deleted, admin.spaceId]) {
    expect(await list(invited.api, { space })).toEqual({ count: 0, items: [] })
  }
  expect(await list(owner.api, { space: deleted })).toEqual({ count: 0, items: [] })
  await owner.api.inviteToSpace({ params: { spaceId: hidden }, body: { users: [invited.id], role: 'review' } })
  expect(await list(invited.api, { space: hidden })).toMatchObject({
    count: 1,
    items: [{ id: made.get(hidden), permissions: { edit: true, merge: true } }],
  })
  expect(await refusal(list(admin.api))).toBe('404')
})

test('merged change requests are listed in the order of merging', async () => {
  const spaceId = await emptySpace(admin)
  const [first, second, third] = [
    await propose(admin, spaceId),
    await propose(admin, spaceId),
    await propose(admin, spaceId),
  ]
  for (const { merge } of [second, third, first]) await merge()
  const { items } = await admin.api.listChangeRequestsForOrganization({
    params: { organizationId: admin.organizationId },
    query: { status: 'merged', space: spaceId },
  })
  expect(items.map(({ id }) => id)).toEqual([first.id, third.id, second.id])
  expect(items.map(({ mergedAt }) => mergedAt)).toEqual(items.map(({ updatedAt }) => updatedAt))
})
