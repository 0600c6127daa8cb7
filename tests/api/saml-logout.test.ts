import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hours } from '../../src/kernel/time.ts'
import { IdentityProvider, decodeRedirect, encode } from '../support/identity-provider.ts'
import { makeOrganization } from '../support/organization.ts'
import { addProvider, postResponse, signInWithSaml } from '../support/saml.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { findFields } from '../support/sign-in.ts'

let octavo: TestServer
const okta = new IdentityProvider('okta')
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

describe('Single logout', () => {
  test('of the identity provider ends the sessions that it names', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta, { logoutURL: okta.logoutURL })
    const nameID = 'lea@acme.example'
    const first = await signInWithSaml(octavo, provider, okta, { nameID, sessionIndex: 's1' })
    const second = await signInWithSaml(octavo, provider, okta, { nameID, sessionIndex: 's2' })
    const other = await signInWithSaml(octavo, provider, okta, { nameID: 'max@acme.example', sessionIndex: 's1' })
    const isSignedIn = async ({ browser }: typeof first) => !(await browser.open('/account')).url.includes('/login')
    const states = async () => [await isSignedIn(first), await isSignedIn(second), await isSignedIn(other)]
    const target = `${octavo.url}/saml/${provider.id}/logout`
    const logout = (sessionIndex?: string) =>
      okta.logoutUrl(target, { nameID, now: octavo.clock.now(), ...(sessionIndex && { sessionIndex }) }, 'state')
    const stranger = new IdentityProvider('stranger')
    const foreign = stranger.logoutUrl(target, { nameID, now: octavo.clock.now() })
    const unsigned = logout().replace(/&SigAlg=.*/, '')
    const weak = logout().replace('xmldsig-more%23rsa-sha256', 'xmldsig%23rsa-sha1')
    const changed = logout().replace('RelayState=state', 'RelayState=other')
    const repeated = `${logout()}&SAMLRequest=x`
    const old = okta.logoutUrl(target, { nameID, now: octavo.clock.now() - hours(1) })
    const elsewhere = okta.logoutUrl(target, { nameID, now: octavo.clock.now() }).replace(provider.id, 'unknown')
    for (const url of [foreign, unsigned, weak, changed, repeated, old, elsewhere])
      expect((await fetch(url, { redirect: 'manual' })).status).toBeOneOf([400, 404])
    expect(await states()).toEqual([true, true, true])

    const reply = await fetch(logout('s1'), { redirect: 'manual' })
    const { url, xml, relayState } = decodeRedirect(reply.headers.get('location') ?? '')
    expect([url.origin + url.pathname, relayState]).toEqual([okta.logoutURL, 'state'])
    expect(xml).toMatch(/<samlp:LogoutResponse .*status:Success/)
    expect(await states()).toEqual([false, true, true])
    await fetch(logout(), { redirect: 'manual' })
    expect(await states()).toEqual([false, false, true])
  })

  test('of the identity provider is also accepted as a form, if the whole request is signed', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta, { logoutURL: okta.logoutURL })
    const nameID = 'ida@acme.example'
    const first = await signInWithSaml(octavo, provider, okta, { nameID, sessionIndex: 's1' })
    const second = await signInWithSaml(octavo, provider, okta, { nameID, sessionIndex: 's2' })
    const isSignedIn = async ({ browser }: typeof first) => !(await browser.open('/account')).url.includes('/login')
    const target = `${octavo.url}/saml/${provider.id}/logout`
    const post = (fields: Record<string, string>) =>
      fetch(target, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
    const now = octavo.clock.now()
    const signed = okta.logoutXml(target, { nameID, now })
    const [signature = ''] = /<ds:Signature[^]*<\/ds:Signature>/.exec(signed) ?? []
    const unsigned = signed.replace(signature, '')
    const wrapped = unsigned.replace(/ID="[^"]*"/, 'ID="_evil"').replace('</p:LogoutRequest>', `<p:X>${signed}</p:X>$&`)
    const refused = {
      unsigned,
      wrapped,
      foreign: new IdentityProvider('stranger').logoutXml(target, { nameID, now }),
      changed: okta.logoutXml(target, { nameID: 'x@acme.example', now }).replace('x@acme.example', nameID),
      added: signed.replace('</p:LogoutRequest>', '<p:SessionIndex>s9</p:SessionIndex>$&'),
      old: okta.logoutXml(target, { nameID, now: now - hours(1) }),
      elsewhere: okta.logoutXml(`${target}/other`, { nameID, now }),
      twice: signed.replace(signature, signature + signature),
      response: okta.respondXml(provider.service, { nameID, now }),
    }
    for (const [attack, xml] of Object.entries(refused))
      expect([attack, (await post({ SAMLRequest: encode(xml) })).status]).toEqual([attack, 400])
    for (const SAMLRequest of ['', 'x']) expect((await post({ SAMLRequest })).status).toBe(400)
    expect((await post({})).status).toBe(400)
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([true, true])

    const xml = okta.logoutXml(target, { nameID, sessionIndex: 's1', now: octavo.clock.now() })
    const reply = await post({ SAMLRequest: encode(xml), RelayState: 'state' })
    const answer = decodeRedirect(reply.headers.get('location') ?? '')
    expect([answer.url.origin + answer.url.pathname, answer.relayState]).toEqual([okta.logoutURL, 'state'])
    expect(answer.xml).toMatch(/<samlp:LogoutResponse .*status:Success/)
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true])
    expect((await post({ SAMLResponse: encode('<x/>') })).headers.get('location')).toBe('/login')
    const metadata = await (await octavo.fetch(new URL(provider.service.entityID).pathname)).text()
    expect(metadata).toContain(`bindings:HTTP-POST" Location="${target}"`)
  })

  test('of this server ends the session at the identity provider', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta, { logoutURL: okta.logoutURL })
    const { browser } = await signInWithSaml(octavo, provider, okta, { nameID: 'lou@acme.example' })
    const page = await browser.open('/account')
    expect(page.reply.headers.get('content-security-policy')).toContain(new URL(okta.logoutURL).origin)
    const reply = await browser.post('/logout', findFields(page.html, '/logout'))
    const { url, xml } = decodeRedirect(reply.headers.get('location') ?? '')
    expect(url.href).toContain(`${okta.logoutURL}?SAMLRequest=`)
    expect(xml).toMatch(/<saml:NameID>lou@acme\.example<\/saml:NameID><samlp:SessionIndex>session</)
    expect((await browser.open('/account')).url).toContain('/login')
    // Without a logout URL, only the session of this server ends.
    const plain = await addProvider(acme, okta)
    const other = await signInWithSaml(octavo, plain, okta, { nameID: 'lou2@acme.example' })
    const account = await other.browser.open('/account')
    const local = await other.browser.post('/logout', findFields(account.html, '/logout'))
    expect(local.headers.get('location')).toBe('/login')
  })

  test('deleting a provider ends its sessions and forgets its people', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta)
    const { browser } = await signInWithSaml(octavo, provider, okta, { nameID: 'pat@acme.example' })
    const params = { ...acme.params, samlProviderId: provider.id }
    await acme.owner.api.deleteOrganizationSamlProvider({ params })
    expect((await browser.open('/account')).url).toContain('/login')
    expect((await postResponse(provider, encode('<x/>'))).status).toBe(404)
  })
})
