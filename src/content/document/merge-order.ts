import type { Side } from './merge-fields.ts'
import { longestAscending } from './sequences.ts'

export interface MergedOrder {
  order: string[]
  /** Names that both sides moved to different positions. */
  disputed: string[]
}

/**
 * Merges three orders of names, of which only some remain. Names that the sides added are included, those of theirs
 * first at the same position; a move by one side is kept, and that of the preferred side if both moved.
 */
export function mergeOrder(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  stays: (name: string) => boolean,
  prefer: Side = 'ours',
): MergedOrder {
  const kept = ours.filter(stays)
  const [inOurs, inTheirs] = [new Set(kept), new Set(theirs)]
  const places = new Map(
    base.filter((name) => inOurs.has(name) && inTheirs.has(name)).map((name, index) => [name, index]),
  )
  const movedByOurs = moved(kept, places)
  const movedByTheirs = moved(theirs, places)
  const disputed = disputedMoves(
    [...movedByOurs].filter((name) => movedByTheirs.has(name)),
    kept,
    theirs,
    places,
  )
  const lost = new Set(prefer === 'theirs' ? disputed : [])
  const sequence = kept.filter((name) => !movedByTheirs.has(name) || (movedByOurs.has(name) && !lost.has(name)))

  const anchors = new Set(sequence)
  const behind = new Map<string | null, string[]>()
  let anchor: string | null = null
  for (const name of theirs) {
    if (anchors.has(name)) anchor = name
    else if (stays(name)) {
      const others = behind.get(anchor)
      if (others) others.push(name)
      else behind.set(anchor, [name])
    }
  }
  const order = [...(behind.get(null) ?? []), ...sequence.flatMap((name) => [name, ...(behind.get(name) ?? [])])]
  return { order, disputed }
}

/** Returns the names moved by both sides whose predecessors differ, among the names that all sides have. */
function disputedMoves(
  names: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  places: ReadonlyMap<string, number>,
): string[] {
  if (names.length === 0) return []
  const predecessors = (order: readonly string[]) => predecessorsIn(order.filter((name) => places.has(name)))
  const [inOurs, inTheirs] = [predecessors(ours), predecessors(theirs)]
  return names.filter((name) => inOurs.get(name) !== inTheirs.get(name))
}

/** Maps each name to its predecessor; undefined for the first. */
export function predecessorsIn(order: readonly string[]): Map<string, string | undefined> {
  return new Map(order.map((name, index) => [name, order[index - 1]]))
}

/** Returns the smallest set of names that are not in the order of their positions. */
function moved(names: readonly string[], places: ReadonlyMap<string, number>): Set<string> {
  const placed = names.filter((name) => places.has(name))
  const inOrder = longestAscending(placed.map((name) => places.get(name) ?? 0))
  const found = new Set(placed)
  for (const index of inOrder) found.delete(placed[index] as string)
  return found
}

/** Returns the names that were moved between two orders. */
export function movedNames(before: readonly string[], after: readonly string[]): Set<string> {
  return moved(after, new Map(before.map((name, index) => [name, index])))
}
