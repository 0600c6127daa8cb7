import { labelOf } from '../../content/revision/objects.ts'
import { readSequence } from '../../content/revision/sequence.ts'
import { wordsOf } from '../../search/words.ts'
import { findSeen } from './find.ts'
import { type PlacedResult, placeFound, trailOf } from './search.ts'
import type { PlacedPage, SpaceView } from '../view.ts'

/** Suggested page for a missing path. */
export interface Suggestion {
  title: string
  href: string
  trail: readonly string[]
}

const most = 5
/** Maximum number of visitors that get suggestions concurrently; requests beyond it are mostly not from people. */
const atOnce = 2
let making = 0

/** Returns visible pages that a visitor may have meant by a path without content. */
export async function suggestionsFor(space: SpaceView, path: readonly string[], locale: string): Promise<Suggestion[]> {
  if (making >= atOnce || path.length === 0 || !isOfPage(path.at(-1) ?? '')) return []
  making++
  try {
    const pages = new Map<string, { space: SpaceView; placed: PlacedPage }>()
    for (const placed of await nearOnes(space, path)) pages.set(placed.address, { space, placed })
    if (pages.size < most) {
      for (const result of await withWordsOf(space, path)) pages.set(result.placed.address, result)
    }
    return [...pages.values()].slice(0, most).map((result) => ({
      title: labelOf(result.placed.page),
      href: space.site.href(result.placed.address),
      trail: trailOf(result, locale),
    }))
  } finally {
    making--
  }
}

const pageEnding = /\.(?:html?|mdx?)$/i

/** Whether a path segment may name a page; segments with the extension of another file type do not. */
const isOfPage = (step: string): boolean => pageEnding.test(step) || !/\.[a-z]{2,5}$/i.test(step)

/** Maximum length of a slug, because the time to compare grows with its square. */
const longestSlug = 100
const mostCompared = 1000
/** Maximum number of pages compared in a whole space, which is slower because their lists are read one by one. */
const mostWalked = 300

/** Returns pages with a slug similar to the requested one: first among the siblings, as far as the path exists. */
async function nearOnes(space: SpaceView, path: readonly string[]): Promise<PlacedPage[]> {
  const wanted = slugIn(path)
  if (wanted.length < 3 || wanted.length > longestSlug) return []
  const tolerance = Math.max(1, Math.floor(wanted.length / 4))
  const distanceTo = (slug: string) => distanceOf(wanted, slug.toLowerCase(), tolerance)
  const parent = await pageAbove(space, path)
  const siblings = await readSequence(space.tree.objects, parent?.page.pages ?? space.tree.root.pages)
  const beside = siblings
    .slice(0, mostCompared)
    .map(({ id, slug }) => ({ id, distance: distanceTo(slug) }))
    .filter(({ distance }) => distance <= tolerance)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 2 * most)
    .map(({ id }) => id)
  const seen = await space.pagesWith(beside)
  const near = beside.flatMap((id) => seen.get(id) ?? []).filter(isListed)
  return near.length > 0 ? near : nearElsewhere(space, distanceTo, tolerance)
}

/** Returns pages with a similar slug among the first pages of the space. */
async function nearElsewhere(
  space: SpaceView,
  distanceTo: (slug: string) => number,
  tolerance: number,
): Promise<PlacedPage[]> {
  const near: { placed: PlacedPage; distance: number }[] = []
  let compared = 0
  for await (const placed of space.listedPages()) {
    const distance = distanceTo(placed.entry.slug)
    if (distance <= tolerance && isListed(placed)) near.push({ placed, distance })
    if (++compared >= mostWalked) break
  }
  return near.toSorted((a, b) => a.distance - b.distance).map(({ placed }) => placed)
}

/** Returns the deepest existing page on a path. */
export async function pageAbove(space: SpaceView, path: readonly string[]): Promise<PlacedPage | undefined> {
  const above = path.slice(0, -1).slice(0, 8)
  for (let length = above.length; length > 0; length--) {
    const page = await space.findPage(above.slice(0, length))
    if (page) return page
  }
  return undefined
}

const slugIn = (path: readonly string[]): string => (path.at(-1) ?? '').toLowerCase().replace(pageEnding, '')

const isListed = ({ entry, page, lineage }: PlacedPage): boolean =>
  entry.type === 'document' && page.noIndex !== true && lineage.every((step) => step.page.hidden !== true)

/** Returns the edit distance of two strings; a value above the bound if they differ by more. */
function distanceOf(one: string, other: string, bound: number): number {
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

const mostWords = 8
const mostHits = 40

interface Attempt {
  words: readonly string[]
  needsAll?: boolean
  /** Minimum similarity of the title or path to the words. */
  leastLikeness: number
}

/**
 * Searches for pages with all words of the last path segment, or with some of them in their title or path, or with those of the
 * segment before.
 */
async function withWordsOf({ site, item }: SpaceView, path: readonly string[]): Promise<PlacedResult[]> {
  const scope = { mode: 'default', currentSiteSpace: item.id } as const
  for (const { words, needsAll, leastLikeness } of attemptsFor(path)) {
    const { found, items } = await findSeen(site, { query: words.join(' '), scope, maxHits: mostHits, needsAll })
    const here = found.filter(({ spaceId }) => spaceId === item.spaceId)
    const best = [...new Set([...here, ...found])]
      .map((page) => ({ page, likeness: likenessOf(page.lineage, words) }))
      .filter(({ likeness }) => likeness >= leastLikeness)
      .toSorted((a, b) => b.likeness - a.likeness)
      .slice(0, most)
      .map(({ page }) => page)
    if (best.length > 0) return placeFound(site, best, items)
  }
  return []
}

/** Returns the searches to try in turn until one finds something. */
function attemptsFor(path: readonly string[]): Attempt[] {
  const [last = [], before = []] = path.slice(-2).toReversed().map(wordsIn)
  const longest = last.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const beginning = longest.slice(0, Math.max(3, Math.ceil(longest.length * 0.7)))
  const attempts = [
    { words: last, needsAll: true, leastLikeness: 0 },
    { words: last, leastLikeness: 0.4 },
    { words: before, leastLikeness: 0.4 },
    { words: [beginning], leastLikeness: 0.4 },
  ]
  return attempts.filter(({ words }) => words.join(' ').length > 1)
}

const lengthOf = (some: readonly string[]) => some.reduce((sum, word) => sum + word.length, 0)

/** Returns the share of words that the title or path of a page contains, from 0 to 1; weighted by word length. */
function likenessOf(lineage: PlacedPage['lineage'], words: readonly string[]): number {
  const page = lineage.at(-1)?.page
  const own = [page?.title ?? '', page?.linkTitle ?? '', ...lineage.map(({ entry }) => entry.slug)].flatMap(wordsIn)
  const isShared = (word: string) =>
    own.some(
      (one) => one === word || (word.length > 3 && one.startsWith(word)) || (one.length > 3 && word.startsWith(one)),
    )
  return lengthOf(words.filter(isShared)) / Math.max(1, lengthOf(words))
}

const wordsIn = (step: string): string[] =>
  wordsOf(step.slice(0, longestSlug).replace(pageEnding, ''))
    .slice(0, mostWords)
    .map(({ text }) => text)
