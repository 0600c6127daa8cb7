import { findViewer } from '../../access/authorize.ts'
import { visibleSpaces } from '../../access/content.ts'
import { type StoredItem, loadStructure } from '../../access/sites.ts'
import { seesOnSite, unaided } from '../../access/visits.ts'
import { type SearchScope, siteSearch } from '../../contract/site-search.ts'
import type { PlacedSite, SiteReadContext, Viewer } from '../../kernel/context.ts'
import { implement } from '../../kernel/implement.ts'
import { toPage } from '../../kernel/page.ts'
import { pathOnSite } from '../../publishing/pages.ts'
import type { Structure } from '../../publishing/structure.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import { search } from '../../search/search.ts'
import { type PageWithSections, withSections } from '../../search/sections.ts'
import type { Db } from '../../storage/tables.ts'
import { type AddressOf, inApp, presentFound, scoreOf } from '../search/present.ts'
import { toldBefore } from '../search/space.ts'
import { publishedBase } from '../sites/present.ts'

export const siteSearchRoutes = implement(siteSearch, {
  async searchSiteContent(context, { query, body }) {
    const { db, site, visitor } = context
    const after = toldBefore(query.page)
    const structure = await loadStructure(db, site)
    const viewpoint = Viewpoint.ofReader(visitor, { seesDrafts: true })
    const { items, isOpen } = await searchedItems(context, structure, viewpoint, scopeOf(body))
    const alone = visitor && Viewpoint.of(unaided(visitor))
    const found = await search(context, {
      organizationId: site.organization_id,
      spaceIds: [...items.keys()],
      query: body.query,
      reader: (spaceId) => (!alone ? 'member' : isOpen(spaceId) ? viewpoint : alone),
    })
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

/** Where to look, in whichever way it was said. */
function scopeOf({ scope, mode, siteSpaceId, siteSpaceIds }: SearchBody): SearchScope {
  if (scope) return scope
  if (mode === 'current') return { mode: 'default', currentSiteSpace: siteSpaceId }
  return siteSpaceIds && mode !== 'all' ? { mode: 'specific', siteSpaceIds } : { mode: 'all' }
}

/** The site spaces to look in, of those that the caller sees, by their spaces; and whether they read one as who they say. */
async function searchedItems(
  { db, site, viewer, visitor }: SiteReadContext,
  structure: Structure<StoredItem>,
  viewpoint: Viewpoint,
  scope: SearchScope,
): Promise<{ items: Map<string, StoredItem>; isOpen: (spaceId: string) => boolean }> {
  const seen = chosenBy(scope, structure).filter((item) => structure.isVisible(item, viewpoint))
  const items = new Map(seen.toReversed().map((item) => [item.spaceId ?? '', item]))
  // Members, and those whom they let preview a site, find what the members could also open.
  const member = viewer ?? (await previewerOf(db, site, visitor))
  if (!member || items.size === 0) return { items, isOpen: () => true }
  const own = await visibleSpaces(db, member)
    .where('spaces.id', 'in', [...items.keys()])
    .select('spaces.id')
    .execute()
  const opened = new Set(own.map(({ id }) => id))
  const isOpen = (spaceId: string) => opened.has(spaceId)
  const isFree = (item: StoredItem) => visitor !== undefined && seesOnSite(site, structure, item, unaided(visitor))
  return { items: new Map([...items].filter(([id, item]) => isOpen(id) || isFree(item))), isOpen }
}

async function previewerOf(
  db: Db,
  { organization_id }: PlacedSite,
  visitor: SiteReadContext['visitor'],
): Promise<Viewer | undefined> {
  return visitor?.previewBy === undefined ? undefined : findViewer(db, organization_id, visitor.previewBy)
}

function chosenBy(scope: SearchScope, structure: Structure<StoredItem>): readonly StoredItem[] {
  switch (scope.mode) {
    case 'all':
      return structure.spaces
    case 'specific':
      return structure.spaces.filter(({ id }) => scope.siteSpaceIds.includes(id))
    default: {
      const current = structure.spaces.find(({ id }) => id === scope.currentSiteSpace)
      const others = structure.spaces.filter((item) => item.parentId !== current?.parentId && structure.isDefault(item))
      if (!current) return structure.isSectioned ? others : structure.spaces.filter((item) => structure.isDefault(item))
      if (scope.restrictTo === 'currentSiteSpace') return [current]
      return scope.restrictTo === 'otherSiteSpaces' ? others : [current, ...others]
    }
  }
}

/** Where visitors find the pages. */
function onSite(
  { site, urls, visitor }: SiteReadContext,
  structure: Structure<StoredItem>,
  items: ReadonlyMap<string, StoredItem>,
): AddressOf {
  // Whoever previews a site finds it where it will be.
  const base = publishedBase(site, urls, visitor?.shareKey) ?? urls.site(site)
  return ({ spaceId, lineage }) => {
    const path = lineage.map(({ entry }) => entry.slug).join('/')
    return base + pathOnSite(structure, items.get(spaceId) as StoredItem, path)
  }
}

/** Pages with the spaces that they stand in, the one with the best page first. */
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
