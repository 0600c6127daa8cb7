import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { createToken } from '../../src/domain/users/accounts.ts'
import { newId } from '../../src/kernel/ids.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { makeScimOrganization, octavoUser, patchOf } from '../support/scim.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
const uniqueEmail = (name: string) => `${name}.${newId()}@example.com`

/** Request of Entra ID for a new user, as its documentation shows it. */
const entraUser = (email: string) => ({
  schemas: [coreUser, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: email,
  active: true,
  emails: [{ primary: true, type: 'work', value: email }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Given Family', familyName: 'Family', givenName: 'Given' },
  roles: [],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Docs' },
})

/** Request of Okta for a new user, as its documentation shows it. */
const oktaUser = (email: string) => ({
  schemas: [coreUser],
  userName: email,
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
})

/** Creates an API token for an account, as its owner would. */
async function tokenOf(userId: string) {
  const making = { newId, now: () => new Date(octavo.clock.now()).toISOString() }
  const { token } = await octavo.server.app.database.transaction((db) =>
    createToken(db, making, { userId, label: 'Own' }),
  )
  return createClient({ url: octavo.url, token })
}

describe('as Entra ID sends requests', () => {
  test('a user is matched, created, changed, disabled, enabled and deleted', async () => {
    const { scim, owner, params } = await makeScimOrganization(octavo)
    const email = uniqueEmail('entra')
    const absent = await scim.get('/Users', { filter: `userName eq "${email}"` })
    expect(absent.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })

    const created = await scim.post('/Users', entraUser(email))
    expect(created.status).toBe(201)
    expect(created.headers.get('content-type')).toBe('application/scim+json')
    const { id } = created.body
    const location = `${octavo.url}/scim/v2/${params.organizationId}/Users/${id}`
    expect(created.headers.get('location')).toBe(location)
    expect(created.body).toEqual({
      schemas: [coreUser, octavoUser],
      id,
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: email,
      name: { formatted: 'Given Family', familyName: 'Family', givenName: 'Given' },
      emails: [{ value: email, type: 'work', primary: true }],
      active: true,
      roles: [{ value: 'read', primary: true }],
      [octavoUser]: { role: 'read' },
      meta: { resourceType: 'User', created: expect.any(String), lastModified: expect.any(String), location },
    })
    const found = await scim.get('/Users', { filter: `userName eq "${email.toUpperCase()}"` })
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [created.body] })
    expect(await owner.api.getMemberInOrganizationById({ params: { ...params, userId: id } })).toMatchObject({
      role: 'read',
      disabled: false,
      user: { email, displayName: 'Given Family' },
    })

    const changed = uniqueEmail('updated')
    const updated = await scim.patch(
      `/Users/${id}`,
      patchOf(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: changed },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: 'displayName', value: 'Shown' },
        { op: 'Add', path: 'title', value: 'Ignored' },
        {
          op: 'Add',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: 'Ignored',
        },
      ),
    )
    expect(updated.status).toBe(200)
    expect(updated.body).toMatchObject({
      userName: email,
      displayName: 'Shown',
      name: { familyName: 'updatedFamilyName', givenName: 'Given' },
      emails: [{ value: changed, type: 'work', primary: true }],
    })
    // The account was created by this organization and is used by no other, so it follows.
    expect(await owner.api.getMemberInOrganizationById({ params: { ...params, userId: id } })).toMatchObject({
      user: { email: changed, displayName: 'Shown' },
    })
    const dotted = await scim.patch(
      `/Users/${id}`,
      patchOf({
        op: 'Replace',
        value: {
          'name.givenName': 'Dotted',
          [`${octavoUser}:role`]: 'edit',
          'emails[type eq "work"].value': email,
          active: 'True',
        },
      }),
    )
    expect(dotted.body).toMatchObject({
      name: { givenName: 'Dotted' },
      emails: [{ value: email }],
      active: true,
      [octavoUser]: { role: 'edit' },
      roles: [{ value: 'edit' }],
    })

    const disabled = await scim.patch(`/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' }))
    expect(disabled.body).toMatchObject({ active: false })
    expect((await scim.get('/Users', { filter: 'active eq false' })).body.Resources).toMatchObject([{ id }])
    const enabled = await scim.patch(`/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: true }))
    expect(enabled.body).toMatchObject({ active: true, name: { givenName: 'Dotted' } })

    expect((await scim.delete(`/Users/${id}`)).status).toBe(204)
    const gone = await scim.get(`/Users/${id}`)
    expect(gone).toMatchObject({
      status: 404,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404', detail: 'No user was found' },
    })
    expect((await scim.delete(`/Users/${id}`)).status).toBe(404)
  })

  test('app roles set the role, and removing them restores the default role', async () => {
    const { scim } = await makeScimOrganization(octavo)
    const roles = [{ primary: 'True', type: 'WindowsAzureActiveDirectoryRole', value: 'review' }]
    const { body } = await scim.post('/Users', { ...entraUser(uniqueEmail('roles')), roles })
    expect(body).toMatchObject({ roles: [{ value: 'review', primary: true }], [octavoUser]: { role: 'review' } })
    const path = `/Users/${body.id}`
    const change = (op: object) => scim.patch(path, patchOf(op))
    expect((await change({ op: 'Replace', path: 'roles', value: [{ value: 'create' }] })).body).toMatchObject({
      [octavoUser]: { role: 'create' },
    })
    expect((await change({ op: 'Add', path: 'roles[primary eq "True"].value', value: 'edit' })).body).toMatchObject({
      [octavoUser]: { role: 'edit' },
    })
    expect((await change({ op: 'Remove', path: 'roles' })).body).toMatchObject({ [octavoUser]: { role: 'read' } })
    expect((await change({ op: 'Replace', path: 'roles', value: [{ value: 'king' }] })).body).toMatchObject({
      scimType: 'invalidValue',
      detail: 'roles.0.value: must be one of guest, read, comment, edit, review, create, admin',
    })
  })
})

describe('as Okta sends requests', () => {
  test('a user is created, replaced, deactivated and imported', async () => {
    const { scim, owner } = await makeScimOrganization(octavo)
    const email = uniqueEmail('okta')
    const { body: created } = await scim.post('/Users', oktaUser(email))
    expect(created).toMatchObject({ userName: email, displayName: 'Test User', active: true })

    const replaced = await scim.put(`/Users/${created.id}`, {
      ...oktaUser(email),
      id: 'ignored',
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      displayName: 'Another User',
      meta: { resourceType: 'Ignored' },
    })
    expect(replaced).toMatchObject({
      status: 200,
      body: { id: created.id, displayName: 'Another User', name: { givenName: 'Another', familyName: 'User' } },
    })
    const off = await scim.patch(`/Users/${created.id}`, patchOf({ op: 'replace', value: { active: false } }))
    expect(off.body).toMatchObject({ id: created.id, active: false })
    expect((await scim.put(`/Users/${created.id}`, oktaUser(email))).body).toMatchObject({ active: true })

    const imported = await scim.get('/Users', { startIndex: '1', count: '100' })
    expect(imported.body).toMatchObject({ totalResults: 2, startIndex: 1, itemsPerPage: 2 })
    // A member whom the identity provider does not manage has the values of the account.
    expect(imported.body.Resources.find(({ id }) => id === owner.id)).toMatchObject({
      userName: owner.email,
      displayName: 'Owner',
      emails: [{ value: owner.email, primary: true }],
      [octavoUser]: { role: 'admin' },
    })
  })

  test('a second user with the same userName or email address returns 409', async () => {
    const { scim, owner } = await makeScimOrganization(octavo)
    const email = uniqueEmail('twice')
    const { body } = await scim.post('/Users', oktaUser(email))
    const conflict = { status: 409, body: { status: '409', scimType: 'uniqueness' } }
    expect(await scim.post('/Users', oktaUser(email.toUpperCase()))).toMatchObject(conflict)
    expect(await scim.post('/Users', { ...oktaUser(email), userName: 'other' })).toMatchObject(conflict)
    expect(await scim.post('/Users', oktaUser(owner.email))).toMatchObject(conflict)
    const rename = patchOf({ op: 'replace', path: 'userName', value: owner.email })
    expect(await scim.patch(`/Users/${body.id}`, rename)).toMatchObject(conflict)
    expect((await scim.get(`/Users/${body.id}`)).body).toEqual(body)
  })
})

test('of two requests for the same user or group at the same time, one returns 409', async () => {
  const { scim } = await makeScimOrganization(octavo)
  const email = uniqueEmail('racing')
  for (const send of [
    () => scim.post('/Users', oktaUser(email)),
    () => scim.post('/Groups', { displayName: 'Racing' }),
  ]) {
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409, 409])
  }
  expect((await scim.get('/Users')).body.totalResults).toBe(2)
  expect((await scim.get('/Groups')).body.totalResults).toBe(1)
})

test('of two administrators who are deactivated at the same time, one remains', async () => {
  const { scim, owner, member } = await makeScimOrganization(octavo)
  const second = await member('admin')
  const off = patchOf({ op: 'replace', value: { active: false } })
  const replies = await Promise.all([owner, second].map(({ id }) => scim.patch(`/Users/${id}`, off)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
})

describe('accounts', () => {
  test('deactivation ends the tokens of an account that only this organization uses', async () => {
    const { scim, params } = await makeScimOrganization(octavo)
    const { body } = await scim.post('/Users', entraUser(uniqueEmail('leaver')))
    const path = `/Users/${body.id}`
    const api = await tokenOf(body.id)
    await api.getOrganizationById({ params })

    await scim.patch(path, patchOf({ op: 'Replace', path: 'active', value: 'False' }))
    expect(await refusal(api.getAuthenticatedUser())).toBe('401')
    const whileDisabled = await tokenOf(body.id)
    expect(await refusal(whileDisabled.getOrganizationById({ params }))).toBe('404')

    await scim.patch(path, patchOf({ op: 'Replace', path: 'active', value: 'True' }))
    expect(await refusal(api.getAuthenticatedUser())).toBe('401')
    await whileDisabled.getOrganizationById({ params })
    await scim.delete(path)
    expect(await refusal(whileDisabled.getAuthenticatedUser())).toBe('401')

    const again = await scim.post('/Users', entraUser(body.userName))
    expect(again).toMatchObject({ status: 201, body: { id: body.id, active: true } })
  })

  test('a changed email address ends what was issued to the owner of the former one', async () => {
    const { scim } = await makeScimOrganization(octavo)
    const { body } = await scim.post('/Users', entraUser(uniqueEmail('former')))
    const api = await tokenOf(body.id)
    const next = uniqueEmail('next')
    await scim.patch(`/Users/${body.id}`, patchOf({ op: 'Replace', path: 'name.givenName', value: 'Same' }))
    await api.getAuthenticatedUser()
    await scim.patch(`/Users/${body.id}`, patchOf({ op: 'Replace', path: 'emails[type eq "work"].value', value: next }))
    expect(await refusal(api.getAuthenticatedUser())).toBe('401')
    expect(await (await tokenOf(body.id)).getAuthenticatedUser()).toMatchObject({ email: next })
  })

  test('an account that another organization uses keeps its tokens, name and address', async () => {
    const { scim, params } = await makeScimOrganization(octavo)
    const other = await makeOrganization(octavo, 'Other')
    const { body } = await scim.post('/Users', entraUser(uniqueEmail('shared')))
    const api = await tokenOf(body.id)
    await other.owner.api.inviteUsersToOrganization({
      params: other.params,
      body: { emails: [{ email: body.userName, role: 'read' }] },
    })
    const path = `/Users/${body.id}`
    const moved = patchOf(
      { op: 'replace', path: 'displayName', value: 'Renamed' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: uniqueEmail('moved') },
    )
    expect((await scim.patch(path, moved)).body).toMatchObject({ displayName: 'Renamed' })
    expect(await api.getAuthenticatedUser()).toMatchObject({ displayName: 'Given Family', email: body.userName })

    await scim.patch(path, patchOf({ op: 'replace', value: { active: false } }))
    expect(await refusal(api.getOrganizationById({ params }))).toBe('404')
    await api.getOrganizationById({ params: other.params })
    await scim.delete(path)
    await api.getOrganizationById({ params: other.params })
  })

  test('the last active administrator can be neither deactivated, demoted nor deleted', async () => {
    const { scim, owner, member } = await makeScimOrganization(octavo)
    const path = `/Users/${owner.id}`
    const refused = [
      () => scim.patch(path, patchOf({ op: 'replace', value: { active: false } })),
      () => scim.patch(path, patchOf({ op: 'replace', path: `${octavoUser}:role`, value: 'read' })),
      () => scim.put(path, { userName: owner.email, active: false }),
      () => scim.delete(path),
    ]
    for (const send of refused) {
      expect(await send()).toMatchObject({ status: 409, body: { status: '409', detail: expect.any(String) } })
    }
    expect((await scim.get(path)).body).toMatchObject({ active: true, [octavoUser]: { role: 'admin' } })

    const second = await member('admin')
    expect((await scim.patch(path, patchOf({ op: 'replace', value: { active: false } }))).status).toBe(200)
    expect((await scim.delete(`/Users/${second.id}`)).status).toBe(409)
    // An administrator who is deactivated already can be deleted.
    expect((await scim.delete(path)).status).toBe(204)
  })
})

describe('lists', () => {
  test('filters, pages, order and attributes', async () => {
    const { scim, owner } = await makeScimOrganization(octavo)
    const [ada, bea, cid] = [uniqueEmail('ada'), uniqueEmail('bea'), uniqueEmail('cid')]
    await scim.post('/Users', { ...oktaUser(ada), displayName: 'Äda 100%', externalId: 'E1' })
    await scim.post('/Users', { ...oktaUser(bea), displayName: 'Bea', externalId: 'E2', active: false })
    await scim.post('/Users', { ...entraUser(cid), userName: 'Cid_1', externalId: 'e1' })
    const names = async (filter: string) => {
      const { status, body } = await scim.get('/Users', { filter, sortBy: 'userName' })
      expect(status, `${filter}: ${body.detail}`).toBe(200)
      expect(body.totalResults).toBe(body.Resources.length)
      return body.Resources.map(({ userName }) => userName.slice(0, 3).toLowerCase()).join(' ')
    }
    const expected: [string, string][] = [
      [`userName eq "${ada}"`, 'ada'],
      ['USERNAME EQ "cid_1"', 'cid'],
      [`${coreUser}:userName eq "cid_1"`, 'cid'],
      ['userName sw "c"', 'cid'],
      ['userName co "_"', 'cid'],
      ['userName ew "_1"', 'cid'],
      [`id eq "${owner.id}"`, 'own'],
      ['externalId eq "E1"', 'ada'],
      ['externalId eq "e1"', 'cid'],
      ['externalId pr', 'ada bea cid'],
      ['not (externalId pr)', 'own'],
      ['displayName eq "äda 100%"', 'ada'],
      ['displayName co "0%"', 'ada'],
      ['displayName eq "owner"', 'own'],
      [`emails eq "${bea}"`, 'bea'],
      [`emails.value eq "${cid.toUpperCase()}"`, 'cid'],
      [`emails[type eq "work"].value eq "${cid}"`, 'cid'],
      [`emails[type eq "work" and value eq "${cid}"]`, 'cid'],
      [`emails[type eq "home" and value eq "${cid}"]`, ''],
      [`emails.value eq "${owner.email}"`, 'own'],
      ['active eq true', 'ada cid own'],
      ['active eq "False"', 'bea'],
      ['active ne true', 'bea'],
      ['not (active eq true)', 'bea'],
      ['name.familyName eq "family"', 'cid'],
      [`${octavoUser}:role eq "admin"`, 'own'],
      ['roles.value eq "read" and active eq true', 'ada cid'],
      [`(userName eq "${ada}" or userName eq "${bea}") and active eq true`, 'ada'],
      [`userName eq "${ada}" or active eq false and not (externalId eq "E2")`, 'ada'],
      ['meta.created gt "2025-01-01T00:00:00Z" and userName pr', 'ada bea cid own'],
      ['meta.lastModified lt "2025-01-01T00:00:00Z"', ''],
      ['title pr', ''],
    ]
    for (const [filter, found] of expected) expect(await names(filter), filter).toBe(found)

    const page = await scim.get('/Users', { startIndex: '2', count: '2', sortBy: 'userName', sortOrder: 'descending' })
    expect(page.body).toMatchObject({ totalResults: 4, startIndex: 2, itemsPerPage: 2 })
    expect(page.body.Resources.map(({ userName }) => userName)).toEqual(['Cid_1', bea])
    const scanned = await scim.get('/Users', { filter: 'externalId pr', startIndex: '3', count: '5' })
    expect(scanned.body).toMatchObject({ totalResults: 3, startIndex: 3, itemsPerPage: 1 })
    expect((await scim.get('/Users', { count: '0' })).body).toMatchObject({ totalResults: 4, Resources: [] })
    expect((await scim.get('/Users', { startIndex: '-5', count: '-1' })).body).toMatchObject({ startIndex: 1 })
    expect((await scim.get('/Users', { startIndex: '99999' })).body).toMatchObject({ totalResults: 4, Resources: [] })

    const some = await scim.get('/Users', {
      filter: 'externalId eq "E1"',
      attributes: `userName,name.familyName,${octavoUser}:role`,
    })
    expect(some.body.Resources).toEqual([
      {
        schemas: [coreUser, octavoUser],
        id: expect.any(String),
        userName: ada,
        name: { familyName: 'User' },
        [octavoUser]: { role: 'read' },
      },
    ])
    const [rest] = (
      await scim.get('/Users', { filter: 'externalId eq "E1"', excludedAttributes: 'id,emails,meta,name.givenName' })
    ).body.Resources
    expect(Object.keys(rest ?? {})).toEqual([
      'schemas',
      'id',
      'externalId',
      'userName',
      'name',
      'displayName',
      'active',
      'roles',
      octavoUser,
    ])
    expect(rest).toMatchObject({ name: { familyName: 'User' } })

    const search = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], filter: 'externalId eq "E2"' }
    const searched = await scim.post('/Users/.search', {
      ...search,
      attributes: ['userName'],
      startIndex: 1,
      count: 10,
    })
    expect(searched.body).toMatchObject({ totalResults: 1, Resources: [{ userName: bea }] })

    const { body: group } = await scim.post('/Groups', { displayName: 'Group', members: [{ value: owner.id }] })
    expect(await names(`groups.value eq "${group.id}"`)).toBe('own')
    expect((await scim.get(`/Users/${owner.id}`, { attributes: 'groups' })).body).toMatchObject({
      groups: [{ value: group.id, display: 'Group', $ref: expect.stringContaining(`/Groups/${group.id}`) }],
    })
  })

  test('the endpoints of the protocol describe what is supported', async () => {
    const { scim } = await makeScimOrganization(octavo)
    expect((await scim.get('/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 500 },
      sort: { supported: true },
      etag: { supported: false },
    })
    expect((await scim.get('/ResourceTypes')).body.Resources.map(({ id }) => id)).toEqual(['User', 'Group'])
    expect((await scim.get('/ResourceTypes/User')).body).toMatchObject({ endpoint: '/Users', schema: coreUser })
    expect((await scim.get('/Schemas')).body.Resources.map(({ id }) => id)).toContain(octavoUser)
    expect((await scim.get(`/Schemas/${coreUser}`)).body).toMatchObject({ name: 'User' })
    expect((await scim.get('/Schemas/none')).status).toBe(404)
    expect((await scim.get('/Me')).status).toBe(501)
    expect(await scim.post('/Bulk', {})).toMatchObject({ status: 501, body: { status: '501' } })
    expect((await scim.get('/Nothing')).status).toBe(404)
    const wrongMethod = await scim.put('/Users', {})
    expect(wrongMethod.status).toBe(405)
    expect(wrongMethod.headers.get('allow')).toBe('GET, POST')
  })
})
