import { z } from 'zod'
import { operation } from './kit.ts'
import { HttpUrl, Id, ListQuery, QueryBoolean, Timestamp, pageOf } from './shared.ts'

const ShareLinkName = z.string().max(50)

export const ShareLink = z
  .object({
    object: z.literal('share-link'),
    id: Id,
    name: ShareLinkName,
    key: z.string().describe('The secret part of its address'),
    active: z.boolean(),
    createdAt: Timestamp,
    urls: z.object({
      published: z
        .string()
        .optional()
        .describe('Where it opens the site; only while it is active, and the site published and open to share links'),
    }),
  })
  .meta({ id: 'ShareLink' })
export type ShareLink = z.infer<typeof ShareLink>

export const siteShareLinks = {
  listSiteShareLinks: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/share-links',
    summary: 'List the share links of a site',
    access: 'site:edit',
    scope: 'site:auth:read',
    query: ListQuery.extend({
      search: z.string().max(256).optional().describe('A part of the name or of the key, in any case'),
    }),
    reply: pageOf(ShareLink),
  }),
  createSiteShareLink: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/share-links',
    summary: 'Create a share link',
    description: 'Whoever has it gets into a site whose visibility is `share-link`.',
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
    summary: 'Rename a share link, or let it no longer open the site',
    access: 'site:edit',
    scope: 'site:auth:write',
    body: z
      .object({ active: z.boolean(), name: ShareLinkName })
      .partial()
      .refine((body) => Object.keys(body).length > 0, 'must hold `active` or `name`'),
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
    privateKey: z.string().describe('What the tokens of visitors are signed with (HS256)'),
    fallbackURL: HttpUrl.optional().describe('Where visitors are sent who have no valid token'),
    logoutURL: HttpUrl.optional(),
  })
  .meta({ id: 'SitePublishingAuth' })
export type SitePublishingAuth = z.infer<typeof SitePublishingAuth>

export const sitePublishing = {
  getSitePublishingAuthById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/publishing/auth',
    summary: 'Get how visitors of a site prove who they are',
    access: 'site:admin',
    scope: 'site:auth:read',
    reply: SitePublishingAuth,
    errors: [409],
  }),
  updateSitePublishingAuthById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/publishing/auth',
    summary: 'Change where visitors sign in and out',
    access: 'site:admin',
    scope: 'site:auth:write',
    body: z.object({
      backend: z.enum(['custom', 'integration']).describe('There are no integrations here: `custom`'),
      fallbackURL: HttpUrl.nullable().optional(),
      logoutURL: HttpUrl.nullable().optional(),
    }),
    reply: SitePublishingAuth,
    errors: [409],
  }),
  regenerateSitePublishingAuthById: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/publishing/auth/regenerate',
    summary: 'Give a site a new private key',
    description: 'Tokens that were signed with the one before no longer open the site, and whoever was in is out.',
    access: 'site:admin',
    scope: 'site:auth:write',
    reply: SitePublishingAuth,
    secret: true,
  }),
  getSitePublishingPreviewById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/publishing/preview',
    summary: 'Get an address that shows a site as it would be, for an hour',
    description:
      'It works whether or not the site is published, for whoever has it, as long as the caller can see the site. A limited token needs the scope `space:read` besides, as a preview shows what spaces contain.',
    access: 'site:view',
    scope: 'site:read',
    query: z.object({
      siteSpace: Id.optional().describe('The site space to begin with, if not the one that the site leads to'),
      claims: z
        .string()
        .max(8192)
        .optional()
        .describe('What is to be known about the visitor: an object in Rison, or in JSON'),
      draft: QueryBoolean.default(true).describe('Whether drafts are shown'),
      target: z.string().max(2048).optional().describe('The address on the site to begin with'),
    }),
    reply: z.object({ url: z.string() }),
    errors: [404],
  }),
}
