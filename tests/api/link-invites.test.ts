import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { roles } from '../../src/contract/roles.ts'
import { readAllPages } from '../support/lists.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

type CreateBody = NonNullable<Parameters<Client['createOrganizationInvite']>[0]['body']>
type UpdateBody = NonNullable<Parameters<Client['updateOrganizationInviteById']>[0]['body']>

const create = ({ owner, params }: TestOrganization, body: unknown) =>
  owner.api.createOrganizationInvite({ params, body: body as CreateBody })
const update = ({ owner, params }: TestOrganization, inviteId: string, body: unknown) =>
  owner.api.updateOrganizationInviteById({ params: { ...params, inviteId }, body: body as UpdateBody })
const read = ({ owner, params }: TestOrganization, inviteId: string) =>
  owner.api.getOrganizationInviteLink({ params: { ...params, inviteId } })
const remove = ({ owner, params }: TestOrganization, inviteId: string) =>
  owner.api.deleteOrganizationInviteById({ params: { ...params, inviteId } })
const list = ({ owner, params }: TestOrganization, query: object = {}) =>
  owner.api.listOrganizationInviteLinks({ params, query })
const join = ({ params }: TestOrganization, person: Person, { id }: { id: string }) =>
  person.api.joinOrganizationWithInvite({ params: { ...params, inviteId: id } })
const switchLinks = ({ owner, params }: TestOrganization, inviteLinks: boolean) =>
  owner.api.updateOrganizationById({ params, body: { inviteLinks } })

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

/** Returns the titles of all spaces that a person sees in an organization. */
const spacesOf = async ({ params }: TestOrganization, { api }: Person) =>
  (await api.listSpacesInOrganizationById({ params })).items.map(({ title }) => title)

test('creates, reads, updates and deletes invite links to the organization, a space or a collection', async () => {
  const acme = await makeOrganization(octavo)
  const space = await acme.space('Space')
  const collection = await acme.collection('Collection')
  const common = (id: string) => ({
    object: 'invite',
    id,
    redundant: true,
    urls: {
      location: `${octavo.url}/v1/orgs/${acme.organization.id}/link-invites/${id}`,
      join: expect.stringContaining(`${acme.organization.id}/${id}`),
    },
  })
  const toAll = await create(acme, { role: 'comment' })
  expect(toAll).toEqual({ ...common(toAll.id), role: 'comment' })
  expect(toAll.id).toMatch(/^\w{32,}$/)
  const toSpace = await create(acme, { level: 'edit', space: space.id })
  expect(toSpace).toEqual({ ...common(toSpace.id), level: 'edit', space })
  const toCollection = await create(acme, { level: null, collection: collection.id })
  expect(toCollection).toEqual({ ...common(toCollection.id), level: null, collection })

  const all = [toAll, toSpace, toCollection]
  for (const invite of all) expect(await read(acme, invite.id)).toEqual(invite)
  expect((await list(acme)).items.sort(byId)).toEqual([...all].sort(byId))

  for (const role of [...roles, null]) {
    expect(await update(acme, toAll.id, { role })).toEqual({ ...toAll, role })
    expect(await update(acme, toSpace.id, { level: role })).toEqual({ ...toSpace, level: role })
    expect(await update(acme, toCollection.id, { level: role })).toEqual({ ...toCollection, level: role })
  }
  expect(await read(acme, toSpace.id)).toEqual({ ...toSpace, level: null })

  await remove(acme, toAll.id)
  expect(await refusal(read(acme, toAll.id))).toBe('404')
  await remove(acme, toAll.id)
  expect(await list(acme)).toMatchObject({ count: 2 })
})

test('lists invite links in pages', async () => {
  const acme = await makeOrganization(octavo)
  const made = []
  for (const role of [...roles, null]) made.push(await create(acme, { role }))
  const pages = await readAllPages((page) => list(acme, { limit: 3, page }))
  expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
  expect(pages.flat().sort(byId)).toEqual([...made].sort(byId))
  expect(await refusal(list(acme, { limit: 1001 }))).toBe('400 query.limit')
  expect(await refusal(list(acme, { page: 'x' }))).toBe('400 query.page')
})

test('joining with a link to the organization makes the person a member with the role of the link', async () => {
  const acme = await makeOrganization(octavo)
  const link = await create(acme, { role: 'edit' })
  const [first, second] = [await octavo.person('First'), await octavo.person('Second')]
  expect(await join(acme, first, link)).toEqual({})
  // A link can be used more than once, and gives the role that it has at that time.
  await update(acme, link.id, { role: null })
  await join(acme, second, link)
  expect(await acme.getMembership(first)).toMatchObject({ role: 'edit', sso: false })
  expect(await acme.getMembership(second)).toMatchObject({ role: null })
  expect(await list(acme)).toMatchObject({ count: 1 })

  await remove(acme, link.id)
  const late = await octavo.person('Late')
  expect(await refusal(join(acme, late, link))).toBe('404')
  expect(await refusal(late.api.getOrganizationById({ params: acme.params }))).toBe('404')
})

test('a link raises the role of an existing member but never lowers it', async () => {
  const acme = await makeOrganization(octavo)
  const links = [await create(acme, { role: 'read' }), await create(acme, { role: 'review' })]
  const outcomes = {
    read: ['read', 'review'],
    edit: ['edit', 'review'],
    create: ['create', 'create'],
    admin: ['admin', 'admin'],
  } as const
  for (const role of [null, 'read', 'edit', 'create', 'admin'] as const) {
    const person = await acme.member(role)
    const { joinedAt } = await acme.getMembership(person)
    const seen = []
    for (const link of links) {
      await join(acme, person, link)
      const standing = await acme.getMembership(person)
      expect(standing.joinedAt).toBe(joinedAt)
      seen.push(standing.role)
    }
    expect(seen, `from ${role}`).toEqual(outcomes[role ?? 'read'])
  }
})

test('joining with a link to a space makes the person a guest who sees only that space', async () => {
  const acme = await makeOrganization(octavo)
  const space = await acme.space('Shared')
  await acme.space('Not shared')
  const link = await create(acme, { level: 'comment', space: space.id })
  const nothing = await create(acme, { level: null, space: space.id })
  const [visitor, other] = [await octavo.person('Visitor'), await octavo.person('Other')]

  await join(acme, visitor, link)
  expect(await acme.getMembership(visitor)).toMatchObject({ role: null, spaces: 1 })
  expect(await spacesOf(acme, visitor)).toEqual(['Shared'])
  const seen = await visitor.api.getSpaceById({ params: { spaceId: space.id } })
  expect(seen.permissions).toMatchObject({ view: true, comment: true, edit: false })

  await join(acme, other, nothing)
  expect(await acme.getMembership(other)).toMatchObject({ role: null, spaces: 0 })
  expect(await spacesOf(acme, other)).toEqual([])
})

test('a link to a space also gives members access to it, and never lowers their level', async () => {
  const acme = await makeOrganization(octavo)
  const space = await acme.space('Closed', { defaultLevel: null })
  const links = {
    read: await create(acme, { level: 'read', space: space.id }),
    edit: await create(acme, { level: 'edit', space: space.id }),
  }
  const [reader, creator] = [await acme.member('read'), await acme.member('create')]
  const levelOf = async (person: Person) => {
    const { items } = await acme.owner.api.listUserPermissionsInSpace({ params: { spaceId: space.id } })
    return items.find(({ user }) => user.id === person.id)?.permission
  }
  await join(acme, reader, links.read)
  expect(await levelOf(reader)).toBe('read')
  await join(acme, reader, links.edit)
  expect(await levelOf(reader)).toBe('edit')
  await join(acme, reader, links.read)
  expect(await levelOf(reader)).toBe('edit')
  expect(await acme.getMembership(reader)).toMatchObject({ role: 'read', spaces: 1 })

  await join(acme, creator, links.read)
  expect(await acme.getMembership(creator)).toMatchObject({ role: 'create', spaces: 1 })
})

test('joining with a link to a collection gives access to all spaces in it', async () => {
  const acme = await makeOrganization(octavo)
  const outer = await acme.collection('Outer')
  const inner = await acme.collection('Inner', outer.id)
  await acme.space('In outer', { parent: outer.id })
  await acme.space('In inner', { parent: inner.id, defaultLevel: null })
  await acme.space('Elsewhere')
  const [toOuter, toInner] = [
    await create(acme, { level: 'read', collection: outer.id }),
    await create(acme, { level: 'review', collection: inner.id }),
  ]
  const visitor = await octavo.person('Visitor')
  await join(acme, visitor, toInner)
  expect(await spacesOf(acme, visitor)).toEqual(['In inner'])
  await join(acme, visitor, toOuter)
  const { items } = await visitor.api.listSpacesInOrganizationById({ params: acme.params })
  expect(items.map(({ title, permissions }) => [title, permissions.review])).toEqual([
    ['In outer', false],
    ['In inner', true],
  ])
  expect(await acme.getMembership(visitor)).toMatchObject({ role: null, spaces: 2 })
})

test('while invite links are disabled, none can be created or used', async () => {
  const acme = await makeOrganization(octavo)
  const space = await acme.space('Space')
  const links = [await create(acme, { role: 'read' }), await create(acme, { level: 'read', space: space.id })]
  await switchLinks(acme, false)

  const visitor = await octavo.person('Visitor')
  for (const link of links) expect(await refusal(join(acme, visitor, link))).toBe('403')
  expect(await refusal(visitor.api.getOrganizationById({ params: acme.params }))).toBe('404')
  expect(await refusal(create(acme, { role: 'read' }))).toBe('409')
  expect(await list(acme)).toMatchObject({ count: 2 })
  // Invites by email still work.
  expect(await acme.getMembership(await acme.member('read'))).toMatchObject({ role: 'read' })

  await switchLinks(acme, true)
  for (const link of links) await join(acme, visitor, link)
  expect(await acme.getMembership(visitor)).toMatchObject({ role: 'read' })
})

test('a link to a deleted space is hidden until the space is restored', async () => {
  const acme = await makeOrganization(octavo)
  const space = await acme.space('Space')
  const link = await create(acme, { level: 'read', space: space.id })
  const kept = await create(acme, { role: 'read' })
  const visitor = await octavo.person('Visitor')
  await acme.owner.api.deleteSpaceById({ params: { spaceId: space.id } })

  expect(await list(acme)).toEqual({ count: 1, items: [kept] })
  expect(await refusal(read(acme, link.id))).toBe('404')
  expect(await refusal(update(acme, link.id, { level: 'edit' }))).toBe('404')
  expect(await refusal(join(acme, visitor, link))).toBe('404')
  expect(await refusal(visitor.api.getOrganizationById({ params: acme.params }))).toBe('404')
  expect(await refusal(create(acme, { level: 'read', space: space.id }))).toBe('404 body.space')

  await acme.owner.api.restoreSpace({ params: { spaceId: space.id } })
  expect(await list(acme)).toMatchObject({ count: 2 })
  expect(await read(acme, link.id)).toMatchObject({ level: 'read', space: { id: space.id } })
  await join(acme, visitor, link)
  expect(await spacesOf(acme, visitor)).toEqual(['Space'])
})

test('links are deleted with their collection, and when their space is transferred', async () => {
  const [acme, other] = [await makeOrganization(octavo), await makeOrganization(octavo)]
  await other.add(acme.owner, 'admin')
  const collection = await acme.collection('Collection')
  const space = await acme.space('Space')
  const links = [
    await create(acme, { level: 'read', collection: collection.id }),
    await create(acme, { level: 'read', space: space.id }),
  ]
  await acme.owner.api.deleteCollectionById({ params: { collectionId: collection.id } })
  await acme.owner.api.transferSpace({
    params: { spaceId: space.id },
    body: { organization: other.organization.id },
  })
  const visitor = await octavo.person('Visitor')
  for (const link of links)
    for (const organization of [acme, other]) expect(await refusal(join(organization, visitor, link))).toBe('404')
  for (const organization of [acme, other]) expect(await list(organization)).toEqual({ count: 0, items: [] })
})

test('only administrators list, read, create, update and delete invite links', async () => {
  const acme = await makeOrganization(octavo)
  const { id: inviteId } = await create(acme, { role: 'read' })
  const before = await list(acme)
  const params = { ...acme.params, inviteId }
  const attempts = ({ api }: Person) => [
    api.listOrganizationInviteLinks({ params }),
    api.getOrganizationInviteLink({ params }),
    api.createOrganizationInvite({ params, body: { role: 'admin' } }),
    api.updateOrganizationInviteById({ params, body: { role: 'admin' } }),
    api.deleteOrganizationInviteById({ params }),
  ]
  for (const role of ['create', null] as const) {
    const person = await acme.member(role)
    expect(new Set(await Promise.all(attempts(person).map(refusal))), `as ${role}`).toEqual(new Set(['403']))
  }
  const stranger = await octavo.person('Stranger')
  expect(new Set(await Promise.all(attempts(stranger).map(refusal)))).toEqual(new Set(['404']))
  expect(await list(acme)).toEqual(before)
})

test('rejects invalid invite links with the field name, and changes nothing', async () => {
  const [acme, other] = [await makeOrganization(octavo), await makeOrganization(octavo)]
  const [space, collection] = [await acme.space('Space'), await acme.collection('Collection')]
  const foreign = { space: (await other.space('Space')).id, collection: (await other.collection('Collection')).id }
  const wrong: [object, string][] = [
    [{}, '400 body.role'],
    [{ role: 'boss' }, '400 body.role'],
    [{ role: 'guest' }, '400 body.role'],
    [{ role: 1 }, '400 body.role'],
    [{ level: 'boss', space: space.id }, '400 body.level'],
    [{ level: 'boss', collection: collection.id }, '400 body.level'],
    [{ level: 'inherit', space: space.id }, '400 body.level'],
    [{ level: 'read', space: 7 }, '400 body.space'],
    [{ level: 'read', collection: null }, '400 body.collection'],
    [{ level: 'read', space: 'unknown' }, '404 body.space'],
    [{ level: 'read', space: foreign.space }, '404 body.space'],
    [{ level: 'read', space: collection.id }, '404 body.space'],
    [{ level: 'read', collection: 'unknown' }, '404 body.collection'],
    [{ level: 'read', collection: foreign.collection }, '404 body.collection'],
    [{ level: 'read', collection: space.id }, '404 body.collection'],
  ]
  for (const [body, outcome] of wrong) expect(await refusal(create(acme, body)), JSON.stringify(body)).toBe(outcome)
  expect(await list(acme)).toEqual({ count: 0, items: [] })

  const toAll = await create(acme, { role: 'read' })
  const toSpace = await create(acme, { level: 'read', space: space.id })
  const wrongChanges: [string, object, string][] = [
    [toAll.id, { role: 'boss' }, '400 body.role'],
    [toAll.id, { level: 'edit' }, '400 body'],
    [toSpace.id, { level: 'boss' }, '400 body.level'],
    [toSpace.id, { role: 'edit' }, '400 body'],
    ['unknown', { role: 'read' }, '404'],
  ]
  for (const [id, body, outcome] of wrongChanges)
    expect(await refusal(update(acme, id, body)), JSON.stringify(body)).toBe(outcome)
  expect(await refusal(update(other, toAll.id, { role: 'admin' }))).toBe('404')
  expect(await refusal(read(other, toAll.id))).toBe('404')
  await remove(other, toAll.id)
  expect((await list(acme)).items.sort(byId)).toEqual([toAll, toSpace].sort(byId))
})

test('rejects an invite link to both the organization and a space with 400', async () => {
  const { api, organizationId, spaceId } = octavo.admin
  const before = (await api.listOrganizationInviteLinks({ params: { organizationId } })).count
  const body = { role: 'admin', space: spaceId } as never
  await expect(api.createOrganizationInvite({ params: { organizationId }, body })).rejects.toMatchObject({
    status: 400,
  })
  expect((await api.listOrganizationInviteLinks({ params: { organizationId } })).count).toBe(before)
})
