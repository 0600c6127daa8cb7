import type { SearchSpace } from '../../contract/search.ts'
import type { ListQuery, Paginated } from '../../contract/shared.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { FoundPage } from '../../search/found-page.ts'
import { search } from '../../search/search.ts'
import { withSections } from '../../search/matching-sections.ts'
import { createAppUrlBuilder, presentSearchPage, scoreOfRank } from '../search/present.ts'
import { isRank } from '../search/search-space.ts'
import * as store from './store.ts'

/** Maximum number of pages per space in the results. */
const maxPagesPerSpace = 10

interface MatchingSpace {
  id: string
  title: string
  /** How well its title matches; 0 if it does not. */
  match: number
  /** Part of the cursor after the match: the id of the space, or the rank of its best page. */
  key: string
}

/** Searches an organization for a member: first spaces with a matching title, then spaces with matching pages. */
export async function searchOrganization(
  context: OrganizationContext,
  { query, page, limit }: ListQuery & { query: string },
): Promise<Paginated<SearchSpace>> {
  const { db, viewer, urls } = context
  const { organizationId } = viewer
  const after = decodeCursor(page, 2, ([match, key]) => /^[1-3]$/.test(match ?? '') || (match === '0' && isRank(key)))
  const spaceIds = await store.findVisibleSpaceIds(db, viewer)
  const pages = groupPagesBySpace(await search(context, { organizationId, spaceIds, query, reader: 'member' }))
  const byPages = await findSpacesMatchingPages(context, query, pages)
  const byTitle = after?.[0] === '0' ? [] : await findSpacesMatchingTitle(context, query, { after, limit })
  const rest = byPages.filter(({ key }) => after?.[0] !== '0' || Number(key) > Number(after[1]))
  const spaces = [...byTitle, ...rest].slice(0, limit + 1)
  const shownPages = spaces.slice(0, limit).flatMap(({ id }) => pages.get(id)?.slice(0, maxPagesPerSpace) ?? [])
  const pagesWithSections = await withSections(db, organizationId, shownPages)
  return toPage(
    spaces,
    { limit },
    (await store.countSpacesMatchingTitle(db, viewer, query)) + byPages.length,
    ({ match, key }) => [String(match), key],
    ({ id, title, match, key }) => ({
      type: 'space' as const,
      id,
      title,
      // A matching title has a higher score than any page.
      score: match > 0 ? match : scoreOfRank(Number(key)),
      pages: pagesWithSections
        .filter(({ spaceId }) => spaceId === id)
        .map((one) => presentSearchPage(one, createAppUrlBuilder(urls))),
    }),
  )
}

async function findSpacesMatchingTitle(
  { db, viewer }: OrganizationContext,
  query: string,
  page: Parameters<typeof store.searchSpacesByTitle>[3],
): Promise<MatchingSpace[]> {
  const rows = await store.searchSpacesByTitle(db, viewer, query, page)
  return rows.map((row) => ({ ...row, key: row.id }))
}

/** Returns the spaces whose pages match but whose title does not, in the order of their best pages. */
async function findSpacesMatchingPages(
  { db, viewer }: OrganizationContext,
  query: string,
  pages: ReadonlyMap<string, readonly FoundPage[]>,
): Promise<MatchingSpace[]> {
  const rows = await store.findSpacesWithTitleMatch(db, viewer, query, [...pages.keys()])
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  return Array.from(pages, ([id, [best]]) => {
    const row = rowsById.get(id)
    return row?.match === 0 && best ? [{ ...row, key: String(best.rank) }] : []
  }).flat()
}

/** Groups pages by space; the spaces are in the order of their best pages. */
function groupPagesBySpace(pages: readonly FoundPage[]): Map<string, FoundPage[]> {
  const bySpace = new Map<string, FoundPage[]>()
  for (const page of pages) {
    const others = bySpace.get(page.spaceId)
    if (others) others.push(page)
    else bySpace.set(page.spaceId, [page])
  }
  return bySpace
}
