import { GitBookAPI, MemberRole } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../src/client/client.ts'
import type { Role, RoleOrGuest } from '../../src/contract/roles.ts'
import type { Site } from '../../src/contract/site.ts'
import { readAllPages } from '../support/lists.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { rolesAscending } from '../support/roles.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'
import { makeSite } from '../support/sites.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

type Params = Record<'organizationId' | 'siteId', string>

/** The lowest role that has each permission in a site. */
const least: Record<keyof Site['permissions'], Role> = {
  view: 'read',
  access: 'read',
  viewAdaptiveSchema: 'read',
  edit: 'create',
  create: 'create',
  editAdaptiveSchema: 'create',
  installIntegration: 'admin',
  admin: 'admin',
}

/** Returns the permissions of a person in a site, or null if the site is not visible to them. */
async function permissionsOf(who: Person, params: Params): Promise<Site['permissions'] | null> {
  try {
    return (await who.api.getSiteById({ params })).permissions
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

const allowedTo = (role: Role) =>
  Object.fromEntries(
    Object.entries(least).map(([name, needed]) => [
      name,
      rolesAscending.indexOf(role) >= rolesAscending.indexOf(needed),
    ]),
  )

const sees = async (who: Person, params: Params) => (await permissionsOf(who, params)) !== null

/** Creates a site that only administrators see unless it is shared. */
async function makeClosed() {
  const make = await makeOrganization(octavo)
  const { params } = await makeSite(make, ['Guide'])
  const { api } = make.owner
  await api.updateSiteById({ params, body: { defaultLevel: null } })
  const invite = (body: { role: RoleOrGuest; users?: string[]; teams?: string[] }) => api.inviteToSite({ params, body })
  const everyone = (query: object = {}) => api.listPermissionsAggregateInSite({ params, query })
  return { make, params, api, invite, everyone }
}

test('a site without a default role is visible only to administrators and those it is shared with', async () => {
  const { make, params, api, invite } = await makeClosed()
  const [member, guest, teammate] = [await make.member('create'), await make.member(null), await make.member(null)]
  const open = await makeSite(make)
  const team = await make.team('Team', [teammate])
  const listed = async (who: Person) =>
    (await readAllPages((page) => who.api.listSites({ params: make.params, query: { limit: 1, page } }))).flat()
  const idsOf = async (who: Person) => (await listed(who)).map(({ id }) => id)
  const seen = async (who: Person) => (await make.getMembership(who)).sites

  expect([await seen(make.owner), await seen(member), await seen(guest)]).toEqual([2, 1, 0])
  expect([await idsOf(member), await idsOf(guest)]).toEqual([[open.params.siteId], []])
  expect(await refusal(member.api.getSiteById({ params }))).toBe('404')
  expect(await refusal(member.api.getSiteStructure({ params, query: {} }))).toBe('404')

  await invite({ role: 'read', users: [guest.id, member.id], teams: [team.id] })
  expect(await idsOf(guest)).toEqual([params.siteId])
  expect(await idsOf(teammate)).toEqual([params.siteId])
  expect([await seen(member), await seen(guest), await seen(teammate)]).toEqual([2, 1, 1])
  expect(await refusal(guest.api.getSiteById({ params: open.params }))).toBe('404')
  const members = await api.listMembersInOrganizationById({
    params: make.params,
    query: { sort: 'joinedAt', order: 'asc' },
  })
  expect(members.items.map(({ sites }) => sites)).toEqual([2, 2, 1, 1])

  await api.removeUserFromSite({ params: { ...params, userId: guest.id } })
  await api.removeTeamFromSite({ params: { ...params, teamId: team.id } })
  expect([await sees(guest, params), await sees(teammate, params), await sees(member, params)]).toEqual([
    false,
    false,
    true,
  ])
  expect([await seen(guest), await seen(teammate)]).toEqual([0, 0])

  // Permissions are deleted with the site.
  await api.deleteSiteById({ params })
  expect(await seen(member)).toBe(1)
  expect(await refusal(api.listUserPermissionsInSite({ params, query: {} }))).toBe('404')
})

test('each role allows exactly the operations of the table of roles', async () => {
  const { make, params, invite } = await makeClosed()
  const guest = await make.member(null)
  const extra = await make.space('Extra', { defaultLevel: null })
  await make.owner.api.inviteToSpace({ params: { spaceId: extra.id }, body: { role: 'create', users: [guest.id] } })
  const { api } = guest
  const attempts: [needed: Role, call: () => Promise<unknown>][] = [
    ['read', () => api.getSiteStructure({ params, query: {} })],
    ['read', () => api.listSiteSpaces({ params, query: {} })],
    ['create', () => api.updateSiteById({ params, body: { title: 'Renamed' } })],
    ['create', () => api.publishSite({ params })],
    ['create', () => api.unpublishSite({ params })],
    ['create', () => api.addSpaceToSite({ params, body: { spaceId: extra.id } })],
    ['create', () => api.explainSiteVisibility({ params, body: {} })],
    ['admin', () => api.updateSiteById({ params, body: { defaultLevel: null } })],
    ['admin', () => api.listUserPermissionsInSite({ params, query: {} })],
    ['admin', () => api.inviteToSite({ params, body: { role: 'read', users: [make.owner.id] } })],
  ]
  for (const role of rolesAscending) {
    await invite({ role, users: [guest.id] })
    expect(await permissionsOf(guest, params)).toEqual(allowedTo(role))
    for (const [needed, call] of attempts) {
      const allowed = rolesAscending.indexOf(role) >= rolesAscending.indexOf(needed)
      expect(await refusal(call()), `${needed} as ${role}`).toBe(allowed ? 'was not refused' : '403')
    }
  }
})

test('the effective role is the highest one, and the aggregate lists each person with its origin', async () => {
  const { make, params, api, invite, everyone } = await makeClosed()
  const { organizationId, siteId } = params
  const [anna, ben, cleo] = [
    await make.member('read', 'anna'),
    await make.member(null, 'ben'),
    await make.member('comment', 'cleo'),
    await make.member('edit', 'dora'),
  ]
  const [low, high] = [await make.team('Low', [anna, cleo]), await make.team('High', [anna])]
  await invite({ role: 'comment', users: [ben.id], teams: [low.id] })
  await invite({ role: 'review', teams: [high.id] })
  const origins = async (query: object = {}) =>
    (await everyone({ sort: 'name', order: 'asc', ...query })).items.map(({ user, permission, origin }) => [
      user.displayName,
      permission,
      origin,
    ])
  const fromOrganization = { type: 'organization', organization: organizationId }
  const bySite = (reason: string, team?: string) => ({ type: 'site', site: siteId, reason, ...(team && { team }) })
  expect(await origins()).toEqual([
    ['anna', 'review', bySite('team', high.id)],
    ['ben', 'comment', bySite('member')],
    ['cleo', 'comment', bySite('team', low.id)],
    ['Owner', 'admin', fromOrganization],
  ])
  await api.updateSiteById({ params, body: { defaultLevel: 'edit' } })
  expect(await origins()).toEqual([
    ['anna', 'review', bySite('team', high.id)],
    ['ben', 'comment', bySite('member')],
    ['cleo', 'edit', bySite('default')],
    ['dora', 'edit', bySite('default')],
    ['Owner', 'admin', fromOrganization],
  ])
  await api.updateSiteById({ params, body: { defaultLevel: 'inherit' } })
  expect(await origins({ team: low.id })).toEqual([
    ['anna', 'review', bySite('team', high.id)],
    ['cleo', 'comment', fromOrganization],
  ])
  expect(await origins({ role: 'edit' })).toEqual([['dora', 'edit', fromOrganization]])
  expect(await origins({ search: 'DOR' })).toEqual([['dora', 'edit', fromOrganization]])
  expect(await origins({ role: 'guest' })).toEqual([])
  expect(await origins({ team: 'unknown' })).toEqual([])
  for (const limit of [1, 2, 1000]) {
    for (const sort of ['name', 'joinedAt'] as const) {
      const people = (await readAllPages((page) => everyone({ sort, order: 'desc', limit, page }))).flat()
      const names = people.map(({ user }) => user.displayName)
      expect(names).toEqual(
        sort === 'name' ? ['Owner', 'dora', 'cleo', 'ben', 'anna'] : ['dora', 'cleo', 'ben', 'anna', 'Owner'],
      )
    }
  }
  // Sorted by lastSeenAt, only people who were seen are listed.
  expect(await everyone({ sort: 'lastSeenAt' })).toEqual({ count: 0, items: [] })
  await cleo.api.updateOrganizationMemberLastSeenAt({ params: make.params })
  const { items } = await everyone({ sort: 'lastSeenAt' })
  expect(items).toMatchObject([{ user: { id: cleo.id }, disabled: false, lastSeenAt: expect.any(String) }])
  expect(await refusal(everyone({ role: 'owner' }))).toBe('400 query.role')
  expect(await refusal(everyone({ page: 'nonsense' }))).toBe('400 query.page')
})

test('invites no one if one user or team is unknown, and only existing permissions can be updated', async () => {
  const { make, params, api, invite } = await makeClosed()
  const member = await make.member('read')
  const foreign = await makeOrganization(octavo)
  const foreignTeam = await foreign.team('Foreign')
  expect(await refusal(invite({ role: 'edit', users: [member.id, foreign.owner.id] }))).toBe('404 body.users.1')
  expect(await refusal(invite({ role: 'edit', users: [member.id], teams: [foreignTeam.id] }))).toBe('404 body.teams.0')
  expect(await refusal(invite({ role: 'edit' }))).toBe('400 body')
  expect((await api.listUserPermissionsInSite({ params, query: {} })).count).toBe(0)
  const userId = member.id
  const change = () => api.updateUserPermissionInSite({ params: { ...params, userId }, body: { role: 'read' } })
  expect(await refusal(change())).toBe('404')
  await invite({ role: 'edit', users: [member.id] })
  await change()
  expect((await api.listUserPermissionsInSite({ params, query: {} })).items[0]?.permission).toBe('read')
  // Permissions of a site are not visible from another organization, with either organization id in the path.
  const across = { ...params, organizationId: foreign.params.organizationId }
  expect(await refusal(foreign.owner.api.listUserPermissionsInSite({ params: across, query: {} }))).toBe('404')
  expect(await refusal(foreign.owner.api.listUserPermissionsInSite({ params, query: {} }))).toBe('404')
})

test('the official client shares a site with members and teams', async () => {
  const { make, params } = await makeClosed()
  const { organizationId: org, siteId: site } = params
  const client = new GitBookAPI({ endpoint: octavo.url, authToken: make.owner.token })
  const member = await make.member(null)
  const team = await make.team('Team', [member])
  await client.orgs.inviteToSite(org, site, { role: MemberRole.Comment, users: [member.id], teams: [team.id] })
  await client.orgs.updateUserPermissionInSite(org, site, member.id, { role: MemberRole.Edit })
  await client.orgs.updateTeamPermissionInSite(org, site, team.id, { role: MemberRole.Review })
  const { data: users } = await client.orgs.listUserPermissionsInSite(org, site, { limit: 10 })
  expect(users.items).toMatchObject([{ permission: 'edit', user: { id: member.id } }])
  const { data: teams } = await client.orgs.listTeamPermissionsInSite(org, site)
  expect(teams.items).toMatchObject([{ permission: 'review', team: { id: team.id, title: 'Team' } }])
  const { data: all } = await client.orgs.listPermissionsAggregateInSite(org, site, {
    role: MemberRole.Review,
    sort: 'name',
    order: 'asc',
    team: team.id,
  })
  expect(all.items).toMatchObject([
    { permission: 'review', user: { id: member.id }, origin: { type: 'site', site, reason: 'team', team: team.id } },
  ])
  await client.orgs.removeTeamFromSite(org, site, team.id)
  await client.orgs.removeUserFromSite(org, site, member.id)
  expect(await sees(member, params)).toBe(false)
})
