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
  /** Terms by their words, joined with spaces. */
  readonly #terms = new Map<string, Term>()
  /** Numbers of words of the terms that begin with a word, the largest first. */
  readonly #lengths = new Map<string, number[]>()

  constructor(terms: readonly Term[]) {
    const lengths = new Map<string, Set<number>>()
    for (const term of terms) {
      const words = splitTermWords(term.source)
      const [first] = words
      if (first === undefined) continue
      this.#terms.set(words.join(' '), term)
      lengths.set(first, (lengths.get(first) ?? new Set()).add(words.length))
    }
    for (const [first, found] of lengths)
      this.#lengths.set(
        first,
        [...found].sort((a, b) => b - a),
      )
  }

  /** Returns each term that occurs in a text once. A term inside a longer one does not count. */
  find(text: string): Term[] {
    const words = splitTermWords(text)
    const found = new Set<Term>()
    for (let at = 0; at < words.length;) {
      const length = this.#lengths
        .get(words[at] as string)
        ?.find((count) => this.#terms.has(words.slice(at, at + count).join(' ')))
      const term = length === undefined ? undefined : this.#terms.get(words.slice(at, at + length).join(' '))
      if (term) found.add(term)
      at += length ?? 1
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
export async function findContradiction(
  entries: Iterable<Readonly<Record<string, string>>>,
  yieldIfDue?: () => Promise<void>,
): Promise<string | undefined> {
  const entriesByTerm = new Map<string, Readonly<Record<string, string>>>()
  for (const entry of entries) {
    await yieldIfDue?.()
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
