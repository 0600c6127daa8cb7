import { z } from 'zod'
import { operation } from './operation.ts'
import { HttpUrl, Id, ListQuery, QueryBoolean, Timestamp, paginated } from './shared.ts'

const ShareLinkName = z.string().max(50)

export const ShareLink = z
  .object({
    object: z.literal('share-link'),
    id: Id,
    name: ShareLinkName,
    key: z.string().describe('Secret part of the link'),
    active: z.boolean(),
    createdAt: Timestamp,
    urls: z.object({
      published: z
        .string()
        .optional()
        .describe(
          'URL that opens the site; present only while the link is active and the site is published with the visibility `share-link`',
        ),
    }),
  })
  .meta({ id: 'ShareLink' })
export type ShareLink = z.infer<typeof ShareLink>

export const siteShareLinks = {
  listSiteShareLinks: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/share-links',
    summary: 'List share links',
    access: 'site:edit',
    scope: 'site:auth:read',
    query: ListQuery.extend({
      search: z
        .string()
        .max(256)
        .optional()
        .describe('Only links whose name or key contains this text; case-insensitive'),
    }),
    reply: paginated(ShareLink),
  }),
  createSiteShareLink: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/share-links',
    summary: 'Create a share link',
    description: 'Everyone with the link can open a site whose visibility is `share-link`.',
    access: 'site:edit',
    scope: 'site:auth:write',
    body: z.object({ name: ShareLinkName }),
    status: 201,
    reply: ShareLink,
    errors: [409],
  }),
  updateSiteShareLinkById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId}',
    summary: 'Update a share link',
    description: 'Renames the link, or activates or deactivates it.',
    access: 'site:edit',
    scope: 'site:auth:write',
    body: z
      .object({ active: z.boolean(), name: ShareLinkName })
      .partial()
      .refine((body) => Object.keys(body).length > 0, 'must contain `active` or `name`'),
    reply: ShareLink,
    errors: [404],
  }),
  deleteSiteShareLinkById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId}',
    summary: 'Delete a share link',
    access: 'site:edit',
    scope: 'site:auth:write',
  }),
}

export const SitePublishingAuth = z
  .object({
    object: z.literal('publishing-auth'),
    backend: z.literal('custom'),
    privateKey: z.string().describe('Key for signing visitor tokens (HS256)'),
    fallbackURL: HttpUrl.optional().describe('URL to which visitors without a valid token are redirected'),
    logoutURL: HttpUrl.optional(),
  })
  .meta({ id: 'SitePublishingAuth' })
export type SitePublishingAuth = z.infer<typeof SitePublishingAuth>

export const sitePublishing = {
  getSitePublishingAuthById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/publishing/auth',
    summary: 'Get visitor authentication settings',
    access: 'site:admin',
    scope: 'site:auth:read',
    reply: SitePublishingAuth,
    errors: [409],
  }),
  updateSitePublishingAuthById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/publishing/auth',
    summary: 'Update visitor authentication settings',
    access: 'site:admin',
    scope: 'site:auth:write',
    body: z.object({
      backend: z.enum(['custom', 'integration']).describe('Must be `custom`; integrations are not supported'),
      fallbackURL: HttpUrl.nullable().optional(),
      logoutURL: HttpUrl.nullable().optional(),
    }),
    reply: SitePublishingAuth,
    errors: [409],
  }),
  regenerateSitePublishingAuthById: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/publishing/auth/regenerate',
    summary: 'Regenerate the private key of a site',
    description: 'Tokens signed with the previous key are no longer accepted, and all visitors are signed out.',
    access: 'site:admin',
    scope: 'site:auth:write',
    reply: SitePublishingAuth,
    secret: true,
  }),
  getSitePublishingPreviewById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/publishing/preview',
    summary: 'Create a preview URL of a site',
    description:
      'The URL works for one hour, for everyone who has it, whether or not the site is published, as long as the caller can see the site. A scoped token also requires `space:read`, because a preview shows the content of spaces.',
    access: 'site:view',
    scope: 'site:read',
    query: z.object({
      siteSpace: Id.optional().describe('ID of the site space to open; defaults to that of the site'),
      claims: z.string().max(8192).optional().describe('Visitor claims for the preview, as a Rison or JSON object'),
      draft: QueryBoolean.default(true).describe('Whether to show drafts'),
      target: z.string().max(2048).optional().describe('URL on the site to open'),
    }),
    reply: z.object({ url: z.string() }),
    errors: [404],
  }),
}
