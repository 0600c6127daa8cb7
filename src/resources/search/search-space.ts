import type { SearchPage } from '../../contract/search.ts'
import type { ListQuery, Paginated } from '../../contract/shared.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { search } from '../../search/search.ts'
import { withSections } from '../../search/matching-sections.ts'
import { createAppUrlBuilder, presentSearchPage } from './present.ts'

/** Whether a string is the rank of a result, as cursors of searches contain it. */
export const isRank = (text: string | undefined): boolean => /^\d{1,6}$/.test(text ?? '')

/** Returns the number of results before the requested page. */
export function decodeOffset(page: string | undefined): number {
  return Number(decodeCursor(page, 1, ([rank]) => isRank(rank))?.[0] ?? 0)
}

/** Searches a space for a member; returns one page of results. */
export async function searchSpace(
  context: SpaceContext,
  { query, page, limit }: ListQuery & { query: string },
): Promise<Paginated<SearchPage>> {
  const { db, space, urls } = context
  const after = decodeOffset(page)
  const { organization_id: organizationId } = space
  const found = await search(context, { organizationId, spaceIds: [space.id], query, reader: 'member' })
  const shown = found.slice(after, after + limit + 1)
  const pagesWithSections = await withSections(db, organizationId, shown)
  return toPage(
    pagesWithSections,
    { limit },
    found.length,
    ({ rank }) => [String(rank)],
    (one) => presentSearchPage(one, createAppUrlBuilder(urls)),
  )
}
