import { z } from 'zod'
import { SiteCustomization } from './customization.ts'
import { operation } from './kit.ts'
import { DefaultLevel } from './roles.ts'
import { HttpUrl, Id, ListQuery, QueryBoolean, pageOf } from './shared.ts'
import {
  AgentsContext,
  ShareKeyQuery,
  Site,
  SiteBasename,
  SiteHostname,
  SiteProxy,
  SiteStructure,
  SiteTitle,
  SiteType,
  SiteVisibility,
} from './site.ts'

const oneOrMore = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item), item.transform((value) => [value] as z.output<T>[])])

export const PublishedContentSite = z
  .object({
    object: z.literal('published-content-site'),
    site: Site,
    structure: SiteStructure,
    customizations: z.object({ site: SiteCustomization, siteSpaces: z.record(z.string(), SiteCustomization) }),
    scripts: z.array(z.object({ script: HttpUrl, contentSecurityPolicy: z.string().optional(), cookies: z.boolean() })),
  })
  .meta({ id: 'PublishedContentSite' })
export type PublishedContentSite = z.infer<typeof PublishedContentSite>

export const sites = {
  listSites: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites',
    summary: 'List the sites of an organization that the caller can see',
    access: 'organization:view',
    scope: 'site:read',
    query: ListQuery.extend({
      space: Id.optional().describe('Sites that this space stands on'),
      title: z.string().max(128).optional().describe('A part of the title, in any case'),
      published: QueryBoolean.optional(),
      type: oneOrMore(SiteType).optional(),
    }),
    reply: pageOf(Site),
  }),
  createSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites',
    summary: 'Create a site',
    description: 'Nobody sees it until it is published.',
    access: 'organization:createContent',
    scope: 'site:write',
    body: z.object({
      type: SiteType.optional(),
      title: SiteTitle.optional(),
      visibility: SiteVisibility.optional(),
      spaces: z
        .union([z.array(Id).max(1000), z.literal('new')])
        .optional()
        .describe('Spaces that it is to hold, or `new`: a space that is made for it'),
    }),
    status: 201,
    reply: Site,
    errors: [404],
  }),
  getSiteById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}',
    summary: 'Get a site',
    access: 'site:visit',
    scope: 'site:read',
    reply: Site,
  }),
  updateSiteById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}',
    summary: 'Change a site',
    access: 'site:edit',
    scope: 'site:write',
    body: z
      .object({
        title: SiteTitle,
        visibility: SiteVisibility,
        basename: SiteBasename,
        agentsContext: AgentsContext,
        defaultLevel: DefaultLevel.describe('Only administrators of the site may change it'),
        defaultSiteSpace: Id.describe('The site space that the site, or its default section, leads to'),
        defaultSiteSection: Id,
        adaptiveContent: z.object({ enabled: z.boolean() }),
        proxy: SiteProxy.nullable().describe('Hosts the site on a path of another domain'),
        hostname: SiteHostname.nullable().describe('Claims a hostname, which serves the site once it is verified'),
      })
      .partial(),
    reply: Site,
    errors: [404, 409],
  }),
  deleteSiteById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}',
    summary: 'Delete a site; its spaces stay',
    access: 'site:create',
    scope: 'site:write',
  }),
  publishSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/publish',
    summary: 'Publish a site',
    access: 'site:publish',
    scope: 'site:publish',
    reply: Site,
  }),
  unpublishSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/unpublish',
    summary: 'Take a site off the web',
    access: 'site:publish',
    scope: 'site:publish',
    reply: Site,
  }),
  getPublishedContentSite: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/published',
    summary: 'Get everything that a published site is made of, as far as the caller sees it',
    description: 'Members see all that is no draft; visitors what they would see on the site.',
    access: 'site:visit',
    scope: 'site:read',
    query: ShareKeyQuery,
    reply: PublishedContentSite,
  }),
}
