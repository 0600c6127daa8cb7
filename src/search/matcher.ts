import type { ExpandedTerm, Form } from './expand.ts'
import { type SpaceLanguage, stemWord } from './stems.ts'
import { type SelectedWords, type Word, type WordBeginnings, selectSearchWords, toWordBeginnings } from './words.ts'

/** How a text matches a term: the weight of the best matching form, and the number of matches. */
export interface TermMatch {
  weight: number
  count: number
}

/** How a text matches each of several terms. */
export interface TextMatch {
  terms: readonly TermMatch[]
  /** Number of words of the text. */
  length: number
}

/** Weight of a word of which only the beginning was typed. */
const prefixWeight = 0.7

/** Minimum length of texts whose words are remembered; shorter ones are mostly titles and headings. */
const minRememberedLength = 100

/**
 * Terms with their matchers, which ranking and snippets share, because a matcher remembers words and texts. A global `WeakMap` would
 * keep them until the next garbage collection of all memory, which makes the frequent ones of recent memory take twice as long.
 */
export class MatchedTerms {
  readonly terms: readonly ExpandedTerm[]
  readonly #matchers = new Map<SpaceLanguage, TermMatcher>()

  constructor(terms: readonly ExpandedTerm[]) {
    this.terms = terms
  }

  /** Returns the matcher for a language. */
  getMatcher(language: SpaceLanguage): TermMatcher {
    let matcher = this.#matchers.get(language)
    if (!matcher) this.#matchers.set(language, (matcher = new TermMatcher(this.terms, language)))
    return matcher
  }
}

/** Matches the words of texts with terms, in the language of a space. Each distinct word is compared once. */
export class TermMatcher {
  readonly #terms: readonly ExpandedTerm[]
  readonly #language: SpaceLanguage
  /** Weights of the terms by each word that matches them. */
  readonly #exactWeights = new Map<string, Map<number, number>>()
  readonly #prefixes: readonly { termIndex: number; form: Form }[]
  readonly #phrases: readonly { termIndex: number; form: Form }[]
  readonly #beginnings: WordBeginnings
  /** Weights of the terms by word; empty for words that match none. */
  readonly #weightsByWord = new Map<string, readonly number[]>()
  /** Words of texts that may match: the text of a section is needed for its rank and for its snippet. */
  readonly #wordsByText = new Map<string, SelectedWords>()

  constructor(terms: readonly ExpandedTerm[], language: SpaceLanguage) {
    this.#terms = terms
    this.#language = language
    const forms = terms.flatMap((term, termIndex) => term.forms.map((form) => ({ termIndex, form })))
    this.#phrases = forms.filter(({ form }) => form.words.length > 1)
    this.#beginnings = toWordBeginnings(forms.flatMap(({ form }) => form.words))
    const single = forms.filter(({ form }) => form.words.length === 1)
    this.#prefixes = single.filter(({ form }) => form.isPrefix)
    for (const { termIndex, form } of single) {
      const [word = ''] = form.words
      const weights = this.#exactWeights.get(word) ?? new Map<number, number>()
      this.#exactWeights.set(word, weights.set(termIndex, Math.max(form.weight, weights.get(termIndex) ?? 0)))
    }
  }

  /** Returns how a text matches each of the terms. */
  match(text: string): TextMatch {
    const selected = this.#selectWords(text)
    const { words, length } = selected
    const terms = this.#terms.map((): TermMatch => ({ weight: 0, count: 0 }))
    const add = (termIndex: number, weight: number) => {
      const match = terms[termIndex] as TermMatch
      match.count++
      if (weight > match.weight) match.weight = weight
    }
    for (let at = 0; at < words.length; at++) {
      const weights = this.#weighWord(words[at] as Word)
      for (let termIndex = 0; termIndex < weights.length; termIndex++) {
        const weight = weights[termIndex] ?? 0
        if (weight > 0) add(termIndex, weight)
      }
      for (const { termIndex, form } of this.#phrases) {
        const weight = weighPhraseAt(selected, at, form)
        if (weight > 0) add(termIndex, weight)
      }
    }
    return { terms, length }
  }

  /** Returns the words of a text that match a term, in order. */
  findMatchingWords(text: string): Word[] {
    const selected = this.#selectWords(text)
    const { words } = selected
    const found = new Set<number>()
    words.forEach((word, index) => {
      if (this.#weighWord(word).length > 0) found.add(index)
      for (const { form } of this.#phrases) {
        if (weighPhraseAt(selected, index, form) === 0) continue
        const length = isPhraseInParts(word, form) ? 1 : form.words.length
        for (let at = index; at < index + length; at++) found.add(at)
      }
    })
    return words.filter((_, index) => found.has(index))
  }

  #selectWords(text: string): SelectedWords {
    if (text.length < minRememberedLength) return selectSearchWords(text, this.#beginnings)
    let selected = this.#wordsByText.get(text)
    if (!selected) this.#wordsByText.set(text, (selected = selectSearchWords(text, this.#beginnings)))
    return selected
  }

  /** Returns the weight of a word for each term; empty if it matches none. */
  #weighWord({ text, parts }: Word): readonly number[] {
    const key = parts ? `${text} ${parts.join(' ')}` : text
    let weights = this.#weightsByWord.get(key)
    if (weights === undefined) this.#weightsByWord.set(key, (weights = this.#computeWeights(text, parts)))
    return weights
  }

  /** Returns the weight of a word for each term; empty if it matches none. */
  #computeWeights(text: string, parts: Word['parts'] = []): readonly number[] {
    const weights: number[] = []
    const raise = (termIndex: number, weight: number) => {
      while (weights.length < this.#terms.length) weights.push(0)
      weights[termIndex] = Math.max(weight, weights[termIndex] ?? 0)
    }
    for (const one of [text, ...parts]) {
      for (const variant of [one, stemWord(one, this.#language)]) {
        this.#exactWeights.get(variant)?.forEach((weight, termIndex) => raise(termIndex, weight))
      }
      for (const { termIndex, form } of this.#prefixes) {
        if (one.startsWith(form.words[0] ?? '')) raise(termIndex, form.weight * prefixWeight)
      }
    }
    return weights
  }
}

/** Returns the weight of a phrase at a position: of the words from there, or of the parts of the word. */
function weighPhraseAt({ words, positions }: SelectedWords, start: number, form: Form): number {
  const first = words[start] as Word
  if (isPhraseInParts(first, form)) return form.weight
  if (first.text !== form.words[0]) return 0
  // All words of a phrase are selected, so that they are adjacent if their positions are.
  const last = start + form.words.length - 1
  if (positions[last] !== (positions[start] as number) + form.words.length - 1) return 0
  const texts = words.slice(start, last + 1).map(({ text }) => text)
  return startsWithPhrase(texts, form) ? form.weight : 0
}

const isPhraseInParts = ({ parts }: Word, form: Form): boolean =>
  parts !== undefined && parts.some((_, start) => startsWithPhrase(parts.slice(start), form))

function startsWithPhrase(texts: readonly string[], { words, isPrefix }: Form): boolean {
  const last = words.length - 1
  return words.every((word, index) =>
    isPrefix && index === last ? texts[index]?.startsWith(word) === true : texts[index] === word,
  )
}
