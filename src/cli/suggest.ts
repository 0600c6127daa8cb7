/** Returns the candidate that a mistyped word most likely means; undefined if none is close. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const prefixMatch = candidates.find((candidate) => isPrefixOfOther(typed, candidate))
  if (prefixMatch !== undefined) return prefixMatch
  const limit = typed.length <= 3 ? 1 : 2
  const [nearest] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(typed, candidate) }))
    .filter(({ candidate, distance }) => distance <= limit && distance < candidate.length)
    .sort((a, b) => a.distance - b.distance)
  return nearest?.candidate
}

/** Whether one word is a prefix of the other, as `org` of `organization`. */
function isPrefixOfOther(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a))
}

/** Counts the letters to insert, remove, replace or swap with their neighbor to get from one word to the other. */
function editDistance(from: string, to: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const cost = from[i - 1] === to[j - 1] ? 0 : 1
      const swapped =
        i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? (beforeLast[j - 2] as number) + 1
          : Infinity
      row.push(Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + cost, swapped))
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[to.length] as number
}
