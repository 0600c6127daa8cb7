import { GitBookAPI, GitBookAPIError, MemberRole, SpaceEditMode, TeamMemberRole } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Uses the official client of the public API, unmodified, against this server.

let octavo: TestServer
let client: GitBookAPI
let org: string
beforeAll(async () => {
  octavo = await startTestServer()
  client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  org = octavo.admin.organizationId
})
afterAll(() => octavo.stop())

test('the official client reads the API version and the current user', async () => {
  const information = await client.getApiInformation()
  expect(information.data.version).toMatch(/^\d+\.\d+\.\d+$/)
  const { data: user } = await client.user.getAuthenticatedUser()
  expect(user).toMatchObject({ object: 'user', displayName: 'Administrator' })
  // The caller also sees that they operate the server.
  expect(user).toMatchObject((await client.users.getUserById(user.id)).data)
  expect((await client.users.updateUserById(user.id, { displayName: 'Ada' })).data.displayName).toBe('Ada')
})

test('the official client manages organizations', async () => {
  const { data: created } = await client.orgs.createOrganization({ title: 'Second' })
  expect(created).toMatchObject({ object: 'organization', title: 'Second', permissions: { admin: true, access: true } })
  const { data: list } = await client.orgs.listOrganizationsForAuthenticatedUser({ limit: 1 })
  expect(list.items).toHaveLength(1)
  const { data: rest } = await client.orgs.listOrganizationsForAuthenticatedUser({ page: list.next?.page })
  expect(rest.items.map((organization) => organization.id)).toEqual([created.id])
  const { data: updated } = await client.orgs.updateOrganizationById(org, {
    hostname: 'acme-docs',
    defaultRole: MemberRole.Edit,
  })
  expect(updated).toMatchObject({ hostname: 'acme-docs', defaultRole: MemberRole.Edit })
  expect((await client.orgs.getOrganizationById(org)).data).toEqual(updated)
  expect((await client.subdomains.getSubdomain('acme-docs')).data.target).toEqual({
    type: 'organization',
    organization: org,
  })
})

test('the official client manages members, teams and invites', async () => {
  const known = await octavo.person('Known')
  const { data: invited } = await client.orgs.inviteUsersToOrganization(org, {
    emails: [known.email, { email: 'new@example.com', role: MemberRole.Read }],
    role: MemberRole.Edit,
  })
  expect(invited).toMatchObject({ users: [known.id], invited: 1 })
  const { data: members } = await client.orgs.listMembersInOrganizationById(org, {
    search: 'KNOWN',
    sort: 'name',
    order: 'asc',
  })
  expect(members).toMatchObject({ count: 1, items: [{ id: known.id, role: 'edit', teams: 0 }] })
  expect((await client.orgs.updateMemberInOrganizationById(org, known.id, { role: MemberRole.Review })).data.role).toBe(
    'review',
  )
  await client.orgs.updateOrganizationMemberLastSeenAt(org)
  const { data: seen } = await client.orgs.listMembersInOrganizationById(org, { sort: 'lastSeenAt' })
  expect(seen.items.map((member) => member.id)).toEqual([octavo.admin.id])

  const { data: team } = await client.orgs.createOrganizationTeam(org, { title: 'Team' })
  await client.orgs.updateMembersInOrganizationTeam(org, team.id, { add: [known.email] })
  await client.orgs.addMemberToOrganizationTeamById(org, team.id, known.id, { role: TeamMemberRole.Owner })
  const { data: inTeam } = await client.orgs.listTeamMembersInOrganizationById(org, team.id)
  expect(inTeam.items).toMatchObject([{ organization: { id: known.id }, team: { role: 'owner' } }])
  const { data: teams } = await client.orgs.listTeamsForOrganizationMember(org, known.id, { title: 'TEA' })
  expect(teams.items).toMatchObject([{ team: { id: team.id }, member: { role: 'owner' } }])
  await client.orgs.deleteMemberFromOrganizationTeamById(org, team.id, known.id)
  expect((await client.orgs.updateTeamInOrganizationById(org, team.id, { title: 'Crew' })).data).toMatchObject({
    members: 0,
  })
  await client.orgs.removeTeamFromOrganizationById(org, team.id)

  const { data: link } = await client.orgs.createOrganizationInvite(org, { role: MemberRole.Read })
  expect((await client.orgs.listOrganizationInviteLinks(org)).data.items).toMatchObject([{ id: link.id, role: 'read' }])
  const guest = await octavo.person('Guest')
  const asGuest = new GitBookAPI({ endpoint: octavo.url, authToken: guest.token })
  await asGuest.orgs.joinOrganizationWithInvite(org, link.id)
  expect((await asGuest.orgs.getOrganizationById(org)).data.id).toBe(org)
  await client.orgs.deleteOrganizationInviteById(org, link.id)
  await client.orgs.removeMemberFromOrganizationById(org, guest.id)
})

test('the official client manages collections and spaces', async () => {
  const { data: collection } = await client.orgs.createCollection(org, {})
  expect(collection).toMatchObject({ object: 'collection', title: 'Untitled', defaultLevel: 'inherit' })
  await client.collections.updateCollectionById(collection.id, { title: 'Guides', description: 'All guides' })
  const { data: space } = await client.orgs.createSpace(org, { title: 'Guide', emoji: '📘', parent: collection.id })
  expect(space).toMatchObject({ object: 'space', parent: collection.id, emoji: '📘', changeRequestsOpen: 0 })
  expect((await client.collections.listSpacesInCollectionById(collection.id)).data.items).toEqual([space])

  const { data: copy } = await client.spaces.duplicateSpace(space.id)
  expect(copy.revision).not.toBe(space.revision)
  await client.spaces.moveSpace(copy.id, { position: { before: { type: 'space', space: space.id } } })
  const { data: moved } = await client.collections.listSpacesInCollectionById(collection.id)
  expect(moved.items.map((item) => item.id)).toEqual([copy.id, space.id])

  expect(
    (await client.spaces.updateSpaceById(space.id, { title: 'Renamed', editMode: SpaceEditMode.Locked })).data,
  ).toMatchObject({
    title: 'Renamed',
  })
  await client.spaces.deleteSpaceById(space.id)
  const failure = await client.spaces.getSpaceById(space.id).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(GitBookAPIError)
  expect(failure).toMatchObject({ code: 404, errorMessage: 'No space was found' })
  expect((await client.spaces.restoreSpace(space.id)).data).toMatchObject({ id: space.id, title: 'Renamed' })

  const { data: target } = await client.orgs.createOrganization({ title: 'Target' })
  expect(
    (await client.collections.transferCollection(collection.id, { organization: target.id })).data.organization,
  ).toBe(target.id)
  expect((await client.orgs.listSpacesInOrganizationById(target.id)).data.count).toBe(2)
  await client.collections.deleteCollectionById(collection.id)
  expect((await client.orgs.listSpacesInOrganizationById(target.id)).data.count).toBe(0)
})

test('the official client manages permissions of a space', async () => {
  const { spaceId } = octavo.admin
  const member = await octavo.member(null, 'Invited')
  await client.spaces.inviteToSpace(spaceId, { role: MemberRole.Comment, users: [member.id] })
  const { data: users } = await client.spaces.listUserPermissionsInSpace(spaceId)
  expect(users.items).toMatchObject([{ permission: 'comment', user: { id: member.id } }])
  const { data: everyone } = await client.spaces.listPermissionsAggregateInSpace(spaceId, { role: MemberRole.Comment })
  expect(everyone.items.map((item) => item.user.id)).toEqual([member.id])
  const { data: spaces } = await client.orgs.listSpacesForOrganizationMember(org, member.id)
  expect(spaces.items).toMatchObject([{ permission: 'comment', space: { id: spaceId } }])
  await client.spaces.updateUserPermissionInSpace(spaceId, member.id, { role: MemberRole.Review })
  const asMember = new GitBookAPI({ endpoint: octavo.url, authToken: member.token })
  expect((await asMember.spaces.getSpaceById(spaceId)).data.permissions).toMatchObject({ merge: true, admin: false })
  await client.spaces.removeUserFromSpace(spaceId, member.id)
  await expect(asMember.spaces.getSpaceById(spaceId)).rejects.toMatchObject({ code: 404 })
})

test('the official client searches an organization', async () => {
  await waitUntilSearchable(octavo, octavo.admin.spaceId)
  const { data: found } = await client.orgs.searchOrganizationContent(org, { query: 'octa' })
  expect(found.items).toMatchObject([{ id: octavo.admin.spaceId, title: 'Octavo' }])
  expect(found.items[0]?.pages[0]?.title).toBe('Octavo')
})

const titles = (pages: { title: string }[]) => pages.map(({ title }) => title)

test('the official client applies templates', async () => {
  const { data: space } = await client.orgs.createSpace(org, { title: 'Guide', template: { id: 'product-docs' } })
  const contentRefs = { logs: { kind: 'url' as const, url: 'https://logs.example.org/' } }
  const { data: request } = await client.spaces.createChangeRequest(space.id, { template: { id: 'changelog' } })
  await client.spaces.applyTemplateToSpace(space.id, {
    id: 'runbook',
    params: { contentRefs },
    changeRequestId: request.id,
  })
  const { data: live } = await client.spaces.listPages(space.id)
  expect(titles(live.pages)).toEqual(['Welcome to Acme', 'Getting started', 'Guides', 'Reference', 'Help'])
  const { data: proposed } = await client.spaces.listPagesInChangeRequest(space.id, request.id)
  expect(titles(proposed.pages)).toEqual(expect.arrayContaining(['Changelog', 'Shop service runbook']))

  const { data: site } = await client.orgs.createSite(org, { title: 'From a template' })
  await client.orgs.applyTemplateToSite(org, site.id)
  const { data: sections } = await client.orgs.listSiteSections(org, site.id)
  expect(titles(sections.items)).toEqual(['Documentation', 'API', 'Help center', 'Changelog'])
})
