import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minutes } from '../../src/kernel/time.ts'
import { Authenticator, type CreationOptions, type RequestOptions } from '../support/authenticator.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'
import {
  type BrowserPage,
  FormBrowser,
  createSetupPath,
  goodPassword,
  signUp,
  signUpWithPasskey,
} from '../support/sign-in.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer({ HOST: 'localhost' })))
afterAll(() => server.stop())

const login = '/login/passkey'

/** Opens the sign-in page in a new browser and requests options for a passkey. */
async function openLogin() {
  const browser = new FormBrowser(server.url)
  const page = await browser.open('/login')
  const options = (await (await browser.script(page, `${login}/options`)).json()) as RequestOptions
  const send = (credential: unknown, next?: string) => browser.script(page, login, { credential, next })
  return { browser, page, options, send }
}

/** Whether the browser is signed in. */
const isSignedIn = async (browser: FormBrowser) => (await browser.open('/account')).url === `${server.url}/account`

describe('A passkey', () => {
  test('can be created with the set-up link instead of a password, and signs in', async () => {
    const person = await server.person('Ada')
    const { account, authenticator } = await signUpWithPasskey(server, person.id)
    expect(account.html).toContain(person.email)
    expect(account.html).toContain('You have no password.')
    const { browser, options, send } = await openLogin()
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
    const reply = await send(authenticator.use(options, { origin: server.url }), '/account?done=session')
    expect(await reply.json()).toEqual({ location: '/account?done=session' })
    expect(await isSignedIn(browser)).toBe(true)
    const { items } = await person.api.listSessions()
    expect(items[0]).toMatchObject({ method: 'passkey', secondFactor: true })
  })

  test('gets options that do not depend on an account, and never leads to another site', async () => {
    const person = await server.person()
    const { authenticator } = await signUpWithPasskey(server, person.id)
    const { options, send } = await openLogin()
    expect({ ...options, challenge: '' }).toEqual({ ...(await openLogin()).options, challenge: '' })
    const reply = await send(authenticator.use(options, { origin: server.url }), '//evil.example')
    expect(await reply.json()).toEqual({ location: '/app' })
  })

  test('is added, listed and removed on the account page', async () => {
    const person = await server.person()
    const { browser, account } = await signUpWithPasskey(server, person.id)
    const second = new Authenticator()
    const added = await browser.createPasskey(account, '/account/passkeys', second, 'Blue <key>')
    expect(await added.json()).toEqual({ location: '/account?done=passkey' })
    const page = await browser.open('/account')
    expect(page.html).toContain('Blue &lt;key&gt;')
    const removed = await browser.submit(page, `/account/passkeys/${second.id.toString('base64url')}/remove`)
    expect(removed.url).toBe(`${server.url}/account?done=passkey-removed`)
    expect(removed.html).not.toContain('Blue')
    const other = await openLogin()
    expect((await other.send(second.use(other.options, { origin: server.url }))).status).toBe(403)
  })

  test('cannot be removed if it is the only way to sign in', async () => {
    const person = await server.person()
    const { browser, account, authenticator } = await signUpWithPasskey(server, person.id)
    const path = `/account/passkeys/${authenticator.id.toString('base64url')}/remove`
    expect((await browser.submit(account, path)).status).toBe(409)
    const changed = await browser.submit(account, '/account/password', { password: goodPassword })
    expect(changed.url).toBe(`${server.url}/account?done=password`)
    expect((await browser.submit(await browser.open('/account'), path)).status).toBe(200)
    const page = await browser.open('/account')
    expect(page.html).not.toContain('Remove password')
    const [proof = ''] = /(?<=name="proof" value=")[^"]+/.exec(page.html) ?? []
    expect((await browser.post('/account/password/remove', { proof })).status).toBe(409)
  })

  test('lets its owner remove the password', async () => {
    const person = await server.person()
    const { browser, account } = await signUp(server, person.id)
    await browser.createPasskey(account, '/account/passkeys', new Authenticator(), 'Phone')
    const page = await browser.submit(await browser.open('/account'), '/account/password/remove')
    expect(page.html).toContain('You have no password.')
  })

  test('can only be changed shortly after a sign-in', async () => {
    const person = await server.person()
    const { browser, account, authenticator } = await signUpWithPasskey(server, person.id)
    server.clock.advance(minutes(16))
    const options = await browser.script(account, '/account/passkeys/options')
    expect(options.status).toBe(401)
    const page = await browser.open('/account')
    expect(page.html).toContain('Sign in again')
    const again = await browser.submit(page, `/account/passkeys/${authenticator.id.toString('base64url')}/remove`)
    expect(again.url).toBe(`${server.url}/login?again=1&next=%2Faccount`)
    await browser.usePasskey(again, login, authenticator)
    expect((await browser.open('/account')).html).toContain('Add passkey')
  })

  test('of a limited number is stored for an account', async () => {
    const person = await server.person()
    const { browser } = await signUpWithPasskey(server, person.id)
    const add = async () =>
      browser.createPasskey(await browser.open('/account'), '/account/passkeys', new Authenticator(), 'Key')
    for (let count = 1; count < 20; count++) expect((await add()).status).toBe(200)
    expect((await add()).status).toBe(409)
  })
})

describe('A passkey is refused', () => {
  test('from another origin (passkey origin mismatch)', async () => {
    const person = await server.person()
    const { browser, account, authenticator } = await signUpWithPasskey(server, person.id)
    for (const origin of ['https://evil.example', server.url.replace('localhost', 'evil.localhost')]) {
      const { options, send, browser: other } = await openLogin()
      expect((await send(authenticator.use(options, { origin }))).status).toBe(403)
      expect(await isSignedIn(other)).toBe(false)
    }
    const options = (await (await browser.script(account, '/account/passkeys/options')).json()) as CreationOptions
    const foreign = new Authenticator().create(options, { origin: 'https://evil.example' })
    expect((await browser.script(account, '/account/passkeys', { credential: foreign })).status).toBe(403)
  })

  test('for another server (relying party)', async () => {
    const person = await server.person()
    const { authenticator } = await signUpWithPasskey(server, person.id)
    const { options, send } = await openLogin()
    const credential = authenticator.use({ ...options, rpId: 'evil.example' }, { origin: server.url })
    expect((await send(credential)).status).toBe(403)
  })

  test('if its challenge was used before (challenge reuse)', async () => {
    const person = await server.person()
    const { browser: own, authenticator } = await signUpWithPasskey(server, person.id)
    const { browser, page, options, send } = await openLogin()
    const credential = authenticator.use(options, { origin: server.url })
    expect((await send(credential)).status).toBe(200)
    await browser.submit(await browser.open('/account'), '/logout')
    expect((await browser.script(page, login, { credential })).status).toBe(403)
    // Not even with a new signature and another spelling of the same challenge.
    const padded = Buffer.from(`${Buffer.from(options.challenge, 'base64url').toString()}=`).toString('base64url')
    for (const challenge of [options.challenge, padded]) {
      const signed = authenticator.use({ ...options, challenge }, { origin: server.url })
      expect((await send(signed)).status).toBe(403)
    }

    const account = await own.open('/account')
    const created = (await (await own.script(account, '/account/passkeys/options')).json()) as CreationOptions
    const add = (from: BrowserPage) =>
      own.script(from, '/account/passkeys', { credential: new Authenticator().create(created, { origin: own.base }) })
    expect((await add(account)).status).toBe(200)
    expect((await add(await own.open('/account'))).status).toBe(403)
  })

  test('if two requests use its challenge at the same time', async () => {
    const person = await server.person()
    const { authenticator } = await signUpWithPasskey(server, person.id)
    const { options, send } = await openLogin()
    const credentials = Array.from({ length: 4 }, () => authenticator.use(options, { origin: server.url }))
    const replies = await Promise.all(credentials.map((credential) => send(credential)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('if its challenge belongs to another browser (challenge of another browser)', async () => {
    const person = await server.person()
    const { authenticator } = await signUpWithPasskey(server, person.id)
    const { options } = await openLogin()
    const { browser, send } = await openLogin()
    expect((await send(authenticator.use(options, { origin: server.url }))).status).toBe(403)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('if its challenge was made for another purpose, or has expired', async () => {
    const person = await server.person()
    const { browser, account, authenticator } = await signUpWithPasskey(server, person.id)
    const made = (await (await browser.script(account, '/account/passkeys/options')).json()) as CreationOptions
    const loginPage = await browser.open('/login?again=1')
    const credential = authenticator.use({ challenge: made.challenge, rpId: 'localhost' }, { origin: server.url })
    expect((await browser.script(loginPage, login, { credential })).status).toBe(403)
    const { options, send } = await openLogin()
    server.clock.advance(minutes(6))
    expect((await send(authenticator.use(options, { origin: server.url }))).status).toBe(403)
  })

  test('if its counter did not increase (counter regression)', async () => {
    const person = await server.person()
    const { authenticator } = await signUpWithPasskey(server, person.id)
    authenticator.counter = 10
    const attempt = async (counter: number) => {
      const { options, send } = await openLogin()
      return (await send(authenticator.use(options, { origin: server.url, counter }))).status
    }
    expect([await attempt(11), await attempt(11), await attempt(3), await attempt(0)]).toEqual([200, 403, 403, 403])
    expect(await attempt(4_000_000_000)).toBe(200)
  })

  test('without user verification, because it would be one factor only', async () => {
    const person = await server.person()
    const { browser, account, authenticator } = await signUpWithPasskey(server, person.id)
    const { options, send } = await openLogin()
    expect((await send(authenticator.use(options, { origin: server.url, isVerified: false }))).status).toBe(403)
    const made = (await (await browser.script(account, '/account/passkeys/options')).json()) as CreationOptions
    const credential = new Authenticator().create(made, { origin: server.url, isVerified: false })
    expect((await browser.script(account, '/account/passkeys', { credential })).status).toBe(403)
  })

  test('for the account of somebody else (credential of another user)', async () => {
    const [person, attacker] = [await server.person(), await server.person()]
    const { authenticator } = await signUpWithPasskey(server, person.id)
    const evil = await signUpWithPasskey(server, attacker.id)
    const id = authenticator.id.toString('base64url')
    const { options, send } = await openLogin()
    // The key of the attacker with the credential ID of the other person.
    const forged = evil.authenticator.use(options, { origin: server.url, credentialId: id, userHandle: '' })
    expect((await send(forged)).status).toBe(403)
    // The passkey of the attacker with the user handle of the other person.
    const { userHandle } = authenticator
    expect((await send(evil.authenticator.use(options, { origin: server.url, userHandle }))).status).toBe(403)
    // Registering the credential ID of the other person.
    const made = (await (
      await evil.browser.script(evil.account, '/account/passkeys/options')
    ).json()) as CreationOptions
    const credential = new Authenticator().create(made, { origin: server.url, credentialId: id })
    expect((await evil.browser.script(evil.account, '/account/passkeys', { credential })).status).toBe(409)
    const owner = await openLogin()
    expect((await owner.send(authenticator.use(owner.options, { origin: server.url }))).status).toBe(200)
  })

  test('if a form to remove it is sent by somebody else (removing another user’s passkey)', async () => {
    const [person, attacker] = [await server.person(), await server.person()]
    const { authenticator } = await signUpWithPasskey(server, person.id)
    const { browser, account } = await signUpWithPasskey(server, attacker.id)
    await browser.createPasskey(account, '/account/passkeys', new Authenticator(), 'Second')
    const [proof = ''] = /(?<=name="proof" value=")[^"]+/.exec((await browser.open('/account')).html) ?? []
    const reply = await browser.post(`/account/passkeys/${authenticator.id.toString('base64url')}/remove`, { proof })
    expect(reply.status).toBe(404)
    const { options, send } = await openLogin()
    expect((await send(authenticator.use(options, { origin: server.url }))).status).toBe(200)
  })

  test('with a used or unknown set-up link, and the link is used up by one passkey', async () => {
    const person = await server.person()
    const path = await createSetupPath(server, person.id)
    const browser = new FormBrowser(server.url)
    const page = await browser.open(path)
    expect((await browser.createPasskey(page, `${path}/passkey`, new Authenticator())).status).toBe(200)
    const again = await browser.open('/login?again=1')
    expect((await browser.script(again, `${path}/passkey/options`)).status).toBe(404)
  })

  test('if it is malformed, without an error of the server', async () => {
    const person = await server.person()
    const { browser, account, authenticator } = await signUpWithPasskey(server, person.id)
    const { options, send } = await openLogin()
    const valid = authenticator.use(options, { origin: server.url })
    const withResponse = (changes: object) => ({ ...valid, response: { ...valid.response, ...changes } })
    for (const credential of [
      undefined,
      null,
      [],
      { ...valid, type: 'password' },
      { ...valid, id: 'x'.repeat(5000) },
      withResponse({ clientDataJSON: 'bm90IGpzb24' }),
      withResponse({ clientDataJSON: Buffer.from('{"challenge":{}}').toString('base64url') }),
      withResponse({ authenticatorData: 'AAAA' }),
      withResponse({ signature: 'AAAA' }),
      withResponse({ signature: undefined }),
    ])
      expect([400, 403]).toContain((await send(credential)).status)

    const made = (await (await browser.script(account, '/account/passkeys/options')).json()) as CreationOptions
    const created = new Authenticator().create(made, { origin: server.url })
    const nested = Buffer.alloc(11_000, 0x81).toString('base64url')
    for (const attestationObject of [nested, 'AAAA', 'v_8', 'o2NmbXRkbm9uZQ']) {
      const credential = { ...created, response: { ...created.response, attestationObject } }
      expect((await browser.script(account, '/account/passkeys', { credential })).status).toBe(403)
    }
    expect((await send(authenticator.use(options, { origin: server.url }))).status).toBe(200)
  })

  test('without the proof of the page or from another origin', async () => {
    const browser = new FormBrowser(server.url)
    const page = await browser.open('/login')
    expect((await browser.script({ ...page, html: '' }, `${login}/options`)).status).toBe(403)
    const reply = await fetch(`${server.url}${login}/options`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      body: '{}',
    })
    expect(reply.status).toBe(403)
  })
})

test('Passkeys are not offered at an IP address, and the account page explains why', async () => {
  const other = await serverForTest({ OCTAVO_SIGN_IN: 'passkey,password' })
  const { account, browser } = await signUp(other, other.admin.id)
  expect(account.html).toContain('Browsers support passkeys on HTTPS addresses')
  expect(account.html).not.toContain('data-passkey')
  expect((await browser.open('/login?again=1')).html).not.toContain('data-passkey')
  expect((await browser.script(account, '/account/passkeys/options')).status).toBe(403)
})

test('A server without passwords and passkeys still signs in with a set-up link', async () => {
  const other = await serverForTest({ HOST: 'localhost', OCTAVO_SIGN_IN: 'email' })
  const browser = new FormBrowser(other.url)
  const path = await createSetupPath(other, other.admin.id)
  const page = await browser.open(path)
  expect(page.html).not.toMatch(/data-passkey|type="password"/)
  expect((await browser.submit(page, path)).url).toBe(`${other.url}/app`)
})
