import { createDocument } from './build.ts'
import { assignKeys } from './assign-keys.ts'
import { type Side, mergeFields } from './merge-fields.ts'
import { mergeOrder } from './merge-order.ts'
import { mergeBlockShallow } from './merge-block.ts'
import type { ConflictingPart } from './merge-table.ts'
import { TextBudget } from './merge-text.ts'
import type { Block, Document } from './nodes.ts'
import {
  type BlockIndex,
  type BlockLocation,
  blockGroupsOf,
  indexBlocks,
  descendantKeys,
  isEqualContent,
  nodesGroup,
  withBlockGroups,
} from './block-groups.ts'

export type DocumentConflict = BlockConflict | PositionConflict

/** Block that both sides changed in incompatible ways. A version is null if the block does not exist there. */
export interface BlockConflict extends Record<Side, Block | null> {
  key: string
  part?: undefined
  /** Position at which the block is inserted if it is not in the document. */
  where: BlockPosition
  /** If one side removed the block: keys of blocks inside the remaining version that the removing side has elsewhere. */
  elsewhere?: readonly string[]
  /** Conflicting parts of a table, at most `maxConflictingParts`. */
  parts?: readonly ConflictingPart[]
}

/** Block that both sides moved to different positions. */
export interface PositionConflict extends Record<Side, BlockPosition | null> {
  key: string
  part: 'place'
}

/** Position of a block. */
export interface BlockPosition {
  /** Key of the parent block; null at the top level. */
  parent: string | null
  /** Name of the parent's list of blocks. */
  group: string
  /** Key of the preceding block; null at the start. */
  after: string | null
}

export interface MergedDocument {
  document: Document
  conflicts: DocumentConflict[]
  /** Keys of blocks whose text contains changes of both sides. */
  combined: string[]
}

export interface DocumentMergeOptions {
  /** Language whose rules separate sentences. */
  language?: string | undefined
  /** Whether a text that both sides changed is always a conflict, and never combined of both. */
  keepsTextsWhole?: boolean | undefined
  /** Called for each block to yield to the event loop, because large documents take long. */
  yieldIfDue?: (() => Promise<void>) | undefined
}

/** Merges two versions of a base. Conflicting parts are as in ours, and the conflict contains both versions. */
export async function mergeDocuments(
  base: Document | undefined,
  ours: Document,
  theirs: Document,
  options: DocumentMergeOptions = {},
): Promise<MergedDocument> {
  if (isEqualContent(ours, theirs) || (base && isEqualContent(base, theirs)))
    return { document: ours, conflicts: [], combined: [] }
  if (base && isEqualContent(base, ours)) return { document: theirs, conflicts: [], combined: [] }
  await options.yieldIfDue?.()
  const before = ensureIndexed(undefined, base ?? createDocument([]))
  await options.yieldIfDue?.()
  const indexedOurs = ensureIndexed(before.document, ours)
  await options.yieldIfDue?.()
  const sides = { base: before, ours: indexedOurs, theirs: ensureIndexed(before.document, theirs) }
  const pinned = new Set<string>()
  for (;;) {
    const merger = new DocumentMerger([sides.base.index, sides.ours.index, sides.theirs.index], pinned, options)
    await options.yieldIfDue?.()
    const nodes = await merger.mergeGroup(null, nodesGroup, [
      before.document.nodes,
      sides.ours.document.nodes,
      sides.theirs.document.nodes,
    ])
    const lost = merger.lostMoves()
    if (lost.length === 0) {
      const { value: data } = mergeFields(base?.data, ours.data, theirs.data)
      return { document: { ...ours, data, nodes }, conflicts: merger.conflicts(), combined: merger.combined() }
    }
    for (const key of lost) pinned.add(key)
  }
}

function ensureIndexed(previous: Document | undefined, document: Document): { document: Document; index: BlockIndex } {
  const index = indexBlocks(document)
  if (index) return { document, index }
  const identified = assignKeys(previous, document)
  return { document: identified, index: indexBlocks(identified) ?? new Map<string, BlockLocation>() }
}

type Versions<T> = readonly [base: T, ours: T, theirs: T]

class DocumentMerger {
  readonly #base: BlockIndex
  readonly #ours: BlockIndex
  readonly #theirs: BlockIndex
  /** Blocks that keep their position in ours, because their parent in theirs is not in the result. */
  readonly #pinned: ReadonlySet<string>
  /** Whether blocks were moved from one list to another: then no subtree can be copied as a whole. */
  readonly #hasMoves: boolean
  readonly #locations = new Map<string, BlockLocation | undefined>()
  readonly #mergedKeys = new Set<string>()
  readonly #groupNamesCache = new Map<Block, ReadonlySet<string>>()
  /** Blocks that both sides changed, with the conflicting parts of tables. */
  readonly #contentConflicts = new Map<string, readonly ConflictingPart[] | undefined>()
  /** Blocks that both sides moved to different positions. */
  readonly #positionConflicts = new Set<string>()
  readonly #combined = new Set<string>()
  readonly #budget = new TextBudget()
  readonly #options: DocumentMergeOptions

  constructor([base, ours, theirs]: Versions<BlockIndex>, pinned: ReadonlySet<string>, options: DocumentMergeOptions) {
    this.#base = base
    this.#ours = ours
    this.#theirs = theirs
    this.#pinned = pinned
    this.#options = options
    this.#hasMoves = [
      [ours, base],
      [theirs, base],
      [theirs, ours],
    ].some(([one, other]) => one && other && hasMoves(one, other))
  }

  /** Merges one list of blocks, given its version on each side. */
  async mergeGroup(parent: string | null, name: string, lists: Versions<readonly Block[]>): Promise<Block[]> {
    const [base = [], ours = [], theirs = []] = lists.map((blocks) => blocks.map(keyOf))
    const isInGroup = (key: string) => {
      const location = this.#locationOf(key)
      return location !== undefined && location.parent === parent && location.group === name
    }
    const { order, conflicts } = mergeOrder(base, ours, theirs, isInGroup)
    for (const key of conflicts) this.#positionConflicts.add(key)
    const merged: Block[] = []
    for (const key of order) merged.push(await this.#mergeBlock(key))
    return merged
  }

  /** Returns the blocks that theirs moved to a position that is not in the result. */
  lostMoves(): string[] {
    if (!this.#hasMoves) return []
    const lost: string[] = []
    for (const [key, ours] of this.#ours) {
      const theirs = this.#theirs.get(key)
      if (theirs && !this.#mergedKeys.has(key) && this.#locationOf(key) === theirs && isMoved(ours, theirs))
        lost.push(key)
    }
    return lost
  }

  /** Returns the conflicts in the order of ours, then those of blocks that only theirs still has. */
  conflicts(): DocumentConflict[] {
    const keys = [...this.#ours.keys(), ...[...this.#theirs.keys()].filter((key) => !this.#ours.has(key))]
    return keys.flatMap((key) => [
      ...(this.#contentConflicts.has(key) || this.#isRemovedAndChanged(key) ? [this.#createBlockConflict(key)] : []),
      ...(this.#positionConflicts.has(key) ? [this.#createPositionConflict(key)] : []),
    ])
  }

  combined(): string[] {
    return [...this.#combined]
  }

  #createPositionConflict(key: string): PositionConflict {
    const [base = null, ours = null, theirs = null] = [this.#base, this.#ours, this.#theirs].map((index) => {
      const location = index.get(key)
      return location ? toBlockPosition(location) : null
    })
    return { key, part: 'place', base, ours, theirs }
  }

  #createBlockConflict(key: string): BlockConflict {
    const [base, ours, theirs] = [this.#base.get(key), this.#ours.get(key), this.#theirs.get(key)]
    const location = (ours ?? theirs) as BlockLocation
    const nestedKeys = ours && theirs ? [] : descendantKeys(location.block)
    const other = ours ? this.#theirs : this.#ours
    const parts = this.#contentConflicts.get(key)
    return {
      key,
      base: base?.block ?? null,
      ours: ours?.block ?? null,
      theirs: theirs?.block ?? null,
      where: toBlockPosition(location),
      elsewhere: nestedKeys.filter((one) => other.has(one)),
      ...(parts && { parts: parts.slice(0, maxConflictingParts) }),
    }
  }

  /** Returns the location of a block in the result; undefined if it is removed. */
  #locationOf(key: string): BlockLocation | undefined {
    if (!this.#locations.has(key)) this.#locations.set(key, this.#findLocation(key))
    return this.#locations.get(key)
  }

  #findLocation(key: string): BlockLocation | undefined {
    const [base, ours, theirs] = [this.#base.get(key), this.#ours.get(key), this.#theirs.get(key)]
    if (ours && theirs) {
      if (!base || this.#pinned.has(key)) return ours
      if (!isMoved(base, ours)) return theirs
      if (isMoved(base, theirs) && isMoved(ours, theirs)) this.#positionConflicts.add(key)
      return ours
    }
    if (!base) return ours ?? theirs
    if (!ours) return undefined
    // A block inside a block that theirs removed is kept or removed together with that block.
    if (this.#isRemoved(ours.parent, this.#theirs)) return this.#locationOf(ours.parent as string) && ours
    return isUnchanged(base, ours) ? undefined : ours
  }

  #isRemoved(key: string | null, side: BlockIndex): boolean {
    return key !== null && this.#base.has(key) && !side.has(key)
  }

  /** Whether one side removed a block that the other changed; false if the parent was removed too or has that conflict. */
  #isRemovedAndChanged(key: string): boolean {
    const [base, ours, theirs] = [this.#base.get(key), this.#ours.get(key), this.#theirs.get(key)]
    if (!base || (ours && theirs)) return false
    const remaining = (ours ?? theirs) as BlockLocation
    const other = ours ? this.#theirs : this.#ours
    return (
      !this.#isRemoved(remaining.parent, other) &&
      !this.#isPartOfParentConflict(remaining, other) &&
      !isUnchanged(base, remaining)
    )
  }

  /** Whether the other side lost a list of blocks, such as a cell, by a change to the parent that is already a conflict. */
  #isPartOfParentConflict({ parent, group }: BlockLocation, other: BlockIndex): boolean {
    if (parent === null || !this.#contentConflicts.has(parent)) return false
    const parentBlock = other.get(parent)?.block
    return parentBlock !== undefined && !this.#groupNames(parentBlock).has(group)
  }

  /** Returns the names of a block's lists. Cached, because a table has thousands of them and is queried for each. */
  #groupNames(block: Block): ReadonlySet<string> {
    const cached = this.#groupNamesCache.get(block)
    if (cached) return cached
    const names = new Set(blockGroupsOf(block).map(({ name }) => name))
    this.#groupNamesCache.set(block, names)
    return names
  }

  async #mergeBlock(key: string): Promise<Block> {
    await this.#options.yieldIfDue?.()
    this.#mergedKeys.add(key)
    const sides = [this.#base, this.#ours, this.#theirs].map((index) => index.get(key)?.block)
    const [base, ours, theirs] = sides
    const oneSided = pickOneSided(base, ours, theirs)
    const merged = oneSided ?? this.#mergeOwnContent(key, base, ours as Block, theirs as Block)
    const groups = blockGroupsOf(merged)
    if (groups.length === 0 || (oneSided && !this.#hasMoves)) return merged
    const maps = sides.map(
      (block) => new Map((block ? blockGroupsOf(block) : []).map((group) => [group.name, group.blocks])),
    )
    const mergedGroups: Block[][] = []
    for (const { name } of groups) {
      const [inBase = [], inOurs = [], inTheirs = []] = maps.map((map) => map.get(name) ?? [])
      mergedGroups.push(await this.mergeGroup(key, name, [inBase, inOurs, inTheirs]))
    }
    return withBlockGroups(merged, mergedGroups)
  }

  #mergeOwnContent(key: string, base: Block | undefined, ours: Block, theirs: Block): Block {
    const { block, isConflict, isCombined, parts } = mergeBlockShallow(base, ours, theirs, {
      ...this.#options,
      prefer: 'ours',
      budget: this.#budget,
    })
    if (isConflict) this.#contentConflicts.set(key, parts)
    if (isCombined) this.#combined.add(key)
    return block
  }
}

/** Returns the version of a block if at most one side changed it. */
function pickOneSided(base: Block | undefined, ours: Block | undefined, theirs: Block | undefined): Block | undefined {
  if (!ours || !theirs) return ours ?? theirs
  if (isEqualContent(ours, theirs) || isEqualContent(base, theirs)) return ours
  return isEqualContent(base, ours) ? theirs : undefined
}

/** Maximum number of conflicting parts of a table that a conflict lists. */
export const maxConflictingParts = 100

export function toBlockPosition({ parent, group, siblings, index }: BlockLocation): BlockPosition {
  return { parent, group, after: siblings[index - 1]?.key ?? null }
}

const keyOf = (block: Block) => block.key as string

function isMoved(one: BlockLocation, other: BlockLocation): boolean {
  return one.parent !== other.parent || one.group !== other.group
}

function isUnchanged(base: BlockLocation, side: BlockLocation): boolean {
  return !isMoved(base, side) && isEqualContent(base.block, side.block)
}

function hasMoves(one: BlockIndex, other: BlockIndex): boolean {
  for (const [key, location] of one) {
    const elsewhere = other.get(key)
    if (elsewhere && isMoved(location, elsewhere)) return true
  }
  return false
}
