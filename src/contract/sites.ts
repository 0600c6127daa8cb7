import { z } from 'zod'
import { SiteCustomization } from './customization.ts'
import { operation } from './operation.ts'
import { DefaultLevel } from './roles.ts'
import { HttpUrl, Id, ListQuery, QueryBoolean, paginated } from './shared.ts'
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
    summary: 'List the sites of an organization',
    description: 'Returns only sites that the caller can see.',
    access: 'organization:view',
    scope: 'site:read',
    query: ListQuery.extend({
      space: Id.optional().describe('Only sites that contain this space'),
      title: z.string().max(128).optional().describe('Only sites whose title contains this text; case-insensitive'),
      published: QueryBoolean.optional(),
      type: oneOrMore(SiteType).optional(),
    }),
    reply: paginated(Site),
  }),
  createSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites',
    summary: 'Create a site',
    description: 'The site is not accessible until it is published.',
    access: 'organization:createContent',
    scope: 'site:write',
    body: z.object({
      type: SiteType.optional(),
      title: SiteTitle.optional(),
      visibility: SiteVisibility.optional(),
      spaces: z
        .union([z.array(Id).max(1000), z.literal('new')])
        .optional()
        .describe('IDs of the spaces of the site, or `new` to create a space'),
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
    summary: 'Update a site',
    access: 'site:edit',
    scope: 'site:write',
    body: z
      .object({
        title: SiteTitle,
        visibility: SiteVisibility,
        basename: SiteBasename,
        agentsContext: AgentsContext,
        defaultLevel: DefaultLevel.describe('Requires the role `admin` on the site'),
        defaultSiteSpace: Id.describe('ID of the default site space of the site or of its default section'),
        defaultSiteSection: Id,
        adaptiveContent: z.object({ enabled: z.boolean() }),
        proxy: SiteProxy.nullable().describe('Host and path of another domain under which the site is served'),
        hostname: SiteHostname.nullable().describe('Custom hostname; it serves the site after verification'),
      })
      .partial(),
    reply: Site,
    errors: [404, 409],
  }),
  deleteSiteById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}',
    summary: 'Delete a site',
    description: 'Its spaces are not deleted.',
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
    summary: 'Unpublish a site',
    access: 'site:publish',
    scope: 'site:publish',
    reply: Site,
  }),
  getPublishedContentSite: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/published',
    summary: 'Get a published site',
    description:
      'Returns the site with its structure, customization and scripts. Members see everything except drafts; visitors see what is visible to them on the site.',
    access: 'site:visit',
    scope: 'site:read',
    query: ShareKeyQuery,
    reply: PublishedContentSite,
  }),
}
