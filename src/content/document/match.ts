import type { Block } from './nodes.ts'
import { groupsOf, isTextBlock } from './parts.ts'
import { longestAscending } from './sequences.ts'
import { plainText } from './text.ts'
import { splitWords } from './tokens.ts'
import { fragmentsOf } from './walk.ts'
import { canonical } from '../revision/canonical.ts'

/** Something in a list that may be the same as something in an earlier list. */
export interface Item<Self> {
  /** Equal for equal content. */
  content: number
  /** Only items of one kind can be versions of each other. */
  kind: string
  words: () => ReadonlyMap<string, number>
  partner: Self | undefined
}

/** From this share of common words on, two texts are versions of one. */
const likeness = 0.5
/** More pairs than this are not all compared. */
const fullComparison = 2500
/** How far ahead to look when there are too many to compare all. */
const lookAhead = 8
/** As many words of a block as are read to tell how like another it is. */
const wordsRead = 400
const charactersRead = 4000

/** Pairs the items of two lists that are the same or versions of each other; `pair` is told of each. */
export function matchLists<T extends Item<T>>(before: readonly T[], after: readonly T[], pair: (a: T, b: T) => void) {
  for (const gap of gapsBetween(before, after)) pairEqual(gap.before, gap.after, pair)
  for (const gap of gapsBetween(before, after)) pairAlike(gap.before, gap.after, pair)
}

interface Gap<T> {
  before: T[]
  after: T[]
}

/** What is not paired yet, between pairs that are in the same order. */
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

function pairEqual<T extends Item<T>>(before: readonly T[], after: readonly T[], pair: (a: T, b: T) => void): void {
  const waiting = new Map<number, T[]>()
  for (const item of before.toReversed()) {
    const others = waiting.get(item.content)
    if (others) others.push(item)
    else waiting.set(item.content, [item])
  }
  for (const item of after) {
    const equal = waiting.get(item.content)?.pop()
    if (equal) pair(equal, item)
  }
}

function pairAlike<T extends Item<T>>(before: readonly T[], after: readonly T[], pair: (a: T, b: T) => void): void {
  const chosen = before.length * after.length <= fullComparison ? bestPairs(before, after) : nearestPairs(before, after)
  let [fromBefore, fromAfter] = [0, 0]
  for (const [atBefore, atAfter] of [...chosen, [before.length, after.length] as const]) {
    const [old, other] = [before[fromBefore], after[fromAfter]]
    // A lone block in the place of a lone block of its kind is that block, rewritten.
    const areLone = atBefore - fromBefore === 1 && atAfter - fromAfter === 1
    if (areLone && old && other && old.kind === other.kind) pair(old, other)
    const [a, b] = [before[atBefore], after[atAfter]]
    if (a && b) pair(a, b)
    ;[fromBefore, fromAfter] = [atBefore + 1, atAfter + 1]
  }
}

function bestPairs<T extends Item<T>>(before: readonly T[], after: readonly T[]): (readonly [number, number])[] {
  const width = after.length + 1
  const scores = new Float64Array(before.length * after.length)
  const best = new Float64Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const score = similarity(before[i] as T, after[j] as T)
      scores[i * after.length + j] = score
      const paired = score > 0 ? score + (best[(i + 1) * width + j + 1] as number) : 0
      best[i * width + j] = Math.max(paired, best[(i + 1) * width + j] as number, best[i * width + j + 1] as number)
    }
  }
  const pairs: (readonly [number, number])[] = []
  for (let [i, j] = [0, 0]; i < before.length && j < after.length;) {
    const score = scores[i * after.length + j] as number
    const here = best[i * width + j] as number
    if (score > 0 && here === score + (best[(i + 1) * width + j + 1] as number)) pairs.push([i++, j++])
    else if (here === best[(i + 1) * width + j]) i++
    else j++
  }
  return pairs
}

function nearestPairs<T extends Item<T>>(before: readonly T[], after: readonly T[]): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
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

/** The share of common words, or 0 when they are too few. */
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

/** How often each word stands in blocks, of those at the beginning. */
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
