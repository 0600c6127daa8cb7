import { GitBookAPI } from '@gitbook/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { days, hours, minutes } from '../../src/kernel/time.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, startTestServer, waitUntil } from '../support/server.ts'

let dns: DnsServer
let octavo: TestServer
let rival: { person: Person; organizationId: string }
beforeAll(async () => {
  dns = await startDnsServer()
  octavo = await startTestServer({
    OCTAVO_URL: 'https://home.sites.example.net',
    OCTAVO_SITES_DOMAIN: 'sites.example.net',
    OCTAVO_HOSTNAMES: 'known.example.com,*.trusted.example.com',
    OCTAVO_DNS_SERVERS: dns.address,
  })
  const person = await octavo.person('Rival')
  rival = { person, organizationId: (await person.api.createOrganization({ body: { title: 'Rival' } })).id }
})
afterAll(async () => {
  await octavo.stop()
  await dns.stop()
})

type Owner = Pick<Person, 'api'> & { organizationId: string }

const mine = (): Owner => octavo.admin
const theirs = (): Owner => ({ api: rival.person.api, organizationId: rival.organizationId })

/** Creates a published site. */
async function newSite({ api, organizationId }: Owner) {
  const site = await api.createSite({ params: { organizationId }, body: { title: 'Docs' } })
  const params = { organizationId, siteId: site.id }
  await api.publishSite({ params })
  return {
    params,
    id: site.id,
    claim: (hostname: string | null) => api.updateSiteById({ params, body: { hostname } }),
    read: () => api.getSiteById({ params }),
  }
}

const get = ({ api }: Owner, hostname: string) => api.getCustomHostname({ params: { hostname } })
const revalidate = ({ api }: Owner, hostname: string) => api.dnsRevalidateCustomHostname({ params: { hostname } })

/** Waits until the DNS records of a claim have been checked after the given time, and returns the claim. */
const lookedAfter = (owner: Owner, hostname: string, time = '') =>
  waitUntil(async () => {
    const found = await get(owner, hostname)
    return (found.checkedAt ?? '') > time && found
  }, `the records of ${hostname} were looked at`)
const looked = (owner: Owner, hostname: string) => lookedAfter(owner, hostname)

const textOf = (found: { records: { type: string; value: string }[] }) =>
  found.records.find(({ type }) => type === 'TXT')?.value ?? ''

describe('claim of a hostname', () => {
  test('is pending until a CNAME resolves to this server, directly or indirectly', async () => {
    const site = await newSite(mine())
    const hostname = 'docs.alpha.example'
    dns.zone.set(hostname, { cname: 'cdn.alpha.example' })
    dns.zone.set('cdn.alpha.example', { cname: 'HOME.Sites.example.net' })
    const before = (await site.read()).urls.published
    expect(await site.claim(hostname)).not.toHaveProperty('hostname')
    const found = await waitUntil(async () => {
      const now = await get(mine(), hostname)
      return now.isActive && now
    }, 'the claim was proved')
    expect(found).toMatchObject({
      object: 'custom-hostname',
      hostname,
      target: { type: 'site', site: site.id },
      status: 'live',
      urls: { location: `https://home.sites.example.net/v1/custom-hostnames/${hostname}` },
    })
    expect(found.found).toEqual({ cname: ['cdn.alpha.example', 'home.sites.example.net'], txt: [] })
    const { params } = site
    expect((await octavo.admin.api.listSiteCustomHostnames({ params })).items).toEqual([found])
    const stranger = await octavo.person()
    expect(await refusal(stranger.api.listSiteCustomHostnames({ params }))).toBe('404')
    const live = await site.read()
    expect([live.hostname, live.urls.published]).toEqual([hostname, `https://${hostname}/`])
    expect((await site.claim(null)).urls.published).toBe(before)
    expect(await refusal(get(mine(), hostname))).toBe('404')
  })

  test('is verified by a TXT record that contains its token', async () => {
    const site = await newSite(mine())
    const hostname = 'docs.beta.example'
    dns.zone.set(hostname, {})
    await site.claim(hostname)
    const found = await looked(mine(), hostname)
    expect([found.isActive, found.status]).toEqual([false, 'dns_no_cname'])
    const { organizationId } = octavo.admin
    expect(found.records).toEqual([
      { type: 'CNAME', name: hostname, value: `${organizationId}.sites.example.net` },
      { type: 'TXT', name: `_octavo.${hostname}`, value: expect.stringMatching(/^octavo-[a-z0-9]{32}$/) },
    ])
    dns.zone.set(`_octavo.${hostname}`, { txt: ['something else', textOf(found)] })
    await revalidate(mine(), hostname)
    expect((await site.read()).hostname).toBe(hostname)
  })

  test.each([
    ['leads elsewhere', { cname: 'elsewhere.example' }, 'dns_wrong_cname'],
    ['leads to another organization', { cname: 'rival.sites.example.net' }, 'dns_wrong_cname'],
    ['leads in a circle', { cname: 'docs.gamma.example' }, 'dns_wrong_cname'],
    ['has other records', {}, 'dns_no_cname'],
    ['does not exist', undefined, 'invalid_domain'],
    ['cannot be asked for', 'failing', 'internal_error'],
  ] as const)('remains pending for a name that %s', async (_, records, status) => {
    const site = await newSite(mine())
    const hostname = 'docs.gamma.example'
    if (records === undefined) dns.zone.delete(hostname)
    else dns.zone.set(hostname, records)
    await site.claim(hostname)
    expect(await looked(mine(), hostname)).toMatchObject({ isActive: false, status })
    expect(await site.read()).not.toHaveProperty('hostname')
    await site.claim(null)
  })

  test('is checked again automatically at growing intervals for seven days', async () => {
    const site = await newSite(mine())
    const hostname = 'docs.delta.example'
    await site.claim(hostname)
    const first = await looked(mine(), hostname)
    octavo.clock.advance(minutes(6))
    await lookedAfter(mine(), hostname, first.checkedAt)
    dns.zone.set(hostname, { cname: 'home.sites.example.net' })
    octavo.clock.advance(hours(7))
    await waitUntil(async () => (await site.read()).hostname === hostname, 'it was proved')

    const late = await newSite(mine())
    await late.claim('docs.late.example')
    await looked(mine(), 'docs.late.example')
    octavo.clock.advance(days(8))
    dns.zone.set('docs.late.example', { cname: 'home.sites.example.net' })
    const marker = await newSite(mine())
    await marker.claim('docs.marker.example')
    const { checkedAt } = await looked(mine(), 'docs.marker.example')
    octavo.clock.advance(hours(1))
    await lookedAfter(mine(), 'docs.marker.example', checkedAt)
    expect((await get(mine(), 'docs.late.example')).isActive).toBe(false)
    await revalidate(mine(), 'docs.late.example')
    expect((await get(mine(), 'docs.late.example')).isActive).toBe(true)
  })

  test('needs no verification for hostnames that the configuration trusts', async () => {
    const site = await newSite(mine())
    expect(await site.claim('known.example.com')).toMatchObject({
      hostname: 'known.example.com',
      urls: { published: 'https://known.example.com/' },
    })
    expect(await get(mine(), 'known.example.com')).toMatchObject({ isActive: true, status: 'live' })
    expect((await site.claim('a.trusted.example.com')).hostname).toBe('a.trusted.example.com')
    expect(await refusal(get(mine(), 'known.example.com'))).toBe('404')
    const other = await newSite(theirs())
    expect(await refusal(other.claim('a.trusted.example.com'))).toBe('409')
    expect((await other.claim('known.example.com')).hostname).toBe('known.example.com')
    await octavo.admin.api.deleteSiteById({ params: site.params })
    expect((await other.claim('a.trusted.example.com')).hostname).toBe('a.trusted.example.com')
  })

  test.each([
    'home.sites.example.net',
    'sites.example.net',
    'acme.sites.example.net',
    'a.b.sites.example.net',
    '192.0.20.10',
    'localhost',
    'example.com',
    'Docs.example.com',
    'docs.example.com.',
    `${'a.'.repeat(130)}example.com`,
  ])('is rejected with 400 for %s', async (hostname) => {
    const site = await newSite(mine())
    expect(await refusal(site.claim(hostname))).toBe('400 body.hostname')
  })
})

describe('hostname claimed by several organizations', () => {
  test('belongs only to the organization that verifies it first', async () => {
    const [ours, others, sister] = [await newSite(mine()), await newSite(theirs()), await newSite(mine())]
    const hostname = 'docs.shared.example'
    await ours.claim(hostname)
    expect(await refusal(sister.claim(hostname))).toBe('409')
    await others.claim(hostname)
    const claimed = await looked(mine(), hostname)
    await looked(theirs(), hostname)
    expect(await get(mine(), hostname)).not.toEqual(await get(theirs(), hostname))

    // A CNAME to this server does not identify the organization.
    dns.zone.set(hostname, { cname: 'home.sites.example.net' })
    await revalidate(theirs(), hostname)
    await revalidate(mine(), hostname)
    expect(await get(theirs(), hostname)).toMatchObject({ isActive: false, status: 'dns_passed' })
    expect(await get(mine(), hostname)).toMatchObject({ isActive: false, status: 'dns_passed' })

    dns.zone.set(`_octavo.${hostname}`, { txt: [textOf(claimed)] })
    await revalidate(theirs(), hostname)
    expect((await get(theirs(), hostname)).isActive).toBe(false)
    await revalidate(mine(), hostname)
    expect((await ours.read()).hostname).toBe(hostname)
    expect(await refusal(revalidate(theirs(), hostname))).toBe('409')
    const third = await newSite(theirs())
    expect(await refusal(third.claim(hostname))).toBe('409')

    await octavo.admin.api.removeCustomHostname({ params: { hostname } })
    await revalidate(theirs(), hostname)
    expect((await others.read()).hostname).toBe(hostname)
  })

  test('can be verified by a CNAME to the subdomain of one organization', async () => {
    const [ours, others] = [await newSite(mine()), await newSite(theirs())]
    const hostname = 'docs.named.example'
    await others.claim(hostname)
    await ours.claim(hostname)
    await Promise.all([looked(mine(), hostname), looked(theirs(), hostname)])
    dns.zone.set(hostname, { cname: `${octavo.admin.organizationId}.sites.example.net` })
    await revalidate(theirs(), hostname)
    await revalidate(mine(), hostname)
    expect((await ours.read()).hostname).toBe(hostname)
    expect(await others.read()).not.toHaveProperty('hostname')
  })
})

test('only admins can set and remove hostnames, and hostnames of hidden sites return 404', async () => {
  const site = await newSite(mine())
  const hostname = 'roles.trusted.example.com'
  await site.claim(hostname)
  const creator = await octavo.member('create')
  const guest = await octavo.member(null)
  const params = { hostname }
  expect(await refusal(creator.api.updateSiteById({ params: site.params, body: { hostname: null } }))).toBe('403')
  expect((await creator.api.getCustomHostname({ params })).isActive).toBe(true)
  await creator.api.dnsRevalidateCustomHostname({ params })
  expect(await refusal(creator.api.removeCustomHostname({ params }))).toBe('403')
  expect(await refusal((await octavo.member('read')).api.dnsRevalidateCustomHostname({ params }))).toBe('403')
  for (const { api } of [guest, rival.person]) {
    expect(await refusal(api.getCustomHostname({ params }))).toBe('404')
    expect(await refusal(api.dnsRevalidateCustomHostname({ params }))).toBe('404')
    await api.removeCustomHostname({ params })
  }
  expect((await site.read()).hostname).toBe(hostname)
})

test('the official client reads, revalidates and removes a hostname', async () => {
  const site = await newSite(mine())
  const hostname = 'client.trusted.example.com'
  await site.claim(hostname)
  const client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  expect((await client.customHostnames.getCustomHostname(hostname)).data).toMatchObject({ hostname, isActive: true })
  await client.customHostnames.dnsRevalidateCustomHostname(hostname)
  await client.customHostnames.removeCustomHostname(hostname)
  await client.customHostnames.removeCustomHostname(hostname)
  expect(await site.read()).not.toHaveProperty('hostname')
})

describe('hostname of an organization', () => {
  test('is used in the URLs of its sites immediately', async () => {
    const site = await newSite(theirs())
    const params = { organizationId: rival.organizationId }
    expect((await site.read()).urls.published).toBe(
      `https://${rival.organizationId}.sites.example.net/${(await site.read()).basename}/`,
    )
    await rival.person.api.updateOrganizationById({ params, body: { hostname: 'rival-docs' } })
    expect((await site.read()).urls.published).toMatch(/^https:\/\/rival-docs\.sites\.example\.net\//)
  })

  test('cannot be the id of another organization or the name of this server', async () => {
    const params = { organizationId: rival.organizationId }
    const { organizationId } = octavo.admin
    const { api } = rival.person
    const rename = (hostname: string) => api.updateOrganizationById({ params, body: { hostname } })
    expect(await refusal(rename(organizationId))).toBe('409')
    expect(await refusal(rename('home'))).toBe('409')
    expect((await rename(rival.organizationId)).hostname).toBe(rival.organizationId)
  })

  test('is active while a site is published', async () => {
    const { api } = await octavo.person('Publisher')
    const organization = await api.createOrganization({ body: { title: 'Publishing' } })
    const params = { organizationId: organization.id }
    await api.updateOrganizationById({ params, body: { hostname: 'publishing' } })
    const isActive = async () => (await api.getSubdomain({ params: { subdomain: 'publishing' } })).isActive
    expect(await isActive()).toBe(false)
    const site = await newSite({ api, organizationId: organization.id })
    expect(await isActive()).toBe(true)
    await api.unpublishSite({ params: site.params })
    expect(await isActive()).toBe(false)
  })
})

test('an organization has a default site until it is reset or the site is deleted', async () => {
  const { api, organizationId } = octavo.admin
  const params = { organizationId }
  const [site, foreign] = [await newSite(mine()), await newSite(theirs())]
  const lead = (id: string) =>
    api.updateOrganizationById({ params, body: { defaultContent: { type: 'site', site: id } } })
  expect(await refusal(lead(foreign.id))).toBe('400 body.defaultContent')
  const defaultContent = { type: 'site', site: site.id }
  expect((await lead(site.id)).defaultContent).toEqual(defaultContent)
  expect((await api.updateOrganizationById({ params, body: { title: 'Led' } })).defaultContent).toEqual(defaultContent)
  expect(await api.updateOrganizationById({ params, body: { defaultContent: null } })).not.toHaveProperty(
    'defaultContent',
  )
  await lead(site.id)
  await api.deleteSiteById({ params: site.params })
  expect(await api.getOrganizationById({ params })).not.toHaveProperty('defaultContent')
})
