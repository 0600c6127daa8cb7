import { type Term, matchingWords } from './query.ts'
import { wordsOf } from './words.ts'

/** A part of a text, and where in it stands what was looked for. */
export interface Snippet {
  text: string
  marks: readonly (readonly [start: number, end: number])[]
}

const length = 200
/** How much is shown before the first word that was looked for. */
const lead = 40

/** The part of a text that holds most of what was looked for; its beginning, when it holds nothing. */
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

/** Where to begin so that most different words that were found are shown. */
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

/** Texts without spaces are cut where they are. */
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

/** Never between the two halves of one character. */
function beforeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
