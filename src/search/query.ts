import { splitSearchWords } from './words.ts'

/** Sequence of words that must be adjacent. */
export interface Term {
  words: readonly string[]
  /** Whether the last word is a prefix, because the user may not have finished typing it. */
  isPrefix: boolean
}

/** Maximum number of words that are searched, enough for a long question; each word costs as much as the first. */
const maxWords = 16

/** Minimum length of a prefix: a single letter matches too many words. */
const minPrefixLength = 2

const quotes = /["“”„«»]/u

/**
 * Parses a search query into words and quoted phrases. There is no other syntax; words joined by punctuation, as in
 * `some_name` or `1.2`, are searched as a phrase.
 */
export function parseSearchQuery(query: string): Term[] {
  const terms: Term[] = []
  let remainingWords = maxWords
  const addTerm = (text: string): void => {
    const words = splitSearchWords(text)
      .slice(0, remainingWords)
      .map((word) => word.text)
    remainingWords -= words.length
    if (words.length > 0) terms.push({ words, isPrefix: false })
  }
  const parts = query.split(quotes)
  // An unclosed quotation mark, which is the last one of an odd number, is ignored.
  const isQuoted = (index: number) => index % 2 === 1 && index < parts.length - 1
  parts.forEach((part, index) => {
    if (isQuoted(index)) addTerm(part)
    else part.split(/\s+/u).forEach(addTerm)
  })
  const last = terms.at(-1)
  const lastPart = parts.at(-1) ?? ''
  if (last && /[\p{L}\p{N}\p{M}]/u.test(lastPart)) {
    const isPrefix = (last.words.at(-1) ?? '').length >= minPrefixLength
    terms[terms.length - 1] = { ...last, isPrefix }
  }
  return removeDuplicates(terms)
}

/** Removes duplicate terms. */
function removeDuplicates(terms: readonly Term[]): Term[] {
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()]
}

/** Returns the indexes of the words that are part of a matching term. */
export function findMatchingWords(texts: readonly string[], terms: readonly Term[]): Set<number> {
  const found = new Set<number>()
  for (const term of terms) {
    for (let start = 0; start + term.words.length <= texts.length; start++) {
      if (!matchesAt(texts, start, term)) continue
      for (let index = start; index < start + term.words.length; index++) found.add(index)
    }
  }
  return found
}

/** Counts the occurrences of a term in the words of a text. */
export function countTerm(texts: readonly string[], term: Term): number {
  return texts.reduce((count, _, start) => (matchesAt(texts, start, term) ? count + 1 : count), 0)
}

/** Whether the words of a text contain a term. */
export function containsTerm(texts: readonly string[], term: Term): boolean {
  return texts.some((_, start) => matchesAt(texts, start, term))
}

function matchesAt(texts: readonly string[], start: number, { words, isPrefix }: Term): boolean {
  return words.every((word, index) => {
    const text = texts[start + index]
    if (text === undefined) return false
    return isPrefix && index === words.length - 1 ? text.startsWith(word) : text === word
  })
}
