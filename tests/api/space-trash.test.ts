import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Space } from '../../src/contract/space.ts'
import { days, hours, minutes } from '../../src/kernel/time.ts'
import { editLive, insertPage, propose, readLive } from '../support/content.ts'
import { addFiles, inlineFile, fetchText } from '../support/files.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, serverForTest, startTestServer } from '../support/server.ts'
import { readStoredObjects, advanceClock } from '../support/sweep.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const pathOf = (space: Space) => ({ params: { spaceId: space.id } })
const read = (who: Person, space: Space) => who.api.getSpaceById(pathOf(space))
const remove = (who: Person, space: Space) => who.api.deleteSpaceById(pathOf(space))
const restore = (who: Person, space: Space) => who.api.restoreSpace(pathOf(space))

test('a deleted space is removed from all lists and counts, and is restored with its permissions', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const [member, guest] = [await make.member('edit'), await make.member(null)]
  const team = await make.team('Writers', [guest])
  const collection = await make.collection('Guides')
  const space = await make.space('Guide', { parent: collection.id })
  const kept = await make.space('Kept', { parent: collection.id })
  await owner.api.inviteToSpace({ ...pathOf(space), body: { role: 'review', users: [member.id], teams: [team.id] } })
  const inCollection = { params: { collectionId: collection.id } }
  /** Returns every count and list that includes the space. */
  const look = async () => ({
    inOrganization: (await owner.api.listSpacesInOrganizationById({ params })).count,
    inCollection: (await owner.api.listSpacesInCollectionById(inCollection)).items.map(({ id }) => id),
    forMember: (await member.api.listSpacesInOrganizationById({ params })).items.map(({ id }) => id),
    forGuest: (await guest.api.listSpacesInOrganizationById({ params })).items.map(({ id }) => id),
    ofMember: (await owner.api.listSpacesForOrganizationMember({ params: { ...params, userId: member.id } })).items.map(
      (item) => item.permission,
    ),
    counts: [
      (await make.getMembership(owner)).spaces,
      (await make.getMembership(member)).spaces,
      (await make.getMembership(guest)).spaces,
      (await owner.api.getTeamInOrganizationById({ params: { ...params, teamId: team.id } })).spaces,
    ],
  })
  const before = await look()
  expect(before).toEqual({
    inOrganization: 2,
    inCollection: [space.id, kept.id],
    forMember: [space.id, kept.id],
    forGuest: [space.id],
    ofMember: ['edit', 'review'],
    counts: [2, 2, 1, 1],
  })

  await remove(owner, space)
  expect(await look()).toEqual({
    inOrganization: 1,
    inCollection: [kept.id],
    forMember: [kept.id],
    forGuest: [],
    ofMember: ['edit'],
    counts: [1, 1, 0, 0],
  })
  for (const person of [owner, member, guest]) expect(await refusal(read(person, space))).toBe('404')
  const others: (() => Promise<unknown>)[] = [
    () => owner.api.updateSpaceById({ ...pathOf(space), body: { title: 'Ghost' } }),
    () => owner.api.duplicateSpace(pathOf(space)),
    () => owner.api.moveSpace({ ...pathOf(space), body: { parent: null } }),
    () => owner.api.transferSpace({ ...pathOf(space), body: { organization: params.organizationId } }),
    () => owner.api.inviteToSpace({ ...pathOf(space), body: { role: 'read', users: [guest.id] } }),
    () => owner.api.listUserPermissionsInSpace(pathOf(space)),
  ]
  for (const other of others) expect(await refusal(other())).toBe('404')

  const restored = await restore(owner, space)
  expect(restored).toEqual({ ...space, updatedAt: restored.updatedAt })
  expect({ ...(await look()), inCollection: [] }).toEqual({ ...before, inCollection: [] })
  // Its previous position may be taken, so it is restored at the end.
  expect((await look()).inCollection).toEqual([kept.id, space.id])
  expect((await read(member, space)).permissions.review).toBe(true)
})

test('deleting a deleted, unknown or hidden space changes nothing, and deleting without the role returns 403', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const [creator, reviewer, guest, stranger] = [
    await make.member('create'),
    await make.member('review'),
    await make.member(null),
    await octavo.person(),
  ]
  const space = await make.space('Guide')
  await guest.api.deleteSpaceById(pathOf(space))
  await stranger.api.deleteSpaceById(pathOf(space))
  await owner.api.deleteSpaceById({ params: { spaceId: 'nowhere' } })
  expect(await refusal(remove(reviewer, space))).toBe('403')
  expect(await read(owner, space)).toEqual(space)

  await remove(creator, space)
  await remove(creator, space)
  await remove(owner, space)
  expect((await owner.api.listSpacesInOrganizationById({ params })).count).toBe(0)
})

test('restoring a space needs the permission to delete it, and returns 409 if it is not deleted', async () => {
  const make = await makeOrganization(octavo)
  const [creator, reviewer, guest, stranger] = [
    await make.member('create'),
    await make.member('review'),
    await make.member(null),
    await octavo.person(),
  ]
  const space = await make.space('Guide')
  expect(await refusal(restore(creator, space))).toBe('409')
  await remove(creator, space)
  expect(await refusal(restore(reviewer, space))).toBe('403')
  expect(await refusal(restore(guest, space))).toBe('404')
  expect(await refusal(restore(stranger, space))).toBe('404')
  expect(await refusal(creator.api.restoreSpace({ params: { spaceId: 'nowhere' } }))).toBe('404')
  expect(await restore(creator, space)).toMatchObject({ id: space.id })
  expect(await refusal(restore(creator, space))).toBe('409')
})

test('a restored space inherits the level that its collection has now', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const reader = await make.member('read')
  const collection = await make.collection('Guides')
  const space = await make.space('Guide', { parent: collection.id })
  await remove(owner, space)
  await owner.api.updateCollectionById({ params: { collectionId: collection.id }, body: { defaultLevel: null } })
  await restore(owner, space)
  expect(await refusal(read(reader, space))).toBe('404')
})

test('a deleted space can be restored for 7 days, then it is deleted permanently with its rows', async () => {
  const server = await serverForTest()
  const { owner, params, ...make } = await makeOrganization(server)
  const { organizationId } = params
  const guest = await make.member(null)
  const team = await make.team('Writers', [guest])
  const space = await make.space('Guide')
  await owner.api.inviteToSpace({ ...pathOf(space), body: { role: 'edit', users: [guest.id], teams: [team.id] } })
  await owner.api.createOrganizationInvite({ params, body: { level: 'read', space: space.id } })
  const { reader } = server.server.app.database
  const belonging = ['spaces', 'revisions', 'change_requests', 'grants', 'link_invites'] as const
  const rows = () =>
    Promise.all(
      belonging.map(async (table) => {
        const all = reader.selectFrom(table).selectAll().where('organization_id', '=', organizationId)
        return (await all.execute()).length
      }),
    )
  await propose(owner, space.id)

  await remove(owner, space)
  await advanceClock(server, days(7) - minutes(1))
  expect(await rows()).toEqual([1, 1, 1, 2, 1])
  expect(await restore(owner, space)).toMatchObject({ id: space.id, revision: space.revision })

  await remove(owner, space)
  await advanceClock(server, days(7) - minutes(1))
  server.clock.advance(minutes(2))
  // The job has not run yet, but the time to restore is over.
  expect(await rows()).toEqual([1, 1, 1, 2, 1])
  expect(await refusal(restore(owner, space))).toBe('404')

  await advanceClock(server, hours(1))
  expect(await rows()).toEqual([0, 0, 0, 0, 0])
  expect(await refusal(restore(owner, space))).toBe('404')
  await remove(owner, space)
  expect((await owner.api.listOrganizationInviteLinks({ params })).count).toBe(0)
})

test('deleting a space permanently keeps objects shared with other spaces and deletes its own', async () => {
  const server = await serverForTest()
  const { owner, params, ...make } = await makeOrganization(server)
  const original = await make.space('Guide')
  const [shared] = await editLive(owner, original.id, insertPage('# Shared\n\nWords of both.'))
  const [file] = await addFiles(owner, original.id, inlineFile('both.txt', 'A file of both.'))
  const copy = await owner.api.duplicateSpace(pathOf(original))
  const proposal = await propose(owner, original.id)
  await proposal.edit(insertPage('# Own\n\nWords that only the original has.'))
  const young = await make.space('Young')
  const kept = () => readStoredObjects(server, params.organizationId)
  const before = await kept()

  await remove(owner, original)
  await advanceClock(server, days(4))
  await remove(owner, young)
  await advanceClock(server, days(4))
  await advanceClock(server, hours(3))
  const after = await kept()
  expect(after.revisions).toBe(2)
  expect(after.objects).toEqual(after.reached)
  expect(after.objects.length).toBeLessThan(before.objects.length)
  expect(await read(owner, copy)).toEqual(copy)
  expect((await readLive(owner, copy.id, shared ?? '')).markdown).toContain('Words of both.')
  const ofCopy = await owner.api.getFileById({ params: { spaceId: copy.id, fileId: file?.id ?? '' } })
  expect(await fetchText(ofCopy.downloadURL)).toBe('A file of both.')
  expect(await restore(owner, young)).toMatchObject({ id: young.id })
})
