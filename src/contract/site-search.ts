import { z } from 'zod'
import { operation } from './operation.ts'
import { SearchSpace } from './search.ts'
import { Id, ListQuery, paginated } from './shared.ts'

const siteSpaceIds = z.array(Id).min(1).max(1000)

const SearchScope = z.discriminatedUnion('mode', [
  z.object({
    mode: z.literal('default').describe('The current site space and the default site spaces of the other sections'),
    currentSiteSpace: Id.optional(),
    restrictTo: z.enum(['currentSiteSpace', 'otherSiteSpaces']).optional(),
  }),
  z.object({ mode: z.literal('specific'), siteSpaceIds }),
  z.object({ mode: z.literal('all') }),
])
export type SearchScope = z.infer<typeof SearchScope>

/** Limits of the synonyms of a site, which are read with each search. */
const synonymLimits = { groups: 200, words: 8, length: 64 }

const Synonym = z
  .string()
  .trim()
  .min(1)
  .max(synonymLimits.length)
  .regex(/[\p{L}\p{N}]/u, 'must contain a letter or a digit')

export const SiteSearchSettings = z
  .object({
    object: z.literal('site-search-settings'),
    synonyms: z
      .array(z.array(z.string()))
      .describe('Groups of words and phrases; a search for one of a group also finds the others'),
  })
  .meta({ id: 'SiteSearchSettings' })
export type SiteSearchSettings = z.infer<typeof SiteSearchSettings>

export const siteSearch = {
  searchSiteContent: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/search',
    summary: 'Search a site',
    description: 'Searches the content that the caller can see.',
    access: 'site:visit',
    scope: 'site:search',
    readOnly: true,
    maxBody: 256 * 1024,
    query: ListQuery,
    body: z
      .object({
        query: z.string().min(1).max(512),
        scope: SearchScope.optional(),
        mode: z.enum(['current', 'specific', 'all']).optional().describe('Deprecated; use `scope`'),
        siteSpaceId: Id.optional(),
        siteSpaceIds: siteSpaceIds.optional(),
      })
      .refine((body) => body.mode !== 'current' || body.siteSpaceId !== undefined, {
        path: ['siteSpaceId'],
        message: 'is required when `mode` is `current`',
      }),
    reply: paginated(SearchSpace),
  }),
  getSiteSearchSettings: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/search/settings',
    summary: 'Get the search settings of a site',
    access: 'site:view',
    scope: 'site:read',
    reply: SiteSearchSettings,
  }),
  updateSiteSearchSettings: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/sites/{siteId}/search/settings',
    summary: 'Update the search settings of a site',
    description: 'Replaces all synonyms.',
    access: 'site:edit',
    scope: 'site:write',
    body: z.object({
      synonyms: z
        .array(z.array(Synonym).min(2).max(synonymLimits.words))
        .max(synonymLimits.groups)
        .describe('Groups of words and phrases; a search for one of a group also finds the others'),
    }),
    reply: SiteSearchSettings,
  }),
}
