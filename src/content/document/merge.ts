import { documentOf } from './build.ts'
import { identify } from './identify.ts'
import { type Side, mergeFields } from './merge-fields.ts'
import { mergeOrder } from './merge-order.ts'
import { mergeOwn } from './merge-own.ts'
import type { DisputedPart } from './merge-table.ts'
import { TextBudget } from './merge-text.ts'
import type { Block, Document } from './nodes.ts'
import { type Index, type Location, groupsOf, indexOf, keysInside, isSame, topGroup, withGroups } from './parts.ts'

export type DocumentConflict = BlockConflict | PlaceConflict

/** Block that both sides changed in incompatible ways. A version is null if the block does not exist there. */
export interface BlockConflict extends Record<Side, Block | null> {
  key: string
  part?: undefined
  /** Position at which the block is inserted if it is not in the document. */
  where: ConflictPlace
  /** If one side removed the block: keys of blocks inside the remaining version that the removing side has elsewhere. */
  elsewhere?: readonly string[]
  /** Conflicting parts of a table, at most `maxParts`. */
  parts?: readonly DisputedPart[]
}

/** Block that both sides moved to different positions. */
export interface PlaceConflict extends Record<Side, ConflictPlace | null> {
  key: string
  part: 'place'
}

/** Position of a block. */
export interface ConflictPlace {
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
}

/** Merges two versions of a base. Conflicting parts are as in ours, and the conflict contains both versions. */
export function mergeDocuments(
  base: Document | undefined,
  ours: Document,
  theirs: Document,
  options: DocumentMergeOptions = {},
): MergedDocument {
  if (isSame(ours, theirs) || (base && isSame(base, theirs))) return { document: ours, conflicts: [], combined: [] }
  if (base && isSame(base, ours)) return { document: theirs, conflicts: [], combined: [] }
  const before = indexed(undefined, base ?? documentOf([]))
  const sides = { base: before, ours: indexed(before.document, ours), theirs: indexed(before.document, theirs) }
  const pinned = new Set<string>()
  for (;;) {
    const merge = new Merge([sides.base.index, sides.ours.index, sides.theirs.index], pinned, options)
    const nodes = merge.group(null, topGroup, [
      before.document.nodes,
      sides.ours.document.nodes,
      sides.theirs.document.nodes,
    ])
    const lost = merge.lostMoves()
    if (lost.length === 0) {
      const { value: data } = mergeFields(base?.data, ours.data, theirs.data)
      return { document: { ...ours, data, nodes }, conflicts: merge.conflicts(), combined: merge.combined() }
    }
    for (const key of lost) pinned.add(key)
  }
}

function indexed(previous: Document | undefined, document: Document): { document: Document; index: Index } {
  const index = indexOf(document)
  if (index) return { document, index }
  const identified = identify(previous, document)
  return { document: identified, index: indexOf(identified) ?? new Map<string, Location>() }
}

type Sides<T> = readonly [base: T, ours: T, theirs: T]

class Merge {
  readonly #base: Index
  readonly #ours: Index
  readonly #theirs: Index
  /** Blocks that keep their position in ours, because their parent in theirs is not in the result. */
  readonly #pinned: ReadonlySet<string>
  /** Whether blocks were moved from one list to another: then no subtree can be copied as a whole. */
  readonly #hasMoves: boolean
  readonly #places = new Map<string, Location | undefined>()
  readonly #written = new Set<string>()
  readonly #groupNamesOf = new Map<Block, ReadonlySet<string>>()
  /** Blocks that both sides changed, with the conflicting parts of tables. */
  readonly #contradictions = new Map<string, readonly DisputedPart[] | undefined>()
  /** Blocks that both sides moved to different positions. */
  readonly #disputedPlaces = new Set<string>()
  readonly #combined = new Set<string>()
  readonly #budget = new TextBudget()
  readonly #options: DocumentMergeOptions

  constructor([base, ours, theirs]: Sides<Index>, pinned: ReadonlySet<string>, options: DocumentMergeOptions) {
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
  group(parent: string | null, name: string, lists: Sides<readonly Block[]>): Block[] {
    const [base = [], ours = [], theirs = []] = lists.map((blocks) => blocks.map(keyOf))
    const isHere = (key: string) => {
      const place = this.#placeOf(key)
      return place !== undefined && place.parent === parent && place.group === name
    }
    const { order, disputed } = mergeOrder(base, ours, theirs, isHere)
    for (const key of disputed) this.#disputedPlaces.add(key)
    return order.map((key) => this.#block(key))
  }

  /** Returns the blocks that theirs moved to a position that is not in the result. */
  lostMoves(): string[] {
    if (!this.#hasMoves) return []
    const lost: string[] = []
    for (const [key, ours] of this.#ours) {
      const theirs = this.#theirs.get(key)
      if (theirs && !this.#written.has(key) && this.#placeOf(key) === theirs && isMoved(ours, theirs)) lost.push(key)
    }
    return lost
  }

  /** Returns the conflicts in the order of ours, then those of blocks that only theirs still has. */
  conflicts(): DocumentConflict[] {
    const keys = [...this.#ours.keys(), ...[...this.#theirs.keys()].filter((key) => !this.#ours.has(key))]
    return keys.flatMap((key) => [
      ...(this.#contradictions.has(key) || this.#isRemovedAndChanged(key) ? [this.#conflict(key)] : []),
      ...(this.#disputedPlaces.has(key) ? [this.#placeConflict(key)] : []),
    ])
  }

  combined(): string[] {
    return [...this.#combined]
  }

  #placeConflict(key: string): PlaceConflict {
    const [base = null, ours = null, theirs = null] = [this.#base, this.#ours, this.#theirs].map((index) => {
      const location = index.get(key)
      return location ? conflictPlaceOf(location) : null
    })
    return { key, part: 'place', base, ours, theirs }
  }

  #conflict(key: string): BlockConflict {
    const [base, ours, theirs] = [this.#base.get(key), this.#ours.get(key), this.#theirs.get(key)]
    const place = (ours ?? theirs) as Location
    const inside = ours && theirs ? [] : keysInside(place.block)
    const other = ours ? this.#theirs : this.#ours
    const parts = this.#contradictions.get(key)
    return {
      key,
      base: base?.block ?? null,
      ours: ours?.block ?? null,
      theirs: theirs?.block ?? null,
      where: conflictPlaceOf(place),
      elsewhere: inside.filter((one) => other.has(one)),
      ...(parts && { parts: parts.slice(0, maxParts) }),
    }
  }

  /** Returns the location of a block in the result; undefined if it is removed. */
  #placeOf(key: string): Location | undefined {
    if (!this.#places.has(key)) this.#places.set(key, this.#findPlace(key))
    return this.#places.get(key)
  }

  #findPlace(key: string): Location | undefined {
    const [base, ours, theirs] = [this.#base.get(key), this.#ours.get(key), this.#theirs.get(key)]
    if (ours && theirs) {
      if (!base || this.#pinned.has(key)) return ours
      if (!isMoved(base, ours)) return theirs
      if (isMoved(base, theirs) && isMoved(ours, theirs)) this.#disputedPlaces.add(key)
      return ours
    }
    if (!base) return ours ?? theirs
    if (!ours) return undefined
    // A block inside a block that theirs removed is kept or removed together with that block.
    if (this.#isRemoved(ours.parent, this.#theirs)) return this.#placeOf(ours.parent as string) && ours
    return isUntouched(base, ours) ? undefined : ours
  }

  #isRemoved(key: string | null, side: Index): boolean {
    return key !== null && this.#base.has(key) && !side.has(key)
  }

  /** Whether one side removed a block that the other changed; false if the parent was removed too or has that conflict. */
  #isRemovedAndChanged(key: string): boolean {
    const [base, ours, theirs] = [this.#base.get(key), this.#ours.get(key), this.#theirs.get(key)]
    if (!base || (ours && theirs)) return false
    const left = (ours ?? theirs) as Location
    const other = ours ? this.#theirs : this.#ours
    return !this.#isRemoved(left.parent, other) && !this.#isInConflict(left, other) && !isUntouched(base, left)
  }

  /** Whether the other side lost a list of blocks, such as a cell, by a change to the parent that is already a conflict. */
  #isInConflict({ parent, group }: Location, other: Index): boolean {
    if (parent === null || !this.#contradictions.has(parent)) return false
    const around = other.get(parent)?.block
    return around !== undefined && !this.#groupNames(around).has(group)
  }

  /** Returns the names of a block's lists. Cached, because a table has thousands of them and is queried for each. */
  #groupNames(block: Block): ReadonlySet<string> {
    const known = this.#groupNamesOf.get(block)
    if (known) return known
    const names = new Set(groupsOf(block).map(({ name }) => name))
    this.#groupNamesOf.set(block, names)
    return names
  }

  #block(key: string): Block {
    this.#written.add(key)
    const sides = [this.#base, this.#ours, this.#theirs].map((index) => index.get(key)?.block)
    const [base, ours, theirs] = sides
    const decided = decide(base, ours, theirs)
    const own = decided ?? this.#own(key, base, ours as Block, theirs as Block)
    const groups = groupsOf(own)
    if (groups.length === 0 || (decided && !this.#hasMoves)) return own
    const maps = sides.map(
      (block) => new Map((block ? groupsOf(block) : []).map((group) => [group.name, group.blocks])),
    )
    return withGroups(
      own,
      groups.map(({ name }) => {
        const [inBase = [], inOurs = [], inTheirs = []] = maps.map((map) => map.get(name) ?? [])
        return this.group(key, name, [inBase, inOurs, inTheirs])
      }),
    )
  }

  #own(key: string, base: Block | undefined, ours: Block, theirs: Block): Block {
    const { block, isConflict, isCombined, parts } = mergeOwn(base, ours, theirs, {
      ...this.#options,
      prefer: 'ours',
      budget: this.#budget,
    })
    if (isConflict) this.#contradictions.set(key, parts)
    if (isCombined) this.#combined.add(key)
    return block
  }
}

/** Returns the version of a block if at most one side changed it. */
function decide(base: Block | undefined, ours: Block | undefined, theirs: Block | undefined): Block | undefined {
  if (!ours || !theirs) return ours ?? theirs
  if (isSame(ours, theirs) || isSame(base, theirs)) return ours
  return isSame(base, ours) ? theirs : undefined
}

/** Maximum number of conflicting parts of a table that a conflict lists. */
export const maxParts = 100

export function conflictPlaceOf({ parent, group, siblings, index }: Location): ConflictPlace {
  return { parent, group, after: siblings[index - 1]?.key ?? null }
}

const keyOf = (block: Block) => block.key as string

function isMoved(one: Location, other: Location): boolean {
  return one.parent !== other.parent || one.group !== other.group
}

function isUntouched(base: Location, side: Location): boolean {
  return !isMoved(base, side) && isSame(base.block, side.block)
}

function hasMoves(one: Index, other: Index): boolean {
  for (const [key, place] of one) {
    const elsewhere = other.get(key)
    if (elsewhere && isMoved(place, elsewhere)) return true
  }
  return false
}
