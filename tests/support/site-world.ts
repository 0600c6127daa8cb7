import type { RequestOf } from '../../src/client/client.ts'
import type { Api } from '../../src/contract/api.ts'
import { editLive, insertPage } from './content.ts'
import { createEvent } from './insights.ts'
import { makeOrganization } from './organization.ts'
import type { TestServer } from './server.ts'

type SitePath = `${string}{siteId}${string}` | `/urls/${string}` | `/custom-hostnames/${string}`
/** All operations on sites and URLs of sites; embeds are about URLs of other sites. */
export type SiteOperation = Exclude<
  { [Name in keyof Api]: Api[Name]['path'] extends SitePath ? Name : never }[keyof Api],
  'getEmbedByUrl'
>

/** Creates a site with one of every kind of item, in a separate organization. */
export async function makeSiteWorld(octavo: TestServer) {
  const make = await makeOrganization(octavo)
  const { owner, params: inOrganization } = make
  const { api } = owner
  const home = await make.space('Home')
  const other = await make.space('Other')
  const [pageId = ''] = await editLive(owner, home.id, insertPage('# Page'))
  const [otherPage = ''] = await editLive(owner, other.id, insertPage('# Other'))
  const site = await api.createSite({ params: inOrganization, body: { title: 'Docs', spaces: [home.id] } })
  const params = { ...inOrganization, siteId: site.id }
  const { items } = await api.listSiteSpaces({ params })
  const variant = await api.addSpaceToSite({ params, body: { spaceId: other.id } })
  const section = await api.addSectionToSite({ params, body: { spaceId: other.id, title: 'Section' } })
  const spare = await api.addSectionToSite({ params, body: { spaceId: other.id, title: 'Spare' } })
  const group = await api.addSectionGroupToSite({ params, body: { title: 'Group' } })
  const link = await api.addExternalLinkToSite({ params, body: { title: 'Link', url: 'https://example.com/' } })
  const share = await api.createSiteShareLink({ params, body: { name: 'Share' } })
  const redirect = await api.createSiteRedirect({
    params,
    body: { source: '/old', destination: { kind: 'site-page', siteSpaceId: variant.id, pageId: otherPage } },
  })
  const { items: sections } = await api.listSiteSections({ params })
  const member = await make.member('read')
  const team = await make.team('Team', [member])
  await api.inviteToSite({ params, body: { role: 'edit', users: [member.id], teams: [team.id] } })
  const hostname = `docs.${site.id.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}.example.com`
  await api.updateSiteById({ params, body: { hostname } })
  const { urls } = await api.publishSite({ params })
  const emptySite = await api.createSite({ params: inOrganization, body: { title: 'Empty' } })
  const ids = {
    home: home.id,
    other: other.id,
    page: pageId,
    siteSpace: items[0]?.id ?? '',
    variant: variant.id,
    first: sections[0]?.id ?? '',
    section: section.id,
    spare: spare.id,
    group: group.id,
    link: link.id,
    share: share.id,
    redirect: redirect.id,
    member: member.id,
    team: team.id,
    emptySite: emptySite.id,
  }
  return { owner, params, ids, hostname, url: urls.published ?? '', app: home.urls.app }
}

export type SiteWorld = Awaited<ReturnType<typeof makeSiteWorld>>

/** Returns a valid request for every operation about sites, with as many parameters as possible. */
export function validRequests({ params, ids, hostname, url, app }: SiteWorld): {
  [Name in SiteOperation]: RequestOf<Api[Name]>
} {
  const list = { limit: '2', page: '' }
  const atSiteSpace = { ...params, siteSpaceId: ids.variant }
  const atSection = { ...params, siteSectionId: ids.section }
  const atGroup = { ...params, siteSectionGroupId: ids.group }
  const atLink = { ...params, siteExternalLinkId: ids.link }
  const atShare = { ...params, shareLinkId: ids.share }
  const atRedirect = { ...params, siteRedirectId: ids.redirect }
  const atUser = { ...params, userId: ids.member }
  const atTeam = { ...params, teamId: ids.team }
  const localized = { en: 'Text', 'pt-br': 'Texto' }
  const condition = 'visitor.claims.plan == "pro"'
  const to = { kind: 'page' as const, page: ids.page, space: ids.home }
  const themed = { light: '#fff', dark: '#000' }
  const logo = { light: 'https://example.com/light.png', dark: 'https://example.com/dark.png' }
  const customization = {
    title: 'Docs',
    localizedTitle: localized,
    styling: {
      theme: 'bold' as const,
      primaryColor: themed,
      tint: { color: themed },
      codeTheme: { default: { light: 'dracula' as const } },
    },
    favicon: { icon: logo },
    header: {
      preset: 'custom' as const,
      logo,
      links: [{ title: 'Menu', to, links: [{ title: 'Link', to }], condition }],
    },
    footer: { groups: [{ title: 'Group', links: [{ title: 'Link', to }] }], copyright: 'Us' },
    announcement: { enabled: true, message: 'News', link: { title: 'See', to }, style: 'info' as const },
    socialAccounts: [{ platform: 'github' as const, handle: 'us' }],
    privacyPolicy: { url: 'https://example.com/privacy' },
  }
  return {
    getSiteById: { params },
    updateSiteById: {
      params,
      body: {
        title: 'Docs',
        visibility: 'public',
        basename: 'docs',
        agentsContext: 'included',
        defaultLevel: 'inherit',
        defaultSiteSection: ids.section,
        adaptiveContent: { enabled: true },
        proxy: `example.com/${ids.section}`,
        hostname,
      },
    },
    deleteSiteById: { params },
    publishSite: { params },
    unpublishSite: { params },
    getPublishedContentSite: { params, query: { shareKey: 'key' } },
    inviteToSite: { params, body: { role: 'edit', users: [ids.member], teams: [ids.team] } },
    listPermissionsAggregateInSite: {
      params,
      query: { ...list, role: 'edit', search: 'a', sort: 'name', team: ids.team },
    },
    listUserPermissionsInSite: { params, query: list },
    updateUserPermissionInSite: { params: atUser, body: { role: 'edit' } },
    removeUserFromSite: { params: atUser },
    listTeamPermissionsInSite: { params, query: list },
    getSiteAccess: { params },
    listUserAccessToSite: { params, query: { ...list, role: 'edit', search: 'a' } },
    listTeamAccessToSite: { params, query: list },
    updateTeamPermissionInSite: { params: atTeam, body: { role: 'edit' } },
    removeTeamFromSite: { params: atTeam },
    listSiteSpaces: { params, query: { ...list, default: 'true', shareKey: 'key' } },
    addSpaceToSite: {
      params,
      body: { spaceId: ids.home, sectionId: ids.section, title: 'Added', draft: true, pageId: ids.page },
    },
    updateSiteSpaceById: {
      params: { ...params, siteSpaceId: ids.siteSpace },
      body: {
        path: 'home',
        title: 'Home',
        localizedTitle: localized,
        condition,
        spaceId: ids.home,
        pageId: ids.page,
        hidden: true,
        draft: false,
      },
    },
    deleteSiteSpaceById: { params: atSiteSpace },
    moveSiteSpace: {
      params: atSiteSpace,
      body: { position: { before: { type: 'site-space', siteSpace: ids.siteSpace } } },
    },
    listSiteSections: { params, query: { ...list, shareKey: 'key' } },
    addSectionToSite: {
      params,
      body: { spaceId: ids.home, title: 'Added', icon: 'plus', pageId: ids.page, siteSectionGroupId: ids.group },
    },
    updateSiteSectionById: {
      params: atSection,
      body: {
        title: 'Section',
        localizedTitle: localized,
        path: 'section',
        condition,
        icon: 'bell',
        description: 'What it is',
        localizedDescription: localized,
        draft: true,
        siteSectionGroupId: null,
      },
    },
    deleteSiteSectionById: { params: atSection },
    moveSiteSection: {
      params: atSection,
      body: { position: { after: { type: 'site-section', siteSection: ids.first } } },
    },
    listSiteSectionGroups: { params, query: list },
    addSectionGroupToSite: {
      params,
      body: { title: 'Added', icon: 'plus', sections: [ids.spare], parent: ids.group, draft: true },
    },
    updateSiteSectionGroupById: {
      params: atGroup,
      body: { title: 'Group', localizedTitle: localized, icon: null, draft: false, parentSectionGroupId: null },
    },
    deleteSiteSectionGroupById: { params: atGroup },
    addSectionToGroup: { params: atGroup, body: { sectionId: ids.spare } },
    removeSectionFromGroup: { params: { ...atGroup, ...atSection } },
    moveSiteSectionGroup: {
      params: atGroup,
      body: { position: { before: { type: 'site-section', id: ids.section } } },
    },
    addExternalLinkToSite: {
      params,
      body: { title: 'Added', url: 'https://example.com/', parent: ids.group, condition, localizedTitle: localized },
    },
    updateSiteExternalLinkById: {
      params: atLink,
      body: { title: 'Link', url: 'https://example.com/', parent: null, description: 'Away', localizedTitle: null },
    },
    deleteSiteExternalLinkById: { params: atLink },
    getSiteStructure: { params, query: { shareKey: 'key' } },
    sortSiteStructure: {
      params,
      body: {
        item: { type: 'site-section', id: ids.section },
        position: { before: { type: 'site-external-link', id: ids.link } },
      },
    },
    applyTemplateToSite: { params: { ...params, siteId: ids.emptySite } },
    explainSiteVisibility: {
      params,
      body: { claims: { plan: 'pro' }, unsignedClaims: { beta: true }, shareKey: 'key', authenticated: true },
    },
    getSiteCustomizationById: { params, query: { unmasked: 'true' } },
    updateSiteCustomizationById: { params, body: customization },
    changeSiteCustomizationById: { params, body: customization },
    addImageToSite: { params, body: { data: btoa('GIF89a') } },
    createSiteCustomizationPreview: { params, body: { changes: customization } },
    getSiteSpaceCustomizationById: { params: atSiteSpace, query: { unmasked: 'true' } },
    overrideSiteSpaceCustomizationById: { params: atSiteSpace, body: customization },
    deleteSiteSpaceCustomizationById: { params: atSiteSpace },
    listSiteRedirects: { params, query: { ...list, search: 'old', draft: 'true', orderBy: 'source' } },
    createSiteRedirect: {
      params,
      body: { source: '/new/*', captureWildcard: true, destination: { kind: 'site-space', siteSpaceId: ids.variant } },
    },
    bulkUpsertSiteRedirects: {
      params,
      body: {
        redirects: [
          { source: '/a', intent: 'draft', destination: { kind: 'path', spaceId: ids.home, path: 'page' } },
          { source: '/a', intent: 'publish' },
          { source: '/b', destination: { kind: 'external', url: 'https://example.com/' } },
        ],
      },
    },
    updateSiteRedirectById: {
      params: atRedirect,
      body: { source: '/old', permanent: true, destination: { kind: 'site-section', siteSectionId: ids.section } },
    },
    deleteSiteRedirectById: { params: atRedirect },
    checkSiteRedirects: {
      params,
      body: { redirects: [{ source: '/c', destination: { kind: 'site-path', path: '/page' } }] },
    },
    getSiteRedirectBySource: { params, query: { source: '/old', shareKey: 'key' } },
    getSiteAdaptiveSchema: { params },
    updateSiteAdaptiveSchema: {
      params,
      body: {
        jsonSchema: {
          type: 'object',
          properties: {
            plan: { type: 'string', enum: ['free', 'pro'], description: 'What they pay for' },
            teams: { type: 'array', items: { type: 'string', description: 'Name' }, description: 'Where they are' },
            unsigned: {
              type: 'object',
              description: 'Unsigned claims of the site visitor.',
              properties: { beta: { type: 'boolean', description: 'Whether they test' } },
              additionalProperties: false,
            },
          },
          additionalProperties: false,
        },
      },
    },
    listSiteAdaptiveTemplateConditions: { params },
    listSiteShareLinks: { params, query: { ...list, search: 'share' } },
    createSiteShareLink: { params, body: { name: 'Another' } },
    updateSiteShareLinkById: { params: atShare, body: { active: true, name: 'Share' } },
    deleteSiteShareLinkById: { params: atShare },
    getSitePublishingAuthById: { params },
    updateSitePublishingAuthById: {
      params,
      body: { backend: 'custom', fallbackURL: 'https://example.com/in', logoutURL: null },
    },
    regenerateSitePublishingAuthById: { params },
    getSitePublishingPreviewById: {
      params,
      query: { siteSpace: ids.siteSpace, claims: '(plan:pro,teams:!(a,b))', draft: 'true', target: url },
    },
    listSiteCustomHostnames: { params },
    getCustomHostname: { params: { hostname } },
    dnsRevalidateCustomHostname: { params: { hostname } },
    removeCustomHostname: { params: { hostname } },
    trackEventsInSiteById: {
      params,
      body: {
        events: [
          createEvent('page_view', {}, { location: { siteSpace: ids.siteSpace, page: ids.page } }),
          createEvent('page_post_feedback_comment', { feedback: { rating: 'good', comment: 'Fine' } }),
        ],
      },
    },
    aggregateSiteEvents: {
      params,
      body: {
        range: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
        select: [{ column: 'datetime', interval: 'day' }, { column: 'page' }, { column: 'eventsCount' }],
        where: [
          { column: 'urlPath', operator: 'notIn', values: ['/'] },
          { column: 'eventsCount', operator: 'greaterThan', values: [0] },
        ],
        groupBy: [{ column: 'visitorBrowser' }],
        order: { by: { column: 'eventsCount' }, direction: 'desc' },
        limit: 10,
      },
    },
    listSiteFeedback: { params, query: { ...list, rating: 'good', pageId: ids.page } },
    getSiteSearchSettings: { params },
    updateSiteSearchSettings: { params, body: { synonyms: [['webhook', 'callback']] } },
    searchSiteContent: {
      params,
      query: list,
      body: {
        query: 'page',
        scope: { mode: 'default', currentSiteSpace: ids.siteSpace, restrictTo: 'otherSiteSpaces' },
      },
    },
    resolvePublishedContentByUrl: {
      body: {
        url,
        redirectOnError: true,
        visitor: { type: 'human', jwtToken: 'a.b.c', unsignedClaims: { beta: true } },
      },
    },
    getPublishedContentByUrl: { query: { url, visitorAuthToken: 'a.b.c', redirectOnError: 'true' } },
    getContentByUrl: { query: { url: app } },
  }
}
