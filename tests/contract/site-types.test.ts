import type { GitBookAPI } from '@gitbook/api'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { type Api, api } from '../../src/contract/api.ts'
import type { ReplyOf } from '../../src/contract/operation.ts'
import { editLive, insertPage } from '../support/content.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { createEvent } from '../support/insights.ts'
import { OfficialSchemas } from '../support/official-schemas.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Compares all replies of site operations that the public API also has with its types and schemas.

type Official = GitBookAPI['orgs'] & GitBookAPI['urls'] & GitBookAPI['customHostnames'] & GitBookAPI['subdomains']
type SitePath = `${string}/sites${string}` | `/urls/${string}` | `/custom-hostnames/${string}` | `/subdomains/${string}`
type Shared = {
  [Name in keyof Api & keyof Official]: Api[Name]['path'] extends SitePath ? Name : never
}[keyof Api & keyof Official]

/** Fields whose types differ from the official ones. */
interface Differences {
  /** The official types require a text in each of the 39 languages; the official schemas and replies do not. */
  localizedTitle: object
  localizedDescription: object
  localizedMessage: object
  localizedGreeting: object
}

/**
 * Required by the official types. Octavo omits it for a repository on a host without an official value
 * (`tests/contract/git-types.test.ts`).
 */
type SometimesAbsent = 'installationProvider'

/** Replaces enums by their values and treats absent and undefined fields alike. */
type Plain<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? {
          [Key in keyof T as Exclude<Key, SometimesAbsent>]: Key extends keyof Differences
            ? Differences[Key]
            : Plain<Exclude<T[Key], undefined>>
        }
      : T

type OfficialReply<Name extends Shared> = Official[Name] extends (...request: never[]) => Promise<{ data: infer Data }>
  ? Data
  : never

type Differing = {
  [Name in Shared]: [Plain<ReplyOf<Api[Name]>>] extends [Plain<OfficialReply<Name>>] ? never : Name
}[Shared]

test('reply types are assignable to those of the official client', () => {
  // The official types of these two are narrower (value types of an aggregated column, blocks of a change request's
  // description); the schema test below covers them.
  expectTypeOf<Differing>().toEqualTypeOf<'aggregateSiteEvents' | 'getContentByUrl'>()
})

const sitePaths = /^\/orgs\/\{organizationId\}\/sites|^\/urls\/(?!embed$)|^\/custom-hostnames\/|^\/subdomains\//

let dns: DnsServer
let octavo: TestServer
let make: TestOrganization
let schemas: OfficialSchemas
beforeAll(async () => {
  schemas = new OfficialSchemas()
  dns = await startDnsServer()
  octavo = await startTestServer({
    OCTAVO_URL: 'https://home.sites.example.net',
    OCTAVO_SITES_DOMAIN: 'sites.example.net',
    OCTAVO_DNS_SERVERS: dns.address,
  })
  make = await makeOrganization(octavo)
})
afterAll(async () => {
  await octavo.stop()
  await dns.stop()
})

/** Returns a client that validates all replies against the schemas of the public API. */
function watched(client: Client, called: Set<string>, problems: string[]): Client {
  const calls = Object.entries(client).map(([name, call]) => [
    name,
    async (request: never) => {
      const reply = await (call as (request: never) => Promise<unknown>)(request)
      const operation = name as keyof Api
      if (!schemas.operations.has(name) || !sitePaths.test(api[operation].path)) return reply
      called.add(name)
      const found = schemas.problemsOf(name, api[operation].status, reply)
      problems.push(...found.map((problem) => `${name} ${problem}`))
      return reply
    },
  ])
  return Object.fromEntries(calls) as Client
}

const title = 'Reference'
const localizedTitle = { de: 'Handbuch', 'pt-br': 'Manual' }
const condition = 'visitor.claims.beta'

test('all replies about sites match the schemas of the public API', async () => {
  const called = new Set<string>()
  const problems: string[] = []
  const { owner, params: inOrganization } = make
  const client = watched(owner.api, called, problems)
  const { organizationId } = inOrganization
  await client.updateOrganizationById({ params: inOrganization, body: { hostname: 'acme-docs' } })
  await client.getSubdomain({ params: { subdomain: 'acme-docs' } })

  const [home, guides, news] = [await make.space('Home'), await make.space('Guides'), await make.space('News')]
  const [pageId = ''] = await editLive(owner, home.id, insertPage('# Lemurs\n\nA lemur leaps.'))
  const made = await client.createSite({ params: inOrganization, body: { title: 'Zoo', spaces: [home.id] } })
  const params = { organizationId, siteId: made.id }
  await client.updateSiteById({
    params,
    body: { visibility: 'share-link', adaptiveContent: { enabled: true }, proxy: 'zoo.example.com/docs' },
  })
  await client.updateSiteById({ params, body: { proxy: null, hostname: 'docs.zoo.example.com' } })
  dns.zone.set('docs.zoo.example.com', { cname: 'sites.example.net' })
  const hostname = 'docs.zoo.example.com'
  await client.dnsRevalidateCustomHostname({ params: { hostname } })
  await client.getCustomHostname({ params: { hostname } })

  const flat = await client.addSpaceToSite({ params, body: { spaceId: guides.id, draft: true, title } })
  const atSiteSpace = { ...params, siteSpaceId: flat.id }
  await client.updateSiteSpaceById({
    params: atSiteSpace,
    body: { localizedTitle, condition, hidden: true, path: 'g' },
  })
  await client.moveSiteSpace({ params: atSiteSpace, body: {} })
  await client.getSiteStructure({ params })
  await client.getPublishedContentSite({ params })
  const siteSpaces = await client.listSiteSpaces({ params, query: { limit: 1 } })
  const first = siteSpaces.items[0]?.id ?? ''
  await client.updateSiteSpaceById({ params: { ...params, siteSpaceId: first }, body: { pageId } })

  const section = await client.addSectionToSite({ params, body: { spaceId: news.id, title: 'News', icon: 'bell' } })
  const atSection = { ...params, siteSectionId: section.id }
  await client.updateSiteSectionById({
    params: atSection,
    body: { localizedTitle, description: 'What is new', localizedDescription: { fr: 'Quoi' }, condition, draft: true },
  })
  await client.moveSiteSection({ params: atSection, body: {} })
  const group = await client.addSectionGroupToSite({
    params,
    body: { title: 'More', icon: 'plus', sections: [section.id], draft: true },
  })
  const inner = await client.addSectionGroupToSite({ params, body: { title: 'Inner', parent: group.id } })
  const atGroup = { ...params, siteSectionGroupId: group.id }
  await client.updateSiteSectionGroupById({ params: atGroup, body: { localizedTitle } })
  await client.moveSiteSectionGroup({ params: atGroup, body: {} })
  const link = await client.addExternalLinkToSite({
    params,
    body: { title: 'Away', url: 'https://elsewhere.example/', parent: inner.id, condition, localizedTitle },
  })
  const atLink = { ...params, siteExternalLinkId: link.id }
  await client.updateSiteExternalLinkById({ params: atLink, body: { icon: 'link', description: 'Elsewhere' } })
  for (const [type, id] of [
    ['site-space', first],
    ['site-section', section.id],
    ['site-section-group', group.id],
    ['site-external-link', link.id],
  ] as const) {
    await client.sortSiteStructure({ params, body: { item: { type, id }, position: {} } })
  }
  await client.listSiteSections({ params })
  await client.listSiteSectionGroups({ params })

  await client.getSiteCustomizationById({ params })
  await client.updateSiteCustomizationById({ params, body: settings(home.id) })
  await client.overrideSiteSpaceCustomizationById({
    params: atSiteSpace,
    body: { title: 'Own', favicon: { emoji: '1f412' }, styling: { theme: 'bold', headingFont: 'Lato' } },
  })
  await client.getSiteSpaceCustomizationById({ params: atSiteSpace })
  await client.getPublishedContentSite({ params })
  await client.getSiteStructure({ params })

  await client.updateSiteAdaptiveSchema({ params, body: { jsonSchema } })
  await client.getSiteAdaptiveSchema({ params })
  await client.listSiteAdaptiveTemplateConditions({ params })

  const share = await client.createSiteShareLink({ params, body: { name: 'Friends' } })
  const atShare = { ...params, shareLinkId: share.id }
  await client.publishSite({ params })
  await client.updateSiteShareLinkById({ params: atShare, body: { active: true } })
  const { items: shareLinks } = await client.listSiteShareLinks({ params })
  await client.getSiteStructure({ params, query: { shareKey: share.key } })
  await client.updateSitePublishingAuthById({
    params,
    body: { backend: 'custom', fallbackURL: 'https://login.example.com/', logoutURL: 'https://login.example.com/out' },
  })
  await client.getSitePublishingAuthById({ params })
  await client.regenerateSitePublishingAuthById({ params })
  await client.getSitePublishingPreviewById({ params, query: { claims: '(beta:!t)' } })

  const url = shareLinks[0]?.urls.published ?? ''
  await client.resolvePublishedContentByUrl({ body: { url } })
  await client.getPublishedContentByUrl({ query: { url } })
  await client.updateSiteById({ params, body: { visibility: 'visitor-auth' } })
  const { urls } = await client.getSiteById({ params })
  await client.resolvePublishedContentByUrl({ body: { url: urls.published ?? '' } })
  await client.getContentByUrl({ query: { url: home.urls.app } })
  await client.updateSiteById({ params, body: { visibility: 'public' } })

  await waitUntilSearchable(octavo, home.id)
  const found = await client.searchSiteContent({ params, body: { query: 'lemur', scope: { mode: 'all' } } })
  expect(found.items).toHaveLength(1)

  const redirects = await client.createSiteRedirect({
    params,
    body: { source: '/old', destination: { kind: 'site-page', siteSpaceId: first, pageId } },
  })
  const atRedirect = { ...params, siteRedirectId: redirects.id }
  await client.updateSiteRedirectById({ params: atRedirect, body: { permanent: true } })
  await client.bulkUpsertSiteRedirects({
    params,
    body: {
      redirects: [
        { source: '/a/*', captureWildcard: true, destination: { kind: 'site-section', siteSectionId: section.id } },
        { source: '/b', intent: 'draft', destination: { kind: 'site-space', siteSpaceId: first } },
        { source: '/b', intent: 'publish' },
        { source: '/c', destination: { kind: 'external', url: 'https://elsewhere.example/' } },
        { source: '/c', destination: null },
        { source: '/d', destination: { kind: 'site-space', siteSpaceId: 'nothing' } },
      ],
    },
  })
  await client.listSiteRedirects({ params })
  await client.getSiteRedirectBySource({ params, query: { source: '/old' } })

  const location = { siteSpace: first, space: home.id, page: pageId }
  await client.trackEventsInSiteById({
    params,
    body: {
      events: [createEvent('page_view', {}, { location }), createEvent('search_type_query', { query: 'lemur' })],
    },
  })
  await client.aggregateSiteEvents({
    params,
    body: {
      range: 'last7Days',
      select: [{ column: 'datetime', interval: 'day' }, { column: 'eventType' }, { column: 'page' }],
    },
  })

  const member = await make.member('read')
  const team = await make.team('Writers', [member])
  await client.inviteToSite({ params, body: { role: 'edit', users: [member.id], teams: [team.id] } })
  await client.updateUserPermissionInSite({ params: { ...params, userId: member.id }, body: { role: 'review' } })
  await client.updateTeamPermissionInSite({ params: { ...params, teamId: team.id }, body: { role: 'review' } })
  await client.listUserPermissionsInSite({ params })
  await client.listTeamPermissionsInSite({ params })
  await client.listPermissionsAggregateInSite({ params })
  await client.removeUserFromSite({ params: { ...params, userId: member.id } })
  await client.removeTeamFromSite({ params: { ...params, teamId: team.id } })

  await client.listSites({ params: inOrganization })
  await client.unpublishSite({ params })
  await client.deleteSiteRedirectById({ params: atRedirect })
  await client.deleteSiteShareLinkById({ params: atShare })
  await client.deleteSiteSpaceCustomizationById({ params: atSiteSpace })
  await client.deleteSiteExternalLinkById({ params: atLink })
  await client.deleteSiteSectionGroupById({ params: atGroup })
  await client.deleteSiteSectionById({ params: atSection })
  await client.deleteSiteSpaceById({ params: atSiteSpace })
  await client.removeCustomHostname({ params: { hostname } })
  await client.deleteSiteById({ params })
  const { id: emptySite } = await client.createSite({ params: inOrganization, body: {} })
  await client.applyTemplateToSite({ params: { ...inOrganization, siteId: emptySite } })

  expect(problems).toEqual([])
  expect(schemas.problemsOf('getSiteById', 200, { ...made, features: undefined })).toHaveLength(1)
  const shared = Object.entries(api).filter(([name, { path }]) => schemas.operations.has(name) && sitePaths.test(path))
  expect(shared.length).toBeGreaterThan(60)
  expect(shared.map(([name]) => name).filter((name) => !called.has(name))).toEqual([])
})

const themed = (light: string, dark: string) => ({ light, dark })
const picture = themed('https://pictures.example/light.png', 'https://pictures.example/dark.png')
const to = (spaceId: string) => ({ kind: 'space' as const, space: spaceId })

/** Returns a customization that uses every kind of setting. */
const settings = (spaceId: string) => ({
  title: 'Zoo',
  localizedTitle,
  styling: {
    theme: 'gradient' as const,
    tint: { color: themed('#123456', '#abc') },
    font: {
      id: 'own',
      custom: true,
      fontFamily: 'Own',
      fontFaces: [{ weight: 400, sources: [{ url: 'https://fonts.example/own.woff2', format: 'woff2' as const }] }],
    },
    codeTheme: { default: { light: 'dracula' as const } },
  },
  favicon: { icon: picture },
  header: {
    preset: 'custom' as const,
    logo: picture,
    primaryLink: to(spaceId),
    backgroundColor: themed('#fff', '#000'),
    links: [
      { title: 'Menu', style: 'link' as const, links: [{ title: 'Home', localizedTitle, to: to(spaceId) }], condition },
      { title: 'Out', to: { kind: 'url' as const, url: 'https://elsewhere.example/' } },
    ],
  },
  footer: { logo: picture, groups: [{ title: 'Us', links: [{ title: 'Home', to: to(spaceId) }] }], copyright: 'Us' },
  announcement: {
    enabled: true,
    message: 'New lemurs',
    link: { title: 'See', to: to(spaceId) },
    style: 'info' as const,
  },
  ai: { mode: 'none' as const, greeting: 'Hello', suggestions: ['What is a lemur?'] },
  pageActions: { items: ['markdown' as const, 'pdf' as const] },
  privacyPolicy: { url: 'https://zoo.example/privacy' },
  socialPreview: { url: 'https://pictures.example/social.png' },
  socialAccounts: [{ platform: 'github' as const, handle: 'zoo' }],
})

const jsonSchema = {
  type: 'object',
  properties: {
    beta: { type: 'boolean', description: 'Whether they test' },
    plan: { type: 'string', enum: ['free', 'pro'], description: 'What they pay for' },
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { language: { type: 'string', description: 'What they speak' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}
