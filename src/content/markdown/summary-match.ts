import { type IndexPair, alignSequences, toSequenceEdits } from '../document/sequences.ts'
import { canonicalJson } from '../document/canonical-json.ts'
import { toSlug } from './slug.ts'
import { type SummaryEntry, absoluteUrlPattern } from './summary.ts'

/** An entry of a table of contents, in the order of the lines. */
export interface FlatEntry {
  entry: SummaryEntry
  /** Index of the parent entry; -1 at the top level. */
  parent: number
  /** Number of items that contain it; groups are not counted. */
  depth: number
  target: string
  content: string
}

export function flattenEntries(entries: readonly SummaryEntry[]): FlatEntry[] {
  const flat: FlatEntry[] = []
  const walk = (siblings: readonly SummaryEntry[], parent: number, depth: number) => {
    for (const entry of siblings) {
      const target = targetKeyOf(entry)
      const index = flat.push({ entry, parent, depth, target, content: contentKeyOf(entry, target) }) - 1
      walk(entry.children, index, entry.type === 'group' ? depth : depth + 1)
    }
  }
  walk(entries, -1, 0)
  return flat
}

/** Returns a key for the target of an entry, regardless of its title; the same for all spellings of the target. */
export function targetKeyOf(entry: SummaryEntry): string {
  switch (entry.type) {
    case 'group':
      return `group ${entry.slug || toSlug(entry.title)}`
    case 'page':
      return `page ${percentDecode(entry.path.replace(/^(?:\.\/)+(?=.)/, ''))}`
    case 'link':
      return `link ${absoluteUrlPattern.test(entry.destination) ? entry.destination : percentDecode(entry.destination)}`
    case 'empty':
      return `empty ${entry.title}`
    case 'computed': {
      const given = Object.entries(entry.source).filter(([, value]) => canonicalJson(value ?? {}) !== '{}')
      return `computed ${canonicalJson(Object.fromEntries(given))}`
    }
  }
}

/** Returns a key for the whole content of an entry. */
export function contentKeyOf(entry: SummaryEntry, target = targetKeyOf(entry)): string {
  const title = 'title' in entry ? entry.title : ''
  const linkTitle = 'linkTitle' in entry ? (entry.linkTitle ?? '') : ''
  return `${target}\0${title}\0${linkTitle}`
}

export function isSameSummary(one: readonly FlatEntry[], other: readonly FlatEntry[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ content, parent }, index) => content === other[index]?.content && parent === other[index]?.parent)
  )
}

export interface SummaryMatch {
  /** Index of the corresponding previous entry for each entry. */
  from: readonly (number | undefined)[]
  /** Whether each entry is in the order of the previous entries. */
  isInOrder: readonly boolean[]
}

/** Finds the previous entry of each entry: the one with the same target, or else the one that it replaced. */
export function matchEntries(before: readonly FlatEntry[], after: readonly FlatEntry[]): SummaryMatch {
  const sources = before.map(({ target }) => target)
  const wanted = after.map(({ target }) => target)
  let pairs: readonly IndexPair[] = alignSequences(sources, wanted)
  const from = findSources(sources, wanted, pairs)
  for (const keyOf of [typeAndTitleOf, ({ entry }: FlatEntry) => entry.type]) {
    const taken = new Set(from)
    const found: IndexPair[] = []
    for (const edit of toSequenceEdits(pairs, before.length, after.length)) {
      const free = indexRange(edit.from, edit.to).filter((at) => !taken.has(at))
      const open = indexRange(edit.sideFrom, edit.sideTo).filter((at) => from[at] === undefined)
      const keys = (flat: readonly FlatEntry[], places: readonly number[]) =>
        places.map((at) => keyOf(flat[at] as FlatEntry))
      for (const [one, other] of alignSequences(keys(before, free), keys(after, open)))
        found.push([free[one] as number, open[other] as number])
    }
    for (const [at, index] of found) from[index] = at
    pairs = [...pairs, ...found].sort(([one], [other]) => one - other)
  }
  const isInOrder = after.map(() => false)
  for (const [, index] of pairs) isInOrder[index] = true
  return { from, isInOrder }
}

function findSources(
  sources: readonly string[],
  wanted: readonly string[],
  pairs: readonly IndexPair[],
): (number | undefined)[] {
  const from: (number | undefined)[] = wanted.map(() => undefined)
  for (const [at, index] of pairs) from[index] = at
  const taken = new Set(from)
  const free = new Map<string, number[]>()
  for (let at = sources.length - 1; at >= 0; at--) {
    if (taken.has(at)) continue
    const target = sources[at] as string
    const others = free.get(target)
    if (others) others.push(at)
    else free.set(target, [at])
  }
  return from.map((at, index) => at ?? free.get(wanted[index] as string)?.pop())
}

const typeAndTitleOf = ({ entry }: FlatEntry) => `${entry.type} ${'title' in entry ? entry.title : ''}`

const indexRange = (from: number, to: number) => Array.from({ length: to - from }, (_, nth) => from + nth)

/** Percent-decodes a path; invalid sequences are kept. */
function percentDecode(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
}
