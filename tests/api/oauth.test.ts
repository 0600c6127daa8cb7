import { hash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { hours, minutes } from '../../src/kernel/time.ts'
import { IdentityProvider } from '../support/identity-provider.ts'
import { makeOrganization } from '../support/organization.ts'
import { addProvider, signInWithSaml } from '../support/saml.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'
import { type BrowserPage, FormBrowser, findFields, goodPassword, signUp } from '../support/sign-in.ts'

let server: TestServer
let person: Person
let browser: FormBrowser
beforeAll(async () => {
  server = await startTestServer()
  person = await server.member('admin', 'App user')
  browser = (await signUp(server, person.id)).browser
})
afterAll(() => server.stop())

const redirectUri = 'http://127.0.0.1:53123/callback'

interface Registration {
  client_id: string
  error?: string
}

async function register(fields: Record<string, unknown> = {}): Promise<{ status: number; body: Registration }> {
  const reply = await server.fetch('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test app', redirect_uris: [redirectUri], ...fields }),
  })
  return { status: reply.status, body: (await reply.json()) as Registration }
}

/** An app that starts an authorization, with its PKCE verifier. */
async function startApp(scope = 'user:read space:read', changes: Record<string, string> = {}) {
  const clientId = (await register()).body.client_id
  const verifier = randomBytes(32).toString('base64url')
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'some state & more',
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    scope,
    ...changes,
  })
  return { clientId, verifier, path: `/oauth/authorize?${parameters.toString()}` }
}

/** Allows access on the consent page and returns the parameters that the app receives. */
async function allow(page: BrowserPage, scopes = ['user:read', 'space:read'], by = browser): Promise<URLSearchParams> {
  const fields = Object.entries(findFields(page.html, '/oauth/authorize')).filter(([name]) => name !== 'scope')
  const body = new URLSearchParams([...fields, ...scopes.map((scope) => ['scope', scope])] as [string, string][])
  const reply = await by.cookies.open(`${server.url}/oauth/authorize`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
    body: body.toString(),
  })
  expect(reply.status).toBe(303)
  const target = new URL(reply.headers.get('location') ?? '')
  expect(`${target.origin}${target.pathname}`).toBe(redirectUri)
  return target.searchParams
}

interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
  expires_in: number
  error?: string
}

async function requestTokens(
  fields: Record<string, string>,
): Promise<{ status: number; body: Tokens; reply: Response }> {
  const reply = await server.fetch('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  return { status: reply.status, body: (await reply.json()) as Tokens, reply }
}

const exchange = (clientId: string, verifier: string, code: string, changes: Record<string, string> = {}) =>
  requestTokens({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
    ...changes,
  })

const refresh = (clientId: string, token: string) =>
  requestTokens({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token })

/** Carries out a whole authorization. */
async function authorize(): Promise<{ clientId: string; tokens: Tokens; code: string; verifier: string }> {
  const { clientId, verifier, path } = await startApp()
  const code = (await allow(await browser.open(path))).get('code') ?? ''
  const { body } = await exchange(clientId, verifier, code)
  return { clientId, tokens: body, code, verifier }
}

const getUser = async (token: string) => (await server.fetch('/v1/user', { token })).status

describe('An app', () => {
  test('finds the endpoints in the metadata', async () => {
    const reply = await server.fetch('/.well-known/oauth-authorization-server')
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(await reply.json()).toMatchObject({
      issuer: server.url,
      authorization_endpoint: `${server.url}/oauth/authorize`,
      token_endpoint: `${server.url}/oauth/token`,
      registration_endpoint: `${server.url}/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      scopes_supported: expect.arrayContaining(['user:read', 'openapi:write']) as string[],
    })
    const unauthorized = await server.fetch('/v1/user')
    const resource = /resource_metadata="([^"]+)"/.exec(unauthorized.headers.get('www-authenticate') ?? '')?.[1]
    expect(await (await fetch(resource ?? '')).json()).toMatchObject({
      resource: `${server.url}/v1`,
      authorization_servers: [server.url],
    })
  })

  test('gets a token with the scopes that the user chose', async () => {
    const { clientId, verifier, path } = await startApp('user:read space:read organization:read')
    const page = await browser.open(path)
    expect(page.html).toContain('Test app')
    expect(page.html).toContain(person.email)
    expect(page.reply.headers.get('content-security-policy')).toContain('http://127.0.0.1:53123')
    const result = await allow(page, ['user:read', 'organization:read'])
    expect(result.get('state')).toBe('some state & more')
    expect(result.get('iss')).toBe(server.url)
    const { status, body, reply } = await exchange(clientId, verifier, result.get('code') ?? '')
    expect(status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'user:read organization:read' })
    const api = createClient({ url: server.url, token: body.access_token })
    expect(await api.getAuthenticatedUser()).toMatchObject({ id: person.id })
    await expect(api.createToken({ body: { label: 'More' } })).rejects.toMatchObject({ status: 403 })
    await expect(api.getSpaceById({ params: { spaceId: server.admin.spaceId } })).rejects.toMatchObject({ status: 403 })
    const { items } = await person.api.listTokens()
    expect(items.map(({ label }) => label)).not.toContain('OAuth')
  })

  test('sends a user who is not signed in to the sign-in page and back', async () => {
    const { path } = await startApp()
    const other = new FormBrowser(server.url)
    const login = await other.open(path)
    expect(login.url).toContain('/login?next=')
    const consent = await other.submit(login, '/login', { email: person.email, password: goodPassword })
    expect(consent.url).toBe(`${server.url}${path}`)
    expect(consent.html).toContain('Allow access')
  })

  test('learns that the user denied access', async () => {
    const { path } = await startApp()
    const page = await browser.open(path)
    const reply = await browser.post('/oauth/authorize', {
      ...findFields(page.html, '/oauth/authorize'),
      decision: 'deny',
    })
    const target = new URL(reply.headers.get('location') ?? '')
    expect(target.searchParams.get('error')).toBe('access_denied')
    expect(target.searchParams.get('code')).toBeNull()
  })

  test('loses access when the user withdraws it or the app revokes its token', async () => {
    const first = await authorize()
    const [app] = (await person.api.listAuthorizedApps()).items
    expect(app).toMatchObject({ name: 'Test app', scopes: ['user:read', 'space:read'] })
    await person.api.revokeAuthorizedApp({ params: { grantId: app?.id ?? '' } })
    expect(await getUser(first.tokens.access_token)).toBe(401)
    expect((await refresh(first.clientId, first.tokens.refresh_token)).body.error).toBe('invalid_grant')

    const second = await authorize()
    const revoke = (clientId: string) =>
      server.fetch('/oauth/revoke', {
        method: 'POST',
        body: new URLSearchParams({ token: second.tokens.refresh_token, client_id: clientId }),
      })
    expect((await revoke(first.clientId)).status).toBe(200)
    expect(await getUser(second.tokens.access_token)).toBe(200)
    expect((await revoke(second.clientId)).status).toBe(200)
    expect(await getUser(second.tokens.access_token)).toBe(401)
  })
})

describe('Tokens', () => {
  test('are rotated with each refresh and expire', async () => {
    const { clientId, tokens } = await authorize()
    const { body } = await refresh(clientId, tokens.refresh_token)
    expect(await getUser(tokens.access_token)).toBe(401)
    expect(await getUser(body.access_token)).toBe(200)
    server.clock.advance(hours(1) + minutes(1))
    expect(await getUser(body.access_token)).toBe(401)
    expect((await refresh(clientId, body.refresh_token)).status).toBe(200)
  })

  test('are all revoked if a refresh token is used twice', async () => {
    const { clientId, tokens } = await authorize()
    const { body } = await refresh(clientId, tokens.refresh_token)
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect(await getUser(body.access_token)).toBe(401)
    expect((await refresh(clientId, body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('are all revoked if a code is used twice', async () => {
    const { clientId, tokens, code, verifier } = await authorize()
    expect((await exchange(clientId, verifier, code)).body.error).toBe('invalid_grant')
    expect(await getUser(tokens.access_token)).toBe(401)
  })

  test('are not issued for concurrent uses of a code more than once', async () => {
    const { clientId, verifier, path } = await startApp()
    const code = (await allow(await browser.open(path))).get('code') ?? ''
    const replies = await Promise.all([1, 2, 3].map(() => exchange(clientId, verifier, code)))
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  test('are not issued with another verifier, client or redirect URI, or after a minute', async () => {
    const other = (await register()).body.client_id
    for (const changes of [
      { code_verifier: randomBytes(32).toString('base64url') },
      { client_id: other },
      { redirect_uri: 'http://127.0.0.1:53123/other' },
    ] as Record<string, string>[]) {
      const { clientId, verifier, path } = await startApp()
      const code = (await allow(await browser.open(path))).get('code') ?? ''
      expect((await exchange(clientId, verifier, code, changes)).body.error, JSON.stringify(changes)).toBe(
        'invalid_grant',
      )
    }
    const { clientId, verifier, path } = await startApp()
    const code = (await allow(await browser.open(path))).get('code') ?? ''
    server.clock.advance(minutes(2))
    expect((await exchange(clientId, verifier, code)).body.error).toBe('invalid_grant')
  })

  test('are not issued to another app that has the refresh token', async () => {
    const { clientId, tokens } = await authorize()
    const other = (await register()).body.client_id
    expect((await refresh(other, tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await refresh(clientId, tokens.refresh_token)).status).toBe(200)
  })
})

describe('The server', () => {
  test('never redirects to an address that the app did not register', async () => {
    const clientId = (await register()).body.client_id
    const addresses = [
      'https://evil.example/callback',
      'http://127.0.0.1:53123/other',
      'http://127.0.0.1.evil.example:53123/callback',
      'http://127.0.0.1:53123@evil.example/callback',
      `${redirectUri}#fragment`,
      'javascript:alert(1)',
    ]
    for (const address of addresses) {
      const { path } = await startApp('user:read', { client_id: clientId, redirect_uri: address })
      const page = await browser.open(path)
      expect(page.status, address).toBe(400)
      expect(page.reply.headers.get('location')).toBeNull()
    }
    const { path } = await startApp('user:read', { redirect_uri: 'http://127.0.0.1:9/callback' })
    expect((await browser.open(path)).html).toContain('Allow access')
  })

  test('refuses requests without PKCE, with unknown types and scopes, and repeated parameters', async () => {
    const open = async (changes: Record<string, string>) => {
      const { path } = await startApp('user:read', changes)
      return new URL((await browser.open(path)).url).searchParams.get('error')
    }
    expect(await open({ code_challenge_method: 'plain' })).toBe('invalid_request')
    expect(await open({ code_challenge: '' })).toBe('invalid_request')
    expect(await open({ response_type: 'token' })).toBe('unsupported_response_type')
    expect(await open({ scope: 'everything' })).toBe('invalid_scope')
    const { path } = await startApp()
    expect((await browser.open(`${path}&client_id=x`)).status).toBe(400)
    expect((await requestTokens({ grant_type: 'password', client_id: 'x' })).body.error).toBe('unsupported_grant_type')
    expect((await requestTokens({ grant_type: 'refresh_token' })).status).toBe(401)
  })

  test('registers only apps with safe redirect URIs, and not too many', async () => {
    for (const uri of [
      'javascript:alert(1)',
      'http://example.com/',
      'data:text/html,x',
      'x',
      'https://a b/',
      'custom:/x',
    ])
      expect((await register({ redirect_uris: [uri] })).body.error, uri).toBe('invalid_redirect_uri')
    expect((await register({ redirect_uris: [] })).body.error).toBe('invalid_client_metadata')
    expect((await register({ client_name: 'x'.repeat(101) })).body.error).toBe('invalid_client_metadata')
    expect((await register({ redirect_uris: ['com.example.app:/callback', 'https://app.example/cb'] })).status).toBe(
      201,
    )
    const statuses: number[] = []
    for (let count = 0; count < 32; count++) statuses.push((await register()).status)
    expect(statuses).toContain(429)
    server.clock.advance(hours(2))
  })

  test('escapes the name of an app', async () => {
    const { body } = await register({ client_name: '<script>alert(1)</script>' })
    const { path } = await startApp('user:read', { client_id: body.client_id })
    const { html } = await browser.open(path)
    expect(html).not.toContain('<script>alert(1)')
    expect(html).toContain('&lt;script&gt;alert(1)')
  })
})

test('an app that is allowed in a session of an identity provider opens only its organization', async () => {
  const [acme, other] = [await makeOrganization(server), await makeOrganization(server)]
  const okta = new IdentityProvider('okta')
  const email = 'app.user@acme.example'
  const session = await signInWithSaml(server, await addProvider(acme, okta), okta, { nameID: email })
  await other.owner.api.inviteUsersToOrganization({ params: other.params, body: { emails: [email] } })
  const { clientId, verifier, path } = await startApp('organization:read')
  const page = await session.browser.open(path)
  expect(page.html).toContain('in the organization that you signed in to')
  const code = (await allow(page, ['organization:read'], session.browser)).get('code') ?? ''
  const { body: first } = await exchange(clientId, verifier, code)
  const list = async (token: string) =>
    (await createClient({ url: server.url, token }).listOrganizationsForAuthenticatedUser()).items.map(({ id }) => id)
  expect(await list(first.access_token)).toEqual([acme.organization.id])
  const { body: second } = await refresh(clientId, first.refresh_token)
  expect(await list(second.access_token)).toEqual([acme.organization.id])
})
