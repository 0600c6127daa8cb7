import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minutes } from '../../src/kernel/time.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { FormBrowser, createSetupPath, findFields, goodPassword, signIn, signUp } from '../support/sign-in.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.stop())

/** Removes values and proofs, which differ between pages. */
const withoutValues = (html: string): string => html.replace(/(value|content)="[^"]*"/g, '')

describe('The set-up link', () => {
  test('of the first start lets the administrator choose a password, once', async () => {
    const path = `/setup/${server.server.firstStart?.setupToken}`
    const browser = new FormBrowser(server.url)
    const page = await browser.open(path)
    expect(page.html).toContain(server.admin.email)
    const app = await browser.submit(page, path, { password: goodPassword })
    expect(app).toMatchObject({ status: 200, url: `${server.url}/app` })
    expect((await browser.open('/account')).html).toContain(server.admin.email)
    expect(await new FormBrowser(server.url).open(path)).toMatchObject({ status: 404 })
  })

  test('ends all other sessions of the account, and replaces earlier links', async () => {
    const person = await server.person()
    const { browser } = await signUp(server, person.id)
    const first = await createSetupPath(server, person.id)
    const second = await createSetupPath(server, person.id)
    const other = new FormBrowser(server.url)
    expect((await other.open(first)).status).toBe(404)
    await other.submit(await other.open(second), second, { password: 'another good password' })
    expect((await browser.open('/account')).url).toContain('/login')
    expect((await signIn(server, person.email)).page.status).toBe(401)
    expect((await signIn(server, person.email, 'another good password')).page.status).toBe(200)
  })

  test('expires', async () => {
    const person = await server.person()
    const path = await createSetupPath(server, person.id, minutes(5))
    server.clock.advance(minutes(6))
    expect((await new FormBrowser(server.url).open(path)).status).toBe(404)
  })

  test('refuses short, long, common and guessable passwords', async () => {
    const person = await server.person('Margarethe')
    const path = await createSetupPath(server, person.id)
    const browser = new FormBrowser(server.url)
    const refused = ['short', 'x'.repeat(300), 'Password1234', 'aaaaaaaaaaaa', person.email, 'QwertyUiop123']
    for (const password of refused) {
      const page = await browser.submit(await browser.open(path), path, { password })
      expect(page.status, password).toBe(400)
      expect(page.html).toContain('role="alert"')
    }
    expect((await browser.submit(await browser.open(path), path, { password: goodPassword })).status).toBe(200)
  })
})

describe('A password', () => {
  test('signs in, and leads to the requested page of this server only', async () => {
    const person = await server.person()
    await signUp(server, person.id)
    const browser = new FormBrowser(server.url)
    const page = await browser.open('/account?done=session')
    expect(page.url).toBe(`${server.url}/login?next=${encodeURIComponent('/account?done=session')}`)
    const account = await browser.submit(page, '/login', { email: person.email.toUpperCase(), password: goodPassword })
    expect(account.url).toBe(`${server.url}/account?done=session`)

    for (const next of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      '/%0d%0a//x',
      'javascript:1',
      '/a\tb',
    ]) {
      const other = new FormBrowser(server.url)
      const login = await other.open(`/login?next=${encodeURIComponent(next)}`)
      const reply = await other.post('/login', {
        ...findFields(login.html, '/login'),
        next,
        email: person.email,
        password: goodPassword,
      })
      expect(reply.headers.get('location'), next).toMatch(/^\/(?![/\\])/)
    }
  })

  test('gets the same reply for an unknown account as for a wrong password', async () => {
    const person = await server.person()
    await signUp(server, person.id)
    const known = await signIn(server, person.email, 'wrong password!')
    const unknown = await signIn(server, 'nobody@example.com', 'wrong password!')
    expect(known.page.status).toBe(401)
    expect(withoutValues(known.page.html)).toBe(withoutValues(unknown.page.html))
  })

  test('takes the same time for an unknown account, because it is hashed as well', async () => {
    const person = await server.person()
    await signUp(server, person.id)
    const measure = async (email: string) => {
      const times: number[] = []
      for (let round = 0; round < 4; round++) {
        const start = performance.now()
        await signIn(server, email, 'wrong password!')
        times.push(performance.now() - start)
      }
      return Math.min(...times)
    }
    const [known, unknown] = [await measure(person.email), await measure('nobody.at.all@example.com')]
    expect(unknown).toBeGreaterThan(known / 3)
    expect(known).toBeGreaterThan(unknown / 3)
  })

  test('is throttled per account and network, but never in a browser of its owner', async () => {
    const person = await server.person()
    const { browser: own } = await signUp(server, person.id)
    await own.submit(await own.open('/account'), '/logout')
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await signIn(server, person.email, 'wrong password!')).page.status).toBe(401)
    const { page } = await signIn(server, person.email)
    expect(page.status).toBe(429)
    expect(Number(page.reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await signIn(server, person.email, goodPassword, own)).page.status).toBe(200)
    server.clock.advance(minutes(16))
    expect((await signIn(server, person.email)).page.status).toBe(200)
  })

  test('is throttled for concurrent attempts too', async () => {
    const person = await server.person()
    await signUp(server, person.id)
    const attempts = Array.from({ length: 9 }, () => signIn(server, person.email, 'wrong password!'))
    const statuses = (await Promise.all(attempts)).map(({ page }) => page.status)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5)
    server.clock.advance(minutes(16))
  })

  test('can be changed with the current one; the session gets a new token and all others end', async () => {
    const person = await server.person()
    const { browser: other } = await signUp(server, person.id)
    const { browser } = await signIn(server, person.email)
    const before = browser.cookies.cookiesFor('/')
    const wrong = await browser.submit(await browser.open('/account'), '/account/password', {
      current: 'wrong password!',
      password: 'a new good password',
    })
    expect(wrong.status).toBe(403)
    const changed = await browser.submit(await browser.open('/account'), '/account/password', {
      current: goodPassword,
      password: 'a new good password',
    })
    expect(changed.url).toBe(`${server.url}/account?done=password`)
    expect(browser.cookies.cookiesFor('/')).not.toBe(before)
    expect((await other.open('/account')).url).toContain('/login')
  })
})

describe('Forms', () => {
  test('are refused without the proof of the page, from another browser, and from other origins', async () => {
    const person = await server.person()
    await signUp(server, person.id)
    const [browser, other] = [new FormBrowser(server.url), new FormBrowser(server.url)]
    const login = await browser.open('/login')
    await other.open('/login')
    const fields = { ...findFields(login.html, '/login'), email: person.email, password: goodPassword }
    expect((await browser.post('/login', { ...fields, proof: '' })).status).toBe(403)
    expect((await other.post('/login', fields)).status).toBe(403)
    expect((await browser.post('/login', fields, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await browser.post('/login', fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await browser.post('/login', fields)).status).toBe(303)
  })

  test('of unusual sizes and kinds are refused', async () => {
    const browser = new FormBrowser(server.url)
    await browser.open('/login')
    expect((await browser.post('/login', { password: 'x'.repeat(600_000) })).status).toBe(413)
    const reply = await browser.cookies.open(`${server.url}/login`, {
      method: 'POST',
      headers: { origin: server.url },
      body: Buffer.from([0xff, 0xfe, 0x00]),
    })
    expect(reply.status).toBe(400)
    expect((await browser.cookies.open(`${server.url}/login`, { method: 'PUT' })).status).toBe(405)
  })
})
