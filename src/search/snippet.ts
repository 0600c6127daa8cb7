import type { TermMatcher } from './matcher.ts'

/** Excerpt of a text with the ranges of the matching words. */
export interface Snippet {
  text: string
  marks: readonly (readonly [start: number, end: number])[]
}

const snippetLength = 200
/** Number of characters before the first matching word. */
const leadLength = 40

/** White space except for spaces, which need no replacement. */
const otherSpaces = /[^\S ]/g

/** Returns the excerpt with the most different matching words, or the start of the text if nothing matches. */
export function createSnippet(body: string, matcher: TermMatcher): Snippet {
  const matches = matcher.findMatchingWords(body)
  const bestStart = findDensestStart(matches)
  const from = bestStart === 0 ? 0 : alignToWordStart(body, Math.max(0, bestStart - leadLength))
  const to = alignToWordEnd(body, from + snippetLength)
  const before = from > 0 ? '… ' : ''
  const text = before + body.slice(from, to).replace(otherSpaces, ' ') + (to < body.length ? ' …' : '')
  const shift = before.length - from
  const marks = matches
    .filter(({ start, end }) => start >= from && end <= to)
    .map(({ start, end }) => [start + shift, end + shift] as const)
  return { text, marks }
}

/** Returns the offset from which the excerpt contains the most different matching words. */
function findDensestStart(matches: readonly { text: string; start: number; end: number }[]): number {
  let [bestStart, bestCount, last] = [matches[0]?.start ?? 0, 0, 0]
  const countByText = new Map<string, number>()
  matches.forEach((first, index) => {
    for (; (matches[last]?.end ?? Infinity) <= first.start + snippetLength - leadLength; last++) {
      const { text } = matches[last] ?? first
      countByText.set(text, (countByText.get(text) ?? 0) + 1)
    }
    if (countByText.size > bestCount) [bestStart, bestCount] = [first.start, countByText.size]
    const count = (countByText.get(first.text) ?? 0) - 1
    if (count > 0) countByText.set(first.text, count)
    else countByText.delete(first.text)
    last = Math.max(last, index + 1)
  })
  return bestStart
}

/** Maximum distance to search for a space; text without spaces is cut anywhere. */
const maxSpaceDistance = 30

function alignToWordStart(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.slice(at, at + maxSpaceDistance).search(/\s/)
  return space === -1 ? alignToCharacter(text, at) : at + space + 1
}

function alignToWordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.slice(at - maxSpaceDistance, at + 1).search(/\s\S*$/)
  return space === -1 ? alignToCharacter(text, at) : at - maxSpaceDistance + space
}

/** Moves an offset so that it does not split a surrogate pair. */
function alignToCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
