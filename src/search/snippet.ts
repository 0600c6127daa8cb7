import { type Term, matchingWords } from './query.ts'
import { wordsOf } from './words.ts'

/** Excerpt of a text with the ranges of the matching words. */
export interface Snippet {
  text: string
  marks: readonly (readonly [start: number, end: number])[]
}

const length = 200
/** Number of characters before the first matching word. */
const lead = 40

/** Returns the excerpt with the most different matching words, or the start of the text if nothing matches. */
export function snippetOf(body: string, terms: readonly Term[]): Snippet {
  const words = wordsOf(body)
  const texts = words.map((word) => word.text)
  const found = [...matchingWords(texts, terms)].sort((a, b) => a - b).flatMap((index) => words[index] ?? [])
  const best = densest(found)
  const from = best === 0 ? 0 : startOfWord(body, Math.max(0, best - lead))
  const to = endOfWord(body, from + length)
  const before = from > 0 ? '… ' : ''
  const text = before + body.slice(from, to).replace(/\s/g, ' ') + (to < body.length ? ' …' : '')
  const shift = before.length - from
  const marks = found
    .filter(({ start, end }) => start >= from && end <= to)
    .map(({ start, end }) => [start + shift, end + shift] as const)
  return { text, marks }
}

/** Returns the offset from which the excerpt contains the most different matching words. */
function densest(found: readonly { text: string; start: number; end: number }[]): number {
  let [best, most, last] = [found[0]?.start ?? 0, 0, 0]
  const shown = new Map<string, number>()
  found.forEach((first, index) => {
    for (; (found[last]?.end ?? Infinity) <= first.start + length - lead; last++) {
      const { text } = found[last] ?? first
      shown.set(text, (shown.get(text) ?? 0) + 1)
    }
    if (shown.size > most) [best, most] = [first.start, shown.size]
    const count = (shown.get(first.text) ?? 0) - 1
    if (count > 0) shown.set(first.text, count)
    else shown.delete(first.text)
    last = Math.max(last, index + 1)
  })
  return best
}

/** Maximum distance to search for a space; text without spaces is cut anywhere. */
const longestWord = 30

function startOfWord(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.slice(at, at + longestWord).search(/\s/)
  return space === -1 ? beforeCharacter(text, at) : at + space + 1
}

function endOfWord(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.slice(at - longestWord, at + 1).search(/\s\S*$/)
  return space === -1 ? beforeCharacter(text, at) : at - longestWord + space
}

/** Moves an offset so that it does not split a surrogate pair. */
function beforeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
