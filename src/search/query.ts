import { wordsOf } from './words.ts'

/** Words that must stand one behind the other. */
export interface Term {
  words: readonly string[]
  /** Whether the last word may go on: whoever types has not written all of it. */
  isPrefix: boolean
}

/** Maximum number of words that are searched, as each costs as much as the first; a long question has as many. */
const maxWords = 16

/** A single letter begins too many words to say anything. */
const minPrefixLength = 2

const quotes = /["“”„«»]/u

/**
 * What somebody looks for: words, and phrases in quotes. Nothing else has a meaning of its own; what is joined by signs,
 * as in `some_name` or `1.2`, is looked for as a phrase.
 */
export function termsOf(query: string): Term[] {
  const terms: Term[] = []
  let room = maxWords
  const add = (text: string): void => {
    const words = wordsOf(text)
      .slice(0, room)
      .map((word) => word.text)
    room -= words.length
    if (words.length > 0) terms.push({ words, isPrefix: false })
  }
  const parts = query.split(quotes)
  // A quote that is not closed, the last one of an odd number, quotes nothing.
  const isQuoted = (index: number) => index % 2 === 1 && index < parts.length - 1
  parts.forEach((part, index) => {
    if (isQuoted(index)) add(part)
    else part.split(/\s+/u).forEach(add)
  })
  const last = terms.at(-1)
  const lastPart = parts.at(-1) ?? ''
  if (last && /[\p{L}\p{N}\p{M}]/u.test(lastPart)) {
    const isPrefix = (last.words.at(-1) ?? '').length >= minPrefixLength
    terms[terms.length - 1] = { ...last, isPrefix }
  }
  return distinct(terms)
}

/** The same terms, each once. */
function distinct(terms: readonly Term[]): Term[] {
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()]
}

/** The words of a text that are looked for: those that stand where a term does. */
export function matchingWords(texts: readonly string[], terms: readonly Term[]): Set<number> {
  const found = new Set<number>()
  for (const term of terms) {
    for (let start = 0; start + term.words.length <= texts.length; start++) {
      if (!standsAt(texts, start, term)) continue
      for (let index = start; index < start + term.words.length; index++) found.add(index)
    }
  }
  return found
}

/** How often a term is among the words of a text. */
export function countOf(texts: readonly string[], term: Term): number {
  return texts.reduce((count, _, start) => (standsAt(texts, start, term) ? count + 1 : count), 0)
}

/** Whether a term is among the words of a text. */
export function holds(texts: readonly string[], term: Term): boolean {
  return texts.some((_, start) => standsAt(texts, start, term))
}

function standsAt(texts: readonly string[], start: number, { words, isPrefix }: Term): boolean {
  return words.every((word, index) => {
    const text = texts[start + index]
    if (text === undefined) return false
    return isPrefix && index === words.length - 1 ? text.startsWith(word) : text === word
  })
}
