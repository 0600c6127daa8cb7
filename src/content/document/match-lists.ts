import type { Block } from './nodes.ts'
import { blockGroupsOf, isTextBlock } from './block-groups.ts'
import { type IndexPair, alignSequences, longestIncreasingSubsequence } from './sequences.ts'
import { plainText } from './text.ts'
import { splitWords } from './inline-tokens.ts'
import { fragmentsOf } from './walk.ts'
import { canonicalJson } from './canonical-json.ts'

/** Item of a list that may match an item of an earlier list. */
export interface MatchItem<Self> {
  /** Number that is equal for equal content. */
  contentId: number
  /** Kind of item; only items of the same kind can be versions of each other. */
  kind: string
  words: () => ReadonlyMap<string, number>
  partner: Self | undefined
}

/** Minimum share of common words of two texts that are versions of each other. */
const minSimilarity = 0.5
/** Maximum number of pairs of which all are compared. */
const maxComparedPairs = 2500
/** Score of a pair of equal items; a pair of the same kind scores 1, so one equal pair outweighs all others that are compared. */
const equalScore = maxComparedPairs
/** Number of items to search ahead if there are too many to compare all. */
const maxLookAhead = 8
/** Maximum number of words of a block that are compared. */
const maxWords = 400
const maxCharacters = 4000

/** Pairs the items of two lists that are equal or versions of each other; calls `pair` for each pair. */
export function matchLists<T extends MatchItem<T>>(
  before: readonly T[],
  after: readonly T[],
  pair: (a: T, b: T) => void,
) {
  for (const gap of findGaps(before, after)) pairEqual(gap.before, gap.after, pair)
  const repeated = findRepeatedContents(before)
  const isRepeated = ({ contentId }: T) => repeated.has(contentId)
  for (const gap of findGaps(before, after)) pairSimilar(gap.before, gap.after, isRepeated, pair)
}

/** Returns the contents that occur more than once. */
function findRepeatedContents<T extends MatchItem<T>>(items: readonly T[]): Set<number> {
  const [seen, repeated] = [new Set<number>(), new Set<number>()]
  for (const { contentId } of items) {
    if (seen.has(contentId)) repeated.add(contentId)
    else seen.add(contentId)
  }
  return repeated
}

interface Gap<T> {
  before: T[]
  after: T[]
}

/** Returns the unpaired items between pairs that are in the same order. */
function findGaps<T extends MatchItem<T>>(before: readonly T[], after: readonly T[]): Gap<T>[] {
  const positions = new Map(before.map((item, index) => [item, index]))
  const anchors = after.flatMap((item, index) => {
    const position = item.partner && positions.get(item.partner)
    return position === undefined ? [] : [{ position, index }]
  })
  const gaps: Gap<T>[] = []
  let [fromBefore, fromAfter] = [0, 0]
  const isUnpaired = (item: T) => item.partner === undefined
  const endGap = (toBefore: number, toAfter: number) => {
    const gap = {
      before: before.slice(fromBefore, toBefore).filter(isUnpaired),
      after: after.slice(fromAfter, toAfter).filter(isUnpaired),
    }
    if (gap.before.length > 0 && gap.after.length > 0) gaps.push(gap)
    ;[fromBefore, fromAfter] = [toBefore + 1, toAfter + 1]
  }
  for (const at of longestIncreasingSubsequence(anchors.map(({ position }) => position))) {
    const anchor = anchors[at]
    if (anchor) endGap(anchor.position, anchor.index)
  }
  endGap(before.length, after.length)
  return gaps
}

/**
 * Pairs equal items: first those in the same order, chosen to leave as many items of the same kind as possible at
 * corresponding positions, so that an edited item among equal ones is paired with the item at its position. The
 * remaining equal items have moved.
 */
function pairEqual<T extends MatchItem<T>>(
  before: readonly T[],
  after: readonly T[],
  pair: (a: T, b: T) => void,
): void {
  for (const [atBefore, atAfter] of findEqualInOrder(before, after)) pair(before[atBefore] as T, after[atAfter] as T)
  const unpairedByContent = new Map<number, T[]>()
  for (const item of before.toReversed()) {
    if (item.partner) continue
    const others = unpairedByContent.get(item.contentId)
    if (others) others.push(item)
    else unpairedByContent.set(item.contentId, [item])
  }
  for (const item of after) {
    const equal = item.partner ? undefined : unpairedByContent.get(item.contentId)?.pop()
    if (equal) pair(equal, item)
  }
}

/** Returns the indexes of equal items in the same order: those at the start, those at the end, then the best between them. */
function findEqualInOrder<T extends MatchItem<T>>(before: readonly T[], after: readonly T[]): IndexPair[] {
  const isEqual = (atBefore: number, atAfter: number) => before[atBefore]?.contentId === after[atAfter]?.contentId
  const shorter = Math.min(before.length, after.length)
  const pairs: IndexPair[] = []
  let start = 0
  while (start < shorter && isEqual(start, start)) pairs.push([start, start++])
  let end = 0
  while (end < shorter - start && isEqual(before.length - 1 - end, after.length - 1 - end)) {
    end++
    pairs.push([before.length - end, after.length - end])
  }
  const [rest, others] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  for (const [atBefore, atAfter] of findEqualBetween(rest, others)) pairs.push([start + atBefore, start + atAfter])
  return pairs
}

function findEqualBetween<T extends MatchItem<T>>(before: readonly T[], after: readonly T[]): IndexPair[] {
  const contents = new Set(before.map(({ contentId }) => contentId))
  if (!after.some(({ contentId }) => contents.has(contentId))) return []
  const isEqual = ([atBefore, atAfter]: IndexPair) => before[atBefore]?.contentId === after[atAfter]?.contentId
  if (before.length * after.length <= maxComparedPairs) {
    const score = (a: T, b: T) => (a.contentId === b.contentId ? equalScore : a.kind === b.kind ? 1 : 0)
    return findBestPairs(before, after, score).filter(isEqual)
  }
  if (before.length === after.length) return before.map((_, at): IndexPair => [at, at]).filter(isEqual)
  const textsOf = (items: readonly T[]) => items.map(({ contentId }) => String(contentId))
  return alignSequences(textsOf(before), textsOf(after))
}

function pairSimilar<T extends MatchItem<T>>(
  before: readonly T[],
  after: readonly T[],
  isRepeated: (item: T) => boolean,
  pair: (a: T, b: T) => void,
): void {
  const chosen =
    before.length * after.length <= maxComparedPairs
      ? findBestPairs(before, after, similarity)
      : findNearestPairs(before, after)
  let [fromBefore, fromAfter] = [0, 0]
  for (const [atBefore, atAfter] of [...chosen, [before.length, after.length] as const]) {
    pairByPosition(before.slice(fromBefore, atBefore), after.slice(fromAfter, atAfter), isRepeated, pair)
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
function pairByPosition<T extends MatchItem<T>>(
  before: readonly T[],
  after: readonly T[],
  isRepeated: (item: T) => boolean,
  pair: (a: T, b: T) => void,
): void {
  const isSinglePair = before.length === 1 && after.length === 1
  const items = isSinglePair ? before : before.filter(isRepeated)
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
function findBestPairs<T extends MatchItem<T>>(
  before: readonly T[],
  after: readonly T[],
  scoreOf: (a: T, b: T) => number,
): IndexPair[] {
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
  const pairs: IndexPair[] = []
  for (let [i, j] = [0, 0]; i < before.length && j < after.length;) {
    const score = scores[i * after.length + j] as number
    const here = best[i * width + j] as number
    if (score > 0 && here === score + (best[(i + 1) * width + j + 1] as number)) pairs.push([i++, j++])
    else if (here === best[(i + 1) * width + j]) i++
    else j++
  }
  return pairs
}

function findNearestPairs<T extends MatchItem<T>>(before: readonly T[], after: readonly T[]): IndexPair[] {
  const pairs: IndexPair[] = []
  let from = 0
  after.forEach((item, index) => {
    for (let at = from; at < Math.min(before.length, from + maxLookAhead); at++) {
      if (similarity(before[at] as T, item) === 0) continue
      pairs.push([at, index])
      from = at + 1
      return
    }
  })
  return pairs
}

/** Returns the share of common words, or 0 if it is too low. */
function similarity<T extends MatchItem<T>>(a: T, b: T): number {
  if (a.kind !== b.kind) return 0
  const [one, other] = [a.words(), b.words()]
  let [common, total] = [0, 0]
  for (const [word, count] of one) {
    common += Math.min(count, other.get(word) ?? 0)
    total += count
  }
  for (const count of other.values()) total += count
  const share = total === 0 ? 0 : (2 * common) / total
  return share >= minSimilarity ? share : 0
}

/** Minimum share of common words, and minimum number of words, of items that are paired regardless of their position. */
const minMovedSimilarity = 0.7
const minMovedWords = 4

/**
 * Returns pairs of very similar items in any order, the most similar first; each item is in at most one pair. Returns none if
 * there are too many items to compare.
 */
export function findMostSimilar<T extends MatchItem<T>>(before: readonly T[], after: readonly T[]): [T, T][] {
  const [olds, news] = [before.filter(hasEnoughWords), after.filter(hasEnoughWords)]
  if (olds.length * news.length > maxComparedPairs) return []
  const candidates = olds.flatMap((old) =>
    news.flatMap((item) => {
      const score = similarity(old, item)
      return score >= minMovedSimilarity ? [{ old, item, score }] : []
    }),
  )
  const paired = new Set<T>()
  return candidates
    .sort((a, b) => b.score - a.score)
    .flatMap(({ old, item }): [T, T][] => {
      if (paired.has(old) || paired.has(item)) return []
      paired.add(old).add(item)
      return [[old, item]]
    })
}

function hasEnoughWords<T extends MatchItem<T>>(item: T): boolean {
  let words = 0
  for (const count of item.words().values()) words += count
  return words >= minMovedWords
}

/** Counts the words at the beginning of blocks. */
export function countWords(blocks: readonly Block[]): Map<string, number> {
  const words = new Map<string, number>()
  let remaining = maxWords
  const add = (text: string) => {
    for (const word of splitWords(text.slice(0, maxCharacters))) {
      if (remaining <= 0) return
      if (word.trim() === '') continue
      words.set(word, (words.get(word) ?? 0) + 1)
      remaining--
    }
  }
  const visit = (block: Block): void => {
    if (remaining <= 0) return
    if (isTextBlock(block)) add(plainText(block.nodes))
    else if (block.type === 'code') block.nodes.forEach(visit)
    else if ('isVoid' in block && fragmentsOf(block).length === 0) add(canonicalJson(block.data))
    else for (const group of blockGroupsOf(block)) group.blocks.forEach(visit)
  }
  blocks.forEach(visit)
  return words
}
