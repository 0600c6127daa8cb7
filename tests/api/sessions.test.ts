import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours } from '../../src/kernel/time.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { FormBrowser, findFields, goodPassword, signIn, signUp } from '../support/sign-in.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.stop())

const sessionCookie = /octavo-session=([\w-]{43}); Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/

describe('A session', () => {
  test('has a cookie that scripts cannot read, and pages that are neither cached nor framed', async () => {
    const person = await server.person()
    await signUp(server, person.id)
    const browser = new FormBrowser(server.url)
    const login = await browser.open('/login')
    const fields = { ...findFields(login.html, '/login'), email: person.email, password: goodPassword }
    const reply = await browser.post('/login', fields)
    expect(reply.headers.getSetCookie()).toEqual([expect.stringMatching(sessionCookie)])
    const { headers } = (await browser.open('/account')).reply
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('that was planted before the sign-in is not used after it', async () => {
    const person = await server.person()
    await signUp(server, person.id)
    const browser = new FormBrowser(server.url)
    const login = await browser.open('/login')
    const planted = 'A'.repeat(43)
    const cookie = `${browser.cookies.cookiesFor('/')}; octavo-session=${planted}`
    const fields = { ...findFields(login.html, '/login'), email: person.email, password: goodPassword }
    const reply = await browser.post('/login', fields, { cookie })
    expect(reply.headers.getSetCookie()).toEqual([expect.stringMatching(sessionCookie)])
    expect(reply.headers.getSetCookie()[0]).not.toContain(planted)
    const account = await fetch(`${server.url}/account`, { headers: { cookie }, redirect: 'manual' })
    expect(account.headers.get('location')).toContain('/login')
  })

  test('is ignored if the browser sends two cookies of its name', async () => {
    const person = await server.person()
    const { browser } = await signUp(server, person.id)
    const cookie = `${browser.cookies.cookiesFor('/')}; octavo-session=tossed`
    const reply = await fetch(`${server.url}/account`, { headers: { cookie }, redirect: 'manual' })
    expect(reply.headers.get('location')).toContain('/login')
  })

  test('ends after a time without use, and at the latest 30 days after the sign-in', async () => {
    const person = await server.person()
    const { browser: idle } = await signUp(server, person.id)
    const { browser: active } = await signIn(server, person.email)
    for (let day = 0; day < 29; day += 5) {
      server.clock.advance(days(5) - hours(1))
      expect((await active.open('/account')).url).toBe(`${server.url}/account`)
      await server.server.app.tokenUses.flush()
    }
    expect((await idle.open('/account')).url).toContain('/login')
    server.clock.advance(days(1) + hours(6))
    expect((await active.open('/account')).url).toContain('/login')
  })

  test('ends at a sign-out, also for copies of its cookie', async () => {
    const person = await server.person()
    const { browser } = await signUp(server, person.id)
    const cookie = browser.cookies.cookiesFor('/')
    const login = await browser.submit(await browser.open('/account'), '/logout')
    expect(login.url).toBe(`${server.url}/login`)
    const reply = await fetch(`${server.url}/account`, { headers: { cookie }, redirect: 'manual' })
    expect(reply.headers.get('location')).toContain('/login')
  })

  test('is listed and can be ended with the API', async () => {
    const person = await server.person()
    const { browser, account } = await signUp(server, person.id)
    const { browser: other } = await signIn(server, person.email)
    const { items } = (await (await browser.call(account, '/user/sessions')).json()) as {
      items: { id: string; current: boolean; method: string; browser: string }[]
    }
    expect(items).toMatchObject([
      { method: 'password', current: false },
      { method: 'link', current: true },
    ])
    await browser.call(account, `/user/sessions/${items[0]?.id}`, { method: 'DELETE' })
    expect((await other.open('/account')).url).toContain('/login')
    await person.api.revokeSession({ params: { sessionId: items[1]?.id ?? '' } })
    expect((await browser.open('/account')).url).toContain('/login')

    const stranger = await server.person()
    const { browser: third } = await signIn(server, person.email)
    const { items: own } = await person.api.listSessions()
    await stranger.api.revokeSession({ params: { sessionId: own[0]?.id ?? '' } })
    expect((await third.open('/account')).url).toBe(`${server.url}/account`)
  })
})

describe('The API with a session', () => {
  test('has the permissions of the user', async () => {
    const person = await server.member('admin')
    const { browser, account } = await signUp(server, person.id)
    expect(await (await browser.call(account, '/user')).json()).toMatchObject({ id: person.id })
    const created = await browser.call(account, '/user/tokens', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ label: 'From a session' }),
    })
    expect(created.status).toBe(201)
  })

  test('needs the proof that pages of published sites on the same host cannot read', async () => {
    const person = await server.person()
    const { browser, account } = await signUp(server, person.id)
    const cookie = browser.cookies.cookiesFor('/')
    expect((await fetch(`${server.url}/v1/user`, { headers: { cookie } })).status).toBe(401)
    expect((await browser.call(account, '/user', { headers: { 'x-octavo-session': 'x' } })).status).toBe(401)
    const page = await fetch(`${server.url}/account`, { headers: { cookie, 'sec-fetch-dest': 'empty' } })
    expect(page.status).toBe(403)
    expect(await page.text()).not.toContain('octavo-session')
    const form = await browser.post('/logout', {}, { 'sec-fetch-dest': 'empty' })
    expect(form.status).toBe(403)
    // Without HTTPS browsers do not say what a request is for.
    for (const path of ['/logout', '/account/password', '/oauth/token', '/setup/unknown']) {
      const reply = await browser.post(path, { proof: 'x' })
      expect(reply.status, path).toBeGreaterThanOrEqual(400)
      expect(await reply.text(), path).not.toMatch(/octavo-session|octavo-form|name="proof"/)
    }
  })

  test('refuses writes from other origins', async () => {
    const person = await server.person()
    const { browser, account } = await signUp(server, person.id)
    const init = { method: 'PATCH', body: JSON.stringify({ displayName: 'Changed' }) }
    const json = { 'content-type': 'application/json' }
    const path = `/users/${person.id}`
    for (const [name, value] of [
      ['origin', 'https://evil.example'],
      ['sec-fetch-site', 'same-site'],
    ] as const) {
      expect((await browser.call(account, path, { ...init, headers: { ...json, [name]: value } })).status).toBe(403)
    }
    expect((await browser.call(account, path, { ...init, headers: json })).status).toBe(200)
  })

  test('uses the token if there are both', async () => {
    const person = await server.person()
    const { browser, account } = await signUp(server, person.id)
    const authorization = { authorization: `Bearer ${server.admin.token}` }
    expect(await (await browser.call(account, '/user', { headers: authorization })).json()).toMatchObject({
      id: server.admin.id,
    })
    const invalid = { authorization: 'Bearer invalid' }
    expect((await browser.call(account, '/user', { headers: invalid })).status).toBe(401)
  })
})
