import { matchLists } from '../document/match-lists.ts'
import type { Block } from '../document/nodes.ts'
import { TextIds, matchableBlocks } from '../document/matchable-blocks.ts'
import { alignSequences, longestIncreasingSubsequence } from '../document/sequences.ts'
import { splitExpandable } from './print-html.ts'
import type { Fingerprints } from './fingerprints.ts'

/** A block of the document to print, and the block that its normal form is parsed as; both are accepted. */
export interface WantedBlock {
  block: Block
  normal: Block
}

/** Returns the blocks directly inside a block that are printed as blocks; lines of code and images are not. */
export function innerBlocksOf(block: Block): readonly Block[] {
  if (block.type === 'expandable') return splitExpandable(block.fragments).body
  if (!('nodes' in block) || block.type === 'code' || block.type === 'images') return []
  const [first] = block.nodes
  return first?.object === 'block' ? (block.nodes as readonly Block[]) : []
}

/** Returns a block without the blocks directly inside it. */
export function withoutInnerBlocks(block: Block): Block {
  if (block.type === 'expandable') {
    return { ...block, fragments: block.fragments.filter(({ type }) => type === 'expandable-title') }
  }
  return innerBlocksOf(block).length > 0 ? ({ ...block, nodes: [] } as Block) : block
}

/** Pairs the blocks of a list with the blocks that its normal form is parsed as; blocks that are never printed are omitted. */
export function pairWithNormalForm(blocks: readonly Block[], ofNormal: readonly Block[]): WantedBlock[] {
  const own = blocks.length === ofNormal.length ? blocks : ofNormal
  return ofNormal.map((normal, index) => ({ block: own[index] as Block, normal }))
}

export const wantedInnerBlocks = ({ block, normal }: WantedBlock): WantedBlock[] =>
  pairWithNormalForm(block.type === normal.type ? innerBlocksOf(block) : [], innerBlocksOf(normal))

/** Whether a parsed block is the wanted one. Each inner block may equal the wanted block or its normal form. */
export function isWantedBlock(read: Block, wanted: WantedBlock, fingerprints: Fingerprints): boolean {
  const text = fingerprints.ofBlock(read)
  if (text === fingerprints.ofBlock(wanted.block) || text === fingerprints.ofBlock(wanted.normal)) return true
  const found = innerBlocksOf(read)
  if (found.length === 0 || !hasWantedOwnContent(read, wanted, fingerprints)) return false
  const inside = wantedInnerBlocks(wanted)
  return (
    inside.length === found.length && inside.every((one, at) => isWantedBlock(found[at] as Block, one, fingerprints))
  )
}

/** Whether a parsed block is the wanted one, ignoring the blocks inside it. */
export function hasWantedOwnContent(read: Block, { block, normal }: WantedBlock, fingerprints: Fingerprints): boolean {
  const own = fingerprints.ofBlock(withoutInnerBlocks(read))
  return (
    own === fingerprints.ofBlock(withoutInnerBlocks(block)) || own === fingerprints.ofBlock(withoutInnerBlocks(normal))
  )
}

export interface BlockMatching {
  /** Index of the equal block in the source for each wanted block, even if it was moved. */
  from: readonly (number | undefined)[]
  /** Pairs of these that are in the order of the source. */
  kept: ReadonlyMap<number, number>
  /** Wanted blocks that are edited blocks of the source, in the order of the source. */
  changed: ReadonlyMap<number, number>
}

/** Whether the block before a wanted block of the source was removed, so that it is next to another one. */
export function isBehindRemoved(index: number, { kept, changed }: Pick<BlockMatching, 'kept' | 'changed'>): boolean {
  const [before, at] = [index - 1, index].map((one) => kept.get(one) ?? changed.get(one))
  return before !== undefined && at !== undefined && at > before + 1
}

/**
 * Finds wanted blocks in the source. `fix` removes pairs that cannot be kept and returns blocks that cannot be moved or edited.
 */
export function matchBlocks(
  source: readonly Block[],
  wanted: readonly WantedBlock[],
  fingerprints: Fingerprints,
  fix: (kept: Map<number, number>) => ReadonlySet<number> = () => new Set(),
): BlockMatching {
  const texts = source.map((block) => fingerprints.ofBlock(block))
  const known = new Set(texts)
  const sought = wanted.map(({ block, normal }) => {
    const text = fingerprints.ofBlock(block)
    return known.has(text) ? text : fingerprints.ofBlock(normal)
  })
  const kept = new Map(alignSequences(texts, sought).map(([at, index]) => [index, at]))
  const fixed = fix(kept)

  const moved = new Map<string, number[]>()
  const taken = new Set(kept.values())
  for (let at = texts.length - 1; at >= 0; at--) {
    if (taken.has(at) || fixed.has(at)) continue
    const text = texts[at] as string
    const others = moved.get(text)
    if (others) others.push(at)
    else moved.set(text, [at])
  }
  const from = sought.map((text, index) => kept.get(index) ?? moved.get(text)?.pop())
  for (const at of from) if (at !== undefined) taken.add(at)

  const changed = new Map<number, number>()
  let [index, at] = [0, 0]
  for (const [nextIndex, nextAt] of [...kept, [wanted.length, texts.length] as const]) {
    const old = range(at, nextAt).filter((one) => !taken.has(one) && !fixed.has(one))
    const fresh = range(index, nextIndex).filter((one) => from[one] === undefined)
    for (const [place, partner] of matchEditedBlocks(old, fresh, source, wanted)) changed.set(place, partner)
    ;[index, at] = [nextIndex + 1, nextAt + 1]
  }
  return { from, kept, changed }
}

/**
 * Keeps either all or none of the blocks that were parsed from one token. Returns the blocks of the source that share a position.
 */
export function dropPartialGroups(
  ranges: readonly { start: number; end: number }[],
  aligned: Map<number, number>,
): ReadonlySet<number> {
  const shared = new Set<number>()
  const indexOf = new Map(Array.from(aligned, ([index, at]) => [at, index]))
  for (const { at: from, size } of findSharedRanges(ranges)) {
    const group = range(from, from + size)
    const first = indexOf.get(from)
    const isWhole = group.every((at, nth) => first !== undefined && indexOf.get(at) === first + nth)
    for (const at of group) {
      shared.add(at)
      const index = indexOf.get(at)
      if (!isWhole && index !== undefined) aligned.delete(index)
    }
  }
  return shared
}

/** Returns the groups of source blocks that share a position and of which some were edited, between kept or edited neighbors. */
export function findEditedGroups(
  ranges: readonly { start: number; end: number }[],
  { from, changed }: Pick<BlockMatching, 'from' | 'changed'>,
  wanted: readonly WantedBlock[],
  source: readonly { block: Block }[],
): { index: number; at: number; size: number }[] {
  const groups = findSharedRanges(ranges)
  if (groups.length === 0) return []
  const sources = wanted.map((_, index) => from[index] ?? changed.get(index))
  const indexOf = new Map(sources.flatMap((at, index) => (at === undefined ? [] : [[at, index] as const])))
  return groups.flatMap(({ at, size }) => {
    const index = at === 0 ? 0 : (indexOf.get(at - 1) ?? -2) + 1
    const next = at + size === ranges.length ? wanted.length : indexOf.get(at + size)
    const isAlike = (nth: number) =>
      sources[index + nth] === undefined && wanted[index + nth]?.block.type === source[at + nth]?.block.type
    return next === index + size && range(0, size).every(isAlike) ? [{ index, at, size }] : []
  })
}

/** Returns the groups of blocks that share a position: all but the first one are empty. */
function findSharedRanges(ranges: readonly { start: number; end: number }[]): { at: number; size: number }[] {
  const groups: { at: number; size: number }[] = []
  for (let at = 0, to = 1; at < ranges.length; at = to++) {
    while (to < ranges.length && ranges[to]?.start === ranges[to]?.end) to++
    if (to - at > 1) groups.push({ at, size: to - at })
  }
  return groups
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, nth) => from + nth)

const kindOf = ({ type }: Block) => (type.startsWith('heading-') ? 'heading' : type)

/** Returns pairs of a wanted block and the source block it was edited from, in the same order. */
function matchEditedBlocks(
  old: readonly number[],
  fresh: readonly number[],
  source: readonly Block[],
  wanted: readonly WantedBlock[],
): [index: number, at: number][] {
  const isAlike = (index: number, at: number) =>
    kindOf((wanted[index] as WantedBlock).block) === kindOf(source[at] as Block) &&
    kindOf((wanted[index] as WantedBlock).normal) === kindOf(source[at] as Block)
  if (old.length === 0 || fresh.length === 0) return []
  const pairs = old.length === 1 && fresh.length === 1 ? [] : matchSimilarBlocks(old, fresh, source, wanted, isAlike)
  // Between similar blocks, equal numbers of blocks of the same types are the same blocks, rewritten.
  const all: [number, number][] = []
  let [nextOld, nextFresh] = [0, 0]
  for (const [toFresh, toOld] of [...pairs, [fresh.length, old.length] as const]) {
    const [some, others] = [fresh.slice(nextFresh, toFresh), old.slice(nextOld, toOld)]
    if (some.length === others.length && some.every((index, nth) => isAlike(index, others[nth] as number))) {
      some.forEach((index, nth) => all.push([index, others[nth] as number]))
    }
    const [index, at] = [fresh[toFresh], old[toOld]]
    if (index !== undefined && at !== undefined) all.push([index, at])
    ;[nextOld, nextFresh] = [toOld + 1, toFresh + 1]
  }
  return all
}

/** Returns the indexes of blocks that have many words in common. */
function matchSimilarBlocks(
  old: readonly number[],
  fresh: readonly number[],
  source: readonly Block[],
  wanted: readonly WantedBlock[],
  isAlike: (index: number, at: number) => boolean,
): (readonly [inFresh: number, inOld: number])[] {
  const numbering = new TextIds()
  const before = matchableBlocks(
    old.map((at) => source[at] as Block),
    numbering,
  )
  const after = matchableBlocks(
    fresh.map((index) => (wanted[index] as WantedBlock).block),
    numbering,
  )
  matchLists(before, after, (one, other) => {
    one.partner = other
    other.partner = one
  })
  const places = new Map(before.map((place, index) => [place, index]))
  const found = after.flatMap(({ partner }, inFresh) => {
    const inOld = partner && places.get(partner)
    const isPair = inOld !== undefined && isAlike(fresh[inFresh] as number, old[inOld] as number)
    return isPair ? [[inFresh, inOld] as const] : []
  })
  return longestIncreasingSubsequence(found.map(([, inOld]) => inOld)).map(
    (at) => found[at] as readonly [number, number],
  )
}
