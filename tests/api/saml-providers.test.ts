import { afterAll, beforeAll, expect, test } from 'vitest'
import { days, hours } from '../../src/kernel/time.ts'
import { createSelfSignedCertificate } from '../../src/saml/self-signed.ts'
import { IdentityProvider } from '../support/identity-provider.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'
import { takeRsaKey } from '../support/rsa-keys.ts'
import { serveWebsite } from '../support/website-server.ts'

let octavo: TestServer
let acme: TestOrganization
const okta = new IdentityProvider('okta')
beforeAll(async () => {
  octavo = await startTestServer()
  acme = await makeOrganization(octavo)
})
afterAll(() => octavo.stop())

const create = (body: { label: string } & Record<string, unknown>) =>
  acme.owner.api.createOrganizationSamlProvider({ params: acme.params, body })
const update = (samlProviderId: string, body: Record<string, unknown>) =>
  acme.owner.api.updateOrganizationSamlProvider({ params: { ...acme.params, samlProviderId }, body })

test('a provider is pending until it is configured, and then listed as a way to sign in', async () => {
  const team = await acme.team('Writers')
  const created = await create({ label: ' Okta ', defaultTeam: team.id, defaultRole: 'edit' })
  const base = `${octavo.url}/saml/${created.id}`
  expect(created).toEqual({
    object: 'saml-provider',
    id: created.id,
    label: 'Okta',
    ssoURL: '',
    entityID: '',
    certificate: '',
    defaultTeam: team,
    defaultRole: 'edit',
    createdAt: created.createdAt,
    status: 'pending',
    service: { acsURL: `${base}/acs`, startURL: `${base}/start`, entityID: `${base}/metadata` },
    signRequests: false,
    allowIdpInitiated: false,
    urls: { location: `${octavo.url}/v1/orgs/${acme.organization.id}/saml/${created.id}` },
  })
  const listLogins = async (): Promise<unknown> => (await octavo.fetch(`/v1/orgs/${acme.organization.id}/sso`)).json()
  expect(await listLogins()).toEqual({ items: [] })

  await update(created.id, { entityID: okta.entityID, ssoURL: okta.ssoURL })
  const updated = await update(created.id, { certificate: okta.certificate, defaultTeam: null, defaultRole: null })
  expect(updated).toMatchObject({
    ...okta.settings,
    status: 'active',
    defaultRole: null,
    certificateExpiresAt: '2040-01-01T00:00:00.000Z',
  })
  expect(updated.defaultTeam).toBeUndefined()
  const params = { ...acme.params, samlProviderId: created.id }
  expect(await acme.owner.api.getOrganizationSamlProviderById({ params })).toEqual(updated)
  expect(await listLogins()).toEqual({ items: [{ id: created.id, label: 'Okta', startURL: `${base}/start` }] })
  expect(await (await octavo.fetch('/v1/orgs/unknown/sso')).json()).toEqual({ items: [] })

  await acme.owner.api.deleteOrganizationSamlProvider({ params })
  await acme.owner.api.deleteOrganizationSamlProvider({ params })
  expect(await refusal(acme.owner.api.getOrganizationSamlProviderById({ params }))).toBe('404')
  expect(await refusal(update(created.id, { label: 'Other' }))).toBe('404')
  expect(await listLogins()).toEqual({ items: [] })
})

test('metadata configures a provider, and fields of the request take precedence', async () => {
  const keycloak = new IdentityProvider('keycloak')
  const fromMetadata = await create({ label: 'Keycloak', metadata: keycloak.metadata })
  expect(fromMetadata).toMatchObject({ ...keycloak.settings, logoutURL: keycloak.logoutURL, status: 'active' })
  const changed = await update(fromMetadata.id, {
    metadata: `<!-- Okta -->${okta.metadata}`,
    entityID: 'urn:own',
    logoutURL: null,
  })
  expect(changed).toMatchObject({ ...okta.settings, entityID: 'urn:own' })
  expect(changed.logoutURL).toBeUndefined()
})

test('certificates are accepted as base64 and as several PEM blocks', async () => {
  const next = new IdentityProvider('next', { until: new Date('2050-06-01') })
  const base64 = okta.certificate.replace(/-----[A-Z ]+-----|\n/g, '')
  expect(await create({ label: 'Bare', certificate: base64 })).toMatchObject({ certificate: okta.certificate })
  const both = await create({ label: 'Both', certificate: `${okta.certificate}\n\n${next.certificate}` })
  expect(both).toMatchObject({
    certificate: okta.certificate + next.certificate,
    certificateExpiresAt: '2050-06-01T00:00:00.000Z',
  })
  expect(await update(both.id, { certificate: '' })).toMatchObject({ certificate: '', status: 'pending' })
})

test('settings that are not valid are refused and change nothing', async () => {
  const provider = await create({ label: 'Strict', ...okta.settings })
  const weak = new IdentityProvider('weak', { bits: 1024 })
  const privateKey = takeRsaKey()
  const period = { from: new Date('2020-01-01'), until: new Date('2030-01-01') }
  const many = Array.from({ length: 6 }, (_, index) =>
    createSelfSignedCertificate(privateKey, { name: `c${index}`, ...period }),
  )
  const foreignTeam = await (await makeOrganization(octavo)).team('Foreign')
  const doctype = okta.metadata.replace('<EntityDescriptor', '<!DOCTYPE x [<!ENTITY a "b">]><EntityDescriptor')
  const deep = `${'<a>'.repeat(500)}${'</a>'.repeat(500)}`
  const cases: [Record<string, unknown>, string][] = [
    [{ label: '' }, '400 body.label'],
    [{ label: 'x'.repeat(31) }, '400 body.label'],
    [{ entityID: 'x'.repeat(1025) }, '400 body.entityID'],
    [{ ssoURL: 'http://okta.example/sso' }, '400 body.ssoURL'],
    [{ ssoURL: 'javascript:alert(1)' }, '400 body.ssoURL'],
    [{ ssoURL: 'https://user:secret@okta.example/sso' }, '400 body.ssoURL'],
    [{ logoutURL: 'http://127.0.0.1.okta.example/' }, '400 body.logoutURL'],
    [{ certificate: 'x'.repeat(10_001) }, '400 body.certificate'],
    [{ certificate: 'garbage !' }, '400 body.certificate'],
    [{ certificate: 'Z2FyYmFnZQ==' }, '400 body.certificate'],
    [{ certificate: `${okta.certificate} and more` }, '400 body.certificate'],
    [{ certificate: okta.privateKey }, '400 body.certificate'],
    [{ certificate: weak.certificate }, '400 body.certificate'],
    [{ certificate: many.join('') }, '400 body.certificate'],
    [{ defaultTeam: foreignTeam.id }, '404 body.defaultTeam'],
    [{ defaultRole: 'owner' }, '400 body.defaultRole'],
    [{ metadata: 'x'.repeat(100_001) }, '400 body.metadata'],
    [{ metadata: 'no xml' }, '400 body.metadata'],
    [{ metadata: doctype }, '400 body.metadata'],
    [{ metadata: deep }, '400 body.metadata'],
    [{ metadata: okta.metadata.replace('https://okta.example/sso"', 'http://okta.example/sso"') }, '400 body.metadata'],
    [{ metadata: weak.metadata }, '400 body.metadata'],
    [{ signRequests: 'yes' }, '400 body.signRequests'],
  ]
  for (const [body, expected] of cases)
    expect([Object.keys(body), await refusal(update(provider.id, body))]).toEqual([Object.keys(body), expected])
  const params = { ...acme.params, samlProviderId: provider.id }
  expect(await acme.owner.api.getOrganizationSamlProviderById({ params })).toEqual(provider)
  expect(await update(provider.id, { ssoURL: 'http://127.0.0.1:8080/sso' })).toMatchObject({
    ssoURL: 'http://127.0.0.1:8080/sso',
  })
})

test('providers of another organization can neither be read nor changed', async () => {
  const provider = await create({ label: 'Private', ...okta.settings })
  const other = await makeOrganization(octavo, 'Other')
  const params = { ...other.params, samlProviderId: provider.id }
  expect(await refusal(other.owner.api.getOrganizationSamlProviderById({ params }))).toBe('404')
  expect(await refusal(other.owner.api.updateOrganizationSamlProvider({ params, body: { label: 'Mine' } }))).toBe('404')
  await other.owner.api.deleteOrganizationSamlProvider({ params })
  const own = { ...acme.params, samlProviderId: provider.id }
  expect(await acme.owner.api.getOrganizationSamlProviderById({ params: own })).toEqual(provider)
  expect(await refusal(other.owner.api.getOrganizationSamlProviderById({ params: own }))).toBe('404')
})

test('an organization has a limited number of providers, which are listed in pages', async () => {
  const { owner, params } = await makeOrganization(octavo)
  for (let index = 0; index < 20; index++)
    await owner.api.createOrganizationSamlProvider({ params, body: { label: `P${index}` } })
  expect(await refusal(owner.api.createOrganizationSamlProvider({ params, body: { label: 'More' } }))).toBe('409')
  const first = await owner.api.listSamlProvidersInOrganizationById({ params, query: { limit: '15' } })
  expect([first.count, first.items.length]).toEqual([20, 15])
  const rest = await owner.api.listSamlProvidersInOrganizationById({ params, query: { page: first.next?.page ?? '' } })
  expect(rest.items.map(({ label }) => label)).toEqual(['P15', 'P16', 'P17', 'P18', 'P19'])
})

test('metadata is read from its URL, and nothing else is', async () => {
  const local = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  const { owner, params } = await makeOrganization(local)
  const website = await serveWebsite({
    '/metadata': { headers: { 'content-type': 'application/samlmetadata+xml' }, body: okta.metadata },
    '/secret': 'A secret of the network',
    '/large': '<x>'.repeat(50_000),
  })
  const read = (path: string) => owner.api.readSamlMetadata({ params, body: { url: `${website.url}${path}` } })
  const { metadata } = await read('/metadata')
  const provider = await owner.api.createOrganizationSamlProvider({ params, body: { label: 'Okta', metadata } })
  expect(provider).toMatchObject({ status: 'active', entityID: okta.entityID })
  for (const path of ['/secret', '/missing', '/large']) {
    const problem = await read(path).catch((error: Error) => error)
    expect(problem).toMatchObject({ status: 400 })
    expect(JSON.stringify(problem)).not.toContain('A secret')
  }
  const editor = await local.member('edit')
  const ofEditor = { organizationId: local.admin.organizationId }
  expect(await refusal(editor.api.readSamlMetadata({ params: ofEditor, body: { url: website.url } }))).toBe('403')
  // Private addresses are refused by default.
  const guarded = acme.owner.api.readSamlMetadata({ params: acme.params, body: { url: `${website.url}/metadata` } })
  expect(await refusal(guarded)).toBe('400 body.url')
})

test('metadata is read again from its URL every day, and what cannot be used changes nothing', async () => {
  const local = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  const { owner, params } = await makeOrganization(local)
  const [former, renewed] = [new IdentityProvider('okta'), new IdentityProvider('okta')]
  const expired = new IdentityProvider('okta', { until: new Date('2025-01-01') })
  const pages: Record<string, string> = { '/metadata': former.metadata }
  const metadataURL = `${(await serveWebsite(pages)).url}/metadata`
  // With a URL only, it is read in the background.
  const { id } = await owner.api.createOrganizationSamlProvider({ params, body: { label: 'Okta', metadataURL } })
  const ofProvider = { ...params, samlProviderId: id }
  const get = () => owner.api.getOrganizationSamlProviderById({ params: ofProvider })
  await expect.poll(get).toMatchObject({ ...former.settings, status: 'active', metadataURL })

  pages['/metadata'] = renewed.metadata
  local.clock.advance(days(1) + hours(1))
  await expect.poll(get, { timeout: 30_000 }).toMatchObject(renewed.settings)
  const query = { action: 'saml.update' }
  const { items } = await owner.api.listOrganizationAuditEvents({ params, query })
  expect(items.length).toBe(2)
  expect(items[0]?.actor.type).toBe('system')

  const unusable: [string, string][] = [
    ['<html>Not found</html>', 'must describe exactly one identity provider'],
    [new IdentityProvider('other').metadata, 'describes another identity provider'],
    [expired.metadata, 'has only certificates that have expired'],
    [renewed.metadata.replace('"https://okta.example/sso"', '"http://okta.example/sso"'), 'must begin with https://'],
  ]
  /** Reads other metadata at once. */
  const readAgain = async (body: string, expected: object) => {
    pages['/metadata'] = body
    await owner.api.updateOrganizationSamlProvider({ params: ofProvider, body: { metadataURL } })
    await expect.poll(get, { timeout: 30_000 }).toMatchObject(expected)
  }
  for (const [body, reason] of unusable) {
    const metadataError = expect.stringContaining(reason) as string
    await readAgain(body, { ...renewed.settings, status: 'active', metadataError })
  }
  // After the problem is solved, the error is gone.
  await readAgain(former.metadata, former.settings)
  expect((await get()).metadataError).toBeUndefined()
  const stopped = await owner.api.updateOrganizationSamlProvider({ params: ofProvider, body: { metadataURL: null } })
  expect([stopped.metadataURL, stopped.metadataCheckedAt]).toEqual([undefined, undefined])
})
