import { matchLists } from '../document/match.ts'
import type { Block } from '../document/nodes.ts'
import { TextIds, matchableBlocks } from '../document/places.ts'
import { alignSequences, longestIncreasingSubsequence } from '../document/sequences.ts'
import { expandableParts } from './print-html.ts'
import type { Sameness } from './sameness.ts'

/** A block of the document to print, and the block that its normal form is parsed as; both are accepted. */
export interface Wanted {
  block: Block
  normal: Block
}

/** Returns the blocks directly inside a block that are printed as blocks; lines of code and images are not. */
export function blocksInside(block: Block): readonly Block[] {
  if (block.type === 'expandable') return expandableParts(block.fragments).body
  if (!('nodes' in block) || block.type === 'code' || block.type === 'images') return []
  const [first] = block.nodes
  return first?.object === 'block' ? (block.nodes as readonly Block[]) : []
}

/** Returns a block without the blocks directly inside it. */
export function withoutBlocksInside(block: Block): Block {
  if (block.type === 'expandable') {
    return { ...block, fragments: block.fragments.filter(({ type }) => type === 'expandable-title') }
  }
  return blocksInside(block).length > 0 ? ({ ...block, nodes: [] } as Block) : block
}

/** Pairs the blocks of a list with the blocks that its normal form is parsed as; blocks that are never printed are omitted. */
export function wantedBlocks(blocks: readonly Block[], ofNormal: readonly Block[]): Wanted[] {
  const own = blocks.length === ofNormal.length ? blocks : ofNormal
  return ofNormal.map((normal, index) => ({ block: own[index] as Block, normal }))
}

export const wantedInside = ({ block, normal }: Wanted): Wanted[] =>
  wantedBlocks(block.type === normal.type ? blocksInside(block) : [], blocksInside(normal))

/** Whether a parsed block is the wanted one. Each inner block may equal the wanted block or its normal form. */
export function isAsWanted(read: Block, wanted: Wanted, sameness: Sameness): boolean {
  const text = sameness.of(read)
  if (text === sameness.of(wanted.block) || text === sameness.of(wanted.normal)) return true
  const found = blocksInside(read)
  if (found.length === 0 || !isOwnAsWanted(read, wanted, sameness)) return false
  const inside = wantedInside(wanted)
  return inside.length === found.length && inside.every((one, at) => isAsWanted(found[at] as Block, one, sameness))
}

/** Whether a parsed block is the wanted one, ignoring the blocks inside it. */
export function isOwnAsWanted(read: Block, { block, normal }: Wanted, sameness: Sameness): boolean {
  const own = sameness.of(withoutBlocksInside(read))
  return own === sameness.of(withoutBlocksInside(block)) || own === sameness.of(withoutBlocksInside(normal))
}

export interface Matching {
  /** Index of the equal block in the source for each wanted block, even if it was moved. */
  from: readonly (number | undefined)[]
  /** Pairs of these that are in the order of the source. */
  kept: ReadonlyMap<number, number>
  /** Wanted blocks that are edited blocks of the source, in the order of the source. */
  changed: ReadonlyMap<number, number>
}

/**
 * Finds wanted blocks in the source. `fix` removes pairs that cannot be kept and returns blocks that cannot be moved or edited.
 */
export function matchBlocks(
  source: readonly Block[],
  wanted: readonly Wanted[],
  sameness: Sameness,
  fix: (kept: Map<number, number>) => ReadonlySet<number> = () => new Set(),
): Matching {
  const texts = source.map((block) => sameness.of(block))
  const known = new Set(texts)
  const sought = wanted.map(({ block, normal }) => {
    const text = sameness.of(block)
    return known.has(text) ? text : sameness.of(normal)
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
    for (const [place, partner] of matchChanged(old, fresh, source, wanted)) changed.set(place, partner)
    ;[index, at] = [nextIndex + 1, nextAt + 1]
  }
  return { from, kept, changed }
}

/**
 * Keeps either all or none of the blocks that were parsed from one token. Returns the blocks of the source that share a position.
 */
export function keepShared(
  places: readonly { start: number; end: number }[],
  aligned: Map<number, number>,
): ReadonlySet<number> {
  const shared = new Set<number>()
  const indexOf = new Map(Array.from(aligned, ([index, at]) => [at, index]))
  const isEmpty = (at: number) => places[at]?.start === places[at]?.end
  for (let from = 0; from < places.length; from++) {
    let to = from + 1
    while (to < places.length && isEmpty(to)) to++
    if (to - from === 1) continue
    const group = range(from, to)
    const first = indexOf.get(from)
    const isWhole = group.every((at, nth) => first !== undefined && indexOf.get(at) === first + nth)
    for (const at of group) {
      shared.add(at)
      const index = indexOf.get(at)
      if (!isWhole && index !== undefined) aligned.delete(index)
    }
    from = to - 1
  }
  return shared
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, nth) => from + nth)

const kindOf = ({ type }: Block) => (type.startsWith('heading-') ? 'heading' : type)

/** Returns pairs of a wanted block and the source block it was edited from, in the same order. */
function matchChanged(
  old: readonly number[],
  fresh: readonly number[],
  source: readonly Block[],
  wanted: readonly Wanted[],
): [index: number, at: number][] {
  const isAlike = (index: number, at: number) =>
    kindOf((wanted[index] as Wanted).block) === kindOf(source[at] as Block) &&
    kindOf((wanted[index] as Wanted).normal) === kindOf(source[at] as Block)
  if (old.length === 0 || fresh.length === 0) return []
  const pairs = old.length === 1 && fresh.length === 1 ? [] : matchAlike(old, fresh, source, wanted, isAlike)
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
function matchAlike(
  old: readonly number[],
  fresh: readonly number[],
  source: readonly Block[],
  wanted: readonly Wanted[],
  isAlike: (index: number, at: number) => boolean,
): (readonly [inFresh: number, inOld: number])[] {
  const numbering = new TextIds()
  const before = matchableBlocks(
    old.map((at) => source[at] as Block),
    numbering,
  )
  const after = matchableBlocks(
    fresh.map((index) => (wanted[index] as Wanted).block),
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
  return longestIncreasingSubsequence(found.map(([, inOld]) => inOld)).map((at) => found[at] as readonly [number, number])
}
