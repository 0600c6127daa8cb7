import type { StoredItem } from '../../access/sites.ts'
import { type SearchScope, siteSearch } from '../../contract/site-search.ts'
import type { SiteReadContext } from '../../kernel/context.ts'
import { implement } from '../../kernel/implement.ts'
import { toPage } from '../../kernel/page.ts'
import { pathOnSite } from '../../publishing/pages.ts'
import type { Structure } from '../../publishing/structure.ts'
import { type PageWithSections, withSections } from '../../search/sections.ts'
import { type AddressOf, inApp, presentFound, scoreOf } from '../search/present.ts'
import { decodeOffset } from '../search/space.ts'
import { getPublishedUrl } from '../../domain/sites/present-site.ts'
import { findOnSite } from './find.ts'

export const siteSearchRoutes = implement(siteSearch, {
  async searchSiteContent(context, { query, body }) {
    const { db, site, visitor } = context
    const after = decodeOffset(query.page)
    const { found, structure, items } = await findOnSite(context, { query: body.query, scope: scopeOf(body) })
    const shown = found.slice(after, after + query.limit + 1)
    const pages = await withSections(db, site.organization_id, shown, body.query)
    const addressOf = visitor ? onSite(context, structure, items) : inApp(context.urls)
    const { items: presented, ...page } = toPage(
      pages,
      query,
      found.length,
      ({ rank }) => [String(rank)],
      (one) => one,
    )
    return { ...page, items: bySpace(presented, items, addressOf) }
  },
})

interface SearchBody {
  scope?: SearchScope | undefined
  mode?: 'current' | 'specific' | 'all' | undefined
  siteSpaceId?: string | undefined
  siteSpaceIds?: string[] | undefined
}

/** Returns the scope of a search, which can be written in two ways. */
function scopeOf({ scope, mode, siteSpaceId, siteSpaceIds }: SearchBody): SearchScope {
  if (scope) return scope
  if (mode === 'current') return { mode: 'default', currentSiteSpace: siteSpaceId }
  return siteSpaceIds && mode !== 'all' ? { mode: 'specific', siteSpaceIds } : { mode: 'all' }
}

/** Returns a function that builds the URLs of pages on the site. */
function onSite(
  { site, urls, visitor }: SiteReadContext,
  structure: Structure<StoredItem>,
  items: ReadonlyMap<string, StoredItem>,
): AddressOf {
  // For previews of an unpublished site, the URL that it will have.
  const base = getPublishedUrl(site, urls, visitor?.shareKey) ?? urls.site(site)
  return ({ spaceId, lineage }) => {
    const path = lineage.map(({ entry }) => entry.slug).join('/')
    return base + pathOnSite(structure, items.get(spaceId) as StoredItem, path)
  }
}

/** Groups pages by space, the space with the best page first. */
function bySpace(pages: readonly PageWithSections[], items: ReadonlyMap<string, StoredItem>, addressOf: AddressOf) {
  const groups = new Map<string, PageWithSections[]>()
  for (const page of pages) groups.set(page.spaceId, [...(groups.get(page.spaceId) ?? []), page])
  return Array.from(groups, ([spaceId, inside]) => ({
    type: 'space' as const,
    id: spaceId,
    title: items.get(spaceId)?.title ?? '',
    score: scoreOf(inside[0]?.rank ?? 1),
    pages: inside.map((page) => presentFound(page, addressOf)),
  }))
}
