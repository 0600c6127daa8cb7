import { z } from 'zod'
import { operation } from './operation.ts'
import { HttpUrl, Id, ListQuery, QueryBoolean, Timestamp, paginated } from './shared.ts'
import { ShareKeyQuery } from './site.ts'

const maxSourceLength = 512

const SiteRedirectSource = z
  .string()
  .max(maxSourceLength)
  .regex(
    /^\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+)*(?:\/\*|\*)?$/,
    'must be a path such as `/old/page`, which may end with `*`',
  )
  .describe('Path on the site. With `*` at the end it matches all paths with this prefix')

export const SiteRedirectDestination = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('site-section'), siteSectionId: Id }),
    z.object({ kind: z.literal('site-space'), siteSpaceId: Id }),
    z.object({ kind: z.literal('site-page'), siteSpaceId: Id, pageId: Id }),
    z.object({ kind: z.literal('external'), url: HttpUrl }),
  ])
  .meta({ id: 'SiteRedirectDestination' })
export type SiteRedirectDestination = z.infer<typeof SiteRedirectDestination>

export const SiteRedirectInputDestination = z
  .discriminatedUnion('kind', [
    ...SiteRedirectDestination.options,
    z
      .object({ kind: z.literal('path'), spaceId: Id, path: z.string().max(2048) })
      .describe('The page that is currently at this path of the space; the redirect follows the page when it moves'),
    z
      .object({ kind: z.literal('site-path'), path: z.string().max(2048) })
      .describe('The page, space or section that is currently at this path of the site'),
  ])
  .meta({ id: 'SiteRedirectInputDestination' })
export type SiteRedirectInputDestination = z.infer<typeof SiteRedirectInputDestination>

export const SiteRedirect = z
  .object({
    object: z.literal('site-redirect'),
    id: Id,
    source: z.string(),
    draft: z.boolean(),
    captureWildcard: z.boolean(),
    permanent: z.boolean(),
    destination: SiteRedirectDestination,
    target: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Path of the destination on the site, or its URL; null if it was deleted. Present only if the list was requested with `resolve`',
      ),
    createdAt: Timestamp,
    updatedAt: Timestamp.optional().describe('Absent until the first change'),
  })
  .meta({ id: 'SiteRedirect' })
export type SiteRedirect = z.infer<typeof SiteRedirect>

const CaptureWildcard = z.boolean().describe('Whether to append the part matched by `*` to the destination')
const Draft = z.boolean().describe('Whether the redirect applies only to members and to previews of drafts')
const Permanent = z.boolean().describe('Whether browsers and search engines may cache the redirect permanently')

const SiteRedirectPublication = z.object({
  source: SiteRedirectSource,
  intent: z.literal('publish').describe('Replaces the live redirect with the draft'),
})

const SiteRedirectUpsert = z.object({
  source: SiteRedirectSource,
  intent: z
    .enum(['live', 'draft'])
    .default('live')
    .describe('Whether to change the live redirect or the draft of this source'),
  captureWildcard: CaptureWildcard.default(false),
  permanent: Permanent.optional(),
  destination: SiteRedirectInputDestination.nullable().describe('null deletes the redirect'),
})

export const SiteRedirectChange = z.union([SiteRedirectUpsert, SiteRedirectPublication])
export type SiteRedirectChange = z.infer<typeof SiteRedirectChange>

const resultFields = { source: z.string(), draft: z.boolean() }

export const SiteRedirectResult = z
  .discriminatedUnion('status', [
    z.object({
      status: z.enum(['created', 'updated', 'published']),
      ...resultFields,
      id: Id,
    }),
    z.object({ status: z.literal('deleted'), ...resultFields }),
    z.object({ status: z.literal('error'), ...resultFields, error: z.string() }),
  ])
  .meta({ id: 'SiteRedirectResult' })
export type SiteRedirectResult = z.infer<typeof SiteRedirectResult>

const SiteRedirectChanges = z.object({ redirects: z.array(SiteRedirectChange).min(1).max(500) })

const SiteRedirectResults = z.object({
  results: z.array(SiteRedirectResult).describe('One result for each change, in the same order'),
})

export const SiteRedirectOrder = z.enum(['createdAt', 'updatedAt', 'source'])
export type SiteRedirectOrder = z.infer<typeof SiteRedirectOrder>

export const siteRedirects = {
  listSiteRedirects: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/redirects',
    summary: 'List redirects',
    access: 'site:view',
    scope: 'site:read',
    query: ListQuery.extend({
      search: z
        .string()
        .max(maxSourceLength)
        .optional()
        .describe('Only redirects whose source contains this text; case-insensitive'),
      draft: QueryBoolean.default(false).describe('Whether to list drafts instead of live redirects'),
      resolve: QueryBoolean.default(false).describe('Whether to return the current `target` of each redirect'),
      orderBy: SiteRedirectOrder.default('createdAt').describe(
        'Sort order: times in descending order, sources in ascending order',
      ),
    }),
    reply: paginated(SiteRedirect),
  }),
  createSiteRedirect: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/redirects',
    summary: 'Create a redirect',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({
      source: SiteRedirectSource,
      captureWildcard: CaptureWildcard.default(false),
      draft: Draft.default(false),
      permanent: Permanent.default(false),
      destination: SiteRedirectInputDestination,
    }),
    status: 201,
    reply: SiteRedirect,
    errors: [404, 409],
  }),
  bulkUpsertSiteRedirects: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/sites/{siteId}/redirects',
    summary: 'Create, update, publish and delete redirects in bulk',
    description:
      'Applies the changes in order. A change that fails does not stop the others; its result contains the error.',
    access: 'site:edit',
    scope: 'site:write',
    body: SiteRedirectChanges,
    reply: SiteRedirectResults,
  }),
  checkSiteRedirects: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/redirects/check',
    summary: 'Check changes of redirects',
    description: 'Returns the results that the bulk operation would return for the same changes, and stores nothing.',
    access: 'site:edit',
    scope: 'site:read',
    readOnly: true,
    body: SiteRedirectChanges,
    reply: SiteRedirectResults,
  }),
  updateSiteRedirectById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}',
    summary: 'Update a redirect',
    access: 'site:edit',
    scope: 'site:write',
    body: z
      .object({
        source: SiteRedirectSource,
        captureWildcard: CaptureWildcard,
        draft: Draft,
        permanent: Permanent,
        destination: SiteRedirectInputDestination,
      })
      .partial(),
    reply: SiteRedirect,
    errors: [404, 409],
  }),
  deleteSiteRedirectById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}',
    summary: 'Delete a redirect',
    access: 'site:edit',
    scope: 'site:write',
  }),
  getSiteRedirectBySource: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/redirect',
    summary: 'Resolve a redirect',
    description: 'An exact match takes precedence over patterns; of several patterns, the longest applies.',
    access: 'site:visit',
    scope: 'site:read',
    query: ShareKeyQuery.extend({ source: z.string().min(1).max(8192).describe('Path on the site') }),
    reply: z.object({
      redirect: SiteRedirect,
      target: z.string().describe('URL of the destination'),
    }),
    errors: [404],
  }),
}
