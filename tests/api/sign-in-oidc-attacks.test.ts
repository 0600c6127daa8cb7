import { createPrivateKey } from 'node:crypto'
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
import { type OidcServer, newPerson, startOidcServer } from '../support/oidc-sign-in.ts'
import type { TestServer } from '../support/server.ts'
import { type BrowserPage, FormBrowser } from '../support/sign-in.ts'
import { takeRsaKey } from '../support/rsa-keys.ts'

let oidc: OidcServer
let server: TestServer
let hostile: HostileProvider
let other: HostileProvider

beforeAll(async () => {
  ;[hostile, other] = await Promise.all([startHostileProvider(), startHostileProvider()])
  const client = { clientId: hostileClientId, clientSecret: 'secret' }
  oidc = await startOidcServer([
    { id: 'hostile', label: 'Hostile', issuer: hostile.issuer, ...client },
    { id: 'other', label: 'Other', issuer: other.issuer, ...client },
  ])
  ;({ server } = oidc)
})
afterAll(() => Promise.all([oidc.stop(), hostile.stop(), other.stop()]))

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
    expect(page.reply.headers.get('content-security-policy')).toContain("default-src 'self'; object-src 'none'")
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
      expect((await oidc.signInWith('real', person, { next })).url, next).toMatch(new RegExp(`^${server.url}/(?!/)`))
  })
})

describe('ID tokens', () => {
  test('of a correct provider are accepted', async () => {
    const user = await server.person()
    const page = await signInWithToken((request) => hostile.signToken(request, { sub: newId(), email: user.email }))
    expect(page.url).toBe(`${server.url}/app`)
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
        createRsaToken({ ...createClaims(hostile.issuer, request), email }, createPrivateKey(takeRsaKey())),
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
    expect((await signInWithToken(createToken)).url).toBe(`${server.url}/app`)
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

test('the metadata of a provider that cannot be reached any more is still used', async () => {
  await startHostile(new FormBrowser(server.url), 'other')
  await other.stop()
  server.clock.advance(hours(2))
  const { url } = await new FormBrowser(server.url).open('/login/oidc/other')
  expect(url).toContain(`${other.issuer}/authorize?`)
  expect(server.log.join('\n')).toContain('The metadata of an OpenID Connect provider could not be fetched')
})
