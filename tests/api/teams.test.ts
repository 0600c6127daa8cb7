import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const organization = () => ({ organizationId: octavo.admin.organizationId })

test('creates, reads, renames and deletes a team', async () => {
  const { api } = octavo.admin
  const params = organization()
  const team = await api.createOrganizationTeam({ params, body: { title: ' Writers ' } })
  expect(team).toMatchObject({
    object: 'team',
    title: 'Writers',
    members: 0,
    spaces: 0,
    permissions: { admin: true, view: true },
  })

  const renamed = await api.updateTeamInOrganizationById({
    params: { ...params, teamId: team.id },
    body: { title: 'Editors' },
  })
  expect(renamed).toEqual({ ...team, title: 'Editors' })
  expect(await api.getTeamInOrganizationById({ params: { ...params, teamId: team.id } })).toEqual(renamed)

  await api.removeTeamFromOrganizationById({ params: { ...params, teamId: team.id } })
  await expect(api.getTeamInOrganizationById({ params: { ...params, teamId: team.id } })).rejects.toMatchObject({
    status: 404,
  })
  // Deleting an absent team succeeds.
  await api.removeTeamFromOrganizationById({ params: { ...params, teamId: team.id } })
})

test('members are added by id or email, and a member in both `add` and `remove` is removed', async () => {
  const { api } = octavo.admin
  const [anna, ben, cleo] = await Promise.all([
    octavo.member('edit', 'Anna'),
    octavo.member('edit', 'Ben'),
    octavo.member('edit', 'Cleo'),
  ])
  const team = await api.createOrganizationTeam({ params: organization(), body: { title: 'Crew', members: [anna.id] } })
  const params = { ...organization(), teamId: team.id }
  expect(team.members).toBe(1)

  await api.updateMembersInOrganizationTeam({
    params,
    body: { add: [ben.email.toUpperCase(), cleo.id], remove: [cleo.email, 'nobody'] },
  })
  const { items, count } = await api.listTeamMembersInOrganizationById({ params })
  expect(count).toBe(2)
  expect(items.map((item) => [item.organization.id, item.team.role])).toEqual(
    [anna, ben].map((person) => [person.id, 'member']).sort(),
  )
  const first = items.find((item) => item.organization.id === anna.id)
  expect(first?.organization).toMatchObject({ object: 'member', teams: 1, user: { displayName: 'Anna' } })

  await api.updateMembersInOrganizationTeam({
    params,
    body: { memberships: { [anna.id]: { role: 'owner' }, [cleo.id]: { role: 'member' } } },
  })
  await api.addMemberToOrganizationTeamById({ params: { ...params, userId: ben.id }, body: { role: 'owner' } })
  const roles = (await api.listTeamMembersInOrganizationById({ params })).items.map((item) => item.team.role)
  expect(roles.sort()).toEqual(['member', 'owner', 'owner'])

  await api.deleteMemberFromOrganizationTeamById({ params: { ...params, userId: ben.id } })
  expect(await api.getTeamInOrganizationById({ params })).toMatchObject({ members: 2 })
})

test('changes nothing if one of several members is unknown', async () => {
  const { api } = octavo.admin
  const dora = await octavo.member('edit', 'Dora')
  const stranger = await octavo.person('Stranger')
  const team = await api.createOrganizationTeam({ params: organization(), body: { title: 'Whole' } })
  const params = { ...organization(), teamId: team.id }
  await expect(
    api.updateMembersInOrganizationTeam({ params, body: { add: [dora.id, stranger.id] } }),
  ).rejects.toMatchObject({ status: 404, details: [{ path: 'body.add.1' }] })
  expect(await api.getTeamInOrganizationById({ params })).toMatchObject({ members: 0 })

  await expect(
    api.createOrganizationTeam({ params: organization(), body: { title: 'Never', members: [stranger.id] } }),
  ).rejects.toMatchObject({ status: 404 })
  expect((await api.listTeamsInOrganizationById({ params: organization(), query: { title: 'never' } })).count).toBe(0)
})

test('team owners manage the members of their own team only', async () => {
  const { api } = octavo.admin
  const [owner, friend] = [await octavo.member('read', 'Owner'), await octavo.member('read', 'Friend')]
  const own = await api.createOrganizationTeam({ params: organization(), body: { title: 'Own' } })
  const other = await api.createOrganizationTeam({
    params: organization(),
    body: { title: 'Other', members: [owner.id] },
  })
  await api.addMemberToOrganizationTeamById({
    params: { ...organization(), teamId: own.id, userId: owner.id },
    body: { role: 'owner' },
  })

  await owner.api.addMemberToOrganizationTeamById({ params: { ...organization(), teamId: own.id, userId: friend.id } })
  await expect(
    owner.api.addMemberToOrganizationTeamById({ params: { ...organization(), teamId: other.id, userId: friend.id } }),
  ).rejects.toMatchObject({ status: 403 })

  const managed = await owner.api.listTeamsInOrganizationById({ params: organization(), query: { owner: owner.id } })
  expect(managed.items).toMatchObject([{ id: own.id, members: 2, permissions: { admin: true } }])
  const [self] = (await owner.api.listOrganizationsForAuthenticatedUser()).items
  expect(self?.permissions).toMatchObject({ ownTeam: true, admin: false })
})

test('teams are searched by a part of their title, case-insensitively, and paginated', async () => {
  const { api } = octavo.admin
  for (const title of ['Page 100%', 'PAGE two', 'page_three'])
    await api.createOrganizationTeam({ params: organization(), body: { title } })
  const list = (query: object) => api.listTeamsInOrganizationById({ params: organization(), query })

  const first = await list({ title: 'pAgE', limit: 2 })
  expect(first).toMatchObject({ count: 3, items: [{ title: 'Page 100%' }, { title: 'PAGE two' }] })
  const second = await list({ title: 'pAgE', limit: 2, page: first.next?.page })
  expect(second.items).toMatchObject([{ title: 'page_three' }])
  expect(second.next).toBeUndefined()

  expect((await list({ title: '0%' })).items).toMatchObject([{ title: 'Page 100%' }])
  expect((await list({ title: '_' })).items).toMatchObject([{ title: 'page_three' }])
})

test('a member who leaves the organization is removed from its teams', async () => {
  const { api } = octavo.admin
  const leaver = await octavo.member('edit', 'Leaver')
  const team = await api.createOrganizationTeam({
    params: organization(),
    body: { title: 'Shrinking', members: [leaver.id] },
  })
  await leaver.api.removeMemberFromOrganizationById({ params: { ...organization(), userId: leaver.id } })
  expect(await api.getTeamInOrganizationById({ params: { ...organization(), teamId: team.id } })).toMatchObject({
    members: 0,
  })
})
