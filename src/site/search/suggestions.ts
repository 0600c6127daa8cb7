import { navigationTitleOf } from '../../content/revision/objects.ts'
import { readSequence } from '../../content/revision/sequence.ts'
import { splitSearchWords } from '../../search/words.ts'
import { searchVisiblePages } from './find.ts'
import { type VisibleResult, resolveSearchResults, trailOf } from './search.ts'
import type { SitePage, SpaceView } from '../view.ts'

/** Suggested page for a missing path. */
export interface Suggestion {
  title: string
  href: string
  trail: readonly string[]
}

const maxSuggestions = 5
/** Maximum number of visitors that get suggestions concurrently; requests beyond it are mostly not from people. */
const maxConcurrent = 2
let runningCount = 0

/** Returns visible pages that a visitor may have meant by a path without content. */
export async function findSuggestions(
  space: SpaceView,
  path: readonly string[],
  locale: string,
): Promise<Suggestion[]> {
  if (runningCount >= maxConcurrent || path.length === 0 || !mayBePageSlug(path.at(-1) ?? '')) return []
  runningCount++
  try {
    const pages = new Map<string, { space: SpaceView; placed: SitePage }>()
    for (const placed of await findSimilarPages(space, path)) pages.set(placed.address, { space, placed })
    if (pages.size < maxSuggestions) {
      for (const result of await searchByWords(space, path)) pages.set(result.placed.address, result)
    }
    return [...pages.values()].slice(0, maxSuggestions).map((result) => ({
      title: navigationTitleOf(result.placed.page),
      href: space.site.href(result.placed.address),
      trail: trailOf(result, locale),
    }))
  } finally {
    runningCount--
  }
}

const pageEnding = /\.(?:html?|mdx?)$/i

/** Whether a path segment may name a page; segments with the extension of another file type do not. */
const mayBePageSlug = (step: string): boolean => pageEnding.test(step) || !/\.[a-z]{2,5}$/i.test(step)

/** Maximum length of a slug, because the time to compare grows with its square. */
const maxComparedLength = 100
const maxComparedSiblings = 1000
/** Maximum number of pages compared in a whole space, which is slower because their lists are read one by one. */
const maxComparedPages = 300

/** Returns pages with a slug similar to the requested one: first among the siblings, in the part of the path that exists. */
async function findSimilarPages(space: SpaceView, path: readonly string[]): Promise<SitePage[]> {
  const requestedSlug = lastSlugOf(path)
  if (requestedSlug.length < 3 || requestedSlug.length > maxComparedLength) return []
  const tolerance = Math.max(1, Math.floor(requestedSlug.length / 4))
  const distanceTo = (slug: string) => editDistance(requestedSlug, slug.toLowerCase(), tolerance)
  const parent = await findDeepestAncestor(space, path)
  const siblings = await readSequence(space.tree.objects, parent?.page.pages ?? space.tree.root.pages)
  const similarIds = siblings
    .slice(0, maxComparedSiblings)
    .map(({ id, slug }) => ({ id, distance: distanceTo(slug) }))
    .filter(({ distance }) => distance <= tolerance)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 2 * maxSuggestions)
    .map(({ id }) => id)
  const visible = await space.findPagesById(similarIds)
  const similar = similarIds.flatMap((id) => visible.get(id) ?? []).filter(isListed)
  return similar.length > 0 ? similar : findSimilarInSpace(space, distanceTo, tolerance)
}

/** Returns pages with a similar slug among the first pages of the space. */
async function findSimilarInSpace(
  space: SpaceView,
  distanceTo: (slug: string) => number,
  tolerance: number,
): Promise<SitePage[]> {
  const similar: { placed: SitePage; distance: number }[] = []
  let compared = 0
  for await (const placed of space.listedPages()) {
    const distance = distanceTo(placed.entry.slug)
    if (distance <= tolerance && isListed(placed)) similar.push({ placed, distance })
    if (++compared >= maxComparedPages) break
  }
  return similar.toSorted((a, b) => a.distance - b.distance).map(({ placed }) => placed)
}

/** Returns the deepest existing page on a path. */
export async function findDeepestAncestor(space: SpaceView, path: readonly string[]): Promise<SitePage | undefined> {
  const ancestorPath = path.slice(0, -1).slice(0, 8)
  for (let length = ancestorPath.length; length > 0; length--) {
    const page = await space.findPage(ancestorPath.slice(0, length))
    if (page) return page
  }
  return undefined
}

const lastSlugOf = (path: readonly string[]): string => (path.at(-1) ?? '').toLowerCase().replace(pageEnding, '')

const isListed = ({ entry, page, lineage }: SitePage): boolean =>
  entry.type === 'document' && page.noIndex !== true && lineage.every((step) => step.page.hidden !== true)

/** Returns the edit distance of two strings; a value above the bound if they differ by more. */
function editDistance(one: string, other: string, bound: number): number {
  if (Math.abs(one.length - other.length) > bound) return Infinity
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > bound) return Infinity
    row = next
  }
  return row.at(-1) ?? Infinity
}

const maxWords = 8
const maxSearchHits = 40

interface SearchAttempt {
  words: readonly string[]
  needsAll?: boolean
  /** Minimum similarity of the title or path to the words. */
  minSimilarity: number
}

/**
 * Searches for pages with all words of the last path segment, or with some of them in their title or path, or with those of the
 * segment before.
 */
async function searchByWords({ site, item }: SpaceView, path: readonly string[]): Promise<VisibleResult[]> {
  const scope = { mode: 'default', currentSiteSpace: item.id } as const
  for (const { words, needsAll, minSimilarity } of createAttempts(path)) {
    const { found, items } = await searchVisiblePages(site, {
      query: words.join(' '),
      scope,
      maxHits: maxSearchHits,
      needsAll,
      // Similar slugs were compared before; a similar word in the text of a page is no reason to suggest it.
      correctsTypos: false,
    })
    const here = found.filter(({ spaceId }) => spaceId === item.spaceId)
    const best = [...new Set([...here, ...found])]
      .map((page) => ({ page, similarity: similarityOf(page.lineage, words) }))
      .filter(({ similarity }) => similarity >= minSimilarity)
      .toSorted((a, b) => b.similarity - a.similarity)
      .slice(0, maxSuggestions)
      .map(({ page }) => page)
    if (best.length > 0) return resolveSearchResults(site, best, items)
  }
  return []
}

/** Returns the searches to try in turn until one finds something. */
function createAttempts(path: readonly string[]): SearchAttempt[] {
  const [last = [], before = []] = path.slice(-2).toReversed().map(toSearchWords)
  const longest = last.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const beginning = longest.slice(0, Math.max(3, Math.ceil(longest.length * 0.7)))
  const attempts = [
    { words: last, needsAll: true, minSimilarity: 0 },
    { words: last, minSimilarity: 0.4 },
    { words: before, minSimilarity: 0.4 },
    { words: [beginning], minSimilarity: 0.4 },
  ]
  return attempts.filter(({ words }) => words.join(' ').length > 1)
}

const totalLength = (some: readonly string[]) => some.reduce((sum, word) => sum + word.length, 0)

/** Returns the share of words that the title or path of a page contains, from 0 to 1; weighted by word length. */
function similarityOf(lineage: SitePage['lineage'], words: readonly string[]): number {
  const page = lineage.at(-1)?.page
  const own = [page?.title ?? '', page?.linkTitle ?? '', ...lineage.map(({ entry }) => entry.slug)].flatMap(
    toSearchWords,
  )
  const isShared = (word: string) =>
    own.some(
      (one) => one === word || (word.length > 3 && one.startsWith(word)) || (one.length > 3 && word.startsWith(one)),
    )
  return totalLength(words.filter(isShared)) / Math.max(1, totalLength(words))
}

const toSearchWords = (step: string): string[] =>
  splitSearchWords(step.slice(0, maxComparedLength).replace(pageEnding, ''))
    .slice(0, maxWords)
    .map(({ text }) => text)
