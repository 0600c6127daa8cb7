import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { newId } from '../../src/kernel/ids.ts'
import { hours } from '../../src/kernel/time.ts'
import { refusal } from '../support/refusal.ts'
import { createScimClient, makeScimOrganization, octavoUser, patchOf } from '../support/scim.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const uniqueEmail = (name: string) => `${name}.${newId()}@example.com`
const userOf = (email: string, more: object = {}) => ({ userName: email, emails: [{ value: email }], ...more })

describe('tokens', () => {
  test('are created, listed and revoked by administrators, and shown once', async () => {
    const { owner, params, scim, member } = await makeScimOrganization(octavo)
    const expiresAt = new Date(octavo.clock.now() + hours(1)).toISOString()
    const created = await owner.api.createScimToken({ params, body: { label: 'Okta', expiresAt } })
    expect(created).toMatchObject({ object: 'scim-token', label: 'Okta', expiresAt })
    expect(created.token).toMatch(/^octscim_[\w-]{40}$/)
    expect(created.urls.scim).toBe(`${octavo.url}/scim/v2/${params.organizationId}`)
    const { items, count } = await owner.api.listScimTokens({ params })
    expect(count).toBe(2)
    expect(items.map(({ label }) => label)).toEqual(['Okta', 'Identity provider'])
    expect(JSON.stringify(items)).not.toContain('octscim_')

    const client = createScimClient(octavo, params.organizationId, created.token)
    expect((await client.get('/Users')).status).toBe(200)
    await owner.api.revokeScimToken({ params: { ...params, scimTokenId: created.id } })
    expect((await client.get('/Users')).status).toBe(401)
    expect((await scim.get('/Users')).status).toBe(200)

    const editor = await member('create')
    expect(await refusal(editor.api.listScimTokens({ params }))).toBe('403')
    expect(await refusal(editor.api.createScimToken({ params, body: { label: 'Mine' } }))).toBe('403')
    const { token } = await owner.api.createToken({ body: { label: 'Scoped', scopes: ['organization:members:write'] } })
    const scoped = createClient({ url: octavo.url, token })
    expect(await refusal(scoped.createScimToken({ params, body: { label: 'Mine' } }))).toBe('403')
    expect(await refusal(scoped.revokeScimToken({ params: { ...params, scimTokenId: items[1]?.id ?? '' } }))).toBe(
      '403',
    )
    const past = new Date(octavo.clock.now() - 1).toISOString()
    expect(await refusal(owner.api.createScimToken({ params, body: { label: 'Old', expiresAt: past } }))).toBe(
      '400 body.expiresAt',
    )
    expect((await owner.api.listScimTokens({ params })).count).toBe(1)
  })

  test('an expired token is refused', async () => {
    const { owner, params } = await makeScimOrganization(octavo)
    const expiresAt = new Date(octavo.clock.now() + hours(1)).toISOString()
    const { token } = await owner.api.createScimToken({ params, body: { label: 'Short', expiresAt } })
    const client = createScimClient(octavo, params.organizationId, token)
    expect((await client.get('/Users')).status).toBe(200)
    octavo.clock.advance(hours(1))
    expect(await client.get('/Users')).toMatchObject({ status: 401, body: { status: '401' } })
  })

  test('the API token of a user is refused by SCIM, and a SCIM token by the API', async () => {
    const { owner, params, scim } = await makeScimOrganization(octavo)
    const withUserToken = createScimClient(octavo, params.organizationId, owner.token)
    for (const reply of [await withUserToken.get('/Users'), await withUserToken.post('/Users', {})]) {
      expect(reply).toMatchObject({ status: 401, body: { status: '401' } })
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    }
    const withScimToken = createClient({ url: octavo.url, token: scim.token })
    expect(await refusal(withScimToken.getAuthenticatedUser())).toBe('401')
    expect(await refusal(withScimToken.listMembersInOrganizationById({ params }))).toBe('401')
    expect((await octavo.fetch(`/scim/v2/${params.organizationId}/Users`)).status).toBe(401)
  })

  test('requests are limited for each token, and for each address without a valid one', async () => {
    const limited = await serverForTest({ OCTAVO_RATE_LIMIT: '5' })
    const { organizationId, api } = limited.admin
    const { token } = await api.createScimToken({ params: { organizationId }, body: { label: 'Limited' } })
    const client = createScimClient(limited, organizationId, token)
    for (let count = 0; count < 5; count++) expect((await client.get('/Users')).status).toBe(200)
    const reply = await client.get('/Users')
    expect(reply).toMatchObject({ status: 429, body: { status: '429' } })
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/)
    const guessing = createScimClient(limited, organizationId, 'octscim_guess')
    const statuses = []
    for (let count = 0; count < 6; count++) statuses.push((await guessing.get('/Users')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    limited.clock.advance(61_000)
    expect((await client.get('/Users')).status).toBe(200)
    await limited.server.app.tokenUses.stop()
    const [listed] = (await api.listScimTokens({ params: { organizationId } })).items
    expect(listed?.lastUsedAt).toEqual(expect.any(String))
  })
})

const unknownMember = (id: string) => ({
  status: 400,
  body: { scimType: 'invalidValue', detail: `members: ${id} is not a user of this organization` },
})

const withoutEmail = ({ status, body }: { status: number; body: string }, email: string) =>
  `${status} ${body.replaceAll(email, 'EMAIL').replaceAll(email.toUpperCase(), 'EMAIL')}`

describe('another organization', () => {
  test('its users, groups and tokens are neither found nor changed', async () => {
    const [acme, other] = [await makeScimOrganization(octavo), await makeScimOrganization(octavo, 'Other')]
    const email = uniqueEmail('foreign')
    const { body: user } = await other.scim.post('/Users', userOf(email, { externalId: 'foreign-id' }))
    const { body: group } = await other.scim.post('/Groups', { displayName: 'Foreign', members: [{ value: user.id }] })
    const before = [await other.scim.get('/Users'), await other.scim.get('/Groups')].map(({ body }) => body)

    // The token of one organization is not valid for the address of another.
    const crossed = createScimClient(octavo, other.params.organizationId, acme.scim.token)
    for (const path of ['/Users', `/Users/${user.id}`, '/Groups', '/ServiceProviderConfig'])
      expect((await crossed.get(path)).status, path).toBe(401)
    expect((await crossed.post('/Users', userOf(uniqueEmail('x')))).status).toBe(401)

    const { scim } = acme
    const change = patchOf({ op: 'replace', path: 'displayName', value: 'Taken' })
    for (const path of [`/Users/${user.id}`, `/Groups/${group.id}`]) {
      expect((await scim.get(path)).status).toBe(404)
      expect((await scim.patch(path, change)).status).toBe(404)
      expect((await scim.put(path, userOf(email, { displayName: 'Taken' }))).status).toBe(404)
      expect((await scim.delete(path)).status).toBe(404)
    }
    const filters = [
      `userName eq "${email}"`,
      `emails.value eq "${email}"`,
      `emails[type eq "work"].value eq "${email}"`,
      'externalId eq "foreign-id"',
      `id eq "${user.id}"`,
      `id eq "${user.id}" or userName eq "${email}"`,
      'userName sw "foreign"',
      'externalId pr',
      `groups.value eq "${group.id}"`,
    ]
    for (const filter of filters) expect((await scim.get('/Users', { filter })).body.totalResults, filter).toBe(0)
    for (const filter of [`id eq "${group.id}"`, 'displayName eq "Foreign"', `members eq "${user.id}"`])
      expect((await scim.get('/Groups', { filter })).body.totalResults, filter).toBe(0)

    const { body: own } = await scim.post('/Groups', { displayName: 'Own', members: [{ value: acme.owner.id }] })
    // A user of another organization and one that does not exist get the same reply.
    for (const id of [user.id, 'nobody']) {
      const members = [{ value: acme.owner.id }, { value: id }]
      expect(await scim.post('/Groups', { displayName: 'New', members })).toMatchObject(unknownMember(id))
      expect(await scim.put(`/Groups/${own.id}`, { displayName: 'Own', members })).toMatchObject(unknownMember(id))
      const add = patchOf({ op: 'add', path: 'members', value: [{ value: id }] })
      expect(await scim.patch(`/Groups/${own.id}`, add)).toMatchObject(unknownMember(id))
    }
    expect((await scim.get(`/Groups/${own.id}`)).body.members).toMatchObject([{ value: acme.owner.id }])
    expect((await scim.get('/Groups')).body.totalResults).toBe(1)

    const tokens = await other.owner.api.listScimTokens({ params: other.params })
    const scimTokenId = tokens.items[0]?.id ?? ''
    await acme.owner.api.revokeScimToken({ params: { ...acme.params, scimTokenId } })
    expect(await refusal(acme.owner.api.listScimTokens({ params: other.params }))).toBe('404')
    const after = [await other.scim.get('/Users'), await other.scim.get('/Groups')].map(({ body }) => body)
    expect(after).toEqual(before)
  })

  test('creating a user with the address of its member neither reveals nor changes anything of them', async () => {
    const [acme, other] = [await makeScimOrganization(octavo), await makeScimOrganization(octavo, 'Other')]
    const victim = await other.member('edit', 'Real Name')
    await victim.api.updateUserById({ params: { userId: victim.id }, body: { photoURL: 'https://example.com/me.png' } })
    const account = await victim.api.getAuthenticatedUser()
    const membership = await other.getMembership(victim)
    const absent = uniqueEmail('absent')

    const replies = []
    for (const email of [victim.email, absent]) {
      const { status, body } = await acme.scim.post('/Users', {
        ...userOf(email.toUpperCase()),
        name: { givenName: 'Given' },
        active: false,
      })
      replies.push({
        status,
        body: JSON.stringify(body)
          .replaceAll(body.id, 'ID')
          .replaceAll(/\d{4}-\S+?Z/g, 'TIME'),
      })
      expect(JSON.stringify(body)).not.toMatch(/Real Name|me\.png/)
    }
    // The replies differ in what the request contained only.
    expect(replies[0]?.status).toBe(201)
    const [forMember, forNobody] = replies as [(typeof replies)[0], (typeof replies)[0]]
    expect(withoutEmail(forMember, victim.email)).toBe(withoutEmail(forNobody, absent))

    const path = `/Users/${victim.id}`
    const changes = [
      { op: 'replace', path: 'displayName', value: 'Changed' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: uniqueEmail('changed') },
      { op: 'replace', path: `${octavoUser}:role`, value: 'admin' },
    ]
    expect((await acme.scim.patch(path, patchOf(...changes))).status).toBe(200)
    expect(await victim.api.getAuthenticatedUser()).toEqual(account)
    expect(await other.getMembership(victim)).toEqual(membership)
    expect((await acme.scim.delete(path)).status).toBe(204)
    expect(await victim.api.getAuthenticatedUser()).toEqual(account)
    expect(await other.getMembership(victim)).toEqual(membership)
  })

  test('changing the address of an own account to that of its member reveals and changes nothing', async () => {
    const [acme, other] = [await makeScimOrganization(octavo), await makeScimOrganization(octavo, 'Other')]
    const victim = await other.member('edit', 'Victim')
    const { body } = await acme.scim.post('/Users', userOf(uniqueEmail('own')))
    const change = (value: string) =>
      acme.scim.patch(`/Users/${body.id}`, patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value }))
    const [free, taken] = [await change(uniqueEmail('free')), await change(victim.email)]
    expect([free.status, taken.status]).toEqual([200, 200])
    expect(taken.body).toMatchObject({ id: body.id, emails: [{ value: victim.email }] })
    expect(await victim.api.getAuthenticatedUser()).toMatchObject({ id: victim.id, email: victim.email })
    const member = await acme.owner.api.getMemberInOrganizationById({ params: { ...acme.params, userId: body.id } })
    expect(member.user.email).not.toBe(victim.email)
  })
})

describe('hostile requests change nothing', () => {
  test('filters that are too long, too deep, have too many terms, or are malformed', async () => {
    const { scim } = await makeScimOrganization(octavo)
    const term = 'userName eq "a"'
    const filters = [
      `userName eq "${'a'.repeat(5000)}"`,
      `${'('.repeat(17)}${term}${')'.repeat(17)}`,
      `${'not ('.repeat(400)}${term}${')'.repeat(400)}`,
      Array.from({ length: 51 }, () => term).join(' or '),
      'userName',
      'userName eq',
      'userName eq "a',
      'userName eq a',
      'userName is "a"',
      'userName eq "a" and',
      'userName eq "a") or (id pr',
      'emails[type eq "work"',
      'userName eq "\\u0000"',
      'userName eq "\\ud800"',
      'active gt true',
      '"a" eq userName',
      '()',
    ]
    for (const filter of filters) {
      const { status, body } = await scim.get('/Users', { filter })
      expect([status, body.scimType], filter.slice(0, 40)).toEqual([400, 'invalidFilter'])
    }
    expect((await scim.get('/Users?filter=userName%20eq%20%22%00%22')).status).toBe(400)
    expect((await scim.get('/Users/%00')).status).toBe(400)
  })

  test('SQL in filters, ids and names is data', async () => {
    const { scim } = await makeScimOrganization(octavo)
    const injections = ["' or 1=1 --", "'; drop table members; --", '%', '_', "\\' or ''='", '") or (id pr']
    for (const text of injections) {
      const literal = JSON.stringify(text)
      for (const attribute of ['userName', 'externalId', 'emails.value', 'id', 'displayName', 'groups.value'])
        expect((await scim.get('/Users', { filter: `${attribute} eq ${literal}` })).body.totalResults).toBe(0)
      expect((await scim.get('/Users', { filter: `userName co ${literal}` })).body.totalResults).toBe(0)
      expect((await scim.get(`/Users/${encodeURIComponent(text)}`)).status).toBe(404)
      expect((await scim.get('/Groups', { filter: `displayName co ${literal}` })).body.totalResults).toBe(0)
    }
    expect((await scim.get('/Users', { sortBy: 'id; drop table members' })).status).toBe(400)
    const userName = "x'; drop table members; --"
    const { body } = await scim.post('/Users', { userName, emails: [{ value: uniqueEmail('sql') }] })
    expect((await scim.get('/Users', { filter: `userName eq ${JSON.stringify(userName)}` })).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: body.id, userName }],
    })
  })

  test('thousands of operations, huge lists of members, and huge bodies are refused', async () => {
    const { scim, owner } = await makeScimOrganization(octavo)
    const { body: group } = await scim.post('/Groups', { displayName: 'Group', members: [{ value: owner.id }] })
    const [userPath, groupPath] = [`/Users/${owner.id}`, `/Groups/${group.id}`]
    const operations = Array.from({ length: 10_000 }, () => ({ op: 'replace', path: 'active', value: false }))
    expect((await scim.patch(userPath, patchOf(...operations))).status).toBe(413)
    const short = operations.slice(0, 1001)
    expect((await scim.patch(groupPath, patchOf(...short))).body).toMatchObject({ scimType: 'invalidValue' })

    const members = Array.from({ length: 1001 }, (_, index) => ({ value: `user-${index}` }))
    for (const reply of [
      await scim.patch(groupPath, patchOf({ op: 'add', path: 'members', value: members })),
      await scim.patch(groupPath, patchOf(...members.map((value) => ({ op: 'remove', path: 'members', value })))),
      await scim.put(groupPath, { displayName: 'Group', members }),
      await scim.post('/Groups', { displayName: 'Other', members }),
    ])
      expect(reply).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    const huge = Array.from({ length: 30_000 }, () => ({ value: 'x' }))
    expect((await scim.put(groupPath, { displayName: 'Group', members: huge })).status).toBe(413)
    expect((await scim.post('/Users', userOf(uniqueEmail('big'), { displayName: 'x'.repeat(70_000) }))).status).toBe(
      413,
    )
    const emails = Array.from({ length: 21 }, (_, index) => ({ value: `${index}@example.com` }))
    expect((await scim.post('/Users', { userName: 'many', emails })).body).toMatchObject({ scimType: 'invalidValue' })
    expect((await scim.get('/Users')).body).toMatchObject({ totalResults: 1, Resources: [{ active: true }] })
    expect((await scim.get('/Groups')).body.Resources).toMatchObject([{ members: [{ value: owner.id }] }])
  })

  test('a thousand members are added and removed in one request', async () => {
    const { scim, owner } = await makeScimOrganization(octavo)
    const { body: group } = await scim.post('/Groups', { displayName: 'Large' })
    const value = [{ value: owner.id }, ...Array.from({ length: 999 }, (_, index) => ({ value: `user-${index}` }))]
    const path = `/Groups/${group.id}`
    expect((await scim.patch(path, patchOf({ op: 'remove', path: 'members', value }))).status).toBe(204)
    const reply = await scim.patch(path, patchOf({ op: 'add', path: 'members', value }))
    expect(reply.body.detail).toBe('members: user-0 is not a user of this organization')
    expect((await scim.get(path)).body.members).toEqual([])
  })

  test('malformed bodies and values', async () => {
    const { scim, owner } = await makeScimOrganization(octavo)
    const path = `/Users/${owner.id}`
    const bodies: [unknown, string | undefined][] = [
      ['{', undefined],
      ['', 'invalidSyntax'],
      ['[]', 'invalidSyntax'],
      ['"x"', 'invalidSyntax'],
      ['{"userName":"a","USERNAME":"b"}', 'invalidSyntax'],
      [{}, 'invalidValue'],
      [{ userName: '' }, 'invalidValue'],
      [{ userName: 7 }, 'invalidValue'],
      [{ userName: 'no-address' }, 'invalidValue'],
      [{ userName: 'a', emails: [{ value: 'no address' }] }, 'invalidValue'],
      [{ userName: 'x'.repeat(257), emails: [{ value: 'a@example.com' }] }, 'invalidValue'],
      [userOf('a@example.com', { active: 'perhaps' }), 'invalidValue'],
      [userOf('a@example.com', { name: 'text' }), 'invalidSyntax'],
      [userOf('a@example.com', { [octavoUser]: { role: 'owner' } }), 'invalidValue'],
      ['{"userName":"a\\u0000b"}', undefined],
    ]
    for (const [body, scimType] of bodies) {
      const reply = await scim.post('/Users', body)
      expect([reply.status, reply.body.scimType], JSON.stringify(body).slice(0, 60)).toEqual([400, scimType])
    }
    const patches: [unknown, string][] = [
      [{}, 'invalidSyntax'],
      [{ Operations: [] }, 'invalidSyntax'],
      [{ Operations: [null] }, 'invalidSyntax'],
      [patchOf({ op: 'move', path: 'active' }), 'invalidSyntax'],
      [patchOf({ op: 'remove' }), 'noTarget'],
      [patchOf({ op: 'replace', value: 'x' }), 'invalidValue'],
      [patchOf({ op: 'replace', path: 'active' }), 'invalidValue'],
      [patchOf({ op: 'replace', path: 7, value: 1 }), 'invalidPath'],
      [patchOf({ op: 'replace', path: 'emails[', value: 1 }), 'invalidPath'],
      [patchOf({ op: 'replace', path: 'active[value eq true]', value: 1 }), 'invalidPath'],
      [patchOf({ op: 'replace', path: 'emails[type ne "work" and value co "z"].value', value: 'x' }), 'noTarget'],
      [patchOf({ op: 'remove', path: 'userName' }), 'invalidValue'],
    ]
    for (const [body, scimType] of patches) {
      const reply = await scim.patch(path, body)
      expect([reply.status, reply.body.scimType], JSON.stringify(body)).toEqual([400, scimType])
    }
    for (const query of ['count=x', 'startIndex=1.5', 'sortOrder=up', 'sortBy=name.givenName'])
      expect((await scim.get(`/Users?${query}`)).status, query).toBe(400)
    expect((await scim.get('/Users')).body).toMatchObject({ totalResults: 1, Resources: [{ userName: owner.email }] })
  })

  test('read-only and unknown attributes are ignored', async () => {
    const { scim, owner } = await makeScimOrganization(octavo)
    const email = uniqueEmail('readonly')
    const text = `{"schemas":[],"id":"chosen","meta":{"location":"x"},"groups":[{"value":"x"}],"__proto__":{"active":false},
      "constructor":{"prototype":{}},"userName":"first","userName":"${email}","nickName":"Nick","photos":[{"value":"x"}]}`
    const { status, body } = await scim.post('/Users', text)
    expect([status, body.userName, body.active]).toEqual([201, email, true])
    expect(body.id).not.toBe('chosen')
    const operations = ['id', 'meta.created', 'groups', 'schemas', '$ref', 'constructor', 'nickName'].map((path) => ({
      op: 'replace',
      path,
      value: 'changed',
    }))
    const patched = await scim.patch(`/Users/${body.id}`, patchOf(...operations))
    expect(patched.status).toBe(200)
    expect(patched.body).toMatchObject({ id: body.id, userName: email })
    const unknown = await scim.patch(
      `/Users/${body.id}`,
      '{"Operations":[{"op":"add","path":"__proto__.x","value":1}]}',
    )
    expect(unknown.status).toBe(400)
    expect((await scim.get(`/Users/${owner.id}`)).body).toMatchObject({ id: owner.id, active: true })
  })
})
