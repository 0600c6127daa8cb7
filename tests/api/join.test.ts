import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { minutes } from '../../src/kernel/time.ts'
import { readMails, toPath, waitForMail, waitForMailJobs } from '../support/mail.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { type BrowserPage, FormBrowser, findFields, goodPassword, signIn, signUp } from '../support/sign-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-join-'))
/** A server that sends mail, and one that does not. */
let mailing: TestServer
let silent: TestServer
beforeAll(async () => {
  ;[mailing, silent] = await Promise.all([startTestServer({ OCTAVO_MAIL_FOLDER: folder }), startTestServer()])
})
afterAll(async () => {
  await Promise.all([mailing.stop(), silent.stop()])
  rmSync(folder, { recursive: true, force: true })
})

const newAddress = () => `${newId()}@example.com`

/** Invites an address and returns the path of the link that the API returns. */
async function invite({ owner, params }: TestOrganization, email: string): Promise<string> {
  const { invites } = await owner.api.inviteUsersToOrganization({ params, body: { emails: [{ email, role: 'edit' }] } })
  return toPath(invites[0]?.urls.join)
}

const createLink = async ({ owner, params }: TestOrganization): Promise<string> =>
  toPath((await owner.api.createOrganizationInvite({ params, body: { role: 'comment' } })).urls.join)

const listMembers = async ({ owner, params }: TestOrganization) =>
  (await owner.api.listMembersInOrganizationById({ params })).items.map(({ user, role }) => [user.email, role])

const newAccount = { name: 'Grace Hopper', password: goodPassword }

/** Submits the sign-up form of an invite. */
const submitSignUp = (
  browser: FormBrowser,
  page: BrowserPage,
  path: string,
  fields: Record<string, string> = newAccount,
) => browser.submit(page, `${path.split('?')[0]}/sign-up`, fields)

describe('An email invite', () => {
  test('creates an account with the invited address, which is a member and signed in', async () => {
    const acme = await makeOrganization(silent, 'Acme & Sons')
    const email = newAddress()
    const path = await invite(acme, email)
    const browser = new FormBrowser(silent.url)
    const page = await browser.open(path)
    expect(page.html).toContain('Join Acme &amp; Sons')
    expect(page.html).toContain(email)
    for (const [fields, reason] of [
      [{ ...newAccount, name: ' ' }, 'Enter a name'],
      [{ ...newAccount, password: 'short' }, 'at least 10'],
    ] as const) {
      const refused = await submitSignUp(browser, page, path, fields)
      expect(refused.status).toBe(400)
      expect(refused.html).toContain(reason)
    }
    // A changed field does not change the address.
    const app = await submitSignUp(browser, page, path, { ...newAccount, email: 'admin@example.com' })
    expect(app.url).toBe(`${silent.url}/app/orgs/${acme.organization.id}?joined=1`)
    expect((await browser.open('/account')).html).toContain('Grace Hopper')
    expect(await listMembers(acme)).toContainEqual([email, 'edit'])
    expect((await signIn(silent, email)).page.url).toBe(`${silent.url}/app`)
    expect((await browser.open(path)).status).toBe(404)
  })

  test('is used up once, also by concurrent requests', async () => {
    const acme = await makeOrganization(silent)
    const path = await invite(acme, newAddress())
    const browsers = [new FormBrowser(silent.url), new FormBrowser(silent.url)]
    const pages = await Promise.all(browsers.map((browser) => browser.open(path)))
    const action = `${path}/sign-up`
    const replies = await Promise.all(
      browsers.map((browser, index) =>
        browser.post(action, { ...findFields(pages[index]?.html ?? '', action), ...newAccount }),
      ),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    expect(statuses.every((status) => status === 303 || (status >= 400 && status < 500))).toBe(true)
    expect(await listMembers(acme)).toHaveLength(2)
  })

  test('of one address cannot be used by another user', async () => {
    const acme = await makeOrganization(silent)
    const path = await invite(acme, newAddress())
    const thief = await silent.person('Thief')
    const { browser, account } = await signUp(silent, thief.id)
    const page = await browser.open(path)
    expect(page.html).toContain('this invite is for another address')
    const { proof = '' } = findFields(account.html, '/logout')
    expect((await browser.post(path, { proof })).status).toBe(403)
    expect(await listMembers(acme)).toHaveLength(1)
  })

  test('is accepted with one click by its owner, who can sign in on the way', async () => {
    const [acme, other] = [await makeOrganization(silent), await makeOrganization(silent)]
    const email = newAddress()
    const [path, second] = [await invite(acme, email), await invite(other, email)]
    const first = new FormBrowser(silent.url)
    await submitSignUp(first, await first.open(path), path)
    const browser = new FormBrowser(silent.url)
    const page = await browser.open(second)
    expect(page.html).not.toContain(`${second}/sign-up`)
    const login = await browser.open(/href="(\/login\?next=[^"]*)"/.exec(page.html)?.[1] ?? '')
    const back = await browser.submit(login, '/login', { email, password: goodPassword })
    expect(back.url).toBe(silent.url + second)
    expect((await browser.submit(back, second)).url).toContain(`/app/orgs/${other.organization.id}`)
    expect(await listMembers(other)).toContainEqual([email, 'edit'])
  })

  test('is sent by mail, and only the mailed link proves the address', async () => {
    const acme = await makeOrganization(mailing, 'Acme <b>\u2028Bcc: evil@example.com')
    const email = newAddress()
    const path = await invite(acme, email)
    const mail = await waitForMail(folder, email)
    expect(mail.headers).toMatch(/^Subject: Invitation to Acme <b> Bcc: evil@example\.com$/m)
    expect(mail.headers).not.toMatch(/^Bcc:/m)
    expect(mail.text).toContain('Owner invites you to Acme')
    expect(mail.html).toContain('Owner invites you to Acme &lt;b&gt; Bcc')
    const mailed = toPath(mail.links[0])
    expect(mailed).toMatch(new RegExp(`^${path}\\?key=[\\w-]+$`))

    // An administrator knows the link of the API, but must not create an account with the address of another person.
    const administrator = new FormBrowser(mailing.url)
    const page = await administrator.open(path)
    const { proof = '' } = findFields(page.html, `${path}/link`)
    for (const key of ['', 'forged', await otherKey(acme)])
      expect((await administrator.post(`${path}/sign-up`, { proof, key, ...newAccount })).status).toBe(403)
    expect(await listMembers(acme)).toHaveLength(1)

    const browser = new FormBrowser(mailing.url)
    expect((await submitSignUp(browser, await browser.open(mailed), path)).url).toContain('/app/orgs/')
    expect(await listMembers(acme)).toContainEqual([email, 'edit'])
  })

  test('whose link was copied sends a link to the invited address', async () => {
    const acme = await makeOrganization(mailing)
    const email = newAddress()
    const path = await invite(acme, email)
    const browser = new FormBrowser(mailing.url)
    const sent = await browser.submit(await browser.open(path), `${path}/link`, { address: newAddress() })
    expect(sent.html).toContain(email)
    const signUpPath = toPath((await waitForMail(folder, email, 2)).links[0])
    expect((await browser.submit(await browser.open(signUpPath), signUpPath, newAccount)).url).toContain('/app/orgs/')
    expect(await listMembers(acme)).toContainEqual([email, 'edit'])
  })

  test('is sent to an address at most five times a day', async () => {
    const acme = await makeOrganization(mailing)
    const email = newAddress()
    for (let round = 0; round < 7; round++) await invite(acme, email)
    await waitForMailJobs(mailing)
    expect(readMails(folder, email)).toHaveLength(5)
  })
})

/** Returns the key of another invite. */
async function otherKey(organization: TestOrganization): Promise<string> {
  const email = newAddress()
  await invite(organization, email)
  return new URL((await waitForMail(folder, email)).links[0] ?? '').searchParams.get('key') ?? ''
}

describe('An invite link', () => {
  test('lets a user join with one click', async () => {
    const acme = await makeOrganization(silent)
    const path = await createLink(acme)
    const person = await silent.person()
    const { browser } = await signUp(silent, person.id)
    expect((await browser.submit(await browser.open(path), path)).url).toContain(`/app/orgs/${acme.organization.id}`)
    expect(await listMembers(acme)).toContainEqual([person.email, 'comment'])
  })

  test('needs a verified address to sign up, so mail must be configured', async () => {
    const acme = await makeOrganization(silent)
    const path = await createLink(acme)
    const browser = new FormBrowser(silent.url)
    const page = await browser.open(path)
    expect(page.html).toContain('ask for an invite to your email address')
    const { proof = '' } = findFields((await browser.open('/login')).html, '/login')
    const fields = { proof, address: newAddress(), email: newAddress(), ...newAccount }
    expect((await browser.post(`${path}/link`, fields)).status).toBe(403)
    expect((await browser.post(`${path}/sign-up`, fields)).status).toBe(403)
    expect(await listMembers(acme)).toHaveLength(1)
  })

  test('creates an account after the address was verified in the same browser, once', async () => {
    const acme = await makeOrganization(mailing)
    const other = await createLink(await makeOrganization(mailing))
    const path = await createLink(acme)
    const email = newAddress()
    const browser = new FormBrowser(mailing.url)
    await browser.submit(await browser.open(path), `${path}/link`, { address: email.toUpperCase() })
    const signUpPath = toPath((await waitForMail(folder, email)).links[0])
    expect((await new FormBrowser(mailing.url).open(signUpPath)).status).toBe(404)
    expect((await browser.open(signUpPath.replace(path, other))).status).toBe(404)
    const page = await browser.open(signUpPath)
    await browser.submit(page, signUpPath, { ...newAccount, email: 'admin@example.com' })
    expect((await browser.open('/account')).html).toContain(email)
    expect(await listMembers(acme)).toContainEqual([email, 'comment'])
    expect((await browser.open(signUpPath)).status).toBe(404)
    expect((await signIn(mailing, email)).page.url).toBe(`${mailing.url}/app`)
  })

  test('does not reveal whether an address has an account, and tells its owner by mail', async () => {
    const path = await createLink(await makeOrganization(mailing))
    const person = await mailing.person()
    const unknown = newAddress()
    const request = async (address: string) => {
      const browser = new FormBrowser(mailing.url)
      const page = await browser.submit(await browser.open(path), `${path}/link`, { address })
      return page.html.replaceAll(address, '').replace(/content="[^"]*"/g, '')
    }
    expect(await request(person.email)).toBe(await request(unknown))
    const mail = await waitForMail(folder, person.email)
    expect(mail.text).toContain('There is an account')
    expect(mail.links[0]).toContain('/login?next=')
  })

  test('creates nothing when the invite was deleted or has expired in the meantime', async () => {
    const acme = await makeOrganization(mailing)
    const [path, late] = [await createLink(acme), await createLink(acme)]
    const browser = new FormBrowser(mailing.url)
    const addresses = [newAddress(), newAddress()] as const
    await browser.submit(await browser.open(path), `${path}/link`, { address: addresses[0] })
    await browser.submit(await browser.open(late), `${late}/link`, { address: addresses[1] })
    const [first, second] = await Promise.all(
      addresses.map(async (address) => toPath((await waitForMail(folder, address)).links[0])),
    )
    const page = await browser.open(first ?? '')
    const inviteId = path.slice(path.lastIndexOf('/') + 1)
    await acme.owner.api.deleteOrganizationInviteById({ params: { ...acme.params, inviteId } })
    expect((await browser.submit(page, first ?? '', newAccount)).status).toBe(404)
    expect((await signIn(mailing, addresses[0])).page.status).toBe(401)
    mailing.clock.advance(minutes(16))
    expect((await browser.open(second ?? '')).status).toBe(404)
  })

  test('is hidden while the organization has disabled invite links', async () => {
    const acme = await makeOrganization(silent)
    const path = await createLink(acme)
    const person = await silent.person()
    const { browser, account } = await signUp(silent, person.id)
    await acme.owner.api.updateOrganizationById({ params: acme.params, body: { inviteLinks: false } })
    const page = await browser.open(path)
    expect(page.status).toBe(404)
    expect(page.html).not.toContain(acme.organization.title)
    const { proof = '' } = findFields(account.html, '/logout')
    expect((await browser.post(path, { proof })).status).toBe(404)
    expect(await listMembers(acme)).toHaveLength(1)
  })
})

/** Removes what differs between two pages with the same text. */
const normalize = (html: string) => html.replace(/(content|href)="[^"]*"/g, '')

test('guessing an invite reveals nothing about the organization', async () => {
  const acme = await makeOrganization(silent, 'Secretive')
  const path = await invite(acme, newAddress())
  const inviteId = path.slice(path.lastIndexOf('/') + 1)
  const browser = new FormBrowser(silent.url)
  const pages = await Promise.all(
    [
      `/app/join/${acme.organization.id}/${'x'.repeat(32)}`,
      `/app/join/unknown/${inviteId}`,
      `/app/join/${silent.admin.organizationId}/${inviteId}`,
      `/app/join/unknown/unknown`,
      `/app/join/${acme.organization.id}/%00%27`,
    ].map((guess) => browser.open(guess)),
  )
  for (const page of pages) {
    expect(page.status).toBe(404)
    expect(page.html).not.toContain('Secretive')
    expect(normalize(page.html)).toBe(normalize(pages[0]?.html ?? ''))
  }
})
