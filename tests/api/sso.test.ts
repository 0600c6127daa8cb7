import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../src/domain/users/accounts.ts'
import { createClient } from '../../src/client/client.ts'
import { newId } from '../../src/kernel/ids.ts'
import { IdentityProvider } from '../support/identity-provider.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { addProvider, createTokenInSession, signInWithSaml } from '../support/saml.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'
import { FormBrowser, signUp } from '../support/sign-in.ts'

let octavo: TestServer
const okta = new IdentityProvider('okta')
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

const listOrganizations = async (api: Person['api']) => {
  const { items, count } = await api.listOrganizationsForAuthenticatedUser({ query: {} })
  expect(items.length).toBe(count)
  return items.map(({ id }) => id).sort()
}

const requireSso = ({ owner, params }: TestOrganization, body: Record<string, unknown> = { sso: true }) =>
  owner.api.updateOrganizationById({ params, body })

describe('An organization that requires SSO', () => {
  test('is closed to members without SSO, who learn how to sign in, and hidden from others', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta)
    const member = await acme.member('admin')
    const own = await member.api.createOrganization({ body: { title: 'Own' } })
    const space = await acme.space('Space')
    const collection = await acme.collection('Collection')
    const site = await acme.owner.api.createSite({ params: acme.params, body: { title: 'Site', spaces: [] } })
    const hostname = `acme-${newId().slice(-8)}`
    await requireSso(acme, { sso: true, hostname, emailDomains: ['example.com'] })

    const { api } = member
    await expect(api.getOrganizationById({ params: acme.params })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining(`requires SSO. Sign in at ${provider.service.startURL}`),
    })
    const stranger = await octavo.person('Stranger')
    const calls: ((person: Person) => Promise<unknown>)[] = [
      (person) => person.api.getOrganizationById({ params: acme.params }),
      (person) => person.api.getSpaceById({ params: { spaceId: space.id } }),
      (person) => person.api.getCollectionById({ params: { collectionId: collection.id } }),
      (person) => person.api.getSiteById({ params: { ...acme.params, siteId: site.id } }),
      (person) => person.api.createSpace({ params: acme.params, body: { title: 'New' } }),
      (person) => person.api.updateOrganizationById({ params: acme.params, body: { sso: false } }),
    ]
    for (const call of calls)
      expect([await refusal(call(member)), await refusal(call(stranger))]).toEqual(['403', '404'])
    expect(await refusal(api.getSubdomain({ params: { subdomain: hostname } }))).toBe('404')
    const url = `${octavo.url}/app/spaces/${space.id}`
    expect(await refusal(api.getContentByUrl({ query: { url } }))).toBe('404')
    expect(await refusal(api.getUserById({ params: { userId: acme.owner.id } }))).toBe('404')
    const mine = await api.createSpace({ params: { organizationId: own.id }, body: { title: 'Mine' } })
    const transfer = { params: { spaceId: mine.id }, body: { organization: acme.organization.id } }
    expect(await refusal(api.transferSpace(transfer))).toBe('403')

    // Other organizations of the same person are not affected, and the organization can be found to sign in.
    expect(await listOrganizations(api)).toEqual([own.id])
    const found = await api.getOrganizationsForEmailDomain({ params: { emailDomain: 'example.com' } })
    const listed = found.organizations.find(({ id }) => id === acme.organization.id)
    expect(listed).toMatchObject({ sso: true, permissions: { view: false, admin: false } })
    expect(listed?.ssoAdministrator).toBeUndefined()

    // Sessions with a password are kept out too.
    const { browser, account } = await signUp(octavo, member.id)
    expect((await browser.call(account, `/orgs/${acme.organization.id}`)).status).toBe(403)
    expect((await browser.call(account, `/orgs/${own.id}`)).status).toBe(200)
  })

  test('is open to sessions of its identity provider and to tokens that are created in them', async () => {
    const acme = await makeOrganization(octavo)
    const other = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta)
    await addProvider(other, okta)
    await requireSso(acme)
    await requireSso(other)
    const member = await acme.member('edit')
    const { browser } = await signInWithSaml(octavo, provider, okta, { nameID: member.email })
    const account = await browser.open('/account')
    expect((await browser.call(account, `/orgs/${acme.organization.id}`)).status).toBe(200)
    const { api } = await createTokenInSession(octavo, browser)
    expect(await listOrganizations(api)).toEqual([acme.organization.id])
    // A token that is created with such a token is limited in the same way.
    const { token } = await api.createToken({ body: { label: 'Second' } })
    const second = createClient({ url: octavo.url, token })
    expect(await listOrganizations(second)).toEqual([acme.organization.id])
    await other.add(member, 'read')
    expect(await listOrganizations(second)).toEqual([acme.organization.id])
    expect(await refusal(second.getOrganizationById({ params: other.params }))).toBe('403')
    expect(await refusal(member.api.getOrganizationById({ params: acme.params }))).toBe('403')
  })

  test('is open to tokens of the operator', async () => {
    const acme = await makeOrganization(octavo)
    await requireSso(acme)
    const member = await acme.member('read')
    const making = { newId, now: () => new Date(octavo.clock.now()).toISOString() }
    const { token } = await octavo.server.app.database.transaction((db) =>
      createToken(db, making, { userId: member.id, label: 'Operator', isFromOperator: true }),
    )
    const api = createClient({ url: octavo.url, token })
    expect(await listOrganizations(api)).toEqual([acme.organization.id])
    expect(await listOrganizations(member.api)).toEqual([])
    // Tokens that are created with it are not.
    const child = await api.createToken({ body: { label: 'Child' } })
    expect(await listOrganizations(createClient({ url: octavo.url, token: child.token }))).toEqual([])
  })

  test('can be turned on without a provider, and says so', async () => {
    const acme = await makeOrganization(octavo)
    const member = await acme.member('read')
    expect(await requireSso(acme)).toMatchObject({ sso: true, ssoAdministrator: acme.owner.id })
    await expect(member.api.getOrganizationById({ params: acme.params })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('no active identity provider'),
    })
    await requireSso(acme, { sso: false })
    expect(await listOrganizations(member.api)).toEqual([acme.organization.id])
  })
})

describe('The break-glass administrator', () => {
  test('is whoever turned SSO on, and can be replaced by another administrator', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta)
    const [second, editor] = [await acme.member('admin'), await acme.member('edit')]
    await requireSso(acme)
    expect(await listOrganizations(acme.owner.api)).toEqual([acme.organization.id])
    expect(await listOrganizations(second.api)).toEqual([])

    const { browser } = await signInWithSaml(octavo, provider, okta, { nameID: second.email })
    const { api } = await createTokenInSession(octavo, browser)
    const replace = (userId: string) =>
      api.updateOrganizationById({ params: acme.params, body: { ssoAdministrator: userId } })
    expect(await refusal(replace(editor.id))).toBe('400 body.ssoAdministrator')
    expect(await refusal(replace((await octavo.person()).id))).toBe('400 body.ssoAdministrator')
    expect(await replace(second.id)).toMatchObject({ ssoAdministrator: second.id })
    expect(await listOrganizations(second.api)).toEqual([acme.organization.id])
    expect(await listOrganizations(acme.owner.api)).toEqual([])
  })

  test('loses the exception with the role of an administrator', async () => {
    const acme = await makeOrganization(octavo)
    const provider = await addProvider(acme, okta)
    const second = await acme.member('admin')
    await requireSso(acme)
    const { browser } = await signInWithSaml(octavo, provider, okta, { nameID: second.email })
    const { api } = await createTokenInSession(octavo, browser)
    const params = { ...acme.params, userId: acme.owner.id }
    await api.updateMemberInOrganizationById({ params, body: { role: 'edit' } })
    expect(await listOrganizations(acme.owner.api)).toEqual([])
    await api.updateMemberInOrganizationById({ params, body: { role: 'admin' } })
    expect(await listOrganizations(acme.owner.api)).toEqual([acme.organization.id])
  })
})

test('SSO can be required of single members', async () => {
  const acme = await makeOrganization(octavo)
  const [single, free] = [await acme.member('edit'), await acme.member('edit')]
  await acme.owner.api.setUserAsSSOMemberForOrganization({ params: { ...acme.params, userId: single.id } })
  expect(await listOrganizations(single.api)).toEqual([])
  expect(await listOrganizations(free.api)).toEqual([acme.organization.id])
  const invited = await octavo.person()
  await acme.owner.api.inviteUsersToOrganization({ params: acme.params, body: { emails: [invited.email], sso: true } })
  expect(await listOrganizations(invited.api)).toEqual([])
})

test('certificates that have expired or expire soon are reported', async () => {
  const acme = await makeOrganization(octavo)
  const expired = new IdentityProvider('expired', { until: new Date('2025-12-01') })
  const provider = await addProvider(acme, expired)
  expect(provider.certificateExpiresAt).toBe('2025-12-01T00:00:00.000Z')
  const reports = () => octavo.log.filter((line) => line.includes('has expired') && line.includes(provider.id)).length
  expect(reports()).toBe(1)
  const { items } = await acme.owner.api.listOrganizationAuditEvents({ params: acme.params, query: { limit: 2 } })
  expect(items.map(({ action, target }) => [action, target.id])).toEqual([
    ['certificate.expired', provider.id],
    ['saml.create', provider.id],
  ])
  // Sign-ins still work, because the key did not change, and are reported.
  const { page } = await signInWithSaml(octavo, provider, expired, { nameID: 'late@acme.example' })
  expect([page.status, reports()]).toEqual([200, 2])
  expect((await new FormBrowser(octavo.url).open('/account')).url).toContain('/login')
})
