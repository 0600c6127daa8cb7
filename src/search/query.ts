import { splitSearchWords } from './words.ts'

/** Sequence of words that must be adjacent. */
export interface Term {
  words: readonly string[]
  /** Whether the last word is a prefix, because the user may not have finished typing it. */
  isPrefix: boolean
  isQuoted: boolean
  /** Parts of a single word in camel case. */
  parts?: readonly string[]
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
  const addTerm = (text: string, isQuoted: boolean): void => {
    const words = splitSearchWords(text).slice(0, remainingWords)
    remainingWords -= words.length
    if (words.length === 0) return
    const parts = words.length === 1 ? words[0]?.parts : undefined
    terms.push({ words: words.map((word) => word.text), isPrefix: false, isQuoted, ...(parts && { parts }) })
  }
  const parts = query.split(quotes)
  // An unclosed quotation mark, which is the last one of an odd number, is ignored.
  const isQuoted = (index: number) => index % 2 === 1 && index < parts.length - 1
  parts.forEach((part, index) => {
    if (isQuoted(index)) addTerm(part, true)
    else for (const text of part.split(/\s+/u)) addTerm(text, false)
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
