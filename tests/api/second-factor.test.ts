import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { computeTotpCode } from '../../src/domain/accounts/totp.ts'
import { minutes, seconds } from '../../src/kernel/time.ts'
import { Authenticator, type RequestOptions } from '../support/authenticator.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'
import {
  type BrowserPage,
  FormBrowser,
  createSetupPath,
  goodPassword,
  signIn,
  signUp,
  signUpWithPasskey,
} from '../support/sign-in.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer({ HOST: 'localhost' })))
afterAll(() => server.stop())

const appPath = '/account/authenticator-app'
const factorPath = '/login/second-factor'
const recoveryPath = `${factorPath}/recovery`

const codeAt = (secret: string, offset = 0) => computeTotpCode(secret, server.clock.now() + offset)

/** Advances the clock to the next code. */
const nextCode = (secret: string) => {
  server.clock.advance(seconds(30))
  return codeAt(secret)
}

const readSecret = ({ html }: BrowserPage) => (/class="secret">([A-Z2-7 ]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '')
const readCodes = ({ html }: BrowserPage) => [...html.matchAll(/<li>([A-Z2-7-]{19})</g)].map(([, code]) => code ?? '')

/** Sets up an authenticator app on the account page; returns its secret and the recovery codes. */
async function setUpApp(browser: FormBrowser) {
  const page = await browser.open(appPath)
  const secret = readSecret(page)
  const shown = await browser.submit(page, appPath, { code: codeAt(secret) })
  return { secret, codes: readCodes(shown), shown }
}

/** Creates a user with a password and an authenticator app. */
async function createProtectedUser() {
  const person = await server.person()
  const { browser } = await signUp(server, person.id)
  return { person, browser, ...(await setUpApp(browser)) }
}

/** Gives the password in a new browser, or the given one; returns the page for the second factor. */
async function givePassword(person: Person, browser?: FormBrowser) {
  const signedIn = await signIn(server, person.email, goodPassword, browser)
  expect(signedIn.page.url).toBe(`${server.url}${factorPath}`)
  return signedIn
}

describe('An authenticator app', () => {
  test('is set up with a QR code, a link and a key, and confirmed by a code', async () => {
    const person = await server.person()
    const { browser } = await signUp(server, person.id)
    const page = await browser.open(appPath)
    const secret = readSecret(page)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(page.html).toContain('<svg class="qr-code" role="img"')
    expect(page.html).toContain(`secret=${secret}&amp;issuer=Octavo%20%28localhost`)
    const wrong = await browser.submit(page, appPath, { code: '000000' })
    expect(wrong.status).toBe(400)
    expect(readSecret(wrong)).toBe(secret)
    const before = browser.cookies.cookiesFor('/')
    const shown = await browser.submit(wrong, appPath, { code: codeAt(secret) })
    expect(readCodes(shown)).toHaveLength(10)
    expect(browser.cookies.cookiesFor('/')).not.toBe(before)
    const account = await browser.open('/account')
    expect(account.html).toContain('You have 10 unused recovery codes.')
    const { items } = await person.api.listSessions()
    expect(items).toMatchObject([{ method: 'link', secondFactor: true }])
  })

  test('is asked for after the password, with a minute of clock skew, and leads to the requested page', async () => {
    const { person, secret } = await createProtectedUser()
    server.clock.advance(minutes(2))
    const browser = new FormBrowser(server.url)
    const login = await browser.open('/account?done=session')
    const page = await browser.submit(login, '/login', { email: person.email, password: goodPassword })
    expect((await browser.submit(page, factorPath, { code: codeAt(secret, -seconds(90)) })).status).toBe(401)
    const account = await browser.submit(page, factorPath, { code: codeAt(secret, -seconds(30)) })
    expect(account.url).toBe(`${server.url}/account?done=session`)
    const { items } = await person.api.listSessions()
    expect(items[0]).toMatchObject({ method: 'password', secondFactor: true })
  })

  test('refuses a secret of another user, and one that was sealed too long ago', async () => {
    const [person, other] = [await server.person(), await server.person()]
    const { browser } = await signUpWithPasskey(server, person.id)
    const { browser: attacker } = await signUpWithPasskey(server, other.id)
    const [own, foreign] = [await browser.open(appPath), await attacker.open(appPath)]
    const [, state = ''] = /name="state" value="([^"]+)"/.exec(foreign.html) ?? []
    const code = codeAt(readSecret(foreign))
    for (const value of [state, 'x', '']) {
      expect((await browser.submit(own, appPath, { state: value, code })).status).toBe(403)
    }
    expect((await browser.open('/account')).html).toContain('Set up an authenticator app')
  })

  test('can be removed shortly after a sign-in, with the recovery codes', async () => {
    const { person, browser } = await createProtectedUser()
    const account = await browser.open('/account')
    server.clock.advance(minutes(16))
    expect((await browser.submit(account, `${appPath}/remove`)).url).toContain('/login?again=1')
    const { browser: fresh } = await signUp(server, person.id)
    const removed = await fresh.submit(await fresh.open('/account'), `${appPath}/remove`)
    expect(removed.html).not.toContain('recovery codes')
    expect((await signIn(server, person.email)).page.url).toBe(`${server.url}/app`)
  })
})

describe('A second factor', () => {
  test('can be a passkey of the same user only', async () => {
    const [person, other] = [await server.person(), await server.person()]
    const { browser, account } = await signUp(server, person.id)
    const authenticator = new Authenticator()
    await browser.createPasskey(account, '/account/passkeys', authenticator, 'Phone')
    const foreign = await signUpWithPasskey(server, other.id)
    const { browser: fresh, page } = await givePassword(person)
    const options = (await (await fresh.script(page, `${factorPath}/passkey/options`)).json()) as RequestOptions
    expect(options).toMatchObject({ allowCredentials: [{ id: authenticator.id.toString('base64url') }] })
    const credential = foreign.authenticator.use(options, { origin: server.url })
    expect((await fresh.script(page, `${factorPath}/passkey`, { credential })).status).toBe(403)
    const reply = await fresh.usePasskey(page, `${factorPath}/passkey`, authenticator)
    expect(await reply.json()).toEqual({ location: '/app' })
    expect((await fresh.open('/account')).url).toBe(`${server.url}/account`)
  })

  test('is not skipped with the cookie of the pending sign-in (second-factor step skipped)', async () => {
    const { person } = await createProtectedUser()
    const { browser, page } = await givePassword(person)
    const cookies = browser.cookies.cookiesFor('/')
    const [, pending = ''] = /octavo-pending=([\w-]+)/.exec(cookies) ?? []
    expect(pending).toHaveLength(43)
    expect(cookies).not.toContain('octavo-session')
    expect((await browser.open('/account')).url).toContain('/login')
    expect((await browser.call(page, '/user')).status).toBe(401)
    for (const cookie of [`octavo-session=${pending}`, `${cookies}; octavo-session=${pending}`]) {
      const reply = await fetch(`${server.url}/account`, { headers: { cookie }, redirect: 'manual' })
      expect(reply.headers.get('location')).toContain('/login')
    }
    const again = await browser.submit(await browser.open('/login'), '/login', { email: person.email })
    expect(again.status).toBe(401)
  })

  test('is asked for in the browser that gave the password only, and for ten minutes', async () => {
    const { person, secret } = await createProtectedUser()
    const { browser, page } = await givePassword(person)
    const [, pending = ''] = /octavo-pending=([\w-]+)/.exec(browser.cookies.cookiesFor('/')) ?? []
    const thief = new FormBrowser(server.url)
    await thief.open('/login')
    const cookie = `${thief.cookies.cookiesFor('/')}; octavo-pending=${pending}`
    const stolen = await fetch(`${server.url}${factorPath}`, { headers: { cookie }, redirect: 'manual' })
    expect(stolen.headers.get('location')).toBe('/login?next=%2Fapp')
    server.clock.advance(minutes(11))
    expect((await browser.submit(page, factorPath, { code: codeAt(secret) })).url).toContain('/login')
  })

  test('is not asked for after a link of the operator, which recovers an account', async () => {
    const { person } = await createProtectedUser()
    const { page: pendingPage, browser } = await givePassword(person)
    const path = await createSetupPath(server, person.id)
    const fresh = new FormBrowser(server.url)
    const account = await fresh.submit(await fresh.open(path), path, { password: goodPassword })
    expect(account.url).toBe(`${server.url}/app`)
    const { items } = await person.api.listSessions()
    expect(items).toMatchObject([{ method: 'link', secondFactor: false }])
    expect((await browser.submit(pendingPage, factorPath, { code: '000000' })).url).toContain('/login')
  })

  test('is not accepted from a code that was used before (TOTP reuse)', async () => {
    const { person, secret } = await createProtectedUser()
    // The code that confirmed the app counts as used.
    const first = await givePassword(person)
    expect((await first.browser.submit(first.page, factorPath, { code: codeAt(secret) })).status).toBe(401)
    const code = nextCode(secret)
    const [one, two] = [await givePassword(person), await givePassword(person)]
    const statuses = await Promise.all(
      [one, two].map(async ({ browser, page }) => (await browser.submit(page, factorPath, { code })).status),
    )
    expect(statuses.toSorted()).toEqual([200, 401])
    const earlier = codeAt(secret, -seconds(30))
    const third = await givePassword(person)
    expect((await third.browser.submit(third.page, factorPath, { code: earlier })).status).toBe(401)
  })

  test('cannot be guessed (TOTP brute force), and guessing does not lock the owner out', async () => {
    const { person, browser: own, secret, codes } = await createProtectedUser()
    const { browser, page } = await givePassword(person)
    const wrong = codeAt(secret) === '123456' ? '654321' : '123456'
    const attempts = Array.from({ length: 8 }, () => browser.submit(page, factorPath, { code: wrong }))
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3)
    const limited = await browser.submit(page, factorPath, { code: nextCode(secret) })
    expect(limited.status).toBe(429)
    expect(Number(limited.reply.headers.get('retry-after'))).toBeGreaterThan(0)
    // The owner is not limited in a known browser, and recovery codes are counted separately.
    const known = await givePassword(person, await signedOut(own))
    expect((await known.browser.submit(known.page, factorPath, { code: nextCode(secret) })).status).toBe(200)
    const elsewhere = await givePassword(person)
    const [recovery = ''] = codes
    const recovered = await elsewhere.browser.submit(elsewhere.page, recoveryPath, { recovery })
    expect(recovered.url).toBe(`${server.url}/app`)
    server.clock.advance(minutes(16))
  })
})

async function signedOut(browser: FormBrowser): Promise<FormBrowser> {
  await browser.submit(await browser.open('/account'), '/logout')
  return browser
}

describe('Recovery codes', () => {
  test('work once each, in any spelling (recovery code reuse)', async () => {
    const { person, codes } = await createProtectedUser()
    const [first = ''] = codes
    const use = async (recovery: string) => {
      const { browser, page } = await givePassword(person)
      return (await browser.submit(page, recoveryPath, { recovery })).status
    }
    expect(await use(` ${first.toLowerCase().replaceAll('-', ' ')}`)).toBe(200)
    expect(await use(first)).toBe(401)
    expect(await use('')).toBe(401)
    server.clock.advance(minutes(16))
  })

  test('of another user do not work', async () => {
    const [one, two] = [await createProtectedUser(), await createProtectedUser()]
    const { browser, page } = await givePassword(one.person)
    const [recovery = ''] = two.codes
    expect((await browser.submit(page, recoveryPath, { recovery })).status).toBe(401)
  })

  test('can be replaced, which makes the earlier ones invalid', async () => {
    const { person, browser: own, codes } = await createProtectedUser()
    const replaced = readCodes(await own.submit(await own.open('/account'), '/account/recovery-codes'))
    expect(replaced).toHaveLength(10)
    const { browser, page } = await givePassword(person)
    expect((await browser.submit(page, recoveryPath, { recovery: codes[0] ?? '' })).status).toBe(401)
    expect((await browser.submit(page, recoveryPath, { recovery: replaced[0] ?? '' })).status).toBe(200)
  })

  test('are stored as hashes, and secrets of apps sealed', async () => {
    const { person, secret, codes } = await createProtectedUser()
    const { reader } = server.server.app.database
    const stored = [
      await reader.selectFrom('recovery_codes').selectAll().where('user_id', '=', person.id).execute(),
      await reader.selectFrom('authenticator_apps').selectAll().where('user_id', '=', person.id).execute(),
    ]
    const text = JSON.stringify(stored)
    for (const value of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(text).not.toContain(value)
  })
})

const enable = (secondFactorRequired: boolean) => ({
  method: 'PATCH',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ secondFactorRequired }),
})

describe('An organization that requires a second factor', () => {
  test('refuses sessions without one, but neither API tokens nor other organizations', async () => {
    const member = await server.member('admin')
    const { organizationId, spaceId } = server.admin
    const own = await member.api.createOrganization({ body: { title: 'Own' } })
    const { browser, account } = await signUp(server, member.id)
    const status = async (path: string, init?: RequestInit) => (await browser.call(account, path, init)).status
    // Only a session with a second factor can turn it on.
    expect(await status(`/orgs/${organizationId}`, enable(true))).toBe(403)
    const updated = await server.admin.api.updateOrganizationById({
      params: { organizationId },
      body: { secondFactorRequired: true },
    })
    expect(updated.secondFactorRequired).toBe(true)

    const appUrl = encodeURIComponent(server.server.app.urls.app(`/spaces/${spaceId}`))
    const json = { 'content-type': 'application/json' }
    for (const [path, init] of [
      [`/orgs/${organizationId}`],
      [`/orgs/${organizationId}/members`],
      [`/orgs/${organizationId}/sites`],
      [`/spaces/${spaceId}`],
      [`/spaces/${spaceId}/content`],
      [`/urls/content?url=${appUrl}`],
      ['/user/tokens', { method: 'POST', headers: json, body: JSON.stringify({ label: 'Bypass' }) }],
      [`/orgs/${organizationId}`, enable(false)],
    ] as const)
      expect([path, await status(path, init)]).toEqual([path, 403])
    const refusal = (await (await browser.call(account, `/spaces/${spaceId}`)).json()) as { error: { message: string } }
    expect(refusal.error.message).toContain('requires a second factor')
    expect(await status(`/orgs/${own.id}`)).toBe(200)
    expect(await member.api.getSpaceById({ params: { spaceId } })).toMatchObject({ id: spaceId })
    const space = await member.api.createSpace({ params: { organizationId: own.id }, body: { title: 'Mine' } })
    const transfer = { method: 'POST', headers: json, body: JSON.stringify({ organization: organizationId }) }
    expect(await status(`/spaces/${space.id}/transfer`, transfer)).toBe(403)

    // Adding one gives access at once.
    await setUpApp(browser)
    const page = await browser.open('/account')
    expect((await browser.call(page, `/spaces/${spaceId}/content`)).status).toBe(200)
    expect((await browser.call(page, `/orgs/${organizationId}`, enable(false))).status).toBe(200)
  })

  test('accepts sessions of its own identity providers', async () => {
    const member = await server.member('read')
    const { organizationId } = server.admin
    const params = { organizationId }
    await server.admin.api.updateOrganizationById({ params, body: { secondFactorRequired: true } })
    const { browser, account } = await signUp(server, member.id)
    expect((await browser.call(account, `/orgs/${organizationId}`)).status).toBe(403)
    await server.server.app.database.transaction((db) =>
      db
        .updateTable('sessions')
        .set({ method: 'saml', sso_organization_id: organizationId, sso_provider_id: 'provider' })
        .where('user_id', '=', member.id)
        .execute(),
    )
    expect((await browser.call(account, `/orgs/${organizationId}`)).status).toBe(200)
    await server.admin.api.updateOrganizationById({ params, body: { secondFactorRequired: false } })
  })
})
