import type { SearchPage } from '../../contract/search.ts'
import type { ListQuery, Page } from '../../contract/shared.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { decodeCursor, toPage } from '../../kernel/page.ts'
import { search } from '../../search/search.ts'
import { withSections } from '../../search/sections.ts'
import { inApp, presentFound } from './present.ts'

/** Whether a text is the place of a result, as cursors of searches name it. */
export const isRank = (text: string | undefined): boolean => /^\d{1,6}$/.test(text ?? '')

/** How many results were told before the page that is asked for. */
export function decodeOffset(page: string | undefined): number {
  return Number(decodeCursor(page, 1, ([rank]) => isRank(rank))?.[0] ?? 0)
}

/** A page of what a member finds in a space. */
export async function searchSpace(
  context: SpaceContext,
  { query, page, limit }: ListQuery & { query: string },
): Promise<Page<SearchPage>> {
  const { db, space, urls } = context
  const after = decodeOffset(page)
  const { organization_id: organizationId } = space
  const found = await search(context, { organizationId, spaceIds: [space.id], query, reader: 'member' })
  const shown = found.slice(after, after + limit + 1)
  const presented = await withSections(db, organizationId, shown, query)
  return toPage(
    presented,
    { limit },
    found.length,
    ({ rank }) => [String(rank)],
    (one) => presentFound(one, inApp(urls)),
  )
}
