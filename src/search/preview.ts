import { type PageObject, emptyRoot } from '../content/revision/objects.ts'
import { type Tree, openTree } from '../content/revision/tree.ts'
import { createYielder } from '../kernel/event-loop.ts'
import { Cache } from '../kernel/cache.ts'
import { heapSizeOf } from '../kernel/heap-size.ts'
import type { Db, Row } from '../schema/tables.ts'
import type { Fields, Hit, Match, NewSection, ScoredSection } from './engine.ts'
import { engineOf } from './engines.ts'
import { readSections, sectionsWithoutText } from './page-sections.ts'
import type { Term } from './query.ts'
import type { SpaceKey } from '../derived/heads.ts'
import { pagesToReplace } from '../derived/replaced-pages.ts'
import { findState } from '../derived/states.ts'
import { searchRows } from './index-space.ts'

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
  sections: readonly KeptSection[]
}

/**
 * Section whose words are joined with spaces, also at both ends: most sections are only checked for whether they
 * contain a term.
 */
interface KeptSection {
  section: Row<'search_sections'>
  lines: Record<keyof Fields, string>
}

/**
 * Limits of a search in a preview: pages whose text is searched, characters of that text, and pages whose titles are searched.
 */
const most = { pages: 500, characters: 4 * 1024 ** 2, titles: 10_000 }

const kept = new Cache<Omit<PreviewSections, 'tree'>>('search previews', sizeOf)
const underWay = new Map<string, Promise<Omit<PreviewSections, 'tree'>>>()

/** Reads the differences between a preview and the index; concurrent searches of the same preview share the result. */
export async function readPreviewSections(
  db: Db,
  organizationId: string,
  preview: SearchPreview,
): Promise<PreviewSections> {
  const { spaceId, revisionId, tree } = preview
  const space = { organizationId, spaceId }
  const state = await findState(db, 'search_states', space)
  const roots = [state?.root_hash, state?.pending_hash].filter((hash) => typeof hash === 'string')
  const key = [organizationId, spaceId, revisionId, ...roots].join(' ')
  const known = kept.get(key)
  if (known) return { ...known, tree }
  let reading = underWay.get(key)
  if (!reading) {
    reading = readDifference(db, space, roots, tree).finally(() => underWay.delete(key))
    underWay.set(key, reading)
  }
  const read = await reading
  kept.set(key, read)
  return { ...read, tree }
}

/** Compares a preview with the index. While the index is being updated, each row belongs to one of two roots. */
async function readDifference(
  db: Db,
  space: SpaceKey,
  roots: readonly string[],
  tree: Tree,
): Promise<Omit<PreviewSections, 'tree'>> {
  const replaced = new Map<string, PageObject | undefined>()
  const indexed = await Promise.all(roots.map((root) => openTree(tree.objects, root)))
  for (const before of indexed.length > 0 ? indexed : [{ ...tree, root: emptyRoot }]) {
    for (const [id, page] of await pagesToReplace(db, space, { before, after: tree, fields: searchRows.fields }))
      replaced.set(id, page)
  }
  const { spaceId } = space
  return { spaceId, replaced: new Set(replaced.keys()), sections: await readPages(tree, space, replaced) }
}

async function readPages(
  tree: Tree,
  space: SpaceKey,
  replaced: ReadonlyMap<string, PageObject | undefined>,
): Promise<KeptSection[]> {
  const yieldIfDue = createYielder()
  const sections: KeptSection[] = []
  let room = most.characters
  // Newest first: pages changed in a change request are newer than pages that differ because the published content changed.
  const pages = Array.from(replaced, ([id, page]) => page && { id, page })
    .filter((page) => page !== undefined)
    .sort((a, b) => Number(a.page.updatedAt < b.page.updatedAt) - Number(a.page.updatedAt > b.page.updatedAt))
    .slice(0, most.titles)
  for (const [index, page] of pages.entries()) {
    const isRead = index < most.pages && room > 0
    const read = isRead ? (await readSections(tree, space, page)).sections : sectionsWithoutText(space, page)
    for (const section of read) {
      room -= section.body.length
      sections.push(keptForm(section))
    }
    await yieldIfDue()
  }
  return sections
}

function keptForm({ words, ...section }: NewSection): KeptSection {
  const lineOf = (field: keyof Fields) => (words[field].length === 0 ? '' : ` ${words[field].join(' ')} `)
  const lines = {
    title: lineOf('title'),
    heading: lineOf('heading'),
    description: lineOf('description'),
    body: lineOf('body'),
    around: lineOf('around'),
  }
  return { section, lines }
}

const wordsIn = (line: string): string[] => (line === '' ? [] : line.slice(1, -1).split(' '))

/** Approximate size in bytes of an ID in a set. */
const perPage = 100

function sizeOf({ replaced, sections }: Omit<PreviewSections, 'tree'>): number {
  return heapSizeOf(sections) + perPage * replaced.size
}

type Wanted = Pick<Match, 'terms' | 'mode' | 'limit'>

/** Merges hits of the index with those of the preview, best first. */
export async function mergePreviewHits(
  db: Db,
  indexed: readonly Hit[],
  { spaceId, replaced, sections }: PreviewSections,
  { terms, mode, limit }: Wanted,
): Promise<Hit[]> {
  const held = sections.filter(({ lines }) => isHeld(lines, terms, mode)).slice(0, limit)
  const scores = held.length === 0 ? [] : await engineOf(db).score(db, held.map(scoredForm), { terms, mode })
  const own = held.map(({ section }, index): Hit => ({ ...section, score: scores[index] ?? 0 }))
  const others = indexed.filter((hit) => hit.space_id !== spaceId || !replaced.has(hit.page_id))
  return [...others, ...own].sort((a, b) => b.score - a.score).slice(0, limit)
}

function isHeld(lines: KeptSection['lines'], terms: readonly Term[], mode: Match['mode']): boolean {
  const texts = Object.values(lines)
  const isIn = ({ words, isPrefix }: Term): boolean => {
    const wanted = ` ${words.join(' ')}${isPrefix ? '' : ' '}`
    return texts.some((text) => text.includes(wanted))
  }
  return mode === 'all' ? terms.every(isIn) : terms.some(isIn)
}

function scoredForm({ section: { space_id }, lines }: KeptSection): ScoredSection {
  const words = {
    title: wordsIn(lines.title),
    heading: wordsIn(lines.heading),
    description: wordsIn(lines.description),
    body: wordsIn(lines.body),
    around: wordsIn(lines.around),
  }
  return { space_id, words }
}
