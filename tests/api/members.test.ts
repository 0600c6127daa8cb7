import { afterAll, beforeAll, expect, test } from 'vitest'
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

const ofMember = ({ params }: TestOrganization, { id }: { id: string }) => ({ ...params, userId: id })

const setRole = (organization: TestOrganization, person: Person, role: unknown, by = organization.owner) =>
  by.api.updateMemberInOrganizationById({
    params: ofMember(organization, person),
    body: { role } as { role: (typeof roles)[number] | null },
  })

const remove = (organization: TestOrganization, person: { id: string }, by = organization.owner) =>
  by.api.removeMemberFromOrganizationById({ params: ofMember(organization, person) })

const list = ({ owner, params }: TestOrganization, query: object = {}) =>
  owner.api.listMembersInOrganizationById({ params, query })

/** Returns the names of all listed members, requested in pages of two. */
async function listed(organization: TestOrganization, query: object): Promise<string[]> {
  const pages = await readAllPages((page) => list(organization, { ...query, limit: 2, page }))
  expect(pages.every((page, index) => page.length === 2 || index === pages.length - 1)).toBe(true)
  return pages.flat().map(({ user }) => user.displayName)
}

test('reads a member and changes their role', async () => {
  const acme = await makeOrganization(octavo)
  const anna = await acme.member('edit', 'Anna')
  const params = ofMember(acme, anna)
  const member = await acme.owner.api.getMemberInOrganizationById({ params })
  expect(member).toEqual({
    object: 'member',
    id: anna.id,
    role: 'edit',
    user: {
      object: 'user',
      id: anna.id,
      displayName: 'Anna',
      email: anna.email,
      urls: { location: `${octavo.url}/v1/users/${anna.id}` },
    },
    disabled: false,
    joinedAt: expect.stringMatching(/^2026-01-01T\S+Z$/),
    sso: false,
    spaces: 0,
    teams: 0,
    sites: 0,
  })
  for (const role of [...roles, null]) {
    expect(await setRole(acme, anna, role)).toEqual({ ...member, role })
    expect(await acme.getMembership(anna)).toEqual({ ...member, role })
  }
  expect(await anna.api.getOrganizationById({ params: acme.params })).toMatchObject({ permissions: { admin: false } })
})

test('a removed member loses access to the organization, their teams and shared spaces', async () => {
  const acme = await makeOrganization(octavo)
  const [anna, ben] = [await acme.member('read'), await acme.member('read')]
  const closed = await acme.space('Closed', { defaultLevel: null })
  const crew = await acme.team('Crew', [anna, ben])
  await acme.owner.api.inviteToSpace({ params: { spaceId: closed.id }, body: { role: 'edit', users: [anna.id] } })
  expect((await anna.api.getSpaceById({ params: { spaceId: closed.id } })).permissions.edit).toBe(true)

  await remove(acme, anna)
  expect(await refusal(anna.api.getOrganizationById({ params: acme.params }))).toBe('404')
  expect(await refusal(anna.api.getSpaceById({ params: { spaceId: closed.id } }))).toBe('404')
  expect(await refusal(acme.getMembership(anna))).toBe('404')
  expect(await list(acme)).toMatchObject({ count: 2 })
  const team = await acme.owner.api.getTeamInOrganizationById({ params: { ...acme.params, teamId: crew.id } })
  expect(team.members).toBe(1)

  // Removing a person who is not a member succeeds.
  await remove(acme, anna)
  await remove(acme, { id: 'nobody' })
  expect(await list(acme)).toMatchObject({ count: 2 })

  // A new membership restores neither teams nor shared spaces.
  await acme.add(anna, 'read')
  expect(await acme.getMembership(anna)).toMatchObject({ role: 'read', teams: 0, spaces: 0 })
  expect(await refusal(anna.api.getSpaceById({ params: { spaceId: closed.id } }))).toBe('404')
})

test('members can leave, but cannot remove other members', async () => {
  const acme = await makeOrganization(octavo)
  const bystander = await acme.member('read')
  for (const role of ['create', 'read', null] as const) {
    const person = await acme.member(role)
    expect(await refusal(remove(acme, bystander, person)), `as ${role}`).toBe('403')
    expect(await refusal(setRole(acme, person, 'admin', person)), `as ${role}`).toBe('403')
    await remove(acme, person, person)
    expect(await refusal(acme.getMembership(person))).toBe('404')
    expect(await refusal(remove(acme, person, person))).toBe('404')
  }
  expect(await refusal(remove(acme, bystander, await octavo.person('Stranger')))).toBe('404')
  expect(await acme.getMembership(bystander)).toMatchObject({ role: 'read' })
})

test('the last administrator cannot leave or lose the role', async () => {
  const acme = await makeOrganization(octavo)
  const { owner } = acme
  const second = await acme.member('create')
  for (const role of ['create', 'read', null]) expect(await refusal(setRole(acme, owner, role))).toBe('409')
  expect(await refusal(remove(acme, owner))).toBe('409')
  expect(await setRole(acme, owner, 'admin')).toMatchObject({ role: 'admin' })
  expect(await acme.getMembership(owner)).toMatchObject({ role: 'admin' })

  await setRole(acme, second, 'admin')
  expect(await setRole(acme, owner, 'read')).toMatchObject({ role: 'read' })
  expect(await refusal(remove(acme, second, second))).toBe('409')
  await setRole(acme, owner, 'admin', second)
  await remove(acme, second, second)
  expect(await list(acme)).toMatchObject({ count: 1, items: [{ id: owner.id, role: 'admin' }] })
})

const leave = (acme: TestOrganization, second: Person) => [
  remove(acme, acme.owner, acme.owner),
  remove(acme, second, second),
]
const demoteEachOther = (acme: TestOrganization, second: Person) => [
  setRole(acme, second, 'read', acme.owner),
  setRole(acme, acme.owner, 'read', second),
]

test('two administrators cannot both leave or demote each other at the same time', async () => {
  for (const act of [leave, demoteEachOther]) {
    const acme = await makeOrganization(octavo)
    const second = await acme.member('admin')
    const outcomes = await Promise.allSettled(act(acme, second))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const orgs = await Promise.all(
      [acme.owner, second].map(async ({ api }) => (await api.listOrganizationsForAuthenticatedUser()).items),
    )
    expect(
      orgs.flat().filter(({ id, permissions }) => id === acme.params.organizationId && permissions.admin),
    ).toHaveLength(1)
  }
})

test('filters members by role', async () => {
  const acme = await makeOrganization(octavo)
  for (const role of roles) await acme.member(role, `One ${role}`)
  for (const name of ['Gus', 'Gwen', 'Gina']) await acme.member(null, name)
  for (const role of roles.filter((name) => name !== 'admin'))
    expect(await listed(acme, { role, order: 'asc' }), role).toEqual([`One ${role}`])
  expect(await listed(acme, { role: 'admin', order: 'asc' })).toEqual(['Owner', 'One admin'])
  expect(await listed(acme, { role: 'guest', order: 'asc' })).toEqual(['Gus', 'Gwen', 'Gina'])
  expect(await listed(acme, { role: 'guest', sort: 'name', order: 'desc' })).toEqual(['Gwen', 'Gus', 'Gina'])
  expect(await list(acme, { limit: 0 })).toEqual({ count: 10, items: [] })
  expect(await list(acme, { limit: 0, role: 'guest' })).toEqual({ count: 3, items: [] })
})

test('finds members by a part of their name or email address, ignoring case', async () => {
  const acme = await makeOrganization(octavo)
  const olivia = await acme.member('edit', 'Olivia Lind')
  for (const name of ['BOLIVIA', '100% Bob', 'under_score', 'Mme Élodie Ünal', "O'Hara"]) await acme.member(null, name)
  const found = (search: string, more: object = {}) => listed(acme, { search, sort: 'name', order: 'asc', ...more })

  expect(await found('OLIVIA')).toEqual(['BOLIVIA', 'Olivia Lind'])
  expect(await found('olivia', { role: 'guest' })).toEqual(['BOLIVIA'])
  expect(await found('a lIn')).toEqual(['Olivia Lind'])
  expect(await found(olivia.email.toUpperCase())).toEqual(['Olivia Lind'])
  expect(await found('0%')).toEqual(['100% Bob'])
  expect(await found('%')).toEqual(['100% Bob'])
  expect(await found('_')).toEqual(['under_score'])
  expect(await found('éLODIE ÜNAL')).toEqual(['Mme Élodie Ünal'])
  expect(await found("o'h")).toEqual(["O'Hara"])
  expect(await found('@Example.COM')).toHaveLength(7)
  expect(await found('')).toHaveLength(7)
  expect(await found('nobody at all')).toEqual([])
})

test('sorts members by the time they joined, newest first by default', async () => {
  const acme = await makeOrganization(octavo)
  for (const name of ['Early', 'Middle']) await acme.member('read', name)
  // Five people invited with one request have the same time, and each must be listed once.
  const crowd = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => octavo.person(name)))
  await acme.owner.api.inviteUsersToOrganization({
    params: acme.params,
    body: { emails: crowd.map(({ email }) => email) },
  })
  await acme.member('read', 'Late')
  const byId = crowd
    .map(({ id }, index) => ({ id, name: 'ABCDE'[index] as string }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const oldestFirst = ['Owner', 'Early', 'Middle', ...byId.map(({ name }) => name), 'Late']

  expect(await listed(acme, { order: 'asc' })).toEqual(oldestFirst)
  expect(await listed(acme, { order: 'asc', sort: 'joinedAt' })).toEqual(oldestFirst)
  expect(await listed(acme, {})).toEqual(oldestFirst.toReversed())
  expect(await listed(acme, { order: 'desc', sort: 'joinedAt' })).toEqual(oldestFirst.toReversed())
})

test('sorts members by name, ignoring case', async () => {
  const acme = await makeOrganization(octavo)
  for (const name of ['bert', 'Anna', 'zoe', 'Bert', 'anna b', 'BERT', 'Cleo']) await acme.member('read', name)
  const names = await listed(acme, { sort: 'name', order: 'asc' })
  expect(names.map((name) => name.toLowerCase())).toEqual([
    'anna',
    'anna b',
    'bert',
    'bert',
    'bert',
    'cleo',
    'owner',
    'zoe',
  ])
  expect(new Set(names).size).toBe(8)
  expect(await listed(acme, { sort: 'name' })).toEqual(names.toReversed())
})

test('sorting by lastSeenAt lists only members who have been seen', async () => {
  const acme = await makeOrganization(octavo)
  const people = []
  for (const name of ['Ada', 'Bea', 'Cid', 'Dan', 'Eve']) people.push(await acme.member(null, name))
  expect(await listed(acme, { sort: 'lastSeenAt' })).toEqual([])
  const ping = (person: Person | undefined) =>
    (person as Person).api.updateOrganizationMemberLastSeenAt({ params: acme.params })
  for (const index of [3, 0, 2]) expect(await ping(people[index])).toEqual({})
  await ping(acme.owner)

  expect(await listed(acme, { sort: 'lastSeenAt', order: 'asc' })).toEqual(['Dan', 'Ada', 'Cid', 'Owner'])
  expect(await listed(acme, { sort: 'lastSeenAt' })).toEqual(['Owner', 'Cid', 'Ada', 'Dan'])
  expect(await listed(acme, { sort: 'lastSeenAt', role: 'guest' })).toEqual(['Cid', 'Ada', 'Dan'])
  expect(await listed(acme, { sort: 'lastSeenAt', search: 'DAN.' })).toEqual(['Dan'])
  expect(await listed(acme, { sort: 'lastSeenAt', search: 'eve.' })).toEqual([])
  expect(await acme.getMembership(people[1] as Person)).not.toHaveProperty('lastSeenAt')

  const dan = people[3] as Person
  const { lastSeenAt, joinedAt } = await acme.getMembership(dan)
  octavo.clock.advance(60_000)
  await ping(dan)
  const later = await acme.getMembership(dan)
  expect(Date.parse(later.lastSeenAt as string) - Date.parse(lastSeenAt as string)).toBeGreaterThanOrEqual(60_000)
  expect(later.joinedAt).toBe(joinedAt)
  expect(await listed(acme, { sort: 'lastSeenAt' })).toEqual(['Dan', 'Owner', 'Cid', 'Ada'])
  expect(await refusal(ping(await octavo.person('Stranger')))).toBe('404')
})

test('an administrator requires a member to sign in through SSO', async () => {
  const acme = await makeOrganization(octavo)
  const anna = await acme.member('edit')
  const set = (by: Person, userId: string) =>
    by.api.setUserAsSSOMemberForOrganization({ params: { ...acme.params, userId } })
  expect(await refusal(set(anna, anna.id))).toBe('403')
  const before = await acme.getMembership(anna)
  expect(await set(acme.owner, anna.id)).toEqual({ ...before, sso: true })
  expect(await acme.getMembership(anna)).toEqual({ ...before, sso: true })
  expect(await refusal(set(acme.owner, 'nobody'))).toBe('404')
})

test('members see each other, guests get 403, and people outside the organization get 404', async () => {
  const acme = await makeOrganization(octavo)
  const [reader, guest, stranger] = [
    await acme.member('read'),
    await acme.member(null),
    await octavo.person('Stranger'),
  ]
  const params = ofMember(acme, reader)
  const looks = ({ api }: Person) => [
    api.listMembersInOrganizationById({ params }),
    api.getMemberInOrganizationById({ params }),
    api.listSpacesForOrganizationMember({ params }),
    api.listTeamsForOrganizationMember({ params }),
  ]
  await Promise.all(looks(reader))
  expect(await Promise.all(looks(guest).map(refusal))).toEqual(['403', '403', '403', '403'])
  expect(await Promise.all(looks(stranger).map(refusal))).toEqual(['404', '404', '404', '404'])
})

test('rejects unknown members with 404, and invalid roles and query parameters with 400', async () => {
  const acme = await makeOrganization(octavo)
  const anna = await acme.member('edit')
  const stranger = await octavo.person('Stranger')
  const before = await list(acme)
  for (const role of ['guest', 'owner', 'ADMIN', '', 3, undefined, ['read']])
    expect(await refusal(setRole(acme, anna, role)), `role ${String(role)}`).toBe('400 body.role')
  for (const person of [stranger, { ...stranger, id: 'nobody' }, { ...stranger, id: anna.email }]) {
    const params = ofMember(acme, person)
    const { api } = acme.owner
    expect(await refusal(setRole(acme, person, 'read'))).toBe('404')
    await expect(api.getMemberInOrganizationById({ params })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('member'),
    })
    expect(await refusal(api.listSpacesForOrganizationMember({ params }))).toBe('404')
    expect(await refusal(api.listTeamsForOrganizationMember({ params }))).toBe('404')
  }
  const wrongQueries: [object, string][] = [
    [{ role: 'owner' }, 'query.role'],
    [{ role: '' }, 'query.role'],
    [{ sort: 'email' }, 'query.sort'],
    [{ order: 'up' }, 'query.order'],
    [{ search: 'x'.repeat(257) }, 'query.search'],
    [{ search: ['a', 'b'] }, 'query.search'],
    [{ limit: 1001 }, 'query.limit'],
    [{ page: 'x' }, 'query.page'],
  ]
  for (const [query, field] of wrongQueries)
    expect(await refusal(list(acme, query)), JSON.stringify(query)).toBe(`400 ${field}`)
  expect(await list(acme, { search: 'x'.repeat(256), limit: 1000 })).toEqual({ count: 0, items: [] })
  expect(await list(acme)).toEqual(before)
})
