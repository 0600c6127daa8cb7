import { z } from 'zod'
import { operation } from './kit.ts'
import { HttpUrl, Id, ListQuery, QueryBoolean, Timestamp, pageOf } from './shared.ts'
import { ShareKeyQuery } from './site.ts'

const maxSourceLength = 512

const SiteRedirectSource = z
  .string()
  .max(maxSourceLength)
  .regex(
    /^\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+)*(?:\/\*|\*)?$/,
    'must be a path such as `/old/page`, which may end with `*`',
  )
  .describe('A path on the site; with `*` at its end, everything that begins like it')

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
      .describe('The page that is at this path of the space now; the redirect stays with it'),
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
    createdAt: Timestamp,
    updatedAt: Timestamp.optional().describe('Absent as long as it was not changed'),
  })
  .meta({ id: 'SiteRedirect' })
export type SiteRedirect = z.infer<typeof SiteRedirect>

const CaptureWildcard = z.boolean().describe('Whether what `*` stands for is appended to the destination')
const Draft = z.boolean().describe('Whether only members and those who preview drafts are redirected')
const Permanent = z.boolean().describe('Whether browsers and search engines may remember it')

const SiteRedirectPublication = z.object({
  source: SiteRedirectSource,
  intent: z.literal('publish').describe('Makes the draft the live redirect'),
})

const SiteRedirectUpsert = z.object({
  source: SiteRedirectSource,
  intent: z.enum(['live', 'draft']).default('live').describe('Which of the two redirects of a source is meant'),
  captureWildcard: CaptureWildcard.default(false),
  permanent: Permanent.optional(),
  destination: SiteRedirectInputDestination.nullable().describe('null removes the redirect'),
})

export const SiteRedirectChange = z.union([SiteRedirectUpsert, SiteRedirectPublication])
export type SiteRedirectChange = z.infer<typeof SiteRedirectChange>

const resultOf = { source: z.string(), draft: z.boolean() }

export const SiteRedirectResult = z
  .discriminatedUnion('status', [
    z.object({ status: z.enum(['created', 'updated', 'published']), ...resultOf, id: Id }),
    z.object({ status: z.literal('deleted'), ...resultOf }),
    z.object({ status: z.literal('error'), ...resultOf, error: z.string() }),
  ])
  .meta({ id: 'SiteRedirectResult' })
export type SiteRedirectResult = z.infer<typeof SiteRedirectResult>

export const SiteRedirectOrder = z.enum(['createdAt', 'updatedAt', 'source'])
export type SiteRedirectOrder = z.infer<typeof SiteRedirectOrder>

export const siteRedirects = {
  listSiteRedirects: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/redirects',
    summary: 'List the redirects of a site',
    access: 'site:view',
    scope: 'site:read',
    query: ListQuery.extend({
      search: z.string().max(maxSourceLength).optional().describe('Part of the source, in any case'),
      draft: QueryBoolean.default(false).describe('Whether to list drafts, and not what is live'),
      orderBy: SiteRedirectOrder.default('createdAt').describe('The newest first, or by source'),
    }),
    reply: pageOf(SiteRedirect),
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
    summary: 'Create, change, publish and remove many redirects',
    description: 'In the given order. One that cannot be carried out does not stop the others: its result says why.',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({ redirects: z.array(SiteRedirectChange).min(1).max(500) }),
    reply: z.object({ results: z.array(SiteRedirectResult).describe('One for each, in the same order') }),
  }),
  updateSiteRedirectById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}',
    summary: 'Change a redirect',
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
    summary: 'Remove a redirect',
    access: 'site:edit',
    scope: 'site:write',
  }),
  getSiteRedirectBySource: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/redirect',
    summary: 'Find where a path on a site is redirected to',
    description: 'A redirect of the very path wins, else the longest one with `*`.',
    access: 'site:visit',
    scope: 'site:read',
    query: ShareKeyQuery.extend({ source: z.string().min(1).max(8192).describe('A path on the site') }),
    reply: z.object({
      redirect: SiteRedirect,
      target: z.string().describe('The address of the destination'),
    }),
    errors: [404],
  }),
}
