import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { hours, minutes } from '../../src/kernel/time.ts'
import {
  type HostileProvider,
  type ReceivedRequest,
  createClaims,
  createHmacToken,
  createRsaToken,
  createUnsignedToken,
  hostileClientId,
  startHostileProvider,
} from '../support/hostile-oidc-provider.ts'
import { makeAccount } from '../support/account.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { type TestProvider, startOidcProvider } from '../support/oidc-provider.ts'
import { makeOrganization } from '../support/organization.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { type BrowserPage, FormBrowser, findFields, goodPassword, signUp } from '../support/sign-in.ts'

let server: TestServer
let real: TestProvider
let hostile: HostileProvider
let other: HostileProvider

beforeAll(async () => {
  const port = await findFreePort()
  const base = `http://127.0.0.1:${port}`
  const callbacks = ['real', 'open', 'limited'].map((id) => `${base}/login/oidc/${id}/callback`)
  ;[real, hostile, other] = await Promise.all([
    startOidcProvider(callbacks),
    startHostileProvider(),
    startHostileProvider(),
  ])
  const { issuer, clientId, clientSecret } = real
  const realProvider = { issuer, clientId, clientSecret }
  const hostileClient = { clientId: hostileClientId, clientSecret: 'secret' }
  const providers = [
    { id: 'real', label: 'Real & Co', ...realProvider },
    { id: 'open', label: 'Open', ...realProvider, allowSignUp: true },
    { id: 'limited', label: 'Limited', ...realProvider, domains: ['corp.example'], trustEmail: true },
    { id: 'hostile', label: 'Hostile', issuer: hostile.issuer, ...hostileClient },
    { id: 'other', label: 'Other', issuer: other.issuer, ...hostileClient },
    { id: 'down', label: 'Down', issuer: 'http://127.0.0.1:9', ...hostileClient },
  ]
  server = await startTestServer({ PORT: String(port), OCTAVO_OIDC: JSON.stringify(providers) })
})
afterAll(async () => {
  await Promise.all([server.stop(), real.stop(), hostile.stop(), other.stop()])
})

/** Returns a free port: the provider must know the address of the server before it starts. */
async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const newAddress = () => `${newId()}@example.com`

/** Returns a person at the provider with a verified address. */
const newPerson = (email = newAddress()) => ({ sub: newId(), email, email_verified: true, name: 'Ada Lovelace' })

/** Signs in at the real provider and returns the URL to which it sends the browser back. */
async function authorize(authorizationUrl: string): Promise<string> {
  const browser = new CookieClient()
  let url = authorizationUrl
  while (new URL(url).origin === real.issuer) {
    const reply = await browser.open(url)
    const location = reply.headers.get('location')
    if (location === null) throw new Error(`${url} answers ${reply.status}: ${await reply.text()}`)
    url = new URL(location, url).href
  }
  return url
}

const toPath = (url: string) => url.slice(server.url.length)

/** Signs in with the real provider and returns the page at the end. */
async function signInWith(
  provider: string,
  person: TestProvider['person'],
  { browser = new FormBrowser(server.url), next }: { browser?: FormBrowser; next?: string } = {},
): Promise<BrowserPage> {
  real.person = person
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
  const started = await browser.open(`/login/oidc/${provider}${query}`)
  return browser.open(toPath(await authorize(started.url)))
}

/** Starts a sign-in with the hostile provider and returns what it received. */
async function startHostile(browser: FormBrowser, id = 'hostile'): Promise<ReceivedRequest> {
  const { url } = await browser.open(`/login/oidc/${id}`)
  return (id === 'hostile' ? hostile : other).receive(url)
}

const callbackPath = (id: string, parameters: Record<string, string>) =>
  `/login/oidc/${id}/callback?${new URLSearchParams(parameters).toString()}`

/** Completes a sign-in with the hostile provider, whose token `createToken` makes. */
async function signInWithToken(createToken: (request: ReceivedRequest) => string): Promise<BrowserPage> {
  const browser = new FormBrowser(server.url)
  const { state } = await startHostile(browser)
  hostile.createToken = createToken
  return browser.open(callbackPath('hostile', { code: state, state, iss: hostile.issuer }))
}

const isSignedIn = async (browser: FormBrowser) => (await browser.open('/account')).url === `${server.url}/account`

describe('A sign-in with OpenID Connect', () => {
  test('is offered on the sign-in page and leads to the requested page', async () => {
    const person = await server.person()
    const browser = new FormBrowser(server.url)
    const login = await browser.open('/login?next=/account%3Fdone%3Dsession')
    expect(login.html).toContain('Continue with Real &amp; Co')
    expect(login.html).toContain('href="/login/oidc/real?next=%2Faccount%3Fdone%3Dsession"')
    const page = await signInWith('real', newPerson(person.email), { browser, next: '/account?done=session' })
    expect(page).toMatchObject({ status: 200, url: `${server.url}/account?done=session` })
    expect(page.html).toContain(person.email)
    const { items } = await person.api.listSessions()
    expect(items).toMatchObject([{ method: 'oidc' }])
  })

  test('sends a code challenge, a state and a nonce, and asks for the address', async () => {
    const { url } = await new FormBrowser(server.url).open('/login/oidc/real')
    const parameters = Object.fromEntries(new URL(url).searchParams)
    expect(parameters).toMatchObject({
      response_type: 'code',
      client_id: 'octavo',
      code_challenge_method: 'S256',
      redirect_uri: `${server.url}/login/oidc/real/callback`,
      scope: 'openid email profile',
    })
    for (const name of ['code_challenge', 'state', 'nonce']) expect(parameters[name]).toMatch(/^[\w-]{43}$/)
  })

  test('recognizes a user by the subject, even if the address at the provider changes', async () => {
    const user = await server.person()
    const person = newPerson(user.email)
    await signInWith('real', person)
    const changed = await signInWith('real', { ...person, email: newAddress(), email_verified: false, name: 'Changed' })
    expect(changed.url).toBe(`${server.url}/account`)
    expect(changed.html).toContain(user.email)
    expect(changed.html).not.toContain('Changed')
  })

  test('does not connect a second identity of the provider with an account', async () => {
    const user = await server.person()
    await signInWith('real', newPerson(user.email))
    const page = await signInWith('real', newPerson(user.email))
    expect(page).toMatchObject({ status: 409 })
  })

  test('with an unverified address does not open the account with this address', async () => {
    const user = await server.person()
    const { email_verified: _verified, ...unstated } = newPerson(user.email)
    for (const person of [{ ...newPerson(user.email), email_verified: false }, unstated]) {
      const browser = new FormBrowser(server.url)
      const page = await signInWith('real', person, { browser })
      expect(page.status).toBe(403)
      expect(page.html).toContain('has not confirmed')
      expect(await isSignedIn(browser)).toBe(false)
    }
  })

  test('creates no account for people who were not invited', async () => {
    const person = newPerson()
    const page = await signInWith('real', person)
    expect(page.status).toBe(403)
    expect(page.html).toContain(`There is no account for ${person.email}`)
  })

  test('creates an account with the name of the provider if the provider may sign people up', async () => {
    const person = newPerson()
    const page = await signInWith('open', person)
    expect(page.url).toBe(`${server.url}/account`)
    expect(page.html).toContain('Ada Lovelace')
    expect(page.html).toContain(person.email)
  })

  test('creates the account of an invited address and accepts its invites', async () => {
    const acme = await makeOrganization(server)
    const person = newPerson()
    await acme.owner.api.inviteUsersToOrganization({
      params: acme.params,
      body: { emails: [{ email: person.email, role: 'review' }] },
    })
    const browser = new FormBrowser(server.url)
    const account = await signInWith('real', person, { browser })
    expect(account.url).toBe(`${server.url}/account`)
    const { items } = (await (await browser.call(account, '/orgs')).json()) as { items: { id: string }[] }
    expect(items).toMatchObject([{ id: acme.organization.id }])
    expect(await acme.owner.api.listEmailInvites({ params: acme.params })).toMatchObject({ count: 0 })
  })

  test('that starts on an invite link creates an account and returns to the invite', async () => {
    const acme = await makeOrganization(server, 'Acme & Sons')
    const { urls } = await acme.owner.api.createOrganizationInvite({ params: acme.params, body: { role: 'edit' } })
    const browser = new FormBrowser(server.url)
    const path = toPath(urls.join)
    expect((await browser.open(path)).html).toContain(`/login/oidc/real?next=${encodeURIComponent(path)}`)
    const page = await signInWith('real', newPerson(), { browser, next: path })
    expect(page.url).toBe(urls.join)
    const joined = await browser.submit(page, path)
    expect(joined.html).toContain('You have joined the organization.')
    expect(await acme.owner.api.listMembersInOrganizationById({ params: acme.params })).toMatchObject({ count: 2 })
  })

  test('accepts only addresses of the domains of the provider', async () => {
    const user = await makeAccount(server, `ada.${newId()}@corp.example`)
    const outsider = await server.person()
    expect((await signInWith('limited', newPerson(outsider.email))).status).toBe(403)
    expect((await signInWith('limited', newPerson(`x@sub.corp.example`))).status).toBe(403)
    const trusted = { ...newPerson(user.email), email_verified: false }
    expect((await signInWith('limited', trusted)).url).toBe(`${server.url}/account`)
  })

  test('can be connected and disconnected on the account page, also with another address', async () => {
    const user = await server.person()
    const { browser, account } = await signUp(server, user.id)
    const person = { ...newPerson(), email_verified: false }
    const page = await browser.submit(account, '/account/identities/real')
    const url = /href="(http[^"]*authorize?[^"]*|http[^"]*\/auth\?[^"]*)"/.exec(page.html)?.[1] ?? ''
    real.person = person
    const done = await browser.open(toPath(await authorize(url.replaceAll('&amp;', '&'))))
    expect(done.html).toContain('The account was connected.')
    expect((await signInWith('real', person)).html).toContain(user.email)
    await browser.submit(done, '/account/identities/real/delete')
    expect((await signInWith('real', person)).status).toBe(403)
  })

  test('that connects an account is refused when another user has signed in since', async () => {
    const [user, second] = [await server.person(), await server.person()]
    await signUp(server, second.id)
    const { browser, account } = await signUp(server, user.id)
    const page = await browser.submit(account, '/account/identities/real')
    const url = (/href="(http[^"]*\/auth\?[^"]*)"/.exec(page.html)?.[1] ?? '').replaceAll('&amp;', '&')
    real.person = newPerson()
    const callback = toPath(await authorize(url))
    const login = await browser.submit(await browser.open('/account'), '/logout')
    await browser.submit(login, '/login', { email: second.email, password: goodPassword })
    expect((await browser.open(callback)).status).toBe(403)
  })

  test('states that the provider cannot be reached', async () => {
    const page = await new FormBrowser(server.url).open('/login/oidc/down')
    expect(page.status).toBe(503)
    expect(page.html).toContain('Down cannot be reached')
    expect((await new FormBrowser(server.url).open('/login/oidc/unknown')).status).toBe(404)
  })

  test('that the person cancels shows a page of this server', async () => {
    const page = await signInWith('real', undefined)
    expect(page.status).toBe(403)
    expect(page.html).toContain('Real &amp; Co has not signed you in: End-User aborted interaction')
  })
})

describe('Attacks on the callback', () => {
  test('without a state, or with a forged one, are refused', async () => {
    const browser = new FormBrowser(server.url)
    const { state } = await startHostile(browser)
    const { exchanges } = hostile
    const iss = hostile.issuer
    expect((await browser.open(callbackPath('hostile', { code: state, iss }))).status).toBe(403)
    expect((await browser.open(callbackPath('hostile', { code: state, iss, state: 'forged' }))).status).toBe(403)
    expect(hostile.exchanges).toBe(exchanges)
  })

  test('with the state of another browser are refused, and the sign-in there still works', async () => {
    const [attacker, victim] = [new FormBrowser(server.url), new FormBrowser(server.url)]
    const user = await server.person()
    const { state } = await startHostile(attacker)
    hostile.createToken = (request) => hostile.signToken(request, { sub: newId(), email: user.email })
    const path = callbackPath('hostile', { code: state, state, iss: hostile.issuer })
    expect((await victim.open(path)).status).toBe(403)
    expect(await isSignedIn(victim)).toBe(false)
    expect((await attacker.open(path)).status).toBe(200)
  })

  test('with a state that was used before, or that has expired, are refused', async () => {
    const user = await server.person()
    const browser = new FormBrowser(server.url)
    const { state } = await startHostile(browser)
    hostile.createToken = (request) => hostile.signToken(request, { sub: newId(), email: user.email })
    const path = callbackPath('hostile', { code: state, state, iss: hostile.issuer })
    const replies = await Promise.all([browser.open(path), browser.open(path)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403])
    expect((await browser.open(path)).status).toBe(403)
    const { state: late } = await startHostile(browser)
    server.clock.advance(minutes(11))
    const latePath = callbackPath('hostile', { code: late, state: late, iss: hostile.issuer })
    expect((await browser.open(latePath)).status).toBe(403)
  })

  test('with the reply of another provider (mix-up) are refused', async () => {
    const user = await server.person()
    const browser = new FormBrowser(server.url)
    for (const provider of [hostile, other])
      provider.createToken = (request) => provider.signToken(request, { sub: newId(), email: user.email })
    const first = await startHostile(browser)
    const { exchanges } = other
    const mixedUp = { code: first.state, state: first.state, iss: hostile.issuer }
    expect((await browser.open(callbackPath('other', mixedUp))).status).toBe(403)
    expect((await browser.open(callbackPath('hostile', { ...mixedUp, iss: other.issuer }))).status).toBe(403)
    const second = await startHostile(browser)
    const withoutIssuer = { code: second.state, state: second.state }
    expect((await browser.open(callbackPath('hostile', withoutIssuer))).status).toBe(403)
    expect(other.exchanges).toBe(exchanges)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('with error parameters show them only in the browser that started, and escaped', async () => {
    const markup = '<script>alert(1)</script>'
    const browser = new FormBrowser(server.url)
    const { state } = await startHostile(browser)
    const parameters = { error: 'access_denied', error_description: markup, iss: hostile.issuer }
    const forged = await browser.open(callbackPath('hostile', { ...parameters, state: 'forged' }))
    expect(forged.html).not.toContain('alert(1)')
    const page = await browser.open(callbackPath('hostile', { ...parameters, state }))
    expect(page.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page.html).not.toContain(markup)
    expect(page.reply.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('never lead to another host afterwards', async () => {
    const user = await server.person()
    const person = newPerson(user.email)
    for (const next of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      '/login/oidc/../../..//evil.example',
    ])
      expect((await signInWith('real', person, { next })).url, next).toMatch(new RegExp(`^${server.url}/(?!/)`))
  })
})

describe('ID tokens', () => {
  test('of a correct provider are accepted', async () => {
    const user = await server.person()
    const page = await signInWithToken((request) => hostile.signToken(request, { sub: newId(), email: user.email }))
    expect(page.url).toBe(`${server.url}/account`)
  })

  const refused: [attack: string, createToken: (request: ReceivedRequest, email: string) => string][] = [
    ['without a nonce', (request, email) => hostile.signToken(request, { email, nonce: undefined })],
    ['with the nonce of another sign-in', (request, email) => hostile.signToken(request, { email, nonce: 'other' })],
    ['that have expired', (request, email) => hostile.signToken(request, { email, exp: nowInSeconds() - 120 })],
    ['that are not valid yet', (request, email) => hostile.signToken(request, { email, nbf: nowInSeconds() + 120 })],
    ['for another audience', (request, email) => hostile.signToken(request, { email, aud: 'another client' })],
    [
      'for several audiences without this one',
      (request, email) => hostile.signToken(request, { email, aud: ['a', 'b'] }),
    ],
    ['of another issuer', (request, email) => hostile.signToken(request, { email, iss: other.issuer })],
    ['without a subject', (request, email) => hostile.signToken(request, { email, sub: undefined })],
    ['with a very long subject', (request, email) => hostile.signToken(request, { email, sub: 'x'.repeat(300) })],
    [
      'with the algorithm none',
      (request, email) => createUnsignedToken({ ...createClaims(hostile.issuer, request), email }),
    ],
    [
      'signed by HS256 with the public key (key confusion)',
      (request, email) => createHmacToken({ ...createClaims(hostile.issuer, request), email }, hostile.publicKeyPem),
    ],
    [
      'signed by HS256 with the client secret',
      (request, email) => createHmacToken({ ...createClaims(hostile.issuer, request), email }, 'secret'),
    ],
    [
      'signed with another key of the same ID',
      (request, email) =>
        createRsaToken(
          { ...createClaims(hostile.issuer, request), email },
          generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
        ),
    ],
    [
      'whose claims were changed after signing',
      (request, email) => {
        const [header, , signature] = hostile.signToken(request).split('.')
        const claims = JSON.stringify({ ...createClaims(hostile.issuer, request), email })
        return [header, Buffer.from(claims).toString('base64url'), signature].join('.')
      },
    ],
    ['that are not tokens', () => 'x.y.z'],
  ]
  test.each(refused)('%s are refused', async (_attack, createToken) => {
    const user = await server.person()
    const page = await signInWithToken((request) => createToken(request, user.email))
    expect(page.status).toBe(403)
    expect(page.html).toContain('The reply of Hostile is not valid')
    expect((await user.api.listSessions()).items).toEqual([])
  })

  test('may be a minute late', async () => {
    const user = await server.person()
    const createToken = (request: ReceivedRequest) =>
      hostile.signToken(request, { sub: newId(), email: user.email, exp: nowInSeconds() - 30 })
    expect((await signInWithToken(createToken)).url).toBe(`${server.url}/account`)
  })
})

const nowInSeconds = () => Math.floor(Date.now() / 1000)

test('secrets of a sign-in are not stored in plain text, and expire', async () => {
  const browser = new FormBrowser(server.url)
  const { state, nonce } = await startHostile(browser)
  const rows = await server.server.app.database.reader.selectFrom('oidc_requests').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(state)
  expect(JSON.stringify(rows)).not.toContain(nonce)
})

test('forms that connect an account need the proof of the page', async () => {
  const user = await server.person()
  const { browser, account } = await signUp(server, user.id)
  const fields = { ...findFields(account.html, '/account/identities/real'), proof: '' }
  expect((await browser.post('/account/identities/real', fields)).status).toBe(403)
  expect((await browser.cookies.open(`${server.url}/account/identities/real`)).status).toBe(405)
})

test('the metadata of a provider that cannot be reached any more is still used', async () => {
  await startHostile(new FormBrowser(server.url), 'other')
  await other.stop()
  server.clock.advance(hours(2))
  const { url } = await new FormBrowser(server.url).open('/login/oidc/other')
  expect(url).toContain(`${other.issuer}/authorize?`)
  expect(server.log.join('\n')).toContain('The metadata of an OpenID Connect provider could not be fetched')
})
