import type { Language } from '../contract/space.ts'

/** A term of the glossary with its translation. */
export interface Term {
  source: string
  target: string
}

/** Returns the terms that have a translation into a language, for texts in another one. */
export function selectTerms(
  entries: readonly Readonly<Partial<Record<string, string>>>[],
  source: Language,
  target: Language,
): Term[] {
  return entries.flatMap((entry) => {
    const [from, to] = [entry[source], entry[target]]
    return from === undefined || to === undefined ? [] : [{ source: from, target: to }]
  })
}

/** Finds the terms of a glossary in texts. The cost depends on the length of the text and not on the size of the glossary. */
export class TermFinder {
  /** Terms by their first word, the longest first. */
  readonly #terms = new Map<string, { term: Term; words: readonly string[] }[]>()

  constructor(terms: readonly Term[]) {
    for (const term of terms) {
      const words = splitTermWords(term.source)
      const [first] = words
      if (first === undefined) continue
      const sameStart = this.#terms.get(first)
      if (sameStart) sameStart.push({ term, words })
      else this.#terms.set(first, [{ term, words }])
    }
    for (const list of this.#terms.values()) list.sort((a, b) => b.words.length - a.words.length)
  }

  /** Returns each term that occurs in a text once. A term inside a longer one does not count. */
  find(text: string): Term[] {
    const words = splitTermWords(text)
    const found = new Set<Term>()
    for (let at = 0; at < words.length;) {
      const match = this.#terms
        .get(words[at] as string)
        ?.find(({ words: wanted }) => wanted.every((word, index) => word === words[at + index]))
      if (match) found.add(match.term)
      at += match?.words.length ?? 1
    }
    return [...found]
  }
}

/** Returns the terms whose translation a text does not contain. */
export function findMissingTerms(terms: readonly Term[], translation: string): Term[] {
  const text = normalize(translation)
  return terms.filter(({ target }) => !text.includes(normalize(target)))
}

const normalize = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()

/** Splits a text into words; each character of a script without spaces is a word. */
const splitTermWords = (text: string): string[] =>
  normalize(text).match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu,
  ) ?? []

/** Returns a message about two entries that translate one term differently into the same language; undefined if there are none. */
export function findContradiction(entries: readonly Readonly<Record<string, string>>[]): string | undefined {
  const entriesByTerm = new Map<string, Readonly<Record<string, string>>>()
  for (const entry of entries) {
    for (const [language, term] of Object.entries(entry)) {
      const key = `${language} ${normalize(term)}`
      const other = entriesByTerm.get(key)
      const target =
        other &&
        Object.keys(entry).find(
          (one) => other[one] !== undefined && normalize(other[one]) !== normalize(entry[one] ?? ''),
        )
      if (other && target !== undefined)
        return `The glossary would translate “${term}” (${language}) into ${target} both as “${other[target]}” and as “${entry[target]}”`
      entriesByTerm.set(key, entry)
    }
  }
  return undefined
}
