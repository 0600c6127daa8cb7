import type { Side } from './merge-fields.ts'
import { longestIncreasingSubsequence } from './sequences.ts'

export interface MergedOrder {
  order: string[]
  /** Names that both sides moved to different positions. */
  conflicts: string[]
}

/**
 * Merges three orders of names, of which only some remain. Names that the sides added are included, those of theirs
 * first at the same position; a move by one side is kept, and that of the preferred side if both moved.
 */
export function mergeOrder(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  isRemaining: (name: string) => boolean,
  prefer: Side = 'ours',
): MergedOrder {
  const ourNames = ours.filter(isRemaining)
  const [inOurs, inTheirs] = [new Set(ourNames), new Set(theirs)]
  const positions = new Map(
    base.filter((name) => inOurs.has(name) && inTheirs.has(name)).map((name, index) => [name, index]),
  )
  const movedByOurs = findOutOfOrder(ourNames, positions)
  const movedByTheirs = findOutOfOrder(theirs, positions)
  const conflicts = findConflictingMoves(
    [...movedByOurs].filter((name) => movedByTheirs.has(name)),
    ourNames,
    theirs,
    positions,
  )
  const overriddenMoves = new Set(prefer === 'theirs' ? conflicts : [])
  const sequence = ourNames.filter(
    (name) => !movedByTheirs.has(name) || (movedByOurs.has(name) && !overriddenMoves.has(name)),
  )

  const anchors = new Set(sequence)
  const insertedAfter = new Map<string | null, string[]>()
  let anchor: string | null = null
  for (const name of theirs) {
    if (anchors.has(name)) anchor = name
    else if (isRemaining(name)) {
      const others = insertedAfter.get(anchor)
      if (others) others.push(name)
      else insertedAfter.set(anchor, [name])
    }
  }
  const order = [
    ...(insertedAfter.get(null) ?? []),
    ...sequence.flatMap((name) => [name, ...(insertedAfter.get(name) ?? [])]),
  ]
  return { order, conflicts }
}

/** Returns the names moved by both sides whose predecessors differ, among the names that all sides have. */
function findConflictingMoves(
  names: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  positions: ReadonlyMap<string, number>,
): string[] {
  if (names.length === 0) return []
  const predecessors = (order: readonly string[]) => mapPredecessors(order.filter((name) => positions.has(name)))
  const [inOurs, inTheirs] = [predecessors(ours), predecessors(theirs)]
  return names.filter((name) => inOurs.get(name) !== inTheirs.get(name))
}

/** Maps each name to its predecessor; undefined for the first. */
export function mapPredecessors(order: readonly string[]): Map<string, string | undefined> {
  return new Map(order.map((name, index) => [name, order[index - 1]]))
}

/** Returns the smallest set of names that are not in the order of their positions. */
function findOutOfOrder(names: readonly string[], positions: ReadonlyMap<string, number>): Set<string> {
  const commonNames = names.filter((name) => positions.has(name))
  const inOrder = longestIncreasingSubsequence(commonNames.map((name) => positions.get(name) ?? 0))
  const outOfOrder = new Set(commonNames)
  for (const index of inOrder) outOfOrder.delete(commonNames[index] as string)
  return outOfOrder
}

/** Returns the names that were moved between two orders. */
export function findMovedNames(before: readonly string[], after: readonly string[]): Set<string> {
  return findOutOfOrder(after, new Map(before.map((name, index) => [name, index])))
}
