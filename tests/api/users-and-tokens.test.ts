import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { tokenScopes } from '../../src/contract/roles.ts'
import { hours } from '../../src/kernel/time.ts'
import { readAllPages } from '../support/lists.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

type UserBody = NonNullable<Parameters<Client['updateUserById']>[0]['body']>
type TokenBody = NonNullable<NonNullable<Parameters<Client['createToken']>[0]>['body']>

const see = (by: Person, { id }: { id: string }) => by.api.getUserById({ params: { userId: id } })
const rename = (by: Person, { id }: { id: string }, body: unknown) =>
  by.api.updateUserById({ params: { userId: id }, body: body as UserBody })
const create = ({ api }: Person, body: unknown) => api.createToken({ body: body as TokenBody })
const revoke = ({ api }: Person, tokenId: string) => api.revokeToken({ params: { tokenId } })
/** Calls an operation that succeeds with any valid token. */
const use = (token: string) => createClient({ url: octavo.url, token }).getAuthenticatedUser()

test('returns the user that the token belongs to', async () => {
  const anna = await octavo.person('Anna')
  const user = await anna.api.getAuthenticatedUser()
  expect(user).toEqual({
    object: 'user',
    id: anna.id,
    displayName: 'Anna',
    email: anna.email,
    urls: { location: `${octavo.url}/v1/users/${anna.id}` },
  })
  expect(await anna.api.getUserById({ params: { userId: anna.id } })).toEqual(user)
})

test('users see only users with whom they share an organization', async () => {
  const acme = await makeOrganization(octavo)
  const other = await makeOrganization(octavo)
  const [guest, leaver] = [await acme.member(null), await acme.member('read')]

  expect(await see(guest, acme.owner)).toMatchObject({ id: acme.owner.id, email: acme.owner.email })
  expect(await see(acme.owner, guest)).toMatchObject({ id: guest.id })
  for (const [by, whom] of [
    [guest, other.owner],
    [other.owner, guest],
    [guest, { id: 'unknown' }],
  ] as const)
    await expect(see(by, whom)).rejects.toMatchObject({ status: 404, message: expect.stringContaining('user') })

  await other.add(guest, null)
  expect(await see(guest, other.owner)).toMatchObject({ id: other.owner.id })
  await leaver.api.removeMemberFromOrganizationById({ params: { ...acme.params, userId: leaver.id } })
  expect(await refusal(see(leaver, guest))).toBe('404')
  expect(await refusal(see(guest, leaver))).toBe('404')
})

test('users update their name and picture, and all lists of members show the new values', async () => {
  const [acme, other] = [await makeOrganization(octavo), await makeOrganization(octavo)]
  const person = await acme.member('edit', 'Old Zulu')
  await other.add(person, null)
  const team = await acme.team('Team', [person])
  const before = await person.api.getAuthenticatedUser()

  const renamed = await rename(person, person, { displayName: '  New Öffnung ' })
  expect(renamed).toEqual({ ...before, displayName: 'New Öffnung' })
  expect(await acme.owner.api.getUserById({ params: { userId: person.id } })).toEqual(renamed)
  for (const { owner, params } of [acme, other]) {
    const list = (query: object) => owner.api.listMembersInOrganizationById({ params, query })
    expect((await list({ sort: 'name', order: 'asc' })).items.map(({ user }) => user.displayName)).toEqual([
      'New Öffnung',
      'Owner',
    ])
    expect((await list({ search: 'öFFN' })).items).toMatchObject([{ id: person.id, user: renamed }])
    expect((await list({ search: 'old zulu' })).items).toEqual([])
    expect((await list({ search: person.email })).count).toBe(1)
  }
  const params = { ...acme.params, teamId: team.id }
  expect(await acme.owner.api.listTeamMembersInOrganizationById({ params })).toMatchObject({
    items: [{ organization: { user: { displayName: 'New Öffnung' } } }],
  })

  const photoURL = 'https://example.com/photo.png'
  expect(await rename(person, person, { photoURL })).toEqual({ ...renamed, photoURL })
  expect(await rename(person, person, {})).toEqual({ ...renamed, photoURL })
  expect(await rename(person, person, { photoURL: null })).toEqual(renamed)
})

test('a user cannot update the account of another user', async () => {
  const acme = await makeOrganization(octavo)
  const [member, stranger] = [await acme.member('read'), await octavo.person('Stranger')]
  const before = await member.api.getAuthenticatedUser()
  expect(await refusal(rename(acme.owner, member, { displayName: 'Puppet' }))).toBe('403')
  expect(await refusal(rename(stranger, member, { displayName: 'Puppet' }))).toBe('404')
  expect(await refusal(rename(stranger, { id: 'unknown' }, { displayName: 'Puppet' }))).toBe('404')
  expect(await member.api.getAuthenticatedUser()).toEqual(before)
})

const urlOf = (length: number) => `https://example.com/${'x'.repeat(length - 'https://example.com/'.length)}`

test('rejects invalid names and pictures with the name of the field, and changes nothing', async () => {
  const anna = await octavo.person('Anna')
  const before = await anna.api.getAuthenticatedUser()
  const wrong: [object, string][] = [
    [{ displayName: '' }, 'body.displayName'],
    [{ displayName: '   ' }, 'body.displayName'],
    [{ displayName: 'x'.repeat(65) }, 'body.displayName'],
    [{ displayName: null }, 'body.displayName'],
    [{ displayName: 5 }, 'body.displayName'],
    [{ photoURL: 'photo.png' }, 'body.photoURL'],
    [{ photoURL: 'data:image/png;base64,AA==' }, 'body.photoURL'],
    [{ photoURL: urlOf(2049) }, 'body.photoURL'],
    [{ photoURL: 1 }, 'body.photoURL'],
  ]
  for (const [body, field] of wrong)
    expect(await refusal(rename(anna, anna, { displayName: 'Changed', ...body })), field).toBe(`400 ${field}`)
  expect(await anna.api.getAuthenticatedUser()).toEqual(before)
  for (const body of [{ displayName: 'x' }, { displayName: 'x'.repeat(64) }, { photoURL: urlOf(2048) }])
    expect(await rename(anna, anna, body)).toMatchObject(body)
})

test('a token is returned only once, works immediately, and is listed without its secret', async () => {
  const anna = await octavo.person('Anna')
  const made = await create(anna, { label: '  Laptop ' })
  const { token, ...listed } = made
  expect(token).toMatch(/^oct_[\w-]{40}$/)
  expect(listed).toEqual({
    object: 'api-token',
    id: expect.any(String),
    label: 'Laptop',
    scopes: null,
    createdAt: expect.stringMatching(/^2026-/),
    urls: { location: `${octavo.url}/v1/user/tokens/${made.id}` },
  })
  expect(await use(token)).toMatchObject({ id: anna.id })

  const reply = await octavo.fetch('/v1/user/tokens', { token: anna.token })
  const text = await reply.text()
  expect(text).toContain(made.id)
  expect(text).not.toContain(token)
  // The token is returned even with return=minimal, and idempotency keys are rejected because the reply would be
  // stored.
  const headers = { 'content-type': 'application/json' }
  const minimal = await octavo.fetch('/v1/user/tokens', {
    method: 'POST',
    token: anna.token,
    headers: { ...headers, prefer: 'return=minimal' },
    body: '{"label":"Minimal"}',
  })
  expect(minimal.status).toBe(201)
  expect(await minimal.json()).toMatchObject({ token: expect.stringMatching(/^oct_/) })
  const repeatable = await octavo.fetch('/v1/user/tokens', {
    method: 'POST',
    token: anna.token,
    headers: { ...headers, 'idempotency-key': 'once' },
    body: '{"label":"Never"}',
  })
  expect(repeatable.status).toBe(400)
  expect((await anna.api.listTokens()).items.map(({ label }) => label)).toEqual(['Minimal', 'Laptop', 'Test'])
})

test('neither the database nor the log contains a token', async () => {
  const anna = await octavo.person('Anna')
  const { token } = await create(anna, { label: 'Secret', scopes: ['user:read'] })
  await use(token)
  expect(await refusal(use(`${token}x`))).toBe('401')
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'key' }
  await octavo.fetch('/v1/orgs', { method: 'POST', headers, body: '{"title":' })
  await octavo.fetch('/v1/nowhere', { headers })

  const rows = await everyRow(octavo.server.app.database.reader)
  expect(rows).toContain('"label":"Secret"')
  const log = octavo.log.join('')
  expect(log).toContain('"operation":"createToken"')
  for (const secret of [token, anna.token, octavo.admin.token]) {
    expect(rows).not.toContain(secret)
    expect(log).not.toContain(secret)
  }
})

/** Returns all rows of the database as text. */
async function everyRow<T>(db: Kysely<T>): Promise<string> {
  const tables = await db.introspection.getTables()
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['tokens', 'users', 'idempotency_keys', 'jobs']),
  )
  const texts: string[] = []
  for (const { name } of tables)
    texts.push(JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db)).rows))
  return texts.join('\n')
}

test('tokens are listed newest first, paginated, and only for their owner', async () => {
  const [anna, ben] = [await octavo.person('Anna'), await octavo.person('Ben')]
  for (const label of ['One', 'Two', 'Three', 'Four']) await create(anna, { label })
  await create(ben, { label: 'Of Ben' })
  const pages = await readAllPages((page) => anna.api.listTokens({ query: { limit: 2, page } }))
  expect(pages.map((page) => page.map(({ label }) => label))).toEqual([['Four', 'Three'], ['Two', 'One'], ['Test']])
  expect(await refusal(anna.api.listTokens({ query: { limit: 1001 } }))).toBe('400 query.limit')
  expect(await refusal(anna.api.listTokens({ query: { page: 'x' } }))).toBe('400 query.page')
})

test('a revoked token is rejected immediately', async () => {
  const [anna, ben] = [await octavo.person('Anna'), await octavo.person('Ben')]
  const { id, token } = await create(anna, { label: 'Short-lived' })
  await use(token)
  await revoke(ben, id)
  expect(await use(token)).toMatchObject({ id: anna.id })

  await revoke(anna, id)
  expect(await refusal(use(token))).toBe('401')
  await revoke(anna, id)
  await revoke(anna, 'unknown')
  expect((await anna.api.listTokens()).items.map(({ label }) => label)).toEqual(['Test'])

  // A token can revoke itself.
  const last = await create(anna, { label: 'Last' })
  await createClient({ url: octavo.url, token: last.token }).revokeToken({ params: { tokenId: last.id } })
  expect(await refusal(use(last.token))).toBe('401')
})

test('a token expires at its expiry time', async () => {
  const anna = await octavo.person('Anna')
  const expiry = new Date(octavo.clock.now() + hours(1)).toISOString()
  const { token, expiresAt } = await create(anna, { label: 'For an hour', expiresAt: expiry })
  expect(expiresAt).toBe(expiry)
  // Times without a fraction of a second are accepted.
  const whole = expiry.replace(/\.\d+Z$/, 'Z')
  const second = await create(anna, { label: 'To the second', expiresAt: whole })
  expect(Date.parse(second.expiresAt as string)).toBe(Date.parse(whole))

  octavo.clock.advance(hours(1) - 10_000)
  await use(token)
  await use(second.token)
  octavo.clock.advance(10_000)
  expect(await refusal(use(token))).toBe('401')
  expect(await refusal(use(second.token))).toBe('401')
  await anna.api.getAuthenticatedUser()
  expect((await anna.api.listTokens()).count).toBe(3)
})

test('rejects invalid tokens with the name of the field, and creates none', async () => {
  const anna = await octavo.person('Anna')
  const past = new Date(octavo.clock.now() - 1).toISOString()
  const wrong: [object, string][] = [
    [{}, 'body.label'],
    [{ label: '' }, 'body.label'],
    [{ label: '  ' }, 'body.label'],
    [{ label: 'x'.repeat(51) }, 'body.label'],
    [{ label: 5 }, 'body.label'],
    [{ label: 'Fine', scopes: [] }, 'body.scopes'],
    [{ label: 'Fine', scopes: 'user:read' }, 'body.scopes'],
    [{ label: 'Fine', scopes: ['user:read', 'all'] }, 'body.scopes.1'],
    [{ label: 'Fine', expiresAt: past }, 'body.expiresAt'],
    [{ label: 'Fine', expiresAt: '2025-12-31T23:59:59Z' }, 'body.expiresAt'],
    [{ label: 'Fine', expiresAt: '2099-01-01' }, 'body.expiresAt'],
    [{ label: 'Fine', expiresAt: '2099-02-30T00:00:00Z' }, 'body.expiresAt'],
    [{ label: 'Fine', expiresAt: 4_070_908_800 }, 'body.expiresAt'],
    [{ label: 'Fine', expiresAt: null }, 'body.expiresAt'],
  ]
  for (const [body, field] of wrong)
    expect(await refusal(create(anna, body)), JSON.stringify(body)).toBe(`400 ${field}`)
  expect((await anna.api.listTokens()).count).toBe(1)
  expect(await create(anna, { label: 'x'.repeat(50), scopes: tokenScopes })).toMatchObject({ scopes: tokenScopes })
})

test('returns 401 for requests without a valid token', async () => {
  for (const authorization of [
    'Bearer oct_unknown',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    `Token ${octavo.admin.token}`,
    octavo.admin.token,
    `Bearer ${octavo.admin.token.toUpperCase()}`,
    `Bearer ${octavo.admin.token} more`,
  ]) {
    const reply = await octavo.fetch('/v1/user', { headers: { authorization } })
    expect(reply.status, authorization.slice(0, 12)).toBe(401)
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata=/)
    expect(await reply.json()).toMatchObject({ error: { code: 401, message: expect.any(String) } })
  }
  expect(await refusal(createClient({ url: octavo.url }).getAuthenticatedUser())).toBe('401')
})
