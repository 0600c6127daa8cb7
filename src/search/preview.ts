import { type PageObject, emptyRoot } from '../content/revision/objects.ts'
import { type Tree, openTree } from '../content/revision/tree.ts'
import { createYielder } from '../kernel/event-loop.ts'
import { Cache } from '../kernel/cache.ts'
import { estimateHeapSize } from '../kernel/heap-size.ts'
import type { Db, Row } from '../schema/tables.ts'
import type { FieldWords, Hit, MatchQuery, NewSection, TermCounts } from './engine.ts'
import type { ExpandedTerm, Form } from './expand.ts'
import { readPageSections, createSectionsWithoutText } from './page-sections.ts'
import { collectWords } from './vocabulary.ts'
import type { DerivedSpace } from '../derived/heads.ts'
import { findPagesToReplace } from '../derived/pages-to-replace.ts'
import { findDerivationState } from '../derived/derivation-states.ts'
import { searchDerivation } from './index-space.ts'

/** Change request or revision of a space that is searched instead of the published content. */
export interface SearchPreview {
  spaceId: string
  revisionId: string
  tree: Tree
}

/** Differences between a preview and the search index. */
export interface PreviewSections {
  spaceId: string
  tree: Tree
  /** IDs of the pages whose indexed sections are not valid for the preview. */
  replaced: ReadonlySet<string>
  /** Sections of these pages in the preview. */
  sections: readonly CachedSection[]
  /** Words of these sections, from which typos are corrected. */
  words: ReadonlySet<string>
}

/**
 * Section whose words are joined with spaces, also at both ends: most sections are only checked for whether they
 * contain a term.
 */
interface CachedSection {
  section: Row<'search_sections'>
  lines: Record<keyof FieldWords, string>
}

/**
 * Limits of a search in a preview: pages whose text is searched, characters of that text, and pages whose titles are searched.
 */
const previewLimits = { pages: 500, characters: 4 * 1024 ** 2, titles: 10_000 }

const previewCache = new Cache<Omit<PreviewSections, 'tree'>>('search previews', sizeOf)
const pendingReads = new Map<string, Promise<Omit<PreviewSections, 'tree'>>>()

/** Reads the differences between a preview and the index; concurrent searches of the same preview share the result. */
export async function readPreviewSections(
  db: Db,
  organizationId: string,
  preview: SearchPreview & Pick<DerivedSpace, 'language'>,
): Promise<PreviewSections> {
  const { spaceId, revisionId, tree, language } = preview
  const space = { organizationId, spaceId, language }
  const state = await findDerivationState(db, 'search_states', space)
  const roots = [state?.root_hash, state?.pending_hash].filter((hash) => typeof hash === 'string')
  const key = [organizationId, spaceId, revisionId, language ?? '', ...roots].join(' ')
  const cached = previewCache.get(key)
  if (cached) return { ...cached, tree }
  let pendingRead = pendingReads.get(key)
  if (!pendingRead) {
    pendingRead = readPreviewDifference(db, space, roots, tree).finally(() => pendingReads.delete(key))
    pendingReads.set(key, pendingRead)
  }
  const result = await pendingRead
  previewCache.set(key, result)
  return { ...result, tree }
}

/** Compares a preview with the index. While the index is being updated, each row belongs to one of two roots. */
async function readPreviewDifference(
  db: Db,
  space: DerivedSpace,
  roots: readonly string[],
  tree: Tree,
): Promise<Omit<PreviewSections, 'tree'>> {
  const replaced = new Map<string, PageObject | undefined>()
  const indexed = await Promise.all(roots.map((root) => openTree(tree.objects, root)))
  for (const before of indexed.length > 0 ? indexed : [{ ...tree, root: emptyRoot }]) {
    for (const [id, page] of await findPagesToReplace(db, space, {
      before,
      after: tree,
      fields: searchDerivation.fields,
    }))
      replaced.set(id, page)
  }
  const { spaceId } = space
  return { spaceId, replaced: new Set(replaced.keys()), ...(await readReplacedSections(tree, space, replaced)) }
}

async function readReplacedSections(
  tree: Tree,
  space: DerivedSpace,
  replaced: ReadonlyMap<string, PageObject | undefined>,
): Promise<Pick<PreviewSections, 'sections' | 'words'>> {
  const yieldIfDue = createYielder()
  const sections: CachedSection[] = []
  const words = new Set<string>()
  let remainingCharacters = previewLimits.characters
  // Newest first: pages changed in a change request are newer than pages that differ because the published content changed.
  const pages = Array.from(replaced, ([id, page]) => page && { id, page })
    .filter((page) => page !== undefined)
    .sort((a, b) => Number(a.page.updatedAt < b.page.updatedAt) - Number(a.page.updatedAt > b.page.updatedAt))
    .slice(0, previewLimits.titles)
  for (const [index, page] of pages.entries()) {
    const isTextRead = index < previewLimits.pages && remainingCharacters > 0
    const read = isTextRead
      ? (await readPageSections(tree, space, page)).sections
      : createSectionsWithoutText(space, page)
    for (const section of read) {
      remainingCharacters -= section.body.length
      sections.push(toCachedSection(section))
    }
    for (const word of collectWords(read)) words.add(word)
    await yieldIfDue()
  }
  return { sections, words }
}

function toCachedSection({ words, ...section }: NewSection): CachedSection {
  const joinWords = (field: keyof FieldWords) => (words[field].length === 0 ? '' : ` ${words[field].join(' ')} `)
  const lines = {
    title: joinWords('title'),
    heading: joinWords('heading'),
    description: joinWords('description'),
    body: joinWords('body'),
    around: joinWords('around'),
  }
  return { section, lines }
}

/** Approximate size in bytes of an ID or a word in a set. */
const bytesPerText = 100

function sizeOf({ replaced, sections, words }: Omit<PreviewSections, 'tree'>): number {
  return estimateHeapSize(sections) + bytesPerText * (replaced.size + words.size)
}

type PreviewQuery = Pick<MatchQuery, 'terms' | 'mode' | 'limit'>

/** Merges hits of the index with those of the preview. */
export function mergePreviewHits(
  indexed: readonly Hit[],
  { spaceId, replaced, sections }: PreviewSections,
  { terms, mode, limit }: PreviewQuery,
): Hit[] {
  const matching = sections.filter(({ lines }) => matchesTerms(lines, terms, mode)).slice(0, limit)
  const indexHits = indexed.filter((hit) => hit.space_id !== spaceId || !replaced.has(hit.page_id))
  return [...indexHits, ...matching.map(({ section }): Hit => section)]
}

/** Returns the number of sections of the preview with each term. */
export const countPreviewTerms = ({ sections }: PreviewSections, terms: readonly ExpandedTerm[]): TermCounts => ({
  sections: sections.length,
  perTerm: terms.map((term) => sections.filter(({ lines }) => matchesTerms(lines, [term], 'all')).length),
})

function matchesTerms(
  lines: CachedSection['lines'],
  terms: readonly ExpandedTerm[],
  mode: MatchQuery['mode'],
): boolean {
  const texts = Object.values(lines)
  const includesForm = ({ words, isPrefix }: Form): boolean => {
    const phrase = ` ${words.join(' ')}${isPrefix ? '' : ' '}`
    return texts.some((text) => text.includes(phrase))
  }
  const includesTerm = ({ forms }: ExpandedTerm): boolean => forms.some(includesForm)
  return mode === 'all' ? terms.every(includesTerm) : terms.some(includesTerm)
}
