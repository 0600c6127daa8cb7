import type { PageInLine } from '../../content/revision/lineages.ts'
import { readSequence } from '../../content/revision/sequence.ts'
import { wordsOf } from '../../search/words.ts'
import { findSeen } from './find.ts'
import { type PlacedResult, placeFound, trailOf } from './search.ts'
import type { PlacedPage, SpaceView } from '../view.ts'

/** A page that somebody may have meant. */
export interface Suggestion {
  title: string
  href: string
  trail: readonly string[]
}

const most = 5
/** Suggestions are made for so many visitors at a time; the others, who are hardly people, go without. */
const atOnce = 4
let making = 0

/** Pages that a visitor sees and may have meant with a path in a space at which nothing is. */
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
      title: result.placed.page.title,
      href: space.site.href(result.placed.address),
      trail: trailOf(result, locale),
    }))
  } finally {
    making--
  }
}

const pageEnding = /\.(?:html?|mdx?)$/i

/** Whether a step of a path may name a page; what ends like a file of another kind is none. */
const isOfPage = (step: string): boolean => pageEnding.test(step) || !/\.[a-z]{2,5}$/i.test(step)

/** Slugs are not longer, and what is compared grows with the square of it. */
const longestSlug = 100
const mostCompared = 1000

/** Pages beside the one that was asked for, as far as its path is right, that are called much like it. */
async function nearOnes(space: SpaceView, path: readonly string[]): Promise<PlacedPage[]> {
  const wanted = slugIn(path)
  if (wanted.length < 3 || wanted.length > longestSlug) return []
  const above = path.slice(0, -1).slice(0, 8)
  let parent: PageInLine | undefined
  for (let length = above.length; length > 0 && !parent; length--) parent = await space.findPage(above.slice(0, length))
  const entries = await readSequence(space.tree.objects, parent?.page.pages ?? space.tree.root.pages)
  const tolerance = Math.max(1, Math.floor(wanted.length / 4))
  const near = entries
    .slice(0, mostCompared)
    .map(({ id, slug }) => ({ id, distance: distanceOf(wanted, slug.toLowerCase(), tolerance) }))
    .filter(({ distance }) => distance <= tolerance)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 2 * most)
    .map(({ id }) => id)
  const seen = await space.pagesWith(near)
  return near.flatMap((id) => seen.get(id) ?? []).filter(isListed)
}

const slugIn = (path: readonly string[]): string => (path.at(-1) ?? '').toLowerCase().replace(pageEnding, '')

const isListed = ({ entry, page, lineage }: PlacedPage): boolean =>
  entry.type === 'document' && page.noIndex !== true && lineage.every((step) => step.page.hidden !== true)

/** How many letters two texts differ by; anything above the bound when it is more than that. */
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

/** Pages that hold the words of the last step of a path, or else of the one before it, or else one that begins alike. */
async function withWordsOf({ site, item }: SpaceView, path: readonly string[]): Promise<PlacedResult[]> {
  const scope = { mode: 'default', currentSiteSpace: item.id } as const
  for (const query of queriesFor(path)) {
    const { found, items } = await findSeen(site, { query, scope, maxHits: mostHits })
    const here = found.filter(({ spaceId }) => spaceId === item.spaceId)
    const best = [...new Set([...here, ...found])].slice(0, most)
    if (best.length > 0) return placeFound(site, best, items)
  }
  return []
}

/** What to look for in turn, until something is found. */
function queriesFor(path: readonly string[]): string[] {
  const [last = [], before = []] = path.slice(-2).toReversed().map(wordsIn)
  const longest = last.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const beginning = longest.slice(0, Math.max(3, Math.ceil(longest.length * 0.7)))
  return [last.join(' '), before.join(' '), beginning].filter((query) => query.length > 1)
}

const wordsIn = (step: string): string[] =>
  wordsOf(step.slice(0, longestSlug).replace(pageEnding, ''))
    .slice(0, mostWords)
    .map(({ text }) => text)
