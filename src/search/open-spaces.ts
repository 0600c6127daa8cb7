import { type Lineage, readLineages } from '../content/revision/lineages.ts'
import { readObject } from '../content/revision/objects.ts'
import { type Tree, openTree } from '../content/revision/tree.ts'
import { type SpaceHead, findSpaceHeads } from '../derived/heads.ts'
import { findReusingPagesAmong } from '../derived/reuses.ts'
import type { OpenObjects } from '../kernel/context.ts'
import { createYielder } from '../kernel/event-loop.ts'
import type { Db } from '../schema/tables.ts'
import { toBatches } from '../storage/batches.ts'
import type { Hit } from './engine.ts'
import { type IsHitVisible, type SearchReader, createHitFilter } from './hit-visibility.ts'
import type { PreviewSections } from './preview.ts'

/** Where a search reads from. */
export interface SearchContext {
  db: Db
  openObjects: OpenObjects
}

interface VisibleScope {
  organizationId: string
  /** Heads of the searched spaces before they were searched. */
  heads: readonly SpaceHead[]
  /** Reader whose visibility rules apply, or a function that returns it for a space. */
  reader: SearchReader | ((spaceId: string) => SearchReader)
  preview: PreviewSections | undefined
}

/** Number of pages that are read before yielding to the event loop. */
const lineageBatchSize = 500

interface SearchedSpace {
  lineages: ReadonlyMap<string, Lineage>
  isVisible: IsHitVisible
}

/** Opens the spaces with hits at their head, or at the preview. */
export async function openSpaces(
  { db, openObjects }: SearchContext,
  hits: readonly Hit[],
  { organizationId, heads, reader: readerOption, preview }: VisibleScope,
  indexedRoots: ReadonlyMap<string, string>,
): Promise<Map<string, SearchedSpace>> {
  const pageIds = new Map<string, Set<string>>()
  for (const { space_id: spaceId, page_id: pageId } of hits) {
    pageIds.set(spaceId, (pageIds.get(spaceId) ?? new Set()).add(pageId))
  }
  const objects = openObjects(db, organizationId)
  const spaces = new Map<string, SearchedSpace>()
  const yieldIfDue = createYielder()
  // The content that a visitor may see is decided by heads that are not older than the hits; a member sees all pages.
  const currentHeads =
    readerOption === 'member'
      ? heads.filter(({ spaceId }) => pageIds.has(spaceId))
      : await findSpaceHeads(db, organizationId, [...pageIds.keys()])
  for (const { spaceId, rootHash } of currentHeads) {
    const isPreview = preview?.spaceId === spaceId
    const tree = isPreview ? preview.tree : await openTree(objects, rootHash)
    const ids = [...(pageIds.get(spaceId) ?? [])]
    const reader = typeof readerOption === 'function' ? readerOption(spaceId) : readerOption
    const skipsOutdatedCheck = isPreview || reader === 'member'
    const possiblyOutdated = skipsOutdatedCheck
      ? new Set<string>()
      : await findPossiblyOutdatedPages(db, tree, { organizationId, spaceId, rootHash }, indexedRoots.get(spaceId), ids)
    const lineages = new Map<string, Lineage>()
    for (const batch of toBatches(ids, lineageBatchSize)) {
      for (const [id, lineage] of await readLineages(tree, batch)) lineages.set(id, lineage)
      await yieldIfDue()
    }
    spaces.set(spaceId, {
      lineages,
      isVisible: createHitFilter(reader, tree.root.variables, possiblyOutdated),
    })
  }
  return spaces
}

/** Returns the pages that include reusable contents, if reusable contents have changed since the space was indexed. */
async function findPossiblyOutdatedPages(
  db: Db,
  { objects, root }: Tree,
  head: Omit<SpaceHead, 'language'>,
  indexed: string | undefined,
  pageIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (indexed === head.rootHash) return new Set()
  if (indexed !== undefined) {
    const { reusableContents } = await readObject(objects, 'root', indexed)
    if (JSON.stringify(reusableContents) === JSON.stringify(root.reusableContents)) return new Set()
  }
  return findReusingPagesAmong(db, head, pageIds)
}
