import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minutes } from '../../src/kernel/time.ts'
import { toPath, waitForMail } from '../support/mail.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import {
  type BrowserPage,
  FormBrowser,
  createSetupPath,
  findFields,
  goodPassword,
  signIn,
  signUp,
  signUpWithPasskey,
} from '../support/sign-in.ts'

let server: TestServer
const folder = mkdtempSync(join(tmpdir(), 'octavo-mail-'))
beforeAll(async () => {
  const mail = { OCTAVO_MAIL_FOLDER: folder, OCTAVO_MAIL_FROM: 'docs@example.com' }
  server = await startTestServer({ HOST: 'localhost', ...mail })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const newPassword = 'a new good password'

/** Signs in with a link by email. */
async function signInWithLink(email: string): Promise<{ browser: FormBrowser; account: BrowserPage }> {
  const browser = new FormBrowser(server.url)
  const login = await browser.open('/login')
  expect(login.html).toContain('Forgotten your password?')
  await browser.submit(login, '/login/email', { address: email })
  const path = toPath((await waitForMail(folder, email)).links[0])
  await browser.submit(await browser.open(path), path)
  return { browser, account: await browser.open('/account') }
}

const hasCurrentField = ({ html }: BrowserPage) => 'current' in findFields(html, '/account/password')

test('a sign-in with a link by email replaces the password without the current one, and ends other sessions', async () => {
  const person = await server.person()
  const { browser: other } = await signUp(server, person.id)
  const { browser, account } = await signInWithLink(person.email)
  expect(account.html).toContain('You signed in without your password a short time ago')
  expect(hasCurrentField(account)).toBe(false)
  const changed = await browser.submit(account, '/account/password', { password: newPassword })
  expect(changed.url).toBe(`${server.url}/account?done=password`)
  expect((await other.open('/account')).url).toContain('/login')
  expect((await signIn(server, person.email)).page.status).toBe(401)
  expect((await signIn(server, person.email, newPassword)).page.status).toBe(200)
})

test('some time after the sign-in, the current password or another sign-in is required', async () => {
  const person = await server.person()
  await signUp(server, person.id)
  const { browser, account } = await signInWithLink(person.email)
  server.clock.advance(minutes(16))
  const late = await browser.submit(account, '/account/password', { password: newPassword })
  expect(late.url).toContain('/login?again=1')
  const page = await browser.open('/account')
  expect(hasCurrentField(page)).toBe(true)
  expect(page.html).toContain('If you have forgotten it')
  const wrong = { current: 'wrong password!', password: newPassword }
  expect((await browser.submit(page, '/account/password', wrong)).status).toBe(403)
  const right = { current: goodPassword, password: newPassword }
  expect((await browser.submit(page, '/account/password', right)).url).toContain('done=password')
})

test('a sign-in with the password itself proves nothing more', async () => {
  const person = await server.person()
  await signUp(server, person.id)
  const { browser } = await signIn(server, person.email)
  const page = await browser.open('/account')
  expect(hasCurrentField(page)).toBe(true)
  const { current: _current, ...fields } = findFields(page.html, '/account/password')
  const reply = await browser.post('/account/password', { ...fields, password: newPassword })
  expect(reply.status).toBe(403)
  expect((await signIn(server, person.email)).page.status).toBe(200)
})

test('a link of the operator, which may set the password, also allows to replace it', async () => {
  const person = await server.person()
  const { browser, account } = await signUp(server, person.id)
  expect(hasCurrentField(account)).toBe(false)
  await browser.submit(account, '/account/password', { password: newPassword })
  expect((await signIn(server, person.email, newPassword)).page.status).toBe(200)
  const path = await createSetupPath(server, person.id)
  expect((await browser.submit(await browser.open(path), path, { password: goodPassword })).status).toBe(200)
})

test('a sign-in with a passkey allows to replace the password', async () => {
  const person = await server.person()
  const { browser, account, authenticator } = await signUpWithPasskey(server, person.id)
  await browser.submit(account, '/account/password', { password: goodPassword })
  server.clock.advance(minutes(16))
  const later = await browser.open('/account')
  expect(hasCurrentField(later)).toBe(true)
  expect(later.html).toContain('with a passkey, and choose a new one')
  const reply = await browser.usePasskey(await browser.open('/login?again=1'), '/login/passkey', authenticator)
  expect(reply.status).toBe(200)
  const again = await browser.open('/account')
  expect(hasCurrentField(again)).toBe(false)
  const changed = await browser.submit(again, '/account/password', { password: newPassword })
  expect(changed.url).toContain('done=password')
})
