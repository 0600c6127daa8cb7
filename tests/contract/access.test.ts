import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildRequestPath } from '../../src/client/client.ts'
import { type Api, api } from '../../src/contract/api.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { type RoleOrGuest, type ResourceKind, requiredRoles, roleRank, roles } from '../../src/contract/roles.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'
import { type World, makeWorld } from '../support/world.ts'

type Name = keyof Api

const operations = Object.entries(api) as [Name, Operation][]
const named = (names: Name[]) => names.sort()

let octavo: TestServer
let world: World
beforeAll(async () => {
  // Nothing listens on this port, so that DNS checks of hostnames never leave the machine.
  octavo = await startTestServer({ OCTAVO_DNS_SERVERS: '127.0.0.1:9' })
  world = await makeWorld(octavo)
})
afterAll(() => octavo.stop())

function call(operation: Operation, token?: string): Promise<Response> {
  const query = operation.query ? { query: 'secret' } : {}
  return octavo.fetch(`/v1${buildRequestPath(operation.path, { params: world.params, query })}`, {
    method: operation.method,
    ...(token !== undefined && { token }),
    ...(operation.body && { body: '{}', headers: { 'content-type': 'application/json' } }),
  })
}

/** Returns the role that an operation requires; undefined if any token suffices. */
function neededRole({ access }: Operation): RoleOrGuest | undefined {
  if (access === 'public' || access === 'user' || access === 'operator') return undefined
  if (access === 'team:admin' || access === 'member:admin') return 'admin'
  if (access === 'container:create') return 'create'
  const [subject, action] = access.split(':') as [ResourceKind, string]
  const needed: Record<string, RoleOrGuest> = requiredRoles[subject]
  // For members, visiting a site requires the role for viewing it.
  return needed[action === 'visit' ? 'view' : action]
}

test('exactly these operations accept requests without a token', () => {
  const open = operations.filter(([, operation]) => operation.access === 'public').map(([name]) => name)
  expect(named(open)).toEqual(
    named([
      'getApiInformation',
      // Authenticated by the signature of the webhook.
      'receiveGitWebhook',
      // Visitors need no token; access to a site is checked by the handler.
      'getPublishedContentByUrl',
      // People need to know how to sign in before they have a token.
      'listSsoProviderLoginsInOrganization',
      'resolvePublishedContentByUrl',
      'trackEventsInSiteById',
    ]),
  )
})

test('exactly these operations are open to all users and check access in their handlers', () => {
  const open = operations.filter(([, operation]) => operation.access === 'user').map(([name]) => name)
  expect(named(open)).toEqual(
    named([
      'createOrganization',
      'createToken',
      'dnsRevalidateCustomHostname',
      'getAuthenticatedUser',
      'getContentByUrl',
      'getCustomHostname',
      // The reply depends on the URL only.
      'getEmbedByUrl',
      'getOrganizationsForEmailDomain',
      'getSubdomain',
      // Built-in templates belong to no organization.
      'getTemplateById',
      'getUserById',
      'joinOrganization',
      'joinOrganizationWithInvite',
      // Icons belong to no organization.
      'listIcons',
      'listMentionsForAuthenticatedUser',
      'listNotifications',
      'countNotifications',
      'updateNotification',
      'markNotificationsAsRead',
      'getNotificationSettings',
      'updateNotificationSettings',
      'listOrganizationsForAuthenticatedUser',
      'listTemplatePages',
      'listTemplates',
      'listSessions',
      'listTokens',
      'removeCustomHostname',
      'listAuthorizedApps',
      'revokeAuthorizedApp',
      'revokeSession',
      'revokeToken',
      'updateUserById',
    ]),
  )
})

describe('without a token', () => {
  test.each(operations.filter(([, { access }]) => access !== 'public'))('%s returns 401', async (_, operation) => {
    const reply = await call(operation)
    expect(reply.status).toBe(401)
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata=/)
    expect(await reply.json()).toEqual({ error: { code: 401, message: expect.any(String) } })
  })
})

describe('with a token of another organization', () => {
  const guarded = operations.filter(([, operation]) => neededRole(operation) !== undefined)
  // Deleting succeeds for a space or collection that does not exist, so the reply for a foreign one is the same.
  const looksAbsent = new Set<Name>(['deleteSpaceById', 'deleteCollectionById'])

  test.each(guarded.filter(([name]) => !looksAbsent.has(name)))(
    '%s returns 404 without details',
    async (_, operation) => {
      const reply = await call(operation, world.stranger.token)
      expect(reply.status).toBe(404)
      expect(await reply.json()).toEqual({ error: { code: 404, message: expect.stringMatching(/^No \w+ was found$/) } })
    },
  )

  test('deleting a foreign space or collection returns 204 and deletes nothing', async () => {
    for (const name of looksAbsent) expect((await call(api[name], world.stranger.token)).status).toBe(204)
    const { spaceId = '', collectionId = '' } = world.params
    await octavo.admin.api.getSpaceById({ params: { spaceId } })
    await octavo.admin.api.getCollectionById({ params: { collectionId } })
  })

  test("a foreign id under the caller's own organization is treated as absent", async () => {
    const own = { ...world.params, organizationId: world.foreignOrganizationId }
    for (const [, operation] of guarded.filter(
      // An operation that creates what is absent does not look up what belongs to others.
      ([, { path, mayCreate }]) => path.startsWith('/orgs/{organizationId}/') && path.endsWith('}') && !mayCreate,
    )) {
      const reply = await octavo.fetch(`/v1${buildRequestPath(operation.path, { params: own })}`, {
        method: operation.method,
        token: world.stranger.token,
        ...(operation.body && {
          body: JSON.stringify({
            title: 'Mine',
            role: operation.path.includes('/teams/') ? 'member' : 'read',
            visibility: 'public',
          }),
        }),
      })
      // Deleting a foreign resource returns 204 as if it were absent; inside a foreign site, the site itself is not
      // found.
      const isInSite = operation.path.includes('{siteId}/')
      const isDeleted = operation.method === 'DELETE' && !isInSite
      expect([operation.path, reply.status]).toEqual([operation.path, isDeleted ? 204 : 404])
    }
    const { organizationId = '', teamId = '', userId = '', inviteId = '', siteId = '' } = world.params
    await octavo.admin.api.getSiteById({ params: { organizationId, siteId } })
    await octavo.admin.api.getTeamInOrganizationById({ params: { organizationId, teamId } })
    await octavo.admin.api.getMemberInOrganizationById({ params: { organizationId, userId } })
    await octavo.admin.api.getOrganizationInviteLink({ params: { organizationId, inviteId } })
  })

  test('public operations return 404 for a site that is not published', async () => {
    const url = `${octavo.url}/sites/secret-name/secret-site/`
    for (const token of [undefined, world.stranger.token]) {
      const bearer = token === undefined ? {} : { token }
      const asked = await octavo.fetch(`/v1/urls/published?url=${encodeURIComponent(url)}`, bearer)
      expect(asked.status).toBe(404)
      const headers = { 'content-type': 'application/json' }
      const resolved = await octavo.fetch('/v1/urls/published', {
        method: 'POST',
        body: JSON.stringify({ url }),
        headers,
        ...bearer,
      })
      expect(resolved.status).toBe(404)
    }
  })

  test('operations open to all users reveal and change nothing of other users', async () => {
    const { stranger, params, foreignOrganizationId } = world
    const { organizationId = '', userId = '', tokenId = '' } = params
    const mine = await stranger.api.listOrganizationsForAuthenticatedUser()
    expect(mine.items.map((organization) => organization.id)).toEqual([foreignOrganizationId])
    expect(await stranger.api.getOrganizationsForEmailDomain({ params: { emailDomain: 'secret.example' } })).toEqual({
      organizations: [],
    })
    const notFound = { status: 404 }
    await expect(stranger.api.getSubdomain({ params: { subdomain: 'secret-name' } })).rejects.toMatchObject(notFound)
    const { templateId = '' } = params
    await expect(stranger.api.getTemplateById({ params: { templateId } })).rejects.toMatchObject(notFound)
    await expect(stranger.api.getUserById({ params: { userId } })).rejects.toMatchObject(notFound)
    await expect(
      stranger.api.updateUserById({ params: { userId }, body: { displayName: 'Mine' } }),
    ).rejects.toMatchObject(notFound)
    await expect(stranger.api.joinOrganization({ params: { organizationId } })).rejects.toMatchObject(notFound)
    await expect(
      stranger.api.joinOrganizationWithInvite({ params: { organizationId, inviteId: 'guessed' } }),
    ).rejects.toMatchObject(notFound)
    const { hostname = '', siteId = '', spaceId = '' } = params
    await expect(stranger.api.getCustomHostname({ params: { hostname } })).rejects.toMatchObject(notFound)
    await expect(stranger.api.dnsRevalidateCustomHostname({ params: { hostname } })).rejects.toMatchObject(notFound)
    await stranger.api.removeCustomHostname({ params: { hostname } })
    const { target } = await octavo.admin.api.getCustomHostname({ params: { hostname } })
    expect(target).toEqual({ type: 'site', site: siteId })
    const { urls } = await octavo.admin.api.getSpaceById({ params: { spaceId } })
    await expect(stranger.api.getContentByUrl({ query: { url: urls.app } })).rejects.toMatchObject(notFound)
    expect((await stranger.api.listMentionsForAuthenticatedUser()).count).toBe(0)
    expect((await stranger.api.listAuthorizedApps()).items).toEqual([])
    expect((await stranger.api.listNotifications({ query: {} })).items).toEqual([])
    const { grantId = '', notificationId = '' } = params
    await stranger.api.revokeAuthorizedApp({ params: { grantId } })
    expect((await octavo.admin.api.listAuthorizedApps()).items.map(({ id }) => id)).toContain(grantId)
    await expect(
      stranger.api.updateNotification({ params: { notificationId }, body: { read: true } }),
    ).rejects.toMatchObject(notFound)
    await stranger.api.revokeToken({ params: { tokenId } })
    const kept = await octavo.admin.api.listTokens()
    expect(kept.items.map((token) => token.id)).toContain(tokenId)
    expect((await stranger.api.listTokens()).count).toBe(1)
  })
})

describe('with an insufficient role', () => {
  const ranked = operations.flatMap(([name, operation]) => {
    const needed = neededRole(operation)
    if (needed === undefined || needed === null) return []
    return [null, ...roles]
      .filter((role) => roleRank(role) < roleRank(needed))
      .map((role) => [name, role, operation] as const)
  })

  test.each(ranked)('%s is denied to the role %s', async (_, role, operation) => {
    const person = world.members.get(role) as Person
    // Members may remove themselves, so another member calls when the path contains the caller's own id.
    const isSelf = operation.path.includes('{userId}') && person.id === world.params['userId']
    const caller = isSelf ? (world.members.get('comment') as Person) : person
    const reply = await call(operation, caller.token)
    // Content is invisible to guests and therefore treated as absent.
    const isHidden = role === null && /^(space|collection|site):/.test(operation.access)
    const looksAbsent =
      isHidden && operation.method === 'DELETE' && /\/(spaces|collections|sites)\/\{\w+\}$/.test(operation.path)
    expect(reply.status).toBe(looksAbsent ? 204 : isHidden ? 404 : 403)
  })

  test('none of the denied requests changed anything', async () => {
    const { organizationId = '', spaceId = '', collectionId = '', teamId = '' } = world.params
    const { api: asAdmin } = octavo.admin
    expect(await asAdmin.getSpaceById({ params: { spaceId } })).toMatchObject({ title: 'Octavo' })
    expect(await asAdmin.getCollectionById({ params: { collectionId } })).toMatchObject({ title: 'Secret collection' })
    expect(await asAdmin.getTeamInOrganizationById({ params: { organizationId, teamId } })).toMatchObject({
      members: 1,
    })
    expect((await asAdmin.listMembersInOrganizationById({ params: { organizationId } })).count).toBe(8)
    expect((await asAdmin.listSpacesInOrganizationById({ params: { organizationId } })).count).toBe(1)
    expect((await asAdmin.listCollectionsInOrganizationById({ params: { organizationId } })).count).toBe(1)
    expect((await asAdmin.listTemplatesInOrganization({ params: { organizationId } })).count).toBe(1)
    const { siteId = '' } = world.params
    const site = { organizationId, siteId }
    expect(await asAdmin.getSiteById({ params: site })).toMatchObject({ title: 'Secret site', published: false })
    const { structure } = await asAdmin.getSiteStructure({ params: site, query: {} })
    expect(structure.map(({ title }) => title)).toEqual(['Octavo', 'Secret group', 'Secret link'])
    expect((await asAdmin.listSiteShareLinks({ params: site, query: {} })).count).toBe(1)
    expect((await asAdmin.listSiteRedirects({ params: site, query: {} })).count).toBe(1)
    expect((await asAdmin.listUserPermissionsInSite({ params: site, query: {} })).count).toBe(0)
  })
})

const setSso = (sso: boolean) =>
  octavo.admin.api.updateOrganizationById({ params: { organizationId: octavo.admin.organizationId }, body: { sso } })

describe('with a token of an administrator who did not use SSO, which the organization requires', () => {
  const guarded = operations.filter(([, operation]) => neededRole(operation) !== undefined)
  beforeAll(() => setSso(true))
  afterAll(() => setSso(false))

  test.each(guarded)('%s returns 403', async (_, operation) => {
    const reply = await call(operation, (world.members.get('admin') as Person).token)
    expect([reply.status, await reply.json()]).toEqual([
      403,
      { error: { code: 403, message: expect.stringContaining('requires SSO') } },
    ])
  })
})
