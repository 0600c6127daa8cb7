import type { Side } from './merge-fields.ts'
import { longestAscending } from './sequences.ts'

export interface MergedOrder {
  order: string[]
  /** The names that both sides moved, each to another place. */
  disputed: string[]
}

/**
 * The order of what stays, from three orders of names: what both sides put in is there, theirs first at the same place; a
 * move of one side is kept, and that of the preferred side when both moved.
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

/** Of names that both sides moved, those whose predecessors among the names that all sides have differ. */
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

/** The name before each name; undefined for the first. */
export function predecessorsIn(order: readonly string[]): Map<string, string | undefined> {
  return new Map(order.map((name, index) => [name, order[index - 1]]))
}

/** The names that are not in the order of their places, as few as possible. */
function moved(names: readonly string[], places: ReadonlyMap<string, number>): Set<string> {
  const placed = names.filter((name) => places.has(name))
  const inOrder = longestAscending(placed.map((name) => places.get(name) ?? 0))
  const found = new Set(placed)
  for (const index of inOrder) found.delete(placed[index] as string)
  return found
}

/** Names that were moved between two orders. */
export function movedNames(before: readonly string[], after: readonly string[]): Set<string> {
  return moved(after, new Map(before.map((name, index) => [name, index])))
}
