import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createClient, buildRequestPath } from '../../src/client/client.ts'
import { readConfig } from '../../src/server/config.ts'
import { api } from '../../src/contract/api.ts'
import { type Operation, parseParamNames } from '../../src/contract/operation.ts'
import { type TokenScope, tokenScopes } from '../../src/contract/roles.ts'
import { createLog } from '../../src/kernel/log.ts'
import { startServer } from '../../src/server/server.ts'
import { officialDocument } from '../support/official-schemas.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, TestClock, type TestServer, makeHome, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Creates a client with a token of the person that is limited to the given scopes. */
async function limited(person: Person, ...granted: TokenScope[]) {
  const { token } = await person.api.createToken({ body: { label: granted.join(' ').slice(0, 50), scopes: granted } })
  return createClient({ url: octavo.url, token })
}

const operations = Object.entries<Operation>(api)
const scopesInUse = tokenScopes.filter((scope) => operations.some(([, operation]) => operation.scope === scope))

/** Each scope is tried on one in this many of the operations that do not require it. */
const scopesTried = 6

test('a scope allows the operations that require it, and no others', async () => {
  const person = await octavo.person('Limited')
  expect(scopesInUse.length).toBeGreaterThan(5)
  for (const [index, scope] of [...scopesInUse, 'integration:delete' as const].entries()) {
    const { token } = await person.api.createToken({ body: { label: scope, scopes: [scope] } })
    // Tries all operations that require the scope, and a different part of the others each time.
    const tried = operations.filter(
      ([, operation], place) => operation.scope === scope || place % scopesTried === index % scopesTried,
    )
    const outcomes = await Promise.all(
      tried.map(async ([name, operation]) => {
        const params = Object.fromEntries(parseParamNames(operation.path).map((param) => [param, 'unknown']))
        const { status } = await octavo.fetch(`/v1${buildRequestPath(operation.path, { params })}`, {
          method: operation.method,
          token,
        })
        return [name, status === 403 ? 'closed' : 'open', status] as const
      }),
    )
    const expected = tried.map(([name, operation]) => [
      name,
      operation.scope === scope || operation.scope === 'any' ? 'open' : 'closed',
    ])
    expect(outcomes.map(([name, outcome]) => [name, outcome])).toEqual(expected)
    expect(outcomes.filter(([, , status]) => status === 401 || status >= 500)).toEqual([])
  }
})

test('every operation that needs a token needs a scope', () => {
  const open = operations.filter(([, { access, scope }]) => scope === 'any' && access !== 'public')
  expect(open.map(([name]) => name)).toEqual([])
})

test('the scope of an operation is one that the official API admits for it', () => {
  const { paths } = officialDocument()
  const official = new Map(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId, security }) => [operationId, security] as const),
    ),
  )
  const others = operations.flatMap(([name, { scope }]) => {
    const admitted = official.get(name)?.flatMap(({ oauth = [] }) => oauth) ?? []
    return admitted.length === 0 || admitted.includes(scope)
      ? []
      : [`${name}: ${scope} instead of ${admitted.join(', ')}`]
  })
  expect(others).toEqual([])
})

test('a token with only user:read cannot read organizations', async () => {
  const acme = await makeOrganization(octavo)
  const account = await limited(acme.owner, 'user:read')
  expect(await account.getAuthenticatedUser()).toMatchObject({ id: acme.owner.id })
  expect(await refusal(account.getOrganizationById(acme))).toBe('403')
  expect(await refusal(account.listOrganizationsForAuthenticatedUser())).toBe('403')
})

test('a scope allows its own operations, and other operations return 403', async () => {
  const acme = await makeOrganization(octavo)
  const { owner, params } = acme
  const member = await acme.member('read')
  const ofMember = { ...params, userId: member.id }

  const reading = await limited(owner, 'organization:members:read')
  expect(await reading.listMembersInOrganizationById({ params })).toMatchObject({ count: 2 })
  expect(await reading.getMemberInOrganizationById({ params: ofMember })).toMatchObject({ role: 'read' })
  expect(await reading.listEmailInvites({ params })).toMatchObject({ count: 0 })
  expect(await refusal(reading.getOrganizationById({ params }))).toBe('403')
  await expect(
    reading.updateMemberInOrganizationById({ params: ofMember, body: { role: 'admin' } }),
  ).rejects.toMatchObject({ status: 403, message: expect.stringContaining('organization:members:write') })
  expect(await refusal(reading.updateOrganizationById({ params, body: { title: 'Changed' } }))).toBe('403')
  expect(await refusal(reading.listOrganizationsForAuthenticatedUser())).toBe('403')

  const writing = await limited(owner, 'organization:members:write')
  expect(await writing.updateMemberInOrganizationById({ params: ofMember, body: { role: 'edit' } })).toMatchObject({
    role: 'edit',
  })
  expect(await refusal(writing.listMembersInOrganizationById({ params }))).toBe('403')

  const both = await limited(owner, 'organization:read', 'organization:write')
  expect(await both.listOrganizationsForAuthenticatedUser()).toMatchObject({ count: 1 })
  expect(await both.updateOrganizationById({ params, body: { title: 'Changed' } })).toMatchObject({ title: 'Changed' })
  expect(await refusal(both.listMembersInOrganizationById({ params }))).toBe('403')
})

test('a scope does not extend the permissions of its user', async () => {
  const acme = await makeOrganization(octavo)
  const { params } = acme
  const reader = await limited(await acme.member('read'), ...tokenScopes)
  expect(await reader.getOrganizationById({ params })).toMatchObject({ permissions: { admin: false } })
  expect(await refusal(reader.updateOrganizationById({ params, body: { title: 'Changed' } }))).toBe('403')
  const stranger = await limited(await octavo.person('Stranger'), ...tokenScopes)
  expect(await refusal(stranger.getOrganizationById({ params }))).toBe('404')
})

test('a token with scopes manages neither tokens nor the account, even with all scopes', async () => {
  const anna = await octavo.person('Anna')
  const all = await limited(anna, ...tokenScopes)
  const before = await anna.api.listTokens()
  const tokenId = before.items[0]?.id as string
  const attempts = [
    all.listTokens(),
    all.createToken({ body: { label: 'Wider' } }),
    all.createToken({ body: { label: 'As wide', scopes: ['user:read'] } }),
    all.revokeToken({ params: { tokenId } }),
    all.updateUserById({ params: { userId: anna.id }, body: { displayName: 'Changed' } }),
  ]
  expect(await Promise.all(attempts.map(refusal))).toEqual(['403', '403', '403', '403', '403'])
  expect(await anna.api.listTokens()).toEqual(before)
  expect(await anna.api.getAuthenticatedUser()).toMatchObject({ displayName: 'Anna' })
})

test('the last use of a token is recorded and survives a restart', async () => {
  const home = await makeHome()
  onTestFinished(() => home.remove())
  const clock = new TestClock()
  const log = createLog({ level: 'silent', format: 'json' })
  const start = () =>
    startServer(readConfig({ PORT: '0', ...home.env }), { clock: clock.now, log, checkReplies: true, jobInterval: 20 })

  const first = await start()
  const main = first.firstStart?.token as string
  const admin = createClient({ url: first.address as string, token: main })
  const [used, unused] = [
    await admin.createToken({ body: { label: 'Used' } }),
    await admin.createToken({ body: { label: 'Unused' } }),
  ]
  await createClient({ url: first.address as string, token: used.token }).getAuthenticatedUser()
  clock.advance(3_600_000)
  const before = new Date(clock.now()).toISOString()
  await createClient({ url: first.address as string, token: used.token }).getAuthenticatedUser()
  const after = new Date(clock.now()).toISOString()
  await first.stop()

  const second = await start()
  onTestFinished(() => second.stop())
  const { items } = await createClient({ url: second.address as string, token: main }).listTokens()
  const lastUse = items.find(({ id }) => id === used.id)?.lastUsedAt as string
  expect(lastUse >= before && lastUse <= after, `${before} <= ${lastUse} <= ${after}`).toBe(true)
  expect(items.find(({ id }) => id === unused.id)).not.toHaveProperty('lastUsedAt')
})
