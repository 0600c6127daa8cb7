import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { Role, RoleOrGuest } from '../../src/contract/roles.ts'
import { readAllPages } from '../support/lists.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { rolesAscending, getRole } from '../support/roles.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

type Kind = 'space' | 'collection'
interface Invitation {
  role: RoleOrGuest
  users?: string[]
  teams?: string[]
}

/** Returns the sharing operations of a space or a collection under the same names. */
function sharing(api: Client, kind: Kind, id: string) {
  const space = { spaceId: id }
  const collection = { collectionId: id }
  return kind === 'space'
    ? {
        get: () => api.getSpaceById({ params: space }),
        invite: (body: Invitation) => api.inviteToSpace({ params: space, body }),
        users: (query: object = {}) => api.listUserPermissionsInSpace({ params: space, query }),
        teams: (query: object = {}) => api.listTeamPermissionsInSpace({ params: space, query }),
        everyone: (query: object = {}) => api.listPermissionsAggregateInSpace({ params: space, query }),
        changeUser: (userId: string, role: RoleOrGuest) =>
          api.updateUserPermissionInSpace({ params: { ...space, userId }, body: { role } }),
        changeTeam: (teamId: string, role: RoleOrGuest) =>
          api.updateTeamPermissionInSpace({ params: { ...space, teamId }, body: { role } }),
        removeUser: (userId: string) => api.removeUserFromSpace({ params: { ...space, userId } }),
        removeTeam: (teamId: string) => api.removeTeamFromSpace({ params: { ...space, teamId } }),
      }
    : {
        get: () => api.getCollectionById({ params: collection }),
        invite: (body: Invitation) => api.inviteToCollection({ params: collection, body }),
        users: (query: object = {}) => api.listUserPermissionsInCollection({ params: collection, query }),
        teams: (query: object = {}) => api.listTeamPermissionsInCollection({ params: collection, query }),
        everyone: (query: object = {}) => api.listPermissionsAggregateInCollection({ params: collection, query }),
        changeUser: (userId: string, role: RoleOrGuest) =>
          api.updateUserPermissionInCollection({ params: { ...collection, userId }, body: { role } }),
        changeTeam: (teamId: string, role: RoleOrGuest) =>
          api.updateTeamPermissionInCollection({ params: { ...collection, teamId }, body: { role } }),
        removeUser: (userId: string) => api.removeUserFromCollection({ params: { ...collection, userId } }),
        removeTeam: (teamId: string) => api.removeTeamFromCollection({ params: { ...collection, teamId } }),
      }
}

type Sharing = ReturnType<typeof sharing>

const sees = async (content: Sharing) => (await refusal(content.get())) === 'was not refused'

/** Returns the role of every user and team that the content is shared with, by id. */
async function sharedBy(content: Sharing): Promise<Record<string, Role>> {
  const [users, teams] = [await content.users(), await content.teams()]
  const pairs = [
    ...users.items.map(({ user, permission }) => [user.id, permission]),
    ...teams.items.map(({ team, permission }) => [team.id, permission]),
  ]
  expect(users.count + teams.count).toBe(pairs.length)
  return Object.fromEntries(pairs) as Record<string, Role>
}

describe.each(['space', 'collection'] as const)('permissions of a %s', (kind) => {
  /** Creates a space or a collection that only admins see unless it is shared. */
  async function makeClosed() {
    const make = await makeOrganization(octavo)
    const { id } = kind === 'space' ? await make.space('Closed') : await make.collection('Closed')
    const body = { defaultLevel: null }
    if (kind === 'space') await make.owner.api.updateSpaceById({ params: { spaceId: id }, body })
    else await make.owner.api.updateCollectionById({ params: { collectionId: id }, body })
    return { make, as: (who: Person) => sharing(who.api, kind, id), own: sharing(make.owner.api, kind, id) }
  }

  test('are granted to members and teams, changed and revoked', async () => {
    const { make, as, own } = await makeClosed()
    const [anna, ben, cleo] = [await make.member('read'), await make.member(null), await make.member('edit')]
    const team = await make.team('Team', [cleo])
    expect(await sharedBy(own)).toEqual({})
    for (const person of [anna, ben, cleo]) expect(await sees(as(person))).toBe(false)

    await own.invite({ role: 'comment', users: [anna.id, ben.email.toUpperCase(), anna.email], teams: [team.id] })
    expect(await sharedBy(own)).toEqual({ [anna.id]: 'comment', [ben.id]: 'comment', [team.id]: 'comment' })
    for (const person of [anna, ben, cleo]) expect(await sees(as(person))).toBe(true)
    const [first] = (await own.users()).items
    expect(first?.user).toMatchObject({ object: 'user', id: anna.id, email: anna.email })
    const shared = await own.teams()
    expect(shared.items[0]?.team).toMatchObject({ object: 'team', title: 'Team', members: 1 })

    // A second invitation replaces the role, whether it is higher or lower.
    await own.invite({ role: 'admin', users: [anna.id] })
    await own.invite({ role: 'read', users: [ben.id], teams: [team.id] })
    expect(await sharedBy(own)).toEqual({ [anna.id]: 'admin', [ben.id]: 'read', [team.id]: 'read' })
    await own.changeUser(ben.id, 'create')
    await own.changeTeam(team.id, 'review')
    expect(await sharedBy(own)).toEqual({ [anna.id]: 'admin', [ben.id]: 'create', [team.id]: 'review' })

    await own.invite({ role: null, users: [anna.id], teams: [team.id] })
    expect(await sharedBy(own)).toEqual({ [ben.id]: 'create' })
    await own.changeUser(ben.id, null)
    expect(await sharedBy(own)).toEqual({})
    for (const person of [anna, ben, cleo]) expect(await sees(as(person))).toBe(false)

    await own.invite({ role: 'edit', users: [ben.id], teams: [team.id] })
    await own.changeTeam(team.id, null)
    await own.removeUser(ben.id)
    expect(await sharedBy(own)).toEqual({})
    await own.invite({ role: 'edit', teams: [team.id] })
    await own.removeTeam(team.id)
    expect(await sharedBy(own)).toEqual({})
    // Revoking a permission that does not exist succeeds.
    await own.removeUser(ben.id)
    await own.removeTeam(team.id)
    await own.removeUser('nobody')
    await own.removeTeam('nobody')
    await own.invite({ role: null, users: [ben.id], teams: [team.id] })
  })

  test('are not granted to anyone when one user or team of the invitation is unknown', async () => {
    const { make, own } = await makeClosed()
    const [member, stranger] = [await make.member('read'), await octavo.person()]
    const other = await makeOrganization(octavo)
    const [team, foreignTeam] = [await make.team('Team'), await other.team('Foreign')]
    const refused: [Invitation, string][] = [
      [{ role: 'edit', users: [member.id, stranger.id] }, 'body.users.1'],
      [{ role: 'edit', users: [member.id, other.owner.email] }, 'body.users.1'],
      [{ role: 'edit', users: ['nobody'], teams: [team.id] }, 'body.users.0'],
      [{ role: 'edit', users: [team.id] }, 'body.users.0'],
      [{ role: 'edit', users: [member.id], teams: [team.id, 'none'] }, 'body.teams.1'],
      [{ role: 'edit', teams: [foreignTeam.id] }, 'body.teams.0'],
      [{ role: 'edit', teams: [member.id] }, 'body.teams.0'],
      [{ role: null, users: [stranger.id] }, 'body.users.0'],
    ]
    for (const [body, field] of refused)
      expect(await refusal(own.invite(body)), JSON.stringify(body)).toBe(`404 ${field}`)
    expect(await sharedBy(own)).toEqual({})
  })

  test('can only be changed if they exist, for users and teams separately', async () => {
    const { make, own } = await makeClosed()
    const [member, other] = [await make.member('read'), await make.member('read')]
    const [team, otherTeam] = [await make.team('Team'), await make.team('Other')]
    await own.invite({ role: 'edit', users: [member.id], teams: [team.id] })
    for (const id of [other.id, team.id, 'nobody']) {
      expect(await refusal(own.changeUser(id, 'admin'))).toBe('404')
      expect(await refusal(own.changeUser(id, null))).toBe('404')
    }
    for (const id of [otherTeam.id, member.id, 'nobody']) {
      expect(await refusal(own.changeTeam(id, 'admin'))).toBe('404')
      expect(await refusal(own.changeTeam(id, null))).toBe('404')
    }
    await own.removeUser(team.id)
    await own.removeTeam(member.id)
    expect(await sharedBy(own)).toEqual({ [member.id]: 'edit', [team.id]: 'edit' })
  })

  test('are listed page by page for users, teams and everyone with access', async () => {
    const { make, own } = await makeClosed()
    const people: Person[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) people.push(await make.member(null, name))
    const teams = [await make.team('One', people), await make.team('Two'), await make.team('Three')]
    const [ids, teamIds] = [people.map(({ id }) => id), teams.map(({ id }) => id)]
    await own.invite({ role: 'edit', users: ids, teams: teamIds })
    await own.changeUser(ids[2] as string, 'admin')

    for (const limit of [1, 2, 3, 1000]) {
      const users = (await readAllPages((page) => own.users({ limit, page }))).flat()
      expect(users.map(({ user }) => user.id)).toEqual(ids)
      const shared = (await readAllPages((page) => own.teams({ limit, page }))).flat()
      expect(shared.map(({ team }) => team.id)).toEqual(teamIds)
      const everyone = (await readAllPages((page) => own.everyone({ limit, page }))).flat()
      expect(everyone.map(({ user }) => user.id)).toEqual([make.owner.id, ...ids])
      const admins = (await readAllPages((page) => own.everyone({ limit, page, role: 'admin' }))).flat()
      expect(admins.map(({ user }) => user.id)).toEqual([make.owner.id, ids[2]])
    }
    expect(await own.everyone({ role: 'review' })).toEqual({ count: 0, items: [] })
    for (const list of [own.users, own.teams, own.everyone]) {
      expect((await list({ limit: 0 })).items).toEqual([])
      expect(await refusal(list({ limit: 1001 }))).toBe('400 query.limit')
      expect(await refusal(list({ page: 'nonsense' }))).toBe('400 query.page')
    }
    expect(await refusal(own.everyone({ role: 'owner' }))).toBe('400 query.role')
  })

  test('can only be listed and changed by its admins', async () => {
    const { make, as, own } = await makeClosed()
    const [creator, guest] = [await make.member('create'), await make.member(null)]
    const { id: team } = await make.team('Team')
    const all = (who: Person): [name: string, call: () => Promise<unknown>][] => {
      const content = as(who)
      return [
        ['invite', () => content.invite({ role: 'read', users: [who.id] })],
        ['users', () => content.users()],
        ['teams', () => content.teams()],
        ['everyone', () => content.everyone()],
        ['changeUser', () => content.changeUser(creator.id, 'admin')],
        ['changeTeam', () => content.changeTeam(team, 'admin')],
        ['removeUser', () => content.removeUser(creator.id)],
        ['removeTeam', () => content.removeTeam(team)],
      ]
    }
    for (const who of [guest, creator, await octavo.person()])
      for (const [name, call] of all(who)) expect(await refusal(call()), name).toBe('404')
    await own.invite({ role: 'create', users: [creator.id], teams: [team] })
    for (const [name, call] of all(creator)) expect(await refusal(call()), name).toBe('403')
    expect(await sharedBy(own)).toEqual({ [creator.id]: 'create', [team]: 'create' })

    await own.invite({ role: 'admin', users: [guest.id] })
    await as(guest).changeUser(creator.id, 'read')
    expect(await sharedBy(as(guest))).toEqual({ [creator.id]: 'read', [team]: 'create', [guest.id]: 'admin' })
    await as(guest).removeUser(guest.id)
    expect(await refusal(as(guest).users())).toBe('404')
  })

  test('remain unchanged when any field of an invitation is invalid', async () => {
    const { make, own } = await makeClosed()
    const member = await make.member('read')
    const users = [member.id]
    const wrong: [object, string][] = [
      [{}, 'body.role'],
      [{ users }, 'body.role'],
      [{ role: 'owner', users }, 'body.role'],
      [{ role: 'inherit', users }, 'body.role'],
      [{ role: 'read' }, 'body'],
      [{ role: 'read', users: [] }, 'body.users'],
      [{ role: 'read', users: member.id }, 'body.users'],
      [{ role: 'read', users: [7] }, 'body.users.0'],
      [{ role: 'read', users, teams: [] }, 'body.teams'],
      [{ role: 'read', users, teams: null }, 'body.teams'],
      [{ role: 'read', users: Array.from({ length: 1001 }, () => member.id) }, 'body.users'],
    ]
    for (const [body, field] of wrong)
      expect(await refusal(own.invite(body as Invitation)), JSON.stringify(body).slice(0, 80)).toBe(`400 ${field}`)
    expect(await sharedBy(own)).toEqual({})

    await own.invite({ role: 'read', users: Array.from({ length: 1000 }, () => member.id) })
    expect(await sharedBy(own)).toEqual({ [member.id]: 'read' })
    for (const role of ['owner', undefined, 7])
      expect(await refusal(own.changeUser(member.id, role as Role))).toBe('400 body.role')
    expect(await sharedBy(own)).toEqual({ [member.id]: 'read' })
  })
})

/** Creates a closed space in a collection. */
async function makeClosedSpace(make: TestOrganization) {
  const collection = await make.collection('Collection')
  const space = await make.space('Space', { parent: collection.id, defaultLevel: null })
  const ofSpace = sharing(make.owner.api, 'space', space.id)
  return { space, ofSpace, ofCollection: sharing(make.owner.api, 'collection', collection.id), collection }
}

test('a member loses the roles of a team when they leave it or when it is deleted', async () => {
  const make = await makeOrganization(octavo)
  const { owner, params } = make
  const { space, ofSpace, ofCollection } = await makeClosedSpace(make)
  const member = await make.member('read')
  const [one, other] = [await make.team('One', [member]), await make.team('Other', [member])]
  await ofSpace.invite({ role: 'comment', teams: [one.id] })
  await ofCollection.invite({ role: 'review', teams: [other.id] })
  expect(await getRole(member, space)).toBe('review')
  await owner.api.deleteMemberFromOrganizationTeamById({ params: { ...params, teamId: other.id, userId: member.id } })
  expect(await getRole(member, space)).toBe('comment')
  await owner.api.addMemberToOrganizationTeamById({ params: { ...params, teamId: other.id, userId: member.id } })
  expect(await getRole(member, space)).toBe('review')
  await owner.api.removeTeamFromOrganizationById({ params: { ...params, teamId: other.id } })
  expect((await ofCollection.teams()).count).toBe(0)
  await owner.api.removeTeamFromOrganizationById({ params: { ...params, teamId: one.id } })
  expect(await getRole(member, space)).toBe(null)
})

test('a member who leaves loses their permissions and does not get them back on return', async () => {
  const make = await makeOrganization(octavo)
  const { space, ofSpace, ofCollection } = await makeClosedSpace(make)
  const member = await make.member('read')
  await ofSpace.invite({ role: 'admin', users: [member.id] })
  await ofCollection.invite({ role: 'admin', users: [member.id] })
  await member.api.removeMemberFromOrganizationById({ params: { ...make.params, userId: member.id } })
  expect([(await ofSpace.users()).count, (await ofCollection.users()).count]).toEqual([0, 0])
  await make.add(member, 'read')
  expect(await getRole(member, space)).toBe(null)
})

test('a permission in a space remains when the role in the organization changes', async () => {
  const make = await makeOrganization(octavo)
  const { space, ofSpace } = await makeClosedSpace(make)
  const member = await make.member('admin')
  const change = (role: RoleOrGuest) =>
    make.owner.api.updateMemberInOrganizationById({ params: { ...make.params, userId: member.id }, body: { role } })
  await ofSpace.invite({ role: 'edit', users: [member.id] })
  for (const role of [...rolesAscending, null]) {
    await change(role)
    expect(await getRole(member, space)).toBe(role === 'admin' ? 'admin' : 'edit')
  }
})

test('a team counts each space that is shared with it once, directly or through collections', async () => {
  const make = await makeOrganization(octavo)
  const { owner, params } = make
  const outer = await make.collection('Outer')
  const inner = await make.collection('Inner', outer.id)
  const team = await make.team('Team')
  const [direct, deep, beside] = [
    await make.space('Direct'),
    await make.space('Deep', { parent: inner.id }),
    await make.space('Beside', { parent: outer.id, defaultLevel: null }),
  ]
  await make.space('Not shared')
  const count = async () =>
    (await owner.api.getTeamInOrganizationById({ params: { ...params, teamId: team.id } })).spaces
  const share = (kind: Kind, { id }: { id: string }) =>
    sharing(owner.api, kind, id).invite({ role: 'read', teams: [team.id] })
  expect(await count()).toBe(0)
  await share('space', direct)
  expect(await count()).toBe(1)
  await share('space', deep)
  await share('collection', inner)
  expect(await count()).toBe(2)
  await share('collection', outer)
  expect(await count()).toBe(3)
  await owner.api.deleteSpaceById({ params: { spaceId: beside.id } })
  expect(await count()).toBe(2)
  await owner.api.restoreSpace({ params: { spaceId: beside.id } })
  await owner.api.deleteCollectionById({ params: { collectionId: outer.id } })
  expect(await count()).toBe(1)
  const [listed] = (await sharing(owner.api, 'space', direct.id).teams()).items
  expect(listed?.team).toMatchObject({ id: team.id, spaces: 1 })
})
