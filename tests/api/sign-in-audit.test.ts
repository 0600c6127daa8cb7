import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minutes } from '../../src/kernel/time.ts'
import { IdentityProvider, encode } from '../support/identity-provider.ts'
import { type OidcServer, newPerson, startOidcServer } from '../support/oidc-sign-in.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { addProvider, postResponse, signInWithSaml } from '../support/saml.ts'
import type { TestServer } from '../support/server.ts'
import { FormBrowser, signIn, signUp } from '../support/sign-in.ts'

let oidc: OidcServer
let octavo: TestServer
const okta = new IdentityProvider('okta')
beforeAll(async () => {
  oidc = await startOidcServer()
  octavo = oidc.server
})
afterAll(() => oidc.stop())

/** Returns the events of an organization with an action in the order in which they happened, with their details. */
async function listEvents({ owner, params }: TestOrganization, action: string) {
  const { items } = await owner.api.listOrganizationAuditEvents({ params, query: { action, limit: 100 } })
  const events = items
    .toReversed()
    .map(({ id }) => owner.api.getOrganizationAuditEvent({ params: { ...params, auditEventId: id } }))
  return Promise.all(events)
}

describe('A failed sign-in with SAML', () => {
  test('is an event of the organization of the provider, with the reason', async () => {
    const acme = await makeOrganization(octavo)
    const elsewhere = await makeOrganization(octavo, 'Elsewhere')
    const provider = await addProvider(acme, okta)
    const stranger = new IdentityProvider('stranger')
    await signInWithSaml(octavo, provider, stranger, { nameID: 'eve@acme.example', issuer: okta.entityID })
    await signInWithSaml(octavo, provider, okta, { nameID: elsewhere.owner.email })
    const member = 'gone@acme.example'
    await signInWithSaml(octavo, provider, okta, { nameID: member })
    await octavo.server.app.database.transaction((db) =>
      db.updateTable('members').set({ disabled: 1 }).where('role', '!=', 'admin').execute(),
    )
    await signInWithSaml(octavo, provider, okta, { nameID: member })

    const events = await listEvents(acme, 'user.sign-in-failed')
    const target = { type: 'saml-provider', id: provider.id }
    const of = (email: string | undefined, reason: RegExp) => ({
      target,
      payload: { after: { method: 'saml', ...(email && { email }), reason: expect.stringMatching(reason) } },
    })
    expect(events).toMatchObject([
      of(undefined, /signature|certificate/),
      of(elsewhere.owner.email, /Sign in to it without SSO/),
      of(member, /is disabled/),
    ])
    expect(await listEvents(elsewhere, 'user.sign-in-failed')).toEqual([])
  })

  test('is recorded a limited number of times, because anyone can send responses', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta)
    for (let round = 0; round < 22; round++) expect((await postResponse(provider, encode('<x/>'))).status).toBe(400)
    expect(await listEvents(acme, 'user.sign-in-failed')).toHaveLength(20)
    octavo.clock.advance(minutes(16))
    await postResponse(provider, encode('<x/>'))
    expect(await listEvents(acme, 'user.sign-in-failed')).toHaveLength(21)
  })
})

describe('A failed sign-in with OpenID Connect', () => {
  test('is an event of the organizations of the account whose address the provider has verified', async () => {
    const acme = await makeOrganization(octavo)
    await oidc.signInWith('real', newPerson(acme.owner.email))
    expect((await oidc.signInWith('real', newPerson(acme.owner.email))).status).toBe(409)
    expect((await oidc.signInWith('real', { ...newPerson(acme.owner.email), email_verified: false })).status).toBe(403)
    const events = await listEvents(acme, 'user.sign-in-failed')
    expect(events).toMatchObject([
      { target: { id: acme.owner.id }, payload: { after: { method: 'oidc', provider: 'real' } } },
    ])
  })

  test('of an unknown person is visible for the operator only', async () => {
    const { email, ...person } = newPerson()
    await oidc.signInWith('real', { ...person, email })
    await oidc.signInWith('real', undefined)
    const { reader } = octavo.server.app.database
    const rows = await reader
      .selectFrom('audit_events')
      .select(['organization_id', 'target_title', 'after_values'])
      .where('action', '=', 'user.sign-in-failed')
      .where('target_id', '=', 'unknown')
      .orderBy('id')
      .execute()
    expect(rows.slice(-2)).toMatchObject([
      { organization_id: null, target_title: email, after_values: expect.stringContaining('There is no account') },
      { organization_id: null, target_title: 'unknown', after_values: expect.stringContaining('aborted') },
    ])
  })
})

test('connecting and disconnecting an OpenID Connect identity, and removing a password, are events', async () => {
  const acme = await makeOrganization(octavo)
  const { owner } = acme
  const { browser, account } = await signUp(octavo, owner.id)
  const connected = await oidc.connect(browser, account, newPerson())
  expect(await listEvents(acme, 'identity.connect')).toMatchObject([
    { actor: { id: owner.id }, target: { type: 'user', id: owner.id }, payload: { after: { provider: 'real' } } },
  ])
  const disconnected = await browser.submit(connected, '/account/identities/real/delete')
  expect(await listEvents(acme, 'identity.disconnect')).toHaveLength(1)
  await oidc.connect(browser, disconnected, newPerson())
  await browser.submit(await browser.open('/account'), '/account/password/remove')
  expect(await listEvents(acme, 'password.remove')).toHaveLength(1)
  expect((await signIn(octavo, owner.email)).page.status).toBe(401)
})

test('the first sign-in with a verified address connects the identity', async () => {
  const acme = await makeOrganization(octavo)
  const person = newPerson(acme.owner.email)
  for (let round = 0; round < 2; round++)
    await oidc.signInWith('real', person, { browser: new FormBrowser(octavo.url) })
  expect(await listEvents(acme, 'identity.connect')).toMatchObject([{ actor: { id: acme.owner.id } }])
})
