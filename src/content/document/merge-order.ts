import { longestAscending } from './sequences.ts'

/**
 * The order of what stays, from three orders of names: what both sides put in is there, theirs first at the same place; a move of
 * one side is kept, and ours when both moved.
 */
export function mergeOrder(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  stays: (name: string) => boolean,
): string[] {
  const kept = ours.filter(stays)
  const [inOurs, inTheirs] = [new Set(kept), new Set(theirs)]
  const places = new Map(
    base.filter((name) => inOurs.has(name) && inTheirs.has(name)).map((name, index) => [name, index]),
  )
  const movedByOurs = moved(kept, places)
  const movedByTheirs = moved(theirs, places)
  const sequence = kept.filter((name) => !movedByTheirs.has(name) || movedByOurs.has(name))

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
  return [...(behind.get(null) ?? []), ...sequence.flatMap((name) => [name, ...(behind.get(name) ?? [])])]
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
