import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../src/client/client.ts'
import type { AccessReason } from '../../src/contract/access.ts'
import type { DefaultLevel, Role, RoleOrGuest } from '../../src/contract/roles.ts'
import { isLong } from '../support/long.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { EventStreamReader } from '../support/live-events.ts'
import { readAllPages } from '../support/lists.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { collectionPermissions, getRole, rolesAscending } from '../support/roles.ts'
import { type Person, type TestServer, startTestServer, waitUntil } from '../support/server.ts'
import { makeSite } from '../support/sites.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Returns a value; undefined if the caller gets "not found". */
async function orNothing<Value>(read: Promise<Value>): Promise<Value | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

const rankOf = (role: RoleOrGuest) => (role === null ? -1 : rolesAscending.indexOf(role))
const highest = (reasons: readonly AccessReason[]) =>
  reasons.map(({ role }) => role).toSorted((one, other) => rankOf(other) - rankOf(one))[0]

/** Builds an organization with nested collections, a space and a site, and functions that change who can see them. */
async function makePlayground() {
  const make = await makeOrganization(octavo)
  const { owner, params } = make
  const outer = await make.collection('Outer')
  const inner = await make.collection('Inner', outer.id)
  const space = await make.space('Space', { parent: inner.id })
  const { site, params: siteParams } = await makeSite(make, [], { title: 'Site' })
  const people: Person[] = []
  for (const role of [null, 'read', 'edit', 'create'] as const) people.push(await make.member(role))
  const teams = [await make.team('Writers'), await make.team('Readers')]
  let parentId: string | null = inner.id
  const chance = seededRandom(7)
  const pick = <Item>(items: readonly Item[]) => items[randomInteger(chance, 0, items.length - 1)] as Item
  const roles: RoleOrGuest[] = [null, ...rolesAscending]
  const changes: (() => Promise<unknown>)[] = [
    () => make.add(pick(people), pick(roles)),
    async () => {
      const { id } = pick(people)
      await orNothing(
        owner.api.updateMemberInOrganizationById({ params: { ...params, userId: id }, body: { role: pick(roles) } }),
      )
    },
    () => owner.api.removeMemberFromOrganizationById({ params: { ...params, userId: pick(people).id } }),
    () =>
      orNothing(
        owner.api.addMemberToOrganizationTeamById({
          params: { ...params, teamId: pick(teams).id, userId: pick(people).id },
          body: {},
        }),
      ),
    () =>
      owner.api.deleteMemberFromOrganizationTeamById({
        params: { ...params, teamId: pick(teams).id, userId: pick(people).id },
      }),
    () => share({ teams: [pick(teams).id] }),
    () => share({ users: [pick(people).id] }),
    () => share({ users: [pick(people).id] }),
    () => setLevel(pick<DefaultLevel>(['inherit', 'inherit', null, 'read', 'review'])),
    async () => {
      const parent = pick([inner.id, outer.id, null].filter((id) => id !== parentId))
      await owner.api.moveSpace({ params: { spaceId: space.id }, body: { parent } })
      parentId = parent
    },
  ]
  async function share(to: { users?: string[]; teams?: string[] }) {
    const body = { role: pick(roles), ...to }
    const target = pick(['space', 'inner', 'outer', 'site'])
    if (target === 'space') return orNothing(owner.api.inviteToSpace({ params: { spaceId: space.id }, body }))
    if (target === 'site') return orNothing(owner.api.inviteToSite({ params: siteParams, body }))
    const { id } = target === 'inner' ? inner : outer
    return orNothing(owner.api.inviteToCollection({ params: { collectionId: id }, body }))
  }
  async function setLevel(defaultLevel: DefaultLevel) {
    const target = pick(['space', 'inner', 'outer', 'site'])
    if (target === 'space') return owner.api.updateSpaceById({ params: { spaceId: space.id }, body: { defaultLevel } })
    if (target === 'site') return owner.api.updateSiteById({ params: siteParams, body: { defaultLevel } })
    const { id } = target === 'inner' ? inner : outer
    return owner.api.updateCollectionById({ params: { collectionId: id }, body: { defaultLevel } })
  }
  return { owner, people, space, inner, site, siteParams, change: () => pick(changes)() }
}

/** Returns the explained role of each person, and checks that the reasons add up to it. */
function rolesIn(list: { items: { user: { id: string }; role: Role; reasons: AccessReason[] }[] }): Map<string, Role> {
  for (const { role, reasons } of list.items) {
    expect(reasons[0]?.role).toBe(role)
    expect(highest(reasons)).toBe(role)
  }
  return new Map(list.items.map(({ user, role }) => [user.id, role]))
}

const changeCount = isLong ? 200 : 80

test(
  `the explanation of access equals what each person gets, for ${changeCount} random changes`,
  { timeout: 60_000 },
  async () => {
    const { owner, people, space, inner, siteParams, change } = await makePlayground()
    const query = { limit: 100 }
    for (let round = 0; round < changeCount; round++) {
      await change()
      // Every person is asked about one of the three, so that each round stays cheap.
      const kind = (['space', 'collection', 'site'] as const)[round % 3]
      if (kind === 'space') {
        const roles = rolesIn(await owner.api.listUserAccessToSpace({ params: { spaceId: space.id }, query }))
        const real = await Promise.all(people.map((person) => getRole(person, space)))
        expect(people.map(({ id }) => roles.get(id) ?? null)).toEqual(real)
        expect(roles.size).toBe(1 + real.filter((role) => role !== null).length)
      } else if (kind === 'collection') {
        const params = { collectionId: inner.id }
        const roles = rolesIn(await owner.api.listUserAccessToCollection({ params, query }))
        const real = await Promise.all(
          people.map(async ({ api }) => (await orNothing(api.getCollectionById({ params })))?.permissions),
        )
        expect(people.map(({ id }) => roles.has(id) && collectionPermissions(roles.get(id) ?? null))).toEqual(
          real.map((permissions) => permissions ?? false),
        )
      } else {
        const roles = rolesIn(await owner.api.listUserAccessToSite({ params: siteParams, query }))
        const real = await Promise.all(
          people.map(async ({ api }) => (await orNothing(api.getSiteById({ params: siteParams })))?.permissions),
        )
        expect(people.map(({ id }) => [roles.has(id), rankOf(roles.get(id) ?? null) >= rankOf('create')])).toEqual(
          real.map((permissions) => [permissions !== undefined, permissions?.edit ?? false]),
        )
      }
    }
  },
)

test('each reason is listed with what gives it, and removing it removes access', async () => {
  const make = await makeOrganization(octavo)
  const { owner } = make
  const outer = await make.collection('Outer')
  const space = await make.space('Space', { parent: outer.id, defaultLevel: null })
  const [ann, bob] = [await make.member(null, 'Ann'), await make.member('read', 'Bob')]
  const team = await make.team('Writers', [ann])
  const params = { spaceId: space.id }
  await owner.api.inviteToCollection({ params: { collectionId: outer.id }, body: { role: 'edit', teams: [team.id] } })
  await owner.api.inviteToSpace({ params, body: { role: 'read', users: [ann.id] } })
  const list = () => owner.api.listUserAccessToSpace({ params, query: {} })
  expect((await list()).items.map(({ user, role, reasons }) => [user.displayName, role, reasons])).toEqual([
    [
      'Ann',
      'edit',
      [
        {
          type: 'team',
          role: 'edit',
          team: { id: team.id, title: 'Writers' },
          source: { type: 'collection', id: outer.id, title: 'Outer' },
        },
        { type: 'user', role: 'read', source: { type: 'space', id: space.id, title: 'Space' } },
      ],
    ],
    ['Owner', 'admin', [{ type: 'administrator', role: 'admin' }]],
  ])
  expect((await owner.api.listTeamAccessToSpace({ params, query: {} })).items).toMatchObject([
    { team: { id: team.id }, role: 'edit', reasons: [{ source: { id: outer.id } }] },
  ])
  // A search and a role narrow the list.
  const found = await owner.api.listUserAccessToSpace({ params, query: { search: 'ann', role: 'edit' } })
  expect(found.items.map(({ user }) => user.id)).toEqual([ann.id])
  expect((await owner.api.listUserAccessToSpace({ params, query: { role: 'review' } })).count).toBe(0)

  await owner.api.deleteMemberFromOrganizationTeamById({
    params: { ...make.params, teamId: team.id, userId: ann.id },
  })
  expect(await getRole(ann, space)).toBe('read')
  await owner.api.removeUserFromSpace({ params: { ...params, userId: ann.id } })
  expect((await list()).items.map(({ user }) => user.displayName)).toEqual(['Owner'])
  expect([await getRole(ann, space), await getRole(bob, space)]).toEqual([null, null])
})

test('the list is paginated by name', async () => {
  const make = await makeOrganization(octavo)
  const space = await make.space('Space')
  for (const name of ['Zoe', 'Ann', 'Mia', 'Bob']) await make.member('read', name)
  const pages = await readAllPages((page) =>
    make.owner.api.listUserAccessToSpace({
      params: { spaceId: space.id },
      query: { limit: 2, ...(page !== undefined && { page }) },
    }),
  )
  expect(pages.flat().map(({ user }) => user.displayName)).toEqual(['Ann', 'Bob', 'Mia', 'Owner', 'Zoe'])
})

test('the general access contains default levels, invite links and published sites', async () => {
  const make = await makeOrganization(octavo)
  const { owner } = make
  const outer = await make.collection('Outer')
  const space = await make.space('Space', { parent: outer.id })
  const params = { spaceId: space.id }
  const read = () => owner.api.getSpaceAccess({ params })
  expect(await read()).toEqual({
    object: 'content-access',
    members: { level: 'inherit' },
    inviteLinks: 0,
    sites: [],
  })
  await owner.api.updateCollectionById({ params: { collectionId: outer.id }, body: { defaultLevel: 'comment' } })
  await owner.api.createOrganizationInvite({ params: make.params, body: { level: 'read', collection: outer.id } })
  const site = await owner.api.createSite({
    params: make.params,
    body: { title: 'Docs', visibility: 'share-link', spaces: [space.id] },
  })
  const siteParams = { ...make.params, siteId: site.id }
  expect((await read()).sites).toEqual([])
  await owner.api.createSiteShareLink({ params: siteParams, body: { name: 'For partners' } })
  await owner.api.publishSite({ params: siteParams })
  const shared = { site: { id: site.id, title: 'Docs' }, visibility: 'share-link', shareLinks: 1 }
  expect(await read()).toEqual({
    object: 'content-access',
    members: { level: 'comment', source: { type: 'collection', id: outer.id, title: 'Outer' } },
    inviteLinks: 1,
    sites: [shared],
  })
  expect((await owner.api.getSiteAccess({ params: siteParams })).sites).toEqual([shared])
  expect((await owner.api.getCollectionAccess({ params: { collectionId: outer.id } })).inviteLinks).toBe(1)
  await owner.api.unpublishSite({ params: siteParams })
  expect((await read()).sites).toEqual([])
})

test('an administrator of a space sees neither titles of collections nor sites that they cannot see', async () => {
  const make = await makeOrganization(octavo)
  const { owner } = make
  const outer = await make.collection('Hidden')
  const space = await make.space('Space', { parent: outer.id })
  const guest = await make.member(null, 'Guest')
  const other = await make.member('read', 'Other')
  await owner.api.updateCollectionById({ params: { collectionId: outer.id }, body: { defaultLevel: null } })
  await owner.api.inviteToSpace({ params: { spaceId: space.id }, body: { role: 'admin', users: [guest.id] } })
  await owner.api.inviteToCollection({
    params: { collectionId: outer.id },
    body: { role: 'read', users: [other.id] },
  })
  const site = await owner.api.createSite({
    params: make.params,
    body: { title: 'Hidden site', visibility: 'public', spaces: [space.id] },
  })
  await owner.api.publishSite({ params: { ...make.params, siteId: site.id } })
  const params = { spaceId: space.id }
  const { items } = await guest.api.listUserAccessToSpace({ params, query: { search: 'other' } })
  expect(items[0]?.reasons).toEqual([{ type: 'user', role: 'read', source: { type: 'collection', id: outer.id } }])
  expect((await guest.api.getSpaceAccess({ params })).sites).toEqual([{ visibility: 'public', shareLinks: 0 }])
})

test('people whose role, teams or membership change get an event, also when they lose access', async () => {
  const make = await makeOrganization(octavo)
  const { owner, params } = make
  const ann = await make.member('read', 'Ann')
  const bob = await make.member('read', 'Bob')
  const open = (person: Person) =>
    EventStreamReader.open({
      url: octavo.url,
      organizationId: params.organizationId,
      headers: { authorization: `Bearer ${person.token}` },
    })
  const annStream = await (await open(ann)).waitUntilReady()
  const bobStream = await (await open(bob)).waitUntilReady()
  const countEvents = () => annStream.events.filter(({ kind }) => kind === 'access').length
  const waitForEvents = (count: number) =>
    waitUntil(async () => countEvents() >= count, `there are ${count} events about access`)
  const userParams = { ...params, userId: ann.id }

  await owner.api.updateMemberInOrganizationById({ params: userParams, body: { role: 'edit' } })
  const { data } = await annStream.find(({ kind }) => kind === 'access')
  expect(data).toEqual({ organization: params.organizationId, user: ann.id, by: owner.id })
  const team = await make.team('Writers')
  await owner.api.addMemberToOrganizationTeamById({ params: { ...userParams, teamId: team.id }, body: {} })
  await waitForEvents(2)
  const space = await make.space('Space', { defaultLevel: null })
  const before = countEvents()
  await owner.api.inviteToSpace({ params: { spaceId: space.id }, body: { role: 'read', teams: [team.id] } })
  await waitForEvents(before + 1)
  await owner.api.removeTeamFromOrganizationById({ params: { ...params, teamId: team.id } })
  await waitForEvents(before + 2)
  await owner.api.removeMemberFromOrganizationById({ params: userParams })
  await waitForEvents(before + 3)
  // The others get events only if the access of everyone may have changed.
  expect(bobStream.events.filter(({ kind, data: { user } }) => kind === 'access' && user !== undefined)).toEqual([])
})

test('invited people join the teams of their invite', async () => {
  const make = await makeOrganization(octavo)
  const { owner, params } = make
  const [writers, gone] = [await make.team('Writers'), await make.team('Gone')]
  const known = await octavo.person('Known')
  const email = `new.${known.id}@example.com`
  const reply = await owner.api.inviteUsersToOrganization({
    params,
    body: { emails: [email, known.email], role: 'read', teams: [writers.id, gone.id] },
  })
  expect(reply.invites[0]?.teams.toSorted()).toEqual([writers.id, gone.id].toSorted())
  // Repeating the invite without teams sends it again and keeps them.
  await owner.api.inviteUsersToOrganization({ params, body: { emails: [email], role: 'read' } })
  await owner.api.removeTeamFromOrganizationById({ params: { ...params, teamId: gone.id } })
  const newcomer = await octavo.person('Newcomer', email)
  await newcomer.api.joinOrganizationWithInvite({ params: { ...params, inviteId: reply.invites[0]?.id ?? '' } })
  const members = await owner.api.listTeamMembersInOrganizationById({
    params: { ...params, teamId: writers.id },
    query: {},
  })
  expect(members.items.map(({ organization }) => organization.id).toSorted()).toEqual(
    [known.id, newcomer.id].toSorted(),
  )
  expect(
    await refusal(
      owner.api.inviteUsersToOrganization({ params, body: { emails: [`other.${email}`], teams: [gone.id] } }),
    ),
  ).toMatch(/^404/)
})
