import { GitBookAPI, MemberRole } from '@gitbook/api'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { saml } from '../../src/contract/saml.ts'
import { IdentityProvider } from '../support/identity-provider.ts'
import { OfficialSchemas } from '../support/official-schemas.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Calls all operations on SAML providers with the published client and validates the replies.

let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

test('the official client has all operations but that which reads metadata', () => {
  expectTypeOf<Exclude<keyof typeof saml, keyof GitBookAPI['orgs']>>().toEqualTypeOf<'readSamlMetadata'>()
})

test('all replies match the schemas of the public API', async () => {
  const { orgs } = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const { organizationId } = octavo.admin
  const schemas = new OfficialSchemas()
  async function check<Data>(
    name: keyof typeof saml,
    call: Promise<{ data: Data }>,
    { status = 200, problems = [] as string[] } = {},
  ): Promise<Data> {
    const { data } = await call
    const officialName = name.replace('Saml', 'SAML').replace('Sso', 'SSO')
    expect([name, schemas.problemsOf(officialName, status, data)]).toEqual([name, problems])
    return data
  }
  const team = await octavo.admin.api.createOrganizationTeam({ params: { organizationId }, body: { title: 'Team' } })
  const created = await check(
    'createOrganizationSamlProvider',
    orgs.createOrganizationSamlProvider(organizationId, { label: 'Okta', defaultTeam: team.id }),
    // The schema has no value for a URL that is not set yet.
    { status: 201, problems: ['/ssoURL: must match format "uri" {"format":"uri"}'] },
  )
  expect(created).toMatchObject({ status: 'pending', defaultTeam: { id: team.id } })
  const { settings } = new IdentityProvider('okta')
  const updated = await check(
    'updateOrganizationSamlProvider',
    orgs.updateOrganizationSamlProvider(organizationId, created.id, { ...settings, defaultRole: MemberRole.Edit }),
  )
  expect(updated).toMatchObject({ ...settings, status: 'active', defaultRole: 'edit' })
  expect(
    await check('getOrganizationSamlProviderById', orgs.getOrganizationSamlProviderById(organizationId, created.id)),
  ).toEqual(updated)
  const list = await check(
    'listSamlProvidersInOrganizationById',
    orgs.listSamlProvidersInOrganizationById(organizationId),
  )
  expect(list.items).toEqual([updated])
  const logins = await check(
    'listSsoProviderLoginsInOrganization',
    orgs.listSsoProviderLoginsInOrganization(organizationId),
  )
  expect(logins.items).toEqual([{ id: created.id, label: 'Okta', startURL: updated.service.startURL }])
  await orgs.deleteOrganizationSamlProvider(organizationId, created.id)
})
