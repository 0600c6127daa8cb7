import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Collection } from '../../src/contract/collections.ts'
import type { DefaultLevel } from '../../src/contract/roles.ts'
import { days } from '../../src/kernel/time.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { rolesAscending, getRole } from '../support/roles.ts'
import { type Person, type TestServer, serverForTest, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const remove = (who: Person, { id }: Collection) => who.api.deleteCollectionById({ params: { collectionId: id } })
const read = (who: Person, { id }: Collection) => who.api.getCollectionById({ params: { collectionId: id } })
const restore = (who: Person, { id }: { id: string }) => who.api.restoreSpace({ params: { spaceId: id } })

test('deleting a collection deletes its nested collections, and their spaces can be restored at the top level', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const outer = await make.collection('Outer')
  const inner = await make.collection('Inner', outer.id)
  const beside = await make.collection('Beside')
  const direct = await make.space('Direct', { parent: outer.id })
  const deep = await make.space('Deep', { parent: inner.id })
  const kept = await make.space('Kept', { parent: beside.id })
  await owner.api.updateSpaceById({ params: { spaceId: deep.id }, body: { visibility: 'in-collection' } })

  await remove(owner, outer)
  for (const collection of [outer, inner]) expect(await refusal(read(owner, collection))).toBe('404')
  const collections = await owner.api.listCollectionsInOrganizationById({ params })
  expect(collections).toEqual({ count: 1, items: [beside] })
  expect(await owner.api.listSpacesInOrganizationById({ params })).toEqual({ count: 1, items: [kept] })
  expect((await make.getMembership(owner)).spaces).toBe(1)
  await remove(owner, outer)

  const back = await restore(owner, direct)
  expect(back).not.toHaveProperty('parent')
  expect(back).toMatchObject({ id: direct.id, title: 'Direct', revision: direct.revision })
  // The visibility `in-collection` requires a collection, so the restored space becomes private.
  expect(await restore(owner, deep)).toMatchObject({ id: deep.id, visibility: 'private' })
  expect((await owner.api.listSpacesInOrganizationById({ params })).count).toBe(3)
})

test('a space restored from a deleted collection is not accessible to more members than before', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [reader, creator, guest] = [await make.member('read'), await make.member('create'), await make.member(null)]
  const team = await make.team('Team', [guest])
  const levels: DefaultLevel[] = [...rolesAscending, null, 'inherit']
  for (const [outerLevel, innerLevel, spaceLevel] of [
    ...levels.map((level) => [level, 'inherit', 'inherit'] as const),
    ...levels.map((level) => ['read', level, 'inherit'] as const),
    ...levels.map((level) => [null, 'edit', level] as const),
  ]) {
    const outer = await make.collection('Outer')
    const inner = await make.collection('Inner', outer.id)
    const space = await make.space('Space', { parent: inner.id, defaultLevel: spaceLevel })
    for (const [collection, defaultLevel] of [
      [outer, outerLevel],
      [inner, innerLevel],
    ] as const)
      await owner.api.updateCollectionById({ params: { collectionId: collection.id }, body: { defaultLevel } })
    await owner.api.inviteToCollection({
      params: { collectionId: inner.id },
      body: { role: 'review', teams: [team.id], users: [reader.id] },
    })
    await owner.api.inviteToSpace({ params: { spaceId: space.id }, body: { role: 'comment', users: [guest.id] } })
    const rolesNow = async () => [
      await getRole(creator, space),
      await getRole(reader, space),
      await getRole(guest, space),
    ]
    const [byLevel, , ofGuest] = await rolesNow()
    expect(ofGuest).toBe('review')

    await remove(owner, outer)
    await restore(owner, space)
    // Roles granted on the collection are deleted with it; roles granted on the space are kept.
    const isOpenAsOrganization = [outerLevel, innerLevel, spaceLevel].every((level) => level === 'inherit')
    const readerNow = isOpenAsOrganization ? 'read' : byLevel
    expect(await rolesNow(), `${outerLevel} > ${innerLevel} > ${spaceLevel}`).toEqual([byLevel, readerNow, 'comment'])
  }
})

test('deleting a collection with content that the caller cannot delete is rejected with 412', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const member = await make.member('read')
  const outer = await make.collection('Outer')
  const inner = await make.collection('Inner', outer.id)
  const space = await make.space('Space', { parent: inner.id })
  const level = (collection: Collection, defaultLevel: DefaultLevel) =>
    owner.api.updateCollectionById({ params: { collectionId: collection.id }, body: { defaultLevel } })
  const spaceLevel = (defaultLevel: DefaultLevel) =>
    owner.api.updateSpaceById({ params: { spaceId: space.id }, body: { defaultLevel } })
  await level(outer, 'create')

  for (const tooLow of ['review', null] as const) {
    await spaceLevel(tooLow)
    expect(await refusal(remove(member, outer))).toBe('412')
    await spaceLevel('inherit')
    await level(inner, tooLow)
    // The role in the space is sufficient, but the role in its collection is not.
    await spaceLevel('create')
    expect(await refusal(remove(member, outer))).toBe('412')
    await level(inner, 'inherit')
  }
  expect((await owner.api.listCollectionsInOrganizationById({ params })).count).toBe(2)
  expect(await getRole(owner, space)).toBe('admin')

  await spaceLevel(null)
  // A deleted space is hidden from every caller, so it does not prevent the deletion.
  await owner.api.deleteSpaceById({ params: { spaceId: space.id } })
  await remove(member, outer)
  expect((await owner.api.listCollectionsInOrganizationById({ params })).count).toBe(0)
  expect(await restore(owner, space)).toMatchObject({ defaultLevel: null })
})

test('deleting a hidden or unknown collection has no effect; deleting a visible one requires the role `create`', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [creator, reviewer, guest] = [await make.member('create'), await make.member('review'), await make.member(null)]
  const collection = await make.collection('Guides')
  await remove(guest, collection)
  await remove(await octavo.person(), collection)
  await owner.api.deleteCollectionById({ params: { collectionId: 'nowhere' } })
  expect(await refusal(remove(reviewer, collection))).toBe('403')
  expect(await read(owner, collection)).toEqual(collection)
  await remove(creator, collection)
  expect(await refusal(read(owner, collection))).toBe('404')
})

test('the restore period of a space starts at its own deletion, not at that of its collection', async () => {
  const server = await serverForTest()
  const { owner, ...make } = await makeOrganization(server)
  const collection = await make.collection('Guides')
  const [early, late] = [
    await make.space('Early', { parent: collection.id }),
    await make.space('Late', { parent: collection.id }),
  ]
  await owner.api.deleteSpaceById({ params: { spaceId: early.id } })
  server.clock.advance(days(4))
  await remove(owner, collection)
  server.clock.advance(days(4))
  expect(await refusal(restore(owner, early))).toBe('404')
  expect(await restore(owner, late)).toMatchObject({ title: 'Late' })
})
