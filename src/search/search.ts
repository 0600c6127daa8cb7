import { type Lineage, type LineagePage, readLineages } from '../content/revision/lineages.ts'
import { readObject } from '../content/revision/objects.ts'
import { type Tree, openTree } from '../content/revision/tree.ts'
import { createYielder } from '../kernel/event-loop.ts'
import type { OpenObjects } from '../kernel/context.ts'
import { toBatches } from '../storage/batches.ts'
import type { Db } from '../schema/tables.ts'
import { type SearchPreview, type PreviewSections, readPreviewSections, mergePreviewHits } from './preview.ts'
import type { Hit } from './engine.ts'
import { searchEngineOf } from './engines.ts'
import { type Term, containsTerm, parseSearchQuery } from './query.ts'
import { type SpaceHead, findSpaceHeads } from '../derived/heads.ts'
import { findReusingPagesAmong } from '../derived/reuses.ts'
import { findDerivationState } from '../derived/derivation-states.ts'
import { type SearchReader, type IsHitVisible, createHitFilter } from './hit-visibility.ts'
import { splitSearchWords } from './words.ts'

export interface SearchRequest {
  organizationId: string
  /** IDs of the spaces to search; those of other organizations are ignored. */
  spaceIds: readonly string[]
  query: string
  /** Reader whose visibility rules apply, or a function that returns it for a space. */
  reader: SearchReader | ((spaceId: string) => SearchReader)
  /** Maximum number of sections to consider, if not all are needed. */
  maxHits?: number | undefined
  /** Whether to exclude pages that contain only some of the words. */
  needsAll?: boolean | undefined
  /** Change request or revision to search instead of the published content of one of the spaces. */
  preview?: SearchPreview | undefined
}

/** Page that matches a search. */
export interface FoundPage {
  spaceId: string
  /** Pages from the top of the space down to the page. */
  lineage: Lineage
  /** Sections that match, best first. */
  hits: readonly Hit[]
  /** Rank among all results, starting at 1. */
  rank: number
}

/** Maximum number of sections that a search returns. */
const defaultMaxHits = 1000

interface SearchContext {
  db: Db
  openObjects: OpenObjects
}

/**
 * Returns the pages that match a query and that the reader may see, best first. They contain all terms or, if no such page is
 * visible, some of them. Pages that the reader may not see affect neither the number of results nor this choice.
 */
export async function search(context: SearchContext, request: SearchRequest): Promise<FoundPage[]> {
  const terms = parseSearchQuery(request.query)
  if (terms.length === 0 || request.spaceIds.length === 0) return []
  const { organizationId, spaceIds, preview: requestedPreview } = request
  const isPreviewSearched = requestedPreview !== undefined && spaceIds.includes(requestedPreview.spaceId)
  const preview = isPreviewSearched
    ? await readPreviewSections(context.db, organizationId, requestedPreview)
    : undefined
  const pagesWithAllTerms = await findMatchingPages(context, { ...request, preview }, terms, 'all')
  return pagesWithAllTerms.length > 0 || terms.length === 1 || request.needsAll
    ? pagesWithAllTerms
    : findMatchingPages(context, { ...request, preview }, terms, 'any')
}

type PreparedRequest = Omit<SearchRequest, 'preview'> & { preview: PreviewSections | undefined }

async function findMatchingPages(
  context: SearchContext,
  { organizationId, spaceIds, reader, maxHits: limit = defaultMaxHits, preview }: PreparedRequest,
  terms: readonly Term[],
  mode: 'all' | 'any',
): Promise<FoundPage[]> {
  const { db } = context
  const indexed = await searchEngineOf(db).match(db, { organizationId, spaceIds, terms, mode, limit })
  const hits = preview ? await mergePreviewHits(db, indexed, preview, { terms, mode, limit }) : indexed
  const spaces = await openSpaces(context, hits, { organizationId, reader, preview })
  const pages = new Map<string, { spaceId: string; lineage: Lineage; hits: Hit[] }>()
  const yieldIfDue = createYielder()
  for (const hit of hits) {
    await yieldIfDue()
    const space = spaces.get(hit.space_id)
    const lineage = space?.lineages.get(hit.page_id)
    if (!space || !lineage || !space.isVisible(hit, lineage)) continue
    const key = `${hit.space_id}/${hit.page_id}`
    const page = pages.get(key)
    if (page) page.hits.push(hit)
    else pages.set(key, { spaceId: hit.space_id, lineage, hits: [hit] })
  }
  return Array.from(pages.values(), (page) => ({ page, titleMatch: rateTitleMatch(page, terms) }))
    .sort((a, b) => b.titleMatch - a.titleMatch)
    .map(({ page }, index) => ({ ...page, rank: index + 1 }))
}

/** Number of pages that are read before yielding to the event loop. */
const lineageBatchSize = 100

interface SearchedSpace {
  lineages: ReadonlyMap<string, Lineage>
  isVisible: IsHitVisible
}

/** Opens the spaces with hits at their head, or at the preview. */
async function openSpaces(
  { db, openObjects }: SearchContext,
  hits: readonly Hit[],
  { organizationId, reader: readerOption, preview }: Pick<PreparedRequest, 'organizationId' | 'reader' | 'preview'>,
): Promise<Map<string, SearchedSpace>> {
  const pageIds = new Map<string, Set<string>>()
  for (const { space_id: spaceId, page_id: pageId } of hits) {
    pageIds.set(spaceId, (pageIds.get(spaceId) ?? new Set()).add(pageId))
  }
  const objects = openObjects(db, organizationId)
  const spaces = new Map<string, SearchedSpace>()
  const yieldIfDue = createYielder()
  for (const { spaceId, rootHash } of await findSpaceHeads(db, organizationId, [...pageIds.keys()])) {
    const isPreview = preview?.spaceId === spaceId
    const tree = isPreview ? preview.tree : await openTree(objects, rootHash)
    const ids = [...(pageIds.get(spaceId) ?? [])]
    const reader = typeof readerOption === 'function' ? readerOption(spaceId) : readerOption
    const skipsOutdatedCheck = isPreview || reader === 'member'
    const possiblyOutdated = skipsOutdatedCheck
      ? new Set<string>()
      : await findPossiblyOutdatedPages(db, tree, { organizationId, spaceId, rootHash }, ids)
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
  head: SpaceHead,
  pageIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const indexed = (await findDerivationState(db, 'search_states', head))?.root_hash
  if (indexed === head.rootHash) return new Set()
  const { reusableContents } = await readObject(objects, 'root', indexed ?? head.rootHash)
  const areEqual = JSON.stringify(reusableContents) === JSON.stringify(root.reusableContents)
  return areEqual ? new Set() : findReusingPagesAmong(db, head, pageIds)
}

/**
 * Rates how well titles match, which engines do not: 3 if a title equals the query, 2 if it contains all terms, 1 if a
 * heading does.
 */
function rateTitleMatch({ lineage, hits }: Pick<FoundPage, 'lineage' | 'hits'>, terms: readonly Term[]): number {
  const { page } = lineage.at(-1) as LineagePage
  const titles = [page.title, page.linkTitle ?? ''].map(splitWordTexts)
  const queryWords = terms.flatMap(({ words }) => words)
  const equalsQuery = (title: readonly string[]) =>
    title.length === queryWords.length && title.every((word, index) => word === queryWords[index])
  if (titles.some(equalsQuery)) return 3
  if (titles.some((title) => containsAllTerms(title, terms))) return 2
  const headings = new Set(hits.map(({ heading }) => heading))
  return [...headings].some((heading) => containsAllTerms(splitWordTexts(heading), terms)) ? 1 : 0
}

const containsAllTerms = (texts: readonly string[], terms: readonly Term[]) =>
  terms.every((term) => containsTerm(texts, term))

const splitWordTexts = (text: string): string[] => splitSearchWords(text).map((word) => word.text)
