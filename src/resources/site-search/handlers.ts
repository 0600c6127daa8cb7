import type { StoredSiteItem } from '../../access/sites.ts'
import { type SearchScope, siteSearch } from '../../contract/site-search.ts'
import type { SiteReadContext } from '../../kernel/context.ts'
import { implement } from '../../kernel/implement.ts'
import { toPage } from '../../kernel/pagination.ts'
import { pathOnSite } from '../../publishing/pages.ts'
import type { Structure } from '../../publishing/structure.ts'
import { type PageWithSections, withSections } from '../../search/matching-sections.ts'
import { type PageUrlBuilder, createAppUrlBuilder, presentSearchPage, scoreOfRank } from '../search/present.ts'
import { decodeOffset } from '../search/search-space.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { getPublishedUrl } from '../../domain/sites/present-site.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import { searchSitePages } from './search-site-pages.ts'
import { presentSearchSettings } from './synonyms.ts'

export const siteSearchRoutes = implement(siteSearch, {
  async searchSiteContent(context, { query, body }) {
    const { db, site, visitor } = context
    const after = decodeOffset(query.page)
    const { found, structure, items } = await searchSitePages(context, {
      query: body.query,
      scope: toSearchScope(body),
    })
    const shown = found.slice(after, after + query.limit + 1)
    const pages = await withSections(db, site.organization_id, shown)
    const buildPageUrl = visitor ? createSiteUrlBuilder(context, structure, items) : createAppUrlBuilder(context.urls)
    const { items: resultPages, ...page } = toPage(
      pages,
      query,
      found.length,
      ({ rank }) => [String(rank)],
      (one) => one,
    )
    return { ...page, items: presentBySpace(resultPages, items, buildPageUrl) }
  },

  getSiteSearchSettings({ site }) {
    return presentSearchSettings(site)
  },

  async updateSiteSearchSettings(context, { body: { synonyms } }) {
    const search_synonyms = synonyms.length === 0 ? null : JSON.stringify(synonyms)
    const before = presentSearchSettings(context.site)
    const after = presentSearchSettings(await updateSite(context, context.site, { search_synonyms }))
    await recordEventAbout(context, 'site', context.site, 'site.search-update', { before, after })
    return after
  },
})

interface SearchBody {
  scope?: SearchScope | undefined
  mode?: 'current' | 'specific' | 'all' | undefined
  siteSpaceId?: string | undefined
  siteSpaceIds?: string[] | undefined
}

/** Returns the scope of a search, which can be written in two ways. */
function toSearchScope({ scope, mode, siteSpaceId, siteSpaceIds }: SearchBody): SearchScope {
  if (scope) return scope
  if (mode === 'current') return { mode: 'default', currentSiteSpace: siteSpaceId }
  return siteSpaceIds && mode !== 'all' ? { mode: 'specific', siteSpaceIds } : { mode: 'all' }
}

/** Returns a function that builds the URLs of pages on the site. */
function createSiteUrlBuilder(
  { site, urls, visitor }: SiteReadContext,
  structure: Structure<StoredSiteItem>,
  items: ReadonlyMap<string, StoredSiteItem>,
): PageUrlBuilder {
  // For previews of an unpublished site, the URL that it will have.
  const base = getPublishedUrl(site, urls, visitor?.shareKey) ?? urls.site(site)
  return ({ spaceId, lineage }) => {
    const path = lineage.map(({ entry }) => entry.slug).join('/')
    return base + pathOnSite(structure, items.get(spaceId) as StoredSiteItem, path)
  }
}

/** Groups pages by space, the space with the best page first. */
function presentBySpace(
  pages: readonly PageWithSections[],
  items: ReadonlyMap<string, StoredSiteItem>,
  buildPageUrl: PageUrlBuilder,
) {
  const groups = new Map<string, PageWithSections[]>()
  for (const page of pages) groups.set(page.spaceId, [...(groups.get(page.spaceId) ?? []), page])
  return Array.from(groups, ([spaceId, spacePages]) => ({
    type: 'space' as const,
    id: spaceId,
    title: items.get(spaceId)?.title ?? '',
    score: scoreOfRank(spacePages[0]?.rank ?? 1),
    pages: spacePages.map((page) => presentSearchPage(page, buildPageUrl)),
  }))
}
