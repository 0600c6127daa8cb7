import type { LineagePage } from '../../content/revision/lineages.ts'
import { navigationTitleOf } from '../../content/revision/objects.ts'
import type { SearchPage } from '../../contract/search.ts'
import type { Urls } from '../../kernel/context.ts'
import type { FoundPage } from '../../search/found-page.ts'
import type { PageWithSections } from '../../search/matching-sections.ts'

/** Returns the URL of a page. */
export type PageUrlBuilder = (page: FoundPage) => string

/** Returns the URLs of pages in the app, where they are edited. */
export const createAppUrlBuilder =
  (urls: Urls): PageUrlBuilder =>
  ({ spaceId, lineage }) =>
    urls.app(`/spaces/${spaceId}/pages/${pageOf(lineage).entry.id}`)

export function presentSearchPage(found: PageWithSections, buildPageUrl: PageUrlBuilder): SearchPage {
  const { lineage, rank, sections } = found
  const { entry, page } = pageOf(lineage)
  const path = lineage.map((one) => one.entry.slug).join('/')
  const address = buildPageUrl(found)
  const score = scoreOfRank(rank)
  return {
    id: entry.id,
    title: navigationTitleOf(page),
    description: page.description ?? '',
    path,
    score,
    rank,
    ancestors: lineage.slice(0, -1).map((one) => ({ title: navigationTitleOf(one.page) })),
    sections: sections.map(({ anchor, heading, snippet }, index) => ({
      id: anchor ?? entry.id,
      title: anchor === null ? navigationTitleOf(page) : heading,
      path: withAnchor(path, anchor),
      body: snippet.text,
      score: score / (index + 1),
      urls: { app: withAnchor(address, anchor) },
    })),
    urls: { app: address },
  }
}

/**
 * Returns a score that depends only on the rank. Scores of search engines also depend on how often words occur in
 * spaces that the caller cannot see.
 */
export const scoreOfRank = (rank: number): number => 1 / rank

const pageOf = (lineage: FoundPage['lineage']) => lineage.at(-1) as LineagePage

const withAnchor = (address: string, anchor: string | null): string =>
  anchor === null ? address : `${address}#${anchor}`
