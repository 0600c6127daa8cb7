import { findViewer } from '../../access/authorize.ts'
import { visibleSpaces } from '../../access/content.ts'
import { type StoredItem, loadStructure } from '../../access/sites.ts'
import { seesOnSite, withoutPreview } from '../../access/visits.ts'
import type { SearchScope } from '../../contract/site-search.ts'
import type { PlacedSite, SiteReadContext, Viewer } from '../../kernel/context.ts'
import type { Structure } from '../../publishing/structure.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import type { SearchPreview } from '../../search/preview.ts'
import { type FoundPage, search } from '../../search/search.ts'
import type { Db } from '../../schema/tables.ts'

interface Wanted {
  query: string
  scope: SearchScope
  /** Maximum number of hits to examine, if not all are needed. */
  maxHits?: number | undefined
  /** Whether pages must contain all words of the query. */
  needsAll?: boolean | undefined
  /** A preview to search in one of the site spaces instead of its published content. */
  preview?: (SearchPreview & { item: StoredItem }) | undefined
}

export interface FoundOnSite {
  /** Found pages, best first. */
  found: FoundPage[]
  structure: Structure<StoredItem>
  /** The searched site spaces, by space id. */
  items: ReadonlyMap<string, StoredItem>
}

/** Finds the pages of a site that match a query and that the caller can see. */
export async function findOnSite(
  context: SiteReadContext,
  { query, scope, maxHits, needsAll, preview }: Wanted,
): Promise<FoundOnSite> {
  const { db, site, visitor } = context
  const structure = await loadStructure(db, site)
  const viewpoint = Viewpoint.ofReader(visitor, { seesDrafts: true })
  const { items, isOpen } = await searchedItems(context, structure, viewpoint, scope)
  // A space may be on a site more than once.
  if (preview && items.has(preview.spaceId)) items.set(preview.spaceId, preview.item)
  const alone = visitor && Viewpoint.of(withoutPreview(visitor))
  const found = await search(context, {
    organizationId: site.organization_id,
    spaceIds: [...items.keys()],
    query,
    reader: (spaceId) => (!alone ? 'member' : isOpen(spaceId) ? viewpoint : alone),
    maxHits,
    needsAll,
    preview,
  })
  return { found, structure, items }
}

/** Returns the visible site spaces to search, by space id, and whether the requesting member can open a space. */
async function searchedItems(
  { db, site, viewer, visitor }: SiteReadContext,
  structure: Structure<StoredItem>,
  viewpoint: Viewpoint,
  scope: SearchScope,
): Promise<{ items: Map<string, StoredItem>; isOpen: (spaceId: string) => boolean }> {
  const seen = chosenBy(scope, structure).filter((item) => structure.isVisible(item, viewpoint))
  const items = new Map(seen.toReversed().map((item) => [item.spaceId ?? '', item]))
  // Members and visitors of their previews only find what the member can open or what any visitor can see.
  const member = viewer ?? (await previewerOf(db, site, visitor))
  if (!member || items.size === 0) return { items, isOpen: () => true }
  const own = await visibleSpaces(db, member)
    .where('spaces.id', 'in', [...items.keys()])
    .select('spaces.id')
    .execute()
  const opened = new Set(own.map(({ id }) => id))
  const isOpen = (spaceId: string) => opened.has(spaceId)
  const isFree = (item: StoredItem) =>
    visitor !== undefined && seesOnSite(site, structure, item, withoutPreview(visitor))
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
