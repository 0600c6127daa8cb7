import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { minutes } from '../../src/kernel/time.ts'
import { makeAccount } from '../support/account.ts'
import { IdentityProvider, decodeRedirect } from '../support/identity-provider.ts'
import { makeOrganization } from '../support/organization.ts'
import { addProvider } from '../support/saml.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'
import { type BrowserPage, FormBrowser, findFields } from '../support/sign-in.ts'

let octavo: TestServer
const okta = new IdentityProvider('okta')
const entra = new IdentityProvider('entra')
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

const newDomain = () =>
  `d${newId()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')}.example`

/** Creates an organization that has declared an email domain. */
async function makeOrganizationOf(domain: string, name?: string) {
  const organization = await makeOrganization(octavo, name)
  await organization.owner.api.updateOrganizationById({
    params: organization.params,
    body: { emailDomains: [domain] },
  })
  return organization
}

/** Enters an address on the page for SSO. */
async function enter(address: string, { browser = new FormBrowser(octavo.url), query = '' } = {}) {
  return browser.submit(await browser.open(`/login/sso${query}`), '/login/sso', { address })
}

/** Returns the paths of the start links on a page. */
const findStartPaths = ({ html }: BrowserPage) =>
  Array.from(html.matchAll(/href="(\/saml\/[^"]+)"/g), ([, path = '']) => path.replaceAll('&amp;', '&'))

/** Removes what differs between two pages with the same text. */
const normalize = ({ html }: BrowserPage) => html.replace(/(content|value)="[^"]*"/g, '')

test('an email address finds the identity provider of its domain, which returns to the requested page', async () => {
  const domain = newDomain()
  const acme = await makeOrganizationOf(domain, 'Acme & Sons')
  const provider = await addProvider(acme, okta, { label: 'Okta' })
  const browser = new FormBrowser(octavo.url)
  const login = await browser.open('/login?next=/account%3Fdone%3Dsession')
  expect(login.html).toContain('href="/login/sso?next=%2Faccount%3Fdone%3Dsession"')
  const page = await enter(`Nobody@${domain.toUpperCase()}`, { browser, query: '?next=/account%3Fdone%3Dsession' })
  expect(page.status).toBe(200)
  expect(page.html).toContain('Acme &amp; Sons')
  expect(page.html).toContain('Okta, continues at okta.example')
  const path = `/saml/${provider.id}/start?next=%2Faccount%3Fdone%3Dsession`
  expect(findStartPaths(page)).toEqual([path])
  const { url } = await browser.open(path)
  expect(decodeRedirect(url).url.origin).toBe(new URL(okta.ssoURL).origin)
})

test('all providers of a domain are listed, except those of other domains and those that are not configured', async () => {
  const domain = newDomain()
  const first = await makeOrganizationOf(domain, 'First')
  const second = await makeOrganizationOf(domain, 'Second')
  const providers = [await addProvider(first, okta), await addProvider(second, entra), await addProvider(first, entra)]
  await addProvider(second, okta, { certificate: '' })
  await addProvider(await makeOrganizationOf(newDomain()), okta)
  await addProvider(await makeOrganization(octavo), okta)
  const page = await enter(`somebody@${domain}`)
  expect(findStartPaths(page)).toEqual(providers.map(({ id }) => `/saml/${id}/start`))
  // The domain has to be declared itself, not only a parent or a child of it.
  for (const other of [`sub.${domain}`, domain.slice(1)])
    expect(findStartPaths(await enter(`somebody@${other}`)), other).toEqual([])
})

test('the reply depends on the domain only, not on whether the address has an account', async () => {
  const [served, unserved] = [newDomain(), newDomain()]
  await addProvider(await makeOrganizationOf(served), okta)
  for (const domain of [served, unserved]) {
    await makeAccount(octavo, `known@${domain}`)
    const [known, unknown] = [await enter(`known@${domain}`), await enter(`unknown@${domain}`)]
    expect(normalize(known)).toBe(normalize(unknown))
    expect([known.status, unknown.status]).toEqual([200, 200])
  }
  // A domain that was declared without a provider gets the same reply as one that nobody has declared.
  const declared = newDomain()
  await makeOrganizationOf(declared, 'Hidden')
  const replies = [await enter(`a@${declared}`), await enter(`a@${unserved}`)].map(normalize)
  expect(replies[0]?.replaceAll(declared, '')).toBe(replies[1]?.replaceAll(unserved, ''))
})

test('the link to the page is shown only if the server has a provider', async () => {
  const other = await serverForTest()
  const open = async () => (await new FormBrowser(other.url).open('/login')).html
  const params = { organizationId: other.admin.organizationId }
  expect(await open()).not.toContain('/login/sso')
  await addProvider({ owner: other.admin, params }, okta)
  expect(await open()).toContain('href="/login/sso"')
})

test('other values than one address, forms of other pages, and paths of other hosts are refused', async () => {
  const domain = newDomain()
  await addProvider(await makeOrganizationOf(domain), okta)
  for (const address of ['', 'nobody', `@${domain}`, `a@${domain},b@${domain}`, `${'a'.repeat(300)}@${domain}`])
    expect((await enter(address)).status, address).toBe(400)
  const browser = new FormBrowser(octavo.url)
  const fields = findFields((await browser.open('/login/sso')).html, '/login/sso')
  expect((await browser.post('/login/sso', { ...fields, proof: '', address: `a@${domain}` })).status).toBe(403)
  const page = await browser.post('/login/sso', { ...fields, address: `a@${domain}`, next: '//evil.example' })
  expect(await page.text()).not.toContain('evil.example')
})

test('one network can search a limited number of times', async () => {
  const limited = await serverForTest()
  const browser = new FormBrowser(limited.url)
  const fields = { ...findFields((await browser.open('/login/sso')).html, '/login/sso'), address: 'a@acme.example' }
  const search = async () => (await browser.post('/login/sso', fields)).status
  const statuses: number[] = []
  for (let round = 0; round < 301; round++) statuses.push(await search())
  expect([new Set(statuses.slice(0, 300)), statuses.at(-1)]).toEqual([new Set([200]), 429])
  limited.clock.advance(minutes(16))
  expect(await search()).toBe(200)
})
