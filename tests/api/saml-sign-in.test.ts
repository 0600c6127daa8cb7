import { X509Certificate, createVerify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minutes } from '../../src/kernel/time.ts'
import { IdentityProvider, decodeRedirect } from '../support/identity-provider.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { addProvider, createTokenInSession, postResponse, signInWithSaml, startSaml } from '../support/saml.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { FormBrowser, findFields, signUp } from '../support/sign-in.ts'

let octavo: TestServer
const okta = new IdentityProvider('okta')
/** Provider that is configured but never requested. */
const oidcProvider = {
  id: 'acme',
  label: 'Acme',
  issuer: 'http://127.0.0.1:9',
  clientId: 'octavo',
  clientSecret: 'secret',
}

beforeAll(async () => void (octavo = await startTestServer({ OCTAVO_OIDC: JSON.stringify([oidcProvider]) })))
afterAll(() => octavo.stop())

/** Returns the member with an email address, as an administrator sees it. */
async function findMember({ owner, params }: TestOrganization, email: string) {
  const { items } = await owner.api.listMembersInOrganizationById({ params, query: { search: email } })
  return items[0]
}

describe('A person who signs in', () => {
  test('becomes a member with the default role and team, and is recognized by the NameID later', async () => {
    const acme = await makeOrganization(octavo)
    const team = await acme.team('Writers')
    const provider = await addProvider(acme, okta, { defaultRole: 'edit', defaultTeam: team.id })
    const person = { nameID: 'u-1', attributes: { email: 'Ada@Acme.example', firstName: 'Ada', lastName: 'Lovelace' } }
    const { browser, page } = await signInWithSaml(octavo, provider, okta, person, { next: '/account?done=session' })
    expect(page).toMatchObject({ status: 200, url: `${octavo.url}/account?done=session` })
    expect(page.html).toContain('Ada Lovelace')
    const member = await findMember(acme, 'ada@acme.example')
    expect(member).toMatchObject({ role: 'edit', sso: true, teams: 1, user: { displayName: 'Ada Lovelace' } })

    const { api } = await createTokenInSession(octavo, browser)
    expect((await api.listOrganizationsForAuthenticatedUser({ query: {} })).items).toMatchObject([
      { id: acme.organization.id },
    ])

    const renamed = { nameID: 'u-1', attributes: { email: 'ada.king@acme.example', displayName: 'Ada King' } }
    const again = await signInWithSaml(octavo, provider, okta, renamed)
    expect((await again.browser.open('/account')).html).toContain('Ada King')
    expect(await findMember(acme, 'ada.king@acme.example')).toMatchObject({ id: member?.id, role: 'edit' })
    // An address of another account is not taken.
    const taken = await octavo.person('Taken')
    await signInWithSaml(octavo, provider, okta, { nameID: 'u-1', attributes: { email: taken.email } })
    expect(await findMember(acme, 'ada.king@acme.example')).toMatchObject({ id: member?.id })
  })

  test('uses the invite of the email address if its role is higher', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta, { defaultRole: 'read' })
    const email = 'invited@acme.example'
    await acme.owner.api.inviteUsersToOrganization({
      params: acme.params,
      body: { emails: [{ email, role: 'review' }] },
    })
    await signInWithSaml(octavo, provider, okta, { nameID: email })
    expect(await findMember(acme, email)).toMatchObject({ role: 'review', sso: true })
    const invites = await acme.owner.api.listEmailInvites({ params: acme.params, query: {} })
    expect(invites.items).toEqual([])
  })

  test('is refused if the membership is disabled, or without an email address or a lasting NameID', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta)
    const email = 'gone@acme.example'
    await signInWithSaml(octavo, provider, okta, { nameID: email })
    await octavo.server.app.database.transaction((db) =>
      db.updateTable('members').set({ disabled: 1 }).where('organization_id', '=', acme.organization.id).execute(),
    )
    const disabled = await signInWithSaml(octavo, provider, okta, { nameID: email })
    expect(disabled.page.status).toBe(403)
    expect(disabled.page.html).toContain('is disabled')
    const other = await addProvider(await makeOrganization(octavo), okta)
    const noEmail = await signInWithSaml(octavo, other, okta, { nameID: 'somebody' })
    expect(noEmail.page.status).toBe(400)
    expect(noEmail.page.html).toContain('did not send an email address')
    const several = { nameID: 'x', attributes: { email: ['a@acme.example', 'b@acme.example'] } }
    expect((await signInWithSaml(octavo, other, okta, several)).page.status).toBe(400)
    const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
    const unknown = await signInWithSaml(octavo, other, okta, { nameID: email, nameIDFormat: transient })
    expect(unknown.page.html).toContain('transient')
  })

  test('sees the error of the identity provider, or that the provider is not configured', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta)
    const statusCode = 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed'
    const failed = await signInWithSaml(octavo, provider, okta, { nameID: 'a@acme.example', statusCode })
    expect(failed.page.status).toBe(400)
    expect(failed.page.html).toContain('did not sign you in (AuthnFailed)')
    const pending = await addProvider(acme, okta, { certificate: '' })
    const page = await new FormBrowser(octavo.url).open(`/saml/${pending.id}/start`)
    expect([page.status, page.html.includes('not configured yet')]).toEqual([409, true])
    expect((await new FormBrowser(octavo.url).open('/saml/unknown/start')).status).toBe(404)
  })
})

describe('The request to the identity provider', () => {
  test('states where the response goes, and is signed when this is set', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta, { ssoURL: `${okta.ssoURL}?tenant=1`, signRequests: true })
    const browser = new FormBrowser(octavo.url)
    const reply = await browser.cookies.open(provider.service.startURL)
    const { url, xml } = decodeRedirect(reply.headers.get('location') ?? '')
    expect(url.href).toMatch(/^https:\/\/okta\.example\/sso\?tenant=1&SAMLRequest=/)
    expect(xml).toContain(`AssertionConsumerServiceURL="${provider.service.acsURL}"`)
    expect(xml).toContain(`<saml:Issuer>${provider.service.entityID}</saml:Issuer>`)

    const metadata = await (await octavo.fetch(new URL(provider.service.entityID).pathname)).text()
    expect(metadata).toContain('AuthnRequestsSigned="true" WantAssertionsSigned="true"')
    expect(metadata).toContain(`Location="${provider.service.acsURL}"`)
    const certificate = new X509Certificate(
      Buffer.from(/<ds:X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? '', 'base64'),
    )
    const [signed = '', signature = ''] = url.search.slice('?tenant=1&'.length).split('&Signature=')
    const verifier = createVerify('sha256').update(signed)
    expect(verifier.verify(certificate.publicKey, Buffer.from(decodeURIComponent(signature), 'base64'))).toBe(true)
    await acme.owner.api.updateOrganizationSamlProvider({
      params: { ...acme.params, samlProviderId: provider.id },
      body: { signRequests: false },
    })
    const plain = await browser.cookies.open(provider.service.startURL)
    expect(plain.headers.get('location')).not.toContain('Signature=')
  })

  test('can be completed only once, in time, and in the browser that started it', async () => {
    const provider = await addProvider(await makeOrganization(octavo), okta)
    const respond = (inResponseTo: string) =>
      okta.respond(provider.service, { nameID: 'eve@acme.example', now: octavo.clock.now(), inResponseTo })
    const browser = new FormBrowser(octavo.url)
    const reply = await postResponse(provider, respond(await startSaml(browser, provider)))
    const finish = reply.headers.get('location') ?? ''
    expect(reply.headers.getSetCookie()).toEqual([])
    // Login CSRF: the response of an attacker does not sign in the browser of somebody else.
    const foreign = await new FormBrowser(octavo.url).open(finish)
    expect([foreign.status, foreign.html.includes('started in another browser')]).toEqual([400, true])
    expect((await browser.open(finish)).url).toBe(`${octavo.url}/app`)
    expect((await browser.open(finish)).status).toBe(400)

    const late = await startSaml(browser, provider)
    octavo.clock.advance(minutes(16))
    expect((await postResponse(provider, respond(late))).status).toBe(400)
    const answered = await postResponse(provider, respond(await startSaml(browser, provider)))
    octavo.clock.advance(minutes(6))
    expect((await browser.open(answered.headers.get('location') ?? '')).status).toBe(400)
    expect((await postResponse(provider, respond('_unknown'))).status).toBe(400)
  })

  test('is needed unless the provider allows to start at the identity provider', async () => {
    const acme = await makeOrganization(octavo)
    const strict = await addProvider(acme, okta)
    const open = await addProvider(acme, okta, { allowIdpInitiated: true })
    const respond = ({ service }: typeof strict) =>
      okta.respond(service, { nameID: 'kim@acme.example', now: octavo.clock.now() })
    const refused = await postResponse(strict, respond(strict))
    expect([refused.status, (await refused.text()).includes('Open the start link')]).toEqual([400, true])
    const browser = new FormBrowser(octavo.url)
    const accepted = await postResponse(open, respond(open), { RelayState: '/account?done=session' })
    const page = await browser.open(accepted.headers.get('location') ?? '')
    expect(page.url).toBe(`${octavo.url}/account?done=session`)
  })

  test('leads back to a path of this server only: RelayState and next are no open redirects', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta, { allowIdpInitiated: true })
    for (const target of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/%09/x\n',
    ]) {
      const person = { nameID: 'joe@acme.example' }
      const started = await signInWithSaml(octavo, provider, okta, person, { next: target })
      const encoded = okta.respond(provider.service, { ...person, now: octavo.clock.now() })
      const reply = await postResponse(provider, encoded, { RelayState: target })
      const initiated = await new FormBrowser(octavo.url).open(reply.headers.get('location') ?? '')
      expect([target, started.page.url, initiated.url]).toEqual([target, `${octavo.url}/app`, `${octavo.url}/app`])
    }
  })
})

describe('An existing account with the email address', () => {
  test('is connected if it belongs to this organization only, or has a domain of it and no organization', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta)
    const member = await acme.member('create')
    const { page } = await signInWithSaml(octavo, provider, okta, { nameID: member.email, attributes: { cn: 'X' } })
    expect(page.url).toBe(`${octavo.url}/app`)
    // The name of an account that the provider did not create is not changed.
    expect(await acme.getMembership(member)).toMatchObject({ role: 'create', user: { displayName: 'Member' } })

    const loose = await octavo.person('Loose')
    expect((await signInWithSaml(octavo, provider, okta, { nameID: loose.email })).page.status).toBe(403)
    await acme.owner.api.updateOrganizationById({ params: acme.params, body: { emailDomains: ['example.com'] } })
    expect((await signInWithSaml(octavo, provider, okta, { nameID: loose.email })).page.status).toBe(200)
    expect(await acme.getMembership(loose)).toMatchObject({ sso: true })
  })

  test('a provider of another organization that states a foreign email address cannot take the account over', async () => {
    const victim = await makeOrganization(octavo, 'Victim')
    const evil = await makeOrganization(octavo, 'Evil')
    const provider = await addProvider(evil, okta)
    const target = victim.owner
    // The administrators of the other organization declare the domain and add the account, without the consent of its owner.
    await evil.owner.api.updateOrganizationById({ params: evil.params, body: { emailDomains: ['example.com'] } })
    await evil.add(target, 'admin')
    const attempt = await signInWithSaml(octavo, provider, okta, { nameID: target.email })
    expect([attempt.page.status, attempt.page.html.includes('Sign in to it without SSO')]).toEqual([403, true])
    expect((await attempt.browser.open('/account')).url).toContain('/login')
  })

  test('is connected by its owner with consent, and the identity provider opens only its own organization', async () => {
    const acme = await makeOrganization(octavo)
    const elsewhere = await makeOrganization(octavo, 'Elsewhere')
    const provider = await addProvider(acme, okta)
    const { owner } = elsewhere
    const { browser } = await signUp(octavo, owner.id)
    const consent = await signInWithSaml(octavo, provider, okta, { nameID: owner.email }, { browser })
    expect(consent.page.html).toContain('Connect your account')
    expect(await findMember(acme, owner.email)).toBeUndefined()
    const page = await browser.submit(consent.page, `/saml/${provider.id}/finish`)
    expect(page.url).toBe(`${octavo.url}/app`)
    expect(await findMember(acme, owner.email)).toMatchObject({ id: owner.id })

    // From now on the provider can sign in as this person, so its sessions must not open other organizations.
    const session = await signInWithSaml(octavo, provider, okta, { nameID: owner.email })
    const { api } = await createTokenInSession(octavo, session.browser)
    const organizations = await api.listOrganizationsForAuthenticatedUser({ query: {} })
    expect([organizations.count, organizations.items.map(({ id }) => id)]).toEqual([1, [acme.organization.id]])
    const space = await elsewhere.space('Secret')
    const denied = [
      () => api.getOrganizationById({ params: elsewhere.params }),
      () => api.getSpaceById({ params: { spaceId: space.id } }),
      () => api.createOrganization({ body: { title: 'More' } }),
      () => api.joinOrganization({ params: elsewhere.params }),
      () => api.updateUserById({ params: { userId: owner.id }, body: { displayName: 'Renamed' } }),
    ]
    for (const call of denied) await expect(call()).rejects.toMatchObject({ status: 403 })
    // Tokens that were created without SSO are neither listed nor revocable.
    expect((await api.listTokens({ query: {} })).items.map(({ label }) => label)).toEqual(['Session'])
    // Neither can the session add a password, which would open everything.
    const account = await session.browser.open('/account')
    expect(account.html).not.toContain('action="/account/password"')
    const fields = { ...findFields(account.html, '/logout'), password: 'a new good password', current: '' }
    const password = await session.browser.post('/account/password', fields)
    expect(password.status).toBe(403)
    // Nor another identity or factor.
    for (const path of ['/account/identities/acme', '/account/authenticator-app', '/account/recovery-codes'])
      expect([path, (await session.browser.post(path, fields)).status]).toEqual([path, 403])
  })
})
