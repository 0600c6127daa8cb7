import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '../../src/contract/roles.ts'
import { readAllPages } from '../support/lists.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Returns the spaces of a member with their role in each, as listed for the owner or another member. */
async function spacesOf({ params, owner }: TestOrganization, person: Person, { as = owner } = {}) {
  const pages = await readAllPages((page) =>
    as.api.listSpacesForOrganizationMember({
      params: { ...params, userId: person.id },
      query: { limit: 2, order: 'asc', page },
    }),
  )
  return Object.fromEntries(pages.flat().map(({ permission, space }) => [space.title, permission]))
}

/** Returns the spaces of a member, and checks that the counts and lists of other operations agree. */
async function visibleTo(organization: TestOrganization, person: Person) {
  const { owner, params, getMembership } = organization
  const spaces = await spacesOf(organization, person)
  const { items } = await owner.api.listMembersInOrganizationById({ params })
  const counts = [(await getMembership(person)).spaces, items.find(({ id }) => id === person.id)?.spaces]
  expect(counts).toEqual([Object.keys(spaces).length, Object.keys(spaces).length])
  const own = await person.api.listSpacesInOrganizationById({ params })
  expect(own.items.map(({ title }) => title).sort()).toEqual(Object.keys(spaces).sort())
  return spaces
}

const share = ({ owner }: TestOrganization, spaceId: string, role: Role | null, grantees: Grantees) =>
  owner.api.inviteToSpace({ params: { spaceId }, body: { role, ...grantees } })
const shareCollection = ({ owner }: TestOrganization, collectionId: string, role: Role | null, grantees: Grantees) =>
  owner.api.inviteToCollection({ params: { collectionId }, body: { role, ...grantees } })
type Grantees = { users: string[] } | { teams: string[] }

test('administrators see all spaces, members the open ones, guests none', async () => {
  const acme = await makeOrganization(octavo)
  const [editor, guest] = [await acme.member('edit'), await acme.member(null)]
  const secondAdmin = await acme.member('admin')
  expect(await visibleTo(acme, editor)).toEqual({})

  await acme.space('Open')
  await acme.space('Read only', { defaultLevel: 'read' })
  await acme.space('Raised', { defaultLevel: 'create' })
  await acme.space('Closed', { defaultLevel: null })
  const gone = await acme.space('Gone')
  await acme.owner.api.deleteSpaceById({ params: { spaceId: gone.id } })

  const all = { Open: 'admin', 'Read only': 'admin', Raised: 'admin', Closed: 'admin' }
  expect(await visibleTo(acme, acme.owner)).toEqual(all)
  expect(await visibleTo(acme, secondAdmin)).toEqual(all)
  expect(await visibleTo(acme, editor)).toEqual({ Open: 'edit', 'Read only': 'read', Raised: 'create' })
  expect(await visibleTo(acme, guest)).toEqual({})

  await acme.owner.api.restoreSpace({ params: { spaceId: gone.id } })
  expect(await visibleTo(acme, editor)).toEqual({ Open: 'edit', 'Read only': 'read', Raised: 'create', Gone: 'edit' })
})

test('a space shared with a member several times counts once, with the highest role', async () => {
  const acme = await makeOrganization(octavo)
  const [reader, guest] = [await acme.member('read'), await acme.member(null)]
  const open = await acme.space('Open')
  const closed = await acme.space('Closed', { defaultLevel: null })
  await acme.space('Other closed', { defaultLevel: null })

  await share(acme, closed.id, 'comment', { users: [reader.id, guest.id] })
  await share(acme, open.id, 'edit', { users: [reader.id, guest.id] })
  expect(await visibleTo(acme, reader)).toEqual({ Open: 'edit', Closed: 'comment' })
  expect(await visibleTo(acme, guest)).toEqual({ Open: 'edit', Closed: 'comment' })

  // The space is shared directly and through two teams, so the highest of three roles applies.
  const [low, high] = [await acme.team('Low', [reader, guest]), await acme.team('High', [guest])]
  await share(acme, closed.id, 'read', { teams: [low.id] })
  await share(acme, closed.id, 'review', { teams: [high.id] })
  expect(await visibleTo(acme, reader)).toEqual({ Open: 'edit', Closed: 'comment' })
  expect(await visibleTo(acme, guest)).toEqual({ Open: 'edit', Closed: 'review' })

  // After a role is removed, the highest remaining role applies.
  await share(acme, closed.id, null, { users: [reader.id, guest.id] })
  await acme.owner.api.deleteMemberFromOrganizationTeamById({
    params: { ...acme.params, teamId: high.id, userId: guest.id },
  })
  expect(await visibleTo(acme, reader)).toEqual({ Open: 'edit', Closed: 'read' })
  expect(await visibleTo(acme, guest)).toEqual({ Open: 'edit', Closed: 'read' })
  await acme.owner.api.deleteSpaceById({ params: { spaceId: closed.id } })
  expect(await visibleTo(acme, reader)).toEqual({ Open: 'edit' })
  expect(await visibleTo(acme, guest)).toEqual({ Open: 'edit' })
  await acme.owner.api.restoreSpace({ params: { spaceId: closed.id } })
  expect(await visibleTo(acme, guest)).toEqual({ Open: 'edit', Closed: 'read' })
  await acme.owner.api.removeTeamFromOrganizationById({ params: { ...acme.params, teamId: low.id } })
  expect(await visibleTo(acme, reader)).toEqual({ Open: 'edit' })
  expect(await visibleTo(acme, guest)).toEqual({ Open: 'edit' })
})

test('sharing a collection gives access to all spaces in it at any depth', async () => {
  const acme = await makeOrganization(octavo)
  const [reader, guest, teammate] = [await acme.member('read'), await acme.member(null), await acme.member(null)]
  const top = await acme.collection('Top')
  const middle = await acme.collection('Middle', top.id)
  const bottom = await acme.collection('Bottom', middle.id)
  await acme.owner.api.updateCollectionById({ params: { collectionId: top.id }, body: { defaultLevel: null } })
  await acme.space('In top', { parent: top.id })
  await acme.space('In middle', { parent: middle.id, defaultLevel: 'comment' })
  await acme.space('In bottom', { parent: bottom.id })
  const deepest = await acme.space('Also in bottom', { parent: bottom.id })
  await acme.space('Outside')

  // A closed collection closes the spaces that inherit from it; a space with its own level remains open.
  expect(await visibleTo(acme, reader)).toEqual({ Outside: 'read', 'In middle': 'comment' })
  expect(await visibleTo(acme, guest)).toEqual({})

  await shareCollection(acme, middle.id, 'edit', { users: [guest.id, reader.id] })
  await share(acme, deepest.id, 'read', { users: [guest.id] })
  const below = { 'In middle': 'edit', 'In bottom': 'edit', 'Also in bottom': 'edit' }
  expect(await visibleTo(acme, guest)).toEqual(below)
  expect(await visibleTo(acme, reader)).toEqual({ Outside: 'read', ...below })

  const crew = await acme.team('Crew', [teammate, guest])
  await shareCollection(acme, top.id, 'review', { teams: [crew.id] })
  const everything = {
    'In top': 'review',
    'In middle': 'review',
    'In bottom': 'review',
    'Also in bottom': 'review',
  }
  expect(await visibleTo(acme, teammate)).toEqual(everything)
  expect(await visibleTo(acme, guest)).toEqual(everything)

  // Moving a collection out of a shared collection removes the inherited access.
  await acme.owner.api.moveCollection({ params: { collectionId: bottom.id }, body: { parent: null } })
  expect(await visibleTo(acme, teammate)).toEqual({ 'In top': 'review', 'In middle': 'review' })
  expect(await visibleTo(acme, reader)).toEqual({
    Outside: 'read',
    'In middle': 'edit',
    'In bottom': 'read',
    'Also in bottom': 'read',
  })
})

test('lists only those spaces of a member that the caller can see too', async () => {
  const acme = await makeOrganization(octavo)
  const [reader, guest] = [await acme.member('read'), await acme.member(null)]
  const open = await acme.space('Open')
  const closed = await acme.space('Closed', { defaultLevel: null })
  await share(acme, open.id, 'review', { users: [guest.id] })
  await share(acme, closed.id, 'edit', { users: [guest.id] })

  expect(await spacesOf(acme, guest)).toEqual({ Open: 'review', Closed: 'edit' })
  expect(await spacesOf(acme, guest, { as: reader })).toEqual({ Open: 'review' })
  expect(await spacesOf(acme, acme.owner, { as: reader })).toEqual({ Open: 'admin' })
  // `permission` is the role of the member; `space.permissions` are those of the caller.
  const { items } = await reader.api.listSpacesForOrganizationMember({ params: { ...acme.params, userId: guest.id } })
  expect(items).toMatchObject([
    { permission: 'review', space: { id: open.id, permissions: { view: true, edit: false } } },
  ])
})

test('lists the spaces of a member in both orders and in pages', async () => {
  const acme = await makeOrganization(octavo)
  const guest = await acme.member(null)
  const made: string[] = []
  for (const title of ['A', 'B', 'C', 'D', 'E']) {
    const { id } = await acme.space(title)
    made.push(id)
    await share(acme, id, 'read', { users: [guest.id] })
  }
  const ids = async (query: object) =>
    (
      await readAllPages((page) =>
        acme.owner.api.listSpacesForOrganizationMember({
          params: { ...acme.params, userId: guest.id },
          query: { ...query, limit: 2, page },
        }),
      )
    ).map((page) => page.map(({ space }) => space.id))
  const [a, b, c, d, e] = made
  expect(await ids({ order: 'asc' })).toEqual([[a, b], [c, d], [e]])
  expect(await ids({ order: 'desc' })).toEqual([[e, d], [c, b], [a]])
  expect(await ids({})).toEqual([[e, d], [c, b], [a]])
  for (const [query, field] of [
    [{ order: 'newest' }, 'query.order'],
    [{ limit: 1001 }, 'query.limit'],
    [{ page: 'x' }, 'query.page'],
  ] as const) {
    const params = { ...acme.params, userId: guest.id }
    expect(await refusal(acme.owner.api.listSpacesForOrganizationMember({ params, query }))).toBe(`400 ${field}`)
  }
})

test('lists the teams of a member with their role in each, and filters them by title', async () => {
  const acme = await makeOrganization(octavo)
  const [anna, ben] = [await acme.member('read'), await acme.member('read')]
  const teams = []
  for (const title of ['Writers', 'REWRITERS 100%', 'Éditeurs', 'snake_team'])
    teams.push(await acme.team(title, [anna]))
  const others = await acme.team('Other writers', [ben])
  const owned = teams[1] as (typeof teams)[number]
  await acme.owner.api.addMemberToOrganizationTeamById({
    params: { ...acme.params, teamId: owned.id, userId: anna.id },
    body: { role: 'owner' },
  })

  const list = (query: object = {}) =>
    anna.api.listTeamsForOrganizationMember({ params: { ...acme.params, userId: anna.id }, query })
  const pages = await readAllPages((page) => list({ limit: 3, page }))
  expect(pages.map((page) => page.map(({ team }) => team.title))).toEqual([
    ['Writers', 'REWRITERS 100%', 'Éditeurs'],
    ['snake_team'],
  ])
  expect(pages.flat()[1]).toEqual({
    team: await anna.api.getTeamInOrganizationById({ params: { ...acme.params, teamId: owned.id } }),
    member: { role: 'owner' },
  })
  expect(pages.flat()[0]).toMatchObject({
    team: { members: 1, permissions: { admin: false } },
    member: { role: 'member' },
  })

  const titles = async (title: string) => (await list({ title })).items.map(({ team }) => team.title)
  expect(await titles('wRiTeRs')).toEqual(['Writers', 'REWRITERS 100%'])
  expect(await titles('0%')).toEqual(['REWRITERS 100%'])
  expect(await titles('_')).toEqual(['snake_team'])
  expect(await titles('éDIT')).toEqual(['Éditeurs'])
  expect(await list({ title: others.title })).toEqual({ count: 0, items: [] })
  expect(await list({ title: 'x'.repeat(64) })).toEqual({ count: 0, items: [] })
  expect(await refusal(list({ title: 'x'.repeat(65) }))).toBe('400 query.title')

  expect([(await acme.getMembership(anna)).teams, (await acme.getMembership(ben)).teams]).toEqual([4, 1])
  await acme.owner.api.removeTeamFromOrganizationById({ params: { ...acme.params, teamId: owned.id } })
  const members = await acme.owner.api.listMembersInOrganizationById({ params: acme.params })
  expect(members.items.find(({ id }) => id === anna.id)?.teams).toBe(3)
})
