import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Collection } from '../../src/contract/collections.ts'
import type { DefaultLevel } from '../../src/contract/roles.ts'
import { readAllPages } from '../support/lists.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { collectionPermissions, rolesAscending, getRole } from '../support/roles.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const pathOf = (collection: Pick<Collection, 'id'>) => ({ params: { collectionId: collection.id } })
const read = (who: Person, collection: Collection) => who.api.getCollectionById(pathOf(collection))
const update = (who: Person, collection: Collection, body: object) =>
  who.api.updateCollectionById({ ...pathOf(collection), body })

test('creates, reads and updates a collection field by field', async () => {
  const { owner, organization } = await makeOrganization(octavo)
  const reply = await octavo.fetch(`/v1/orgs/${organization.id}/collections`, { method: 'POST', token: owner.token })
  expect(reply.status).toBe(201)
  let collection = (await reply.json()) as Collection
  expect(reply.headers.get('location')).toBe(collection.urls.location)
  expect(new URL(collection.urls.location).pathname).toBe(`/v1/collections/${collection.id}`)
  expect(collection).toMatchObject({
    object: 'collection',
    organization: organization.id,
    defaultLevel: 'inherit',
    permissions: collectionPermissions('admin'),
  })
  expect(collection.title).not.toBe('')
  for (const absent of ['parent', 'description']) expect(collection).not.toHaveProperty(absent)

  const levels: DefaultLevel[] = [...rolesAscending, null, 'inherit']
  const changes: Partial<Collection>[] = [
    { title: 'x'.repeat(50) },
    { title: '' },
    { description: 'y'.repeat(100) },
    { description: '' },
    ...levels.map((defaultLevel) => ({ defaultLevel })),
    { title: 'All', description: 'At once', defaultLevel: 'read' },
    {},
  ]
  for (const change of changes) {
    const changed = await update(owner, collection, change)
    expect(changed).toEqual({ ...collection, ...change })
    expect(await read(owner, collection)).toEqual(changed)
    collection = changed
  }
})

test('lists visible collections page by page, with or without nested ones', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const [member, guest] = [await make.member('read'), await make.member(null)]
  const [a, b, c] = [await make.collection('a'), await make.collection('b'), await make.collection('c')]
  const nested = await make.collection('a1', a.id)
  const deep = await make.collection('a1x', nested.id)
  const closed = await update(owner, c, { defaultLevel: null })
  await owner.api.inviteToCollection({ ...pathOf(nested), body: { role: 'create', users: [guest.id] } })

  const listFor = async (who: Person, query: object) => {
    const list = (page: string | undefined) =>
      who.api.listCollectionsInOrganizationById({ params, query: { ...query, page } })
    return (await readAllPages(list)).flat().map(({ title }) => title)
  }
  for (const limit of [1, 2, 50]) {
    expect((await listFor(owner, { limit })).sort()).toEqual(['a', 'a1', 'a1x', 'b', 'c'])
    expect((await listFor(owner, { limit, nested: true })).sort()).toEqual(['a', 'a1', 'a1x', 'b', 'c'])
    expect(await listFor(owner, { limit, nested: false })).toEqual(['a', 'b', 'c'])
    expect(await listFor(member, { limit, nested: false })).toEqual(['a', 'b'])
    expect((await listFor(guest, { limit })).sort()).toEqual(['a1', 'a1x'])
  }
  const { items } = await guest.api.listCollectionsInOrganizationById({ params })
  expect(items).toContainEqual({ ...deep, parent: nested.id, permissions: collectionPermissions('create') })
  expect(items).toContainEqual(await read(guest, nested))

  expect(await refusal(read(member, closed))).toBe('404')
  expect(await refusal(read(guest, b))).toBe('404')
  expect(await refusal(read(await octavo.person(), b))).toBe('404')
  expect(await refusal(owner.api.getCollectionById({ params: { collectionId: 'nowhere' } }))).toBe('404')
  expect(await refusal(owner.api.listCollectionsInOrganizationById({ params, query: { nested: 'maybe' } }))).toBe(
    '400 query.nested',
  )
})

test('lists the visible spaces of a collection in order, without those of nested collections', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [member, guest] = [await make.member('read'), await make.member(null)]
  const collection = await make.collection('Guides')
  const nested = await make.collection('Nested', collection.id)
  const parent = collection.id
  for (const title of ['one', 'two', 'three', 'four']) await make.space(title, { parent })
  await make.space('closed', { parent, defaultLevel: null })
  await make.space('deep', { parent: nested.id })
  await make.space('elsewhere')
  await owner.api.inviteToCollection({ ...pathOf(collection), body: { role: 'edit', users: [guest.id] } })

  const listFor = async (who: Person, limit: number) => {
    const query = { limit }
    const list = (page: string | undefined) =>
      who.api.listSpacesInCollectionById({ ...pathOf(collection), query: { ...query, page } })
    return (await readAllPages(list)).flat()
  }
  for (const limit of [1, 2, 3, 50]) {
    const titles = async (who: Person) => (await listFor(who, limit)).map(({ title }) => title)
    expect(await titles(owner)).toEqual(['one', 'two', 'three', 'four', 'closed'])
    expect(await titles(member)).toEqual(['one', 'two', 'three', 'four'])
    // A role granted on the collection applies to its spaces independently of their default level.
    expect(await titles(guest)).toEqual(['one', 'two', 'three', 'four', 'closed'])
  }
  expect((await listFor(guest, 50)).every(({ permissions }) => permissions.edit && !permissions.review)).toBe(true)
})

test('creating a collection requires the role `create` in the organization or in the parent collection', async () => {
  const { owner, params, ...make } = await makeOrganization(octavo)
  const [creator, reviewer, guest] = [await make.member('create'), await make.member('review'), await make.member(null)]
  const [open, hidden] = [await make.collection('Open'), await make.collection('Hidden')]
  await owner.api.inviteToCollection({ ...pathOf(open), body: { role: 'create', users: [guest.id] } })

  const atTop = await creator.api.createCollection({ params, body: { title: 'Mine' } })
  expect(atTop).toMatchObject({ title: 'Mine', permissions: collectionPermissions('create') })
  const inside = await guest.api.createCollection({ params, body: { parent: open.id } })
  expect(inside).toMatchObject({ parent: open.id, permissions: collectionPermissions('create') })
  expect(await read(guest, inside)).toEqual(inside)

  const foreign = await (await makeOrganization(octavo)).collection('Foreign')
  expect(await refusal(reviewer.api.createCollection({ params }))).toBe('403')
  expect(await refusal(reviewer.api.createCollection({ params, body: { parent: open.id } }))).toBe('403')
  expect(await refusal(guest.api.createCollection({ params }))).toBe('403')
  for (const parent of [hidden.id, foreign.id, 'nowhere'])
    expect(await refusal(guest.api.createCollection({ params, body: { parent } }))).toBe('404 body.parent')
  expect((await owner.api.listCollectionsInOrganizationById({ params })).count).toBe(4)
})

test('only administrators can update a collection, and invalid values are rejected with 400', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const [creator, guest] = [await make.member('create'), await make.member(null)]
  const collection = await make.collection('Guides')
  expect(await refusal(update(creator, collection, { title: 'Mine' }))).toBe('403')
  expect(await refusal(update(guest, collection, { title: 'Mine' }))).toBe('404')
  const wrong: [object, string][] = [
    [{ title: 'x'.repeat(51) }, 'body.title'],
    [{ title: null }, 'body.title'],
    [{ title: 7 }, 'body.title'],
    [{ description: 'y'.repeat(101) }, 'body.description'],
    [{ description: 7 }, 'body.description'],
    [{ defaultLevel: 'owner' }, 'body.defaultLevel'],
    [{ defaultLevel: false }, 'body.defaultLevel'],
  ]
  for (const [body, field] of wrong) {
    const answer = await refusal(update(owner, collection, { title: 'Half done', ...body }))
    expect(answer, JSON.stringify(body)).toBe(`400 ${field}`)
  }
  expect(await read(owner, collection)).toEqual(collection)

  const params = { organizationId: collection.organization }
  for (const [body, field] of [
    [{ title: 'x'.repeat(51) }, 'body.title'],
    [{ title: ['x'] }, 'body.title'],
    [{ parent: 7 }, 'body.parent'],
    [[], 'body'],
  ] as const)
    expect(await refusal(owner.api.createCollection({ params, body: body as object }))).toBe(`400 ${field}`)
  expect((await owner.api.listCollectionsInOrganizationById({ params })).count).toBe(1)
})

test('spaces inherit the default level of their collections after every change and move', async () => {
  const { owner, ...make } = await makeOrganization(octavo)
  const member = await make.member('comment')
  const outer = await make.collection('Outer')
  const inner = await make.collection('Inner', outer.id)
  const inheriting = await make.space('Inheriting', { parent: inner.id })
  const fixed = await make.space('Fixed', { parent: inner.id, defaultLevel: 'edit' })
  const rolesOfMember = async () => [await getRole(member, inheriting), await getRole(member, fixed)]
  const level = (collection: Collection, defaultLevel: DefaultLevel) => update(owner, collection, { defaultLevel })
  const move = (collection: Collection, parent: string | null) =>
    owner.api.moveCollection({ ...pathOf(collection), body: { parent } })
  expect(await rolesOfMember()).toEqual(['comment', 'edit'])

  await level(outer, 'review')
  expect(await rolesOfMember()).toEqual(['review', 'edit'])
  await level(outer, null)
  expect(await rolesOfMember()).toEqual([null, 'edit'])
  await level(inner, 'read')
  expect(await rolesOfMember()).toEqual(['read', 'edit'])
  await level(outer, 'create')
  expect(await rolesOfMember()).toEqual(['read', 'edit'])
  await level(inner, 'inherit')
  expect(await rolesOfMember()).toEqual(['create', 'edit'])

  await move(inner, null)
  expect(await rolesOfMember()).toEqual(['comment', 'edit'])
  const closed = await make.collection('Closed')
  await level(closed, null)
  await move(outer, closed.id)
  await move(inner, outer.id)
  expect(await rolesOfMember()).toEqual(['create', 'edit'])
  await level(outer, 'inherit')
  expect(await rolesOfMember()).toEqual([null, 'edit'])
  await move(outer, null)
  expect(await rolesOfMember()).toEqual(['comment', 'edit'])

  await owner.api.moveSpace({ params: { spaceId: inheriting.id }, body: { parent: closed.id } })
  await owner.api.moveSpace({ params: { spaceId: fixed.id }, body: { parent: closed.id } })
  expect(await rolesOfMember()).toEqual([null, 'edit'])
  await owner.api.updateSpaceById({ params: { spaceId: fixed.id }, body: { defaultLevel: 'inherit' } })
  expect(await rolesOfMember()).toEqual([null, null])
  const [created, copied] = [
    await make.space('Created', { parent: closed.id }),
    await owner.api.duplicateSpace({ params: { spaceId: fixed.id } }),
  ]
  expect([await getRole(member, created), await getRole(member, copied)]).toEqual([null, null])
})
