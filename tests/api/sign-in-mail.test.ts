import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { minutes } from '../../src/kernel/time.ts'
import { readMails, toPath, waitForMail, waitForMailJobs } from '../support/mail.ts'
import { type TestServer, serverForTest, startTestServer, waitUntil } from '../support/server.ts'
import { FormBrowser, findFields } from '../support/sign-in.ts'
import { startSmtpServer } from '../support/smtp-server.ts'

let server: TestServer
const folder = mkdtempSync(join(tmpdir(), 'octavo-mail-'))
beforeAll(async () => {
  server = await startTestServer({ OCTAVO_MAIL_FOLDER: folder, OCTAVO_MAIL_FROM: 'Docs <docs@example.com>' })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Requests a link on the sign-in page. */
async function requestLink(address: string, { browser = new FormBrowser(server.url), next = '' } = {}) {
  const query = next === '' ? '' : `?next=${encodeURIComponent(next)}`
  const page = await browser.submit(await browser.open(`/login${query}`), '/login/email', { address })
  return { browser, page }
}

/** Requests a link and returns its path when it has arrived. */
async function receiveLink(address: string, options: Parameters<typeof requestLink>[1] = {}) {
  const { browser } = await requestLink(address, options)
  const mail = await waitForMail(folder, address)
  return { browser, mail, path: toPath(mail.links[0]) }
}

/** Removes what differs between two pages with the same text. */
const normalize = (html: string, email: string) => html.replaceAll(email, '').replace(/content="[^"]*"/g, '')

describe('A link by email', () => {
  test('signs in after a click on its page, once, and leads to the requested page', async () => {
    const person = await server.person()
    const { browser, mail, path } = await receiveLink(person.email, { next: '/account?done=session' })
    expect(mail.headers).toMatch(/^From: Docs <docs@example\.com>$/m)
    expect(mail.headers).toMatch(/^Subject: Sign in to Octavo$/m)
    expect(mail.links).toHaveLength(1)
    const account = await browser.submit(await browser.open(path), path)
    expect(account.url).toBe(`${server.url}/account?done=session`)
    expect(account.html).toContain(person.email)
    expect(await person.api.listSessions()).toMatchObject({ items: [{ method: 'email' }] })
  })

  test('is not used up by programs that open it', async () => {
    const person = await server.person()
    const { browser, path } = await receiveLink(person.email)
    for (const method of ['GET', 'HEAD', 'GET']) await fetch(`${server.url}${path}`, { method })
    await browser.open(path)
    expect((await browser.submit(await browser.open(path), path)).url).toBe(`${server.url}/app`)
  })

  test('cannot be used twice', async () => {
    const person = await server.person()
    const { browser, path } = await receiveLink(person.email)
    const fields = findFields((await browser.open(path)).html, path)
    const replies = await Promise.all([browser.post(path, fields), browser.post(path, fields)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 404])
    expect((await browser.open(path)).status).toBe(404)
    expect((await person.api.listSessions()).items).toHaveLength(1)
  })

  test('that was forwarded does not work in another browser, which can request its own', async () => {
    const person = await server.person()
    const { browser, path } = await receiveLink(person.email)
    const other = new FormBrowser(server.url)
    const page = await other.open(path)
    expect(page.status).toBe(404)
    expect(page.html).toContain('only in the browser in which it was requested')
    expect(page.html).not.toContain(person.email)
    const fields = findFields(page.html, '/login/email')
    expect((await other.post(path, fields)).status).toBe(404)
    await other.submit(page, '/login/email', { address: person.email })
    const own = toPath((await waitForMail(folder, person.email, 2)).links[0])
    expect((await other.submit(await other.open(own), own)).url).toBe(`${server.url}/app`)
    // A request in one browser does not affect the links of others.
    expect((await browser.submit(await browser.open(path), path)).url).toBe(`${server.url}/app`)
  })

  test('expires after 15 minutes', async () => {
    const person = await server.person()
    const { browser, path } = await receiveLink(person.email)
    const page = await browser.open(path)
    server.clock.advance(minutes(16))
    expect((await browser.open(path)).status).toBe(404)
    expect((await browser.submit(page, path)).status).toBe(404)
  })

  test('never leads to another host', async () => {
    const person = await server.person()
    const browser = new FormBrowser(server.url)
    const login = await browser.open('/login')
    const fields = { ...findFields(login.html, '/login/email'), address: person.email, next: '//evil.example' }
    await browser.post('/login/email', fields)
    const path = toPath((await waitForMail(folder, person.email)).links[0])
    const reply = await browser.post(path, findFields((await browser.open(path)).html, path))
    expect(reply.headers.get('location')).toBe('/app')
  })

  test('request for an unknown address gets the same reply and sends nothing', async () => {
    const person = await server.person()
    const unknown = `${newId()}@example.com`
    const [known, missing] = [await requestLink(person.email), await requestLink(unknown)]
    expect(normalize(known.page.html, person.email)).toBe(normalize(missing.page.html, unknown))
    expect(missing.page.status).toBe(known.page.status)
    await waitForMailJobs(server)
    expect(readMails(folder, unknown)).toEqual([])
    expect(readMails(folder, person.email)).toHaveLength(1)
  })

  test('request for an unknown address takes the same time, because only a job looks for the account', async () => {
    const { database } = server.server.app
    const countJobs = async () =>
      (await database.reader.selectFrom('jobs').select('id').where('name', '=', 'sign-in.link').execute()).length
    const before = await countJobs()
    const person = await server.person()
    const measure = async (toAddress: () => string) => {
      const times: number[] = []
      for (let round = 0; round < 4; round++) {
        const browser = new FormBrowser(server.url)
        const login = await browser.open('/login')
        const start = performance.now()
        await browser.submit(login, '/login/email', { address: toAddress() })
        times.push(performance.now() - start)
      }
      return Math.min(...times)
    }
    const known = await measure(() => person.email)
    const unknown = await measure(() => `${newId()}@example.com`)
    expect(await countJobs()).toBe(before + 8)
    expect(unknown).toBeGreaterThan(known / 4)
    expect(known).toBeGreaterThan(unknown / 4)
  })

  test('is throttled for each address and network', async () => {
    const person = await server.person()
    for (let round = 0; round < 5; round++) expect((await requestLink(person.email)).page.status).toBe(200)
    const { page } = await requestLink(person.email)
    expect(page.status).toBe(429)
    expect(Number(page.reply.headers.get('retry-after'))).toBeGreaterThan(0)
    await waitForMailJobs(server)
    expect(readMails(folder, person.email)).toHaveLength(5)
    server.clock.advance(minutes(16))
    expect((await requestLink(person.email)).page.status).toBe(200)
  })

  test('is refused for values that are not exactly one address (header injection)', async () => {
    const person = await server.person()
    const values = [
      `${person.email}\r\nBcc: evil@example.com`,
      `${person.email},evil@example.com`,
      `${person.email} evil@example.com`,
      `"${person.email}" <evil@example.com>`,
      `${person.email}\0`,
      'a'.repeat(300) + '@example.com',
      'no address',
      '',
    ]
    for (const address of values) expect((await requestLink(address)).page.status, address).toBe(400)
    await waitForMailJobs(server)
    expect(readMails(folder, person.email)).toEqual([])
  })

  test('is not stored in plain text', async () => {
    const person = await server.person()
    const { path } = await receiveLink(person.email)
    const token = path.slice(path.lastIndexOf('/') + 1)
    const { reader } = server.server.app.database
    const jobs = await reader.selectFrom('jobs').select('payload').execute()
    const links = await reader.selectFrom('sign_in_links').selectAll().execute()
    expect(JSON.stringify([jobs, links])).not.toContain(token)
    expect(JSON.stringify(jobs)).not.toContain(person.email)
  })
})

test('without mail, or with other methods only, links by email are not offered', async () => {
  const other = await serverForTest({ OCTAVO_SIGN_IN: 'password', OCTAVO_MAIL_FOLDER: folder })
  const browser = new FormBrowser(other.url)
  const login = await browser.open('/login')
  expect(login.html).not.toContain('/login/email')
  const { proof = '' } = findFields(login.html, '/login')
  expect((await browser.post('/login/email', { proof, address: 'a@example.com' })).status).toBe(404)
  expect((await browser.open('/login/email/x')).status).toBe(404)
})

test('a user who is added to an organization gets a message, once', async () => {
  const { organizationId, api } = server.admin
  const params = { organizationId }
  await api.updateOrganizationById({ params, body: { title: 'Acme\r\nBcc: evil@example.com' } })
  const person = await server.person()
  const body = { emails: [person.email] }
  expect(await api.inviteUsersToOrganization({ params, body })).toMatchObject({ users: [person.id] })
  const mail = await waitForMail(folder, person.email)
  expect(mail.headers).toMatch(/^Subject: You are a member of Acme Bcc: evil@example\.com$/m)
  expect(mail.headers).not.toMatch(/^Bcc:/m)
  expect(mail.text).toContain('has added you to Acme')
  expect(mail.links).toEqual([`${server.url}/login`])
  // A member is not added again.
  await api.inviteUsersToOrganization({ params, body })
  await waitForMailJobs(server)
  expect(readMails(folder, person.email)).toHaveLength(1)
})

test('mail is sent over SMTP with credentials, and a refused recipient is not tried again', async () => {
  const smtp = await startSmtpServer()
  const url = `smtp://docs%40example.com:p%3Ass@127.0.0.1:${smtp.port}`
  const sender = await serverForTest({ OCTAVO_SMTP_URL: url, OCTAVO_MAIL_FROM: 'Docs <docs@example.com>' })
  try {
    const { organizationId, api } = sender.admin
    const params = { organizationId }
    await api.updateOrganizationById({ params, body: { title: 'Zoë & Søn' } })
    smtp.refusals.push('550 No such user')
    await api.inviteUsersToOrganization({ params, body: { emails: ['refused@example.com'] } })
    await waitForMailJobs(sender)
    await api.inviteUsersToOrganization({ params, body: { emails: ['new@example.com'] } })
    const [message] = await waitUntil(async () => smtp.messages.length > 0 && smtp.messages, 'a message arrives')
    expect(message).toMatchObject({ from: 'docs@example.com', recipients: ['new@example.com'] })
    expect(message?.data).toMatch(/^To: new@example\.com\r$/m)
    expect(message?.data).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(message?.data).toMatch(/^Message-ID: <\w+@example\.com>\r$/m)
    expect(message?.data).toMatch(/^Subject: =\?UTF-8\?/m)
    expect(message?.data).not.toMatch(/<img/i)
    expect(smtp.logins[0]).toBe('\0docs@example.com\0p:ss')
    const { items } = await api.listEmailInvites({ params })
    expect(items).toHaveLength(2)
    const { reader } = sender.server.app.database
    const jobs = await reader.selectFrom('jobs').select(['state', 'attempts']).where('name', '=', 'mail.send').execute()
    expect(jobs).toEqual([
      { state: 'done', attempts: 1 },
      { state: 'done', attempts: 1 },
    ])
    expect(sender.log.join('\n')).toContain('A message was refused by the mail server')
  } finally {
    await smtp.stop()
  }
})
