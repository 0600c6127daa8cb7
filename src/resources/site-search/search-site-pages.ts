import { findViewer } from '../../access/authorize.ts'
import { selectVisibleSpaces } from '../../access/content-roles.ts'
import { type StoredSiteItem, loadStructure } from '../../access/sites.ts'
import { canSeeSiteItem } from '../../access/sites.ts'
import { withoutPreview } from '../../visitors/visitor.ts'
import type { SearchScope } from '../../contract/site-search.ts'
import type { SiteWithAddress, SiteReadContext, Viewer } from '../../kernel/context.ts'
import type { Structure } from '../../publishing/structure.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import type { SearchPreview } from '../../search/preview.ts'
import type { FoundPage } from '../../search/found-page.ts'
import { search } from '../../search/search.ts'
import type { Db } from '../../schema/tables.ts'
import { parseSynonyms } from './synonyms.ts'

interface SitePageSearchOptions {
  query: string
  scope: SearchScope
  /** Maximum number of hits to examine, if not all are needed. */
  maxHits?: number | undefined
  /** Whether pages must contain all words of the query. */
  needsAll?: boolean | undefined
  correctsTypos?: boolean | undefined
  /** A preview to search in one of the site spaces instead of its published content. */
  preview?: (SearchPreview & { item: StoredSiteItem }) | undefined
}

export interface SitePageSearchResult {
  /** Found pages, best first. */
  found: FoundPage[]
  structure: Structure<StoredSiteItem>
  /** The searched site spaces, by space id. */
  items: ReadonlyMap<string, StoredSiteItem>
}

/** Finds the pages of a site that match a query and that the caller can see. */
export async function searchSitePages(
  context: SiteReadContext,
  { query, scope, maxHits, needsAll, correctsTypos, preview }: SitePageSearchOptions,
): Promise<SitePageSearchResult> {
  const { db, site, visitor } = context
  const structure = await loadStructure(db, site)
  const viewpoint = Viewpoint.ofReader(visitor, { seesDrafts: true })
  const { items, canOpen } = await findSearchedItems(context, structure, viewpoint, scope)
  // A space may be on a site more than once.
  if (preview && items.has(preview.spaceId)) items.set(preview.spaceId, preview.item)
  const viewpointWithoutPreview = visitor && Viewpoint.of(withoutPreview(visitor))
  const found = await search(context, {
    organizationId: site.organization_id,
    spaceIds: [...items.keys()],
    query,
    reader: (spaceId) => (!viewpointWithoutPreview ? 'member' : canOpen(spaceId) ? viewpoint : viewpointWithoutPreview),
    maxHits,
    needsAll,
    correctsTypos,
    preview,
    synonyms: parseSynonyms(site),
  })
  return { found, structure, items }
}

/** Returns the visible site spaces to search, by space id, and whether the requesting member can open a space. */
async function findSearchedItems(
  { db, site, viewer, visitor }: SiteReadContext,
  structure: Structure<StoredSiteItem>,
  viewpoint: Viewpoint,
  scope: SearchScope,
): Promise<{ items: Map<string, StoredSiteItem>; canOpen: (spaceId: string) => boolean }> {
  const visible = selectItemsInScope(scope, structure).filter((item) => structure.isVisible(item, viewpoint))
  const items = new Map(visible.toReversed().map((item) => [item.spaceId ?? '', item]))
  // Members and visitors of their previews find only content that the member can open or that any visitor can see.
  const member = viewer ?? (await findPreviewer(db, site, visitor))
  if (!member || items.size === 0) return { items, canOpen: () => true }
  const openable = await selectVisibleSpaces(db, member)
    .where('spaces.id', 'in', [...items.keys()])
    .select('spaces.id')
    .execute()
  const openableIds = new Set(openable.map(({ id }) => id))
  const canOpen = (spaceId: string) => openableIds.has(spaceId)
  const isVisibleWithoutPreview = (item: StoredSiteItem) =>
    visitor !== undefined && canSeeSiteItem(site, structure, item, withoutPreview(visitor))
  return { items: new Map([...items].filter(([id, item]) => canOpen(id) || isVisibleWithoutPreview(item))), canOpen }
}

async function findPreviewer(
  db: Db,
  { organization_id }: SiteWithAddress,
  visitor: SiteReadContext['visitor'],
): Promise<Viewer | undefined> {
  return visitor?.previewBy === undefined ? undefined : findViewer(db, organization_id, visitor.previewBy)
}

function selectItemsInScope(scope: SearchScope, structure: Structure<StoredSiteItem>): readonly StoredSiteItem[] {
  switch (scope.mode) {
    case 'all':
      return structure.spaces
    case 'specific':
      return structure.spaces.filter(({ id }) => scope.siteSpaceIds.includes(id))
    default: {
      const current = structure.spaces.find(({ id }) => id === scope.currentSiteSpace)
      const others = structure.spaces.filter((item) => item.parentId !== current?.parentId && structure.isDefault(item))
      if (!current) return structure.hasSections ? others : structure.spaces.filter((item) => structure.isDefault(item))
      if (scope.restrictTo === 'currentSiteSpace') return [current]
      return scope.restrictTo === 'otherSiteSpaces' ? others : [current, ...others]
    }
  }
}
