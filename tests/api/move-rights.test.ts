import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Collection } from '../../src/contract/collections.ts'
import type { Role } from '../../src/contract/roles.ts'
import type { MoveBody, Space } from '../../src/contract/space.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { getRole } from '../support/roles.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

function move(who: Person, item: Space | Collection, body: MoveBody) {
  return item.object === 'space'
    ? who.api.moveSpace({ params: { spaceId: item.id }, body })
    : who.api.moveCollection({ params: { collectionId: item.id }, body })
}

const share = (owner: Person, collection: Collection, role: Role, person: Person) =>
  owner.api.inviteToCollection({ params: { collectionId: collection.id }, body: { role, users: [person.id] } })
const shareSpace = (owner: Person, space: Space, role: Role, person: Person) =>
  owner.api.inviteToSpace({ params: { spaceId: space.id }, body: { role, users: [person.id] } })

test('the new parent must be a collection of the same organization that the caller can see', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const guest = await make.member(null)
  const [space, collection] = [await make.space('Space'), await make.collection('Collection')]
  const hidden = await make.collection('Hidden')
  const foreign = await (await makeOrganization(octavo)).collection('Foreign')
  await shareSpace(owner, space, 'admin', guest)
  await share(owner, collection, 'admin', guest)
  for (const item of [space, collection]) {
    for (const parent of ['nowhere', '', space.id, foreign.id])
      expect(await refusal(move(owner, item, { parent }))).toBe('404 body.parent')
    expect(await refusal(move(guest, item, { parent: hidden.id }))).toBe('404 body.parent')
  }
  expect(await owner.api.getSpaceById({ params: { spaceId: space.id } })).toEqual(space)
  expect(await owner.api.getCollectionById({ params: { collectionId: collection.id } })).toEqual(collection)
})

test('a collection cannot be moved into itself or its descendants', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const outer = await make.collection('Outer')
  const inner = await make.collection('Inner', outer.id)
  const deep = await make.collection('Deep', inner.id)
  for (const parent of [outer.id, inner.id, deep.id])
    expect(await refusal(move(owner, outer, { parent }))).toBe('400 body.parent')
  expect(await refusal(move(owner, inner, { parent: deep.id }))).toBe('400 body.parent')
  expect(await move(owner, deep, { parent: outer.id })).toMatchObject({ parent: outer.id })
  expect(await move(owner, inner, { parent: deep.id })).toMatchObject({ parent: deep.id })
})

test('moving requires the role `create` for the moved item and for its new parent', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const guest = await make.member(null)
  const [from, to] = [await make.collection('From'), await make.collection('To')]
  const space = await make.space('Space', { parent: from.id })
  const collection = await make.collection('Collection', from.id)

  for (const item of [space, collection]) expect(await refusal(move(guest, item, { parent: to.id }))).toBe('404')
  await share(owner, from, 'review', guest)
  await share(owner, to, 'review', guest)
  for (const item of [space, collection]) expect(await refusal(move(guest, item, { parent: to.id }))).toBe('403')
  await share(owner, from, 'create', guest)
  for (const item of [space, collection]) {
    expect(await refusal(move(guest, item, { parent: to.id }))).toBe('403')
    // A guest cannot create items at the top level of the organization.
    expect(await refusal(move(guest, item, { parent: null }))).toBe('403')
  }
  await share(owner, to, 'create', guest)
  for (const item of [space, collection])
    expect(await move(guest, item, { parent: to.id })).toMatchObject({ parent: to.id })
})

test('moving an item to the top level requires the role `create` in the organization', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [creator, reviewer] = [await make.member('create'), await make.member('review')]
  const parent = await make.collection('Parent')
  const [space, collection] = [await make.space('Space', { parent: parent.id }), await make.collection('C', parent.id)]
  await share(owner, parent, 'admin', reviewer)
  for (const item of [space, collection]) {
    expect(await refusal(move(reviewer, item, { parent: null }))).toBe('403')
    expect(await move(creator, item, { parent: null })).not.toHaveProperty('parent')
  }
})

test('a member can change the position of an item without access to its parent', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const guest = await make.member(null)
  const parent = await make.collection('Parent')
  const [space, collection, last] = [
    await make.space('Space', { parent: parent.id }),
    await make.collection('Collection', parent.id),
    await make.space('Last', { parent: parent.id }),
  ]
  await shareSpace(owner, space, 'create', guest)
  await share(owner, collection, 'create', guest)
  await move(guest, space, { position: {} })
  await move(guest, collection, { position: {} })
  const { items } = await owner.api.listSpacesInCollectionById({ params: { collectionId: parent.id } })
  expect(items.map(({ id }) => id)).toEqual([last.id, space.id])
})

test('a collection cannot be moved if it contains a space that the caller cannot move', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const member = await make.member('read')
  const [outer, own] = [await make.collection('Outer'), await make.collection('Own')]
  const inner = await make.collection('Inner', outer.id)
  const secret = await make.space('Secret', { parent: inner.id, defaultLevel: null })
  await owner.api.updateCollectionById({ params: { collectionId: outer.id }, body: { defaultLevel: 'create' } })
  await share(owner, own, 'admin', member)

  const steal = () => refusal(move(member, outer, { parent: own.id }))
  expect(await steal()).toBe('412')
  await owner.api.deleteSpaceById({ params: { spaceId: secret.id } })
  expect(await steal()).toBe('412')
  await owner.api.restoreSpace({ params: { spaceId: secret.id } })
  expect(await getRole(member, secret)).toBe(null)
  expect(await owner.api.getCollectionById({ params: { collectionId: outer.id } })).not.toHaveProperty('parent')

  await shareSpace(owner, secret, 'create', member)
  expect(await move(member, outer, { parent: own.id })).toMatchObject({ parent: own.id })
  expect(await getRole(member, secret)).toBe('admin')
})

test('a moved space keeps its own shares, and inherits those of its new parents', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [direct, above, below] = [await make.member(null), await make.member(null), await make.member(null)]
  const [from, to] = [await make.collection('From'), await make.collection('To')]
  const inner = await make.collection('Inner', to.id)
  const space = await make.space('Space', { parent: from.id })
  await shareSpace(owner, space, 'comment', direct)
  await share(owner, from, 'edit', above)
  await share(owner, to, 'review', below)
  const rolesNow = async () => [await getRole(direct, space), await getRole(above, space), await getRole(below, space)]
  expect(await rolesNow()).toEqual(['comment', 'edit', null])
  await move(owner, space, { parent: inner.id })
  expect(await rolesNow()).toEqual(['comment', null, 'review'])
  await move(owner, inner, { parent: from.id })
  expect(await rolesNow()).toEqual(['comment', 'edit', null])
  await move(owner, space, { parent: null })
  expect(await rolesNow()).toEqual(['comment', null, null])
})
