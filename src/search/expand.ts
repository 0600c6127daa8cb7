import type { Term } from './query.ts'
import { type SpaceLanguage, stemWord } from './stems.ts'

/** Sequence of adjacent words that matches a term. */
export interface Form {
  words: readonly string[]
  /** Whether the last word is a prefix. */
  isPrefix: boolean
  /** Words of the searched spaces that begin with the prefix, if they were looked up; the index is searched for them instead. */
  completions?: readonly string[]
  /** Whether all sections with the form also contain another one of the term, because their words are indexed with stems. */
  isCovered?: boolean
  /** How well the form matches the typed word, at most 1. */
  weight: number
}

/** Returns the forms that the index is searched for. */
export const selectIndexedForms = ({ forms }: ExpandedTerm): readonly Form[] =>
  forms.filter(({ isCovered }) => !isCovered)

/** Term with all forms that match it, best first. */
export interface ExpandedTerm {
  forms: readonly Form[]
}

/** Weights of the forms that differ from the typed word. */
const weights = { stem: 0.9, identifier: 0.9, joined: 0.8 }

/** Adds the stem of a word in each language, the parts of an identifier, and the spelling of a compound as one word. */
export function expandTerm(term: Term, languages: readonly SpaceLanguage[]): ExpandedTerm {
  const { words, isPrefix, isQuoted, parts } = term
  const typed: Form = { words, isPrefix, weight: 1 }
  if (isQuoted) return { forms: [typed] }
  const forms: Form[] = [typed]
  if (parts) forms.push({ words: parts, isPrefix, weight: weights.identifier })
  if (words.length > 1 && words.every((part) => /^\p{L}{2,}$/u.test(part))) {
    forms.push({ words: [words.join('')], isPrefix, weight: weights.joined })
  }
  return addForms({ forms: [] }, forms, languages)
}

/** Adds forms, and the stems of single words in each language, to a term. */
export function addForms(
  { forms }: ExpandedTerm,
  added: readonly Form[],
  languages: readonly SpaceLanguage[],
): ExpandedTerm {
  const byWords = new Map(forms.map((form) => [form.words.join(' '), form]))
  const addForm = (form: Form) => {
    const key = form.words.join(' ')
    if (!byWords.has(key)) byWords.set(key, form)
  }
  for (const form of added) {
    const [word = ''] = form.words
    const stems = form.words.length > 1 ? [] : languages.map((language) => stemWord(word, language))
    const isCovered = !form.isPrefix && stems.length > 0 && !stems.includes(word)
    addForm(isCovered ? { ...form, isCovered } : form)
    for (const stem of stems) addForm({ words: [stem], isPrefix: false, weight: form.weight * weights.stem })
  }
  return { forms: [...byWords.values()].toSorted((a, b) => b.weight - a.weight) }
}
