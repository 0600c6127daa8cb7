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
}
