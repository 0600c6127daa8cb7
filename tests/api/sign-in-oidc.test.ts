import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { makeAccount } from '../support/account.ts'
import {
  type OidcServer,
  findAuthorizationUrl,
  newAddress,
  newPerson,
  startOidcServer,
} from '../support/oidc-sign-in.ts'
import { makeOrganization } from '../support/organization.ts'
import type { TestServer } from '../support/server.ts'
import { FormBrowser, findFields, goodPassword, signUp } from '../support/sign-in.ts'

let oidc: OidcServer
let server: TestServer
let signInWith: OidcServer['signInWith']

beforeAll(async () => {
  const down = { id: 'down', label: 'Down', issuer: 'http://127.0.0.1:9', clientId: 'octavo', clientSecret: 'secret' }
  oidc = await startOidcServer([down])
  ;({ server, signInWith } = oidc)
})
afterAll(() => oidc.stop())

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
    const browser = new FormBrowser(server.url)
    const other = { ...person, email: newAddress(), email_verified: false, name: 'Changed' }
    const changed = await signInWith('real', other, { browser })
    expect(changed.url).toBe(`${server.url}/app`)
    const account = await browser.open('/account')
    expect(account.html).toContain(user.email)
    expect(account.html).not.toContain('Changed')
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
    const browser = new FormBrowser(server.url)
    const page = await signInWith('open', person, { browser })
    expect(page.url).toBe(`${server.url}/app`)
    const account = await browser.open('/account')
    expect(account.html).toContain('Ada Lovelace')
    expect(account.html).toContain(person.email)
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
    expect(account.url).toBe(`${server.url}/app`)
    const { items } = (await (await browser.call(account, '/orgs')).json()) as { items: { id: string }[] }
    expect(items).toMatchObject([{ id: acme.organization.id }])
    expect(await acme.owner.api.listEmailInvites({ params: acme.params })).toMatchObject({ count: 0 })
  })

  test('that starts on an invite link creates an account and returns to the invite', async () => {
    const acme = await makeOrganization(server, 'Acme & Sons')
    const { urls } = await acme.owner.api.createOrganizationInvite({ params: acme.params, body: { role: 'edit' } })
    const browser = new FormBrowser(server.url)
    const path = urls.join.slice(server.url.length)
    expect((await browser.open(path)).html).toContain(`/login/oidc/real?next=${encodeURIComponent(path)}`)
    const page = await signInWith('real', newPerson(), { browser, next: path })
    expect(page.url).toBe(urls.join)
    const joined = await browser.submit(page, path)
    expect(joined.url).toContain(`/app/orgs/${acme.organization.id}`)
    expect(await acme.owner.api.listMembersInOrganizationById({ params: acme.params })).toMatchObject({ count: 2 })
  })

  test('accepts only addresses of the domains of the provider', async () => {
    const user = await makeAccount(server, `ada.${newId()}@corp.example`)
    const outsider = await server.person()
    expect((await signInWith('limited', newPerson(outsider.email))).status).toBe(403)
    expect((await signInWith('limited', newPerson(`x@sub.corp.example`))).status).toBe(403)
    const trusted = { ...newPerson(user.email), email_verified: false }
    expect((await signInWith('limited', trusted)).url).toBe(`${server.url}/app`)
  })

  test('can be connected and disconnected on the account page, also with another address', async () => {
    const user = await server.person()
    const { browser, account } = await signUp(server, user.id)
    const person = { ...newPerson(), email_verified: false }
    const done = await oidc.connect(browser, account, person)
    expect(done.html).toContain('The account was connected.')
    const other = new FormBrowser(server.url)
    await signInWith('real', person, { browser: other })
    expect((await other.open('/account')).html).toContain(user.email)
    await browser.submit(done, '/account/identities/real/delete')
    expect((await signInWith('real', person)).status).toBe(403)
  })

  test('that connects an account is refused when another user has signed in since', async () => {
    const [user, second] = [await server.person(), await server.person()]
    await signUp(server, second.id)
    const { browser, account } = await signUp(server, user.id)
    const page = await browser.submit(account, '/account/identities/real')
    oidc.real.person = newPerson()
    const callback = await oidc.authorize(findAuthorizationUrl(page))
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

test('forms that connect an account need the proof of the page', async () => {
  const user = await server.person()
  const { browser, account } = await signUp(server, user.id)
  const fields = { ...findFields(account.html, '/account/identities/real'), proof: '' }
  expect((await browser.post('/account/identities/real', fields)).status).toBe(403)
  expect((await browser.cookies.open(`${server.url}/account/identities/real`)).status).toBe(405)
})
