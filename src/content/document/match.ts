import type { Block } from './nodes.ts'
import { groupsOf, isTextBlock } from './parts.ts'
import { type Pair, align, longestAscending } from './sequences.ts'
import { plainText } from './text.ts'
import { splitWords } from './tokens.ts'
import { fragmentsOf } from './walk.ts'
import { canonical } from './canonical.ts'

/** Item of a list that may match an item of an earlier list. */
export interface Item<Self> {
  /** Number that is equal for equal content. */
  content: number
  /** Kind of item; only items of the same kind can be versions of each other. */
  kind: string
  words: () => ReadonlyMap<string, number>
  partner: Self | undefined
}

/** Minimum share of common words of two texts that are versions of each other. */
const likeness = 0.5
/** Maximum number of pairs of which all are compared. */
const fullComparison = 2500
/** Score of a pair of equal items; a pair of the same kind scores 1, so one equal pair outweighs all others that are compared. */
const equalScore = fullComparison
/** Number of items to search ahead if there are too many to compare all. */
const lookAhead = 8
/** Maximum number of words of a block that are compared. */
const wordsRead = 400
const charactersRead = 4000

/** Pairs the items of two lists that are equal or versions of each other; calls `pair` for each pair. */
export function matchLists<T extends Item<T>>(before: readonly T[], after: readonly T[], pair: (a: T, b: T) => void) {
  for (const gap of gapsBetween(before, after)) pairEqual(gap.before, gap.after, pair)
  const repeated = repeatedIn(before)
  const isRepeated = ({ content }: T) => repeated.has(content)
  for (const gap of gapsBetween(before, after)) pairAlike(gap.before, gap.after, isRepeated, pair)
}

/** Returns the contents that occur more than once. */
function repeatedIn<T extends Item<T>>(items: readonly T[]): Set<number> {
  const [seen, repeated] = [new Set<number>(), new Set<number>()]
  for (const { content } of items) {
    if (seen.has(content)) repeated.add(content)
    else seen.add(content)
  }
  return repeated
}

interface Gap<T> {
  before: T[]
  after: T[]
}

/** Returns the unpaired items between pairs that are in the same order. */
function gapsBetween<T extends Item<T>>(before: readonly T[], after: readonly T[]): Gap<T>[] {
  const places = new Map(before.map((item, index) => [item, index]))
  const anchors = after.flatMap((item, index) => {
    const place = item.partner && places.get(item.partner)
    return place === undefined ? [] : [{ place, index }]
  })
  const gaps: Gap<T>[] = []
  let [fromBefore, fromAfter] = [0, 0]
  const isFree = (item: T) => item.partner === undefined
  const close = (toBefore: number, toAfter: number) => {
    const gap = {
      before: before.slice(fromBefore, toBefore).filter(isFree),
      after: after.slice(fromAfter, toAfter).filter(isFree),
    }
    if (gap.before.length > 0 && gap.after.length > 0) gaps.push(gap)
    ;[fromBefore, fromAfter] = [toBefore + 1, toAfter + 1]
  }
  for (const at of longestAscending(anchors.map(({ place }) => place))) {
    const anchor = anchors[at]
    if (anchor) close(anchor.place, anchor.index)
  }
  close(before.length, after.length)
  return gaps
}

/**
 * Pairs equal items: first those in the same order, chosen to leave as many items of the same kind as possible at
 * corresponding positions, so that an edited item among equal ones is paired with the item at its position. The
 * remaining equal items have moved.
 */
function pairEqual<T extends Item<T>>(before: readonly T[], after: readonly T[], pair: (a: T, b: T) => void): void {
  for (const [atBefore, atAfter] of equalInOrder(before, after)) pair(before[atBefore] as T, after[atAfter] as T)
  const waiting = new Map<number, T[]>()
  for (const item of before.toReversed()) {
    if (item.partner) continue
    const others = waiting.get(item.content)
    if (others) others.push(item)
    else waiting.set(item.content, [item])
  }
  for (const item of after) {
    const equal = item.partner ? undefined : waiting.get(item.content)?.pop()
    if (equal) pair(equal, item)
  }
}

/** Returns the indexes of equal items in the same order: those at the start, those at the end, then the best between them. */
function equalInOrder<T extends Item<T>>(before: readonly T[], after: readonly T[]): Pair[] {
  const isEqual = (atBefore: number, atAfter: number) => before[atBefore]?.content === after[atAfter]?.content
  const shorter = Math.min(before.length, after.length)
  const pairs: Pair[] = []
  let start = 0
  while (start < shorter && isEqual(start, start)) pairs.push([start, start++])
  let end = 0
  while (end < shorter - start && isEqual(before.length - 1 - end, after.length - 1 - end)) {
    end++
    pairs.push([before.length - end, after.length - end])
  }
  const [rest, others] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  for (const [atBefore, atAfter] of equalBetween(rest, others)) pairs.push([start + atBefore, start + atAfter])
  return pairs
}

function equalBetween<T extends Item<T>>(before: readonly T[], after: readonly T[]): Pair[] {
  const contents = new Set(before.map(({ content }) => content))
  if (!after.some(({ content }) => contents.has(content))) return []
  const isEqual = ([atBefore, atAfter]: Pair) => before[atBefore]?.content === after[atAfter]?.content
  if (before.length * after.length <= fullComparison) {
    const score = (a: T, b: T) => (a.content === b.content ? equalScore : a.kind === b.kind ? 1 : 0)
    return bestPairs(before, after, score).filter(isEqual)
  }
  if (before.length === after.length) return before.map((_, at): Pair => [at, at]).filter(isEqual)
  const textsOf = (items: readonly T[]) => items.map(({ content }) => String(content))
  return align(textsOf(before), textsOf(after))
}

function pairAlike<T extends Item<T>>(
  before: readonly T[],
  after: readonly T[],
  isRepeated: (item: T) => boolean,
  pair: (a: T, b: T) => void,
): void {
  const chosen =
    before.length * after.length <= fullComparison ? bestPairs(before, after, similarity) : nearestPairs(before, after)
  let [fromBefore, fromAfter] = [0, 0]
  for (const [atBefore, atAfter] of [...chosen, [before.length, after.length] as const]) {
    pairInPlace(before.slice(fromBefore, atBefore), after.slice(fromAfter, atAfter), isRepeated, pair)
    const [a, b] = [before[atBefore], after[atAfter]]
    if (a && b) pair(a, b)
    ;[fromBefore, fromAfter] = [atBefore + 1, atAfter + 1]
  }
}

/**
 * Pairs items without similar text by position: a single item at the position of a single item of its kind is that
 * item, rewritten. The same applies at the position of an item that is equal to others: the other side may have deleted
 * one of these, and which one is unknown. If it were a new item, both sides would seem to have deleted the same one,
 * and the deletion would be lost.
 */
function pairInPlace<T extends Item<T>>(
  before: readonly T[],
  after: readonly T[],
  isRepeated: (item: T) => boolean,
  pair: (a: T, b: T) => void,
): void {
  const areLone = before.length === 1 && after.length === 1
  const items = areLone ? before : before.filter(isRepeated)
  let at = 0
  for (const item of after) {
    const old = items[at]
    if (!old) return
    if (old.kind !== item.kind) continue
    pair(old, item)
    at++
  }
}

/** Returns the pairs, in the same order on both sides, with the highest total score. */
function bestPairs<T extends Item<T>>(
  before: readonly T[],
  after: readonly T[],
  scoreOf: (a: T, b: T) => number,
): Pair[] {
  const width = after.length + 1
  const scores = new Float64Array(before.length * after.length)
  const best = new Float64Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const score = scoreOf(before[i] as T, after[j] as T)
      scores[i * after.length + j] = score
      const paired = score > 0 ? score + (best[(i + 1) * width + j + 1] as number) : 0
      best[i * width + j] = Math.max(paired, best[(i + 1) * width + j] as number, best[i * width + j + 1] as number)
    }
  }
  const pairs: Pair[] = []
  for (let [i, j] = [0, 0]; i < before.length && j < after.length;) {
    const score = scores[i * after.length + j] as number
    const here = best[i * width + j] as number
    if (score > 0 && here === score + (best[(i + 1) * width + j + 1] as number)) pairs.push([i++, j++])
    else if (here === best[(i + 1) * width + j]) i++
    else j++
  }
  return pairs
}

function nearestPairs<T extends Item<T>>(before: readonly T[], after: readonly T[]): Pair[] {
  const pairs: Pair[] = []
  let from = 0
  after.forEach((item, index) => {
    for (let at = from; at < Math.min(before.length, from + lookAhead); at++) {
      if (similarity(before[at] as T, item) === 0) continue
      pairs.push([at, index])
      from = at + 1
      return
    }
  })
  return pairs
}

/** Returns the share of common words, or 0 if it is too low. */
function similarity<T extends Item<T>>(a: T, b: T): number {
  if (a.kind !== b.kind) return 0
  const [one, other] = [a.words(), b.words()]
  let [common, total] = [0, 0]
  for (const [word, count] of one) {
    common += Math.min(count, other.get(word) ?? 0)
    total += count
  }
  for (const count of other.values()) total += count
  const share = total === 0 ? 0 : (2 * common) / total
  return share >= likeness ? share : 0
}

/** Counts the words at the beginning of blocks. */
export function countWords(blocks: readonly Block[]): Map<string, number> {
  const words = new Map<string, number>()
  let left = wordsRead
  const add = (text: string) => {
    for (const word of splitWords(text.slice(0, charactersRead))) {
      if (left <= 0) return
      if (word.trim() === '') continue
      words.set(word, (words.get(word) ?? 0) + 1)
      left--
    }
  }
  const visit = (block: Block): void => {
    if (left <= 0) return
    if (isTextBlock(block)) add(plainText(block.nodes))
    else if (block.type === 'code') block.nodes.forEach(visit)
    else if ('isVoid' in block && fragmentsOf(block).length === 0) add(canonical(block.data))
    else for (const group of groupsOf(block)) group.blocks.forEach(visit)
  }
  blocks.forEach(visit)
  return words
}
