/**
 * Returns the line numbers, starting at 1, of link destinations in a text; a repeated destination is searched after its previous
 * occurrence.
 */
export function findDestinationLines(text: string, destinations: readonly string[]): (number | undefined)[] {
  const searchOffsets = new Map<string, number>()
  const lineStarts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1)
  return destinations.map((destination) => {
    const at =
      findDestination(text, destination, searchOffsets.get(destination) ?? 0) ?? findDestination(text, destination, 0)
    if (at === undefined) return undefined
    searchOffsets.set(destination, at + destination.length)
    return lineNumberAt(lineStarts, at)
  })
}

/** Maximum number of occurrences checked: a destination of one letter occurs nearly everywhere. */
const maxOccurrences = 1000

/** Returns the offset of a destination, not of the same text in a sentence; undefined if it is not found within `maxOccurrences`. */
function findDestination(text: string, destination: string, from: number): number | undefined {
  let at = text.indexOf(destination, from)
  for (let tries = 0; at !== -1 && tries < maxOccurrences; tries++, at = text.indexOf(destination, at + 1)) {
    if (/[("'<]|:\s$/.test(text.slice(Math.max(0, at - 2), at))) return at
  }
  return undefined
}

/** Returns the line number of an offset. */
function lineNumberAt(lineStarts: readonly number[], offset: number): number {
  let [low, high] = [0, lineStarts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lineStarts[middle] as number) <= offset) low = middle + 1
    else high = middle
  }
  return low
}
