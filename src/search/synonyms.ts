import type { Form } from './expand.ts'
import type { Term } from './query.ts'
import { type SpaceLanguage, stemWord } from './stems.ts'
import { splitSearchWords } from './words.ts'

/** Groups of words and phrases with the same meaning. */
export type SynonymGroups = readonly (readonly string[])[]

const synonymWeight = 0.8

/** Terms of a query, and the forms that synonyms add to them. */
export interface TermsWithSynonyms {
  terms: readonly Term[]
  synonyms: ReadonlyMap<Term, readonly Form[]>
}

/** Finds the synonyms of terms; several terms that form a phrase with synonyms become one term. */
export function applySynonyms(
  terms: readonly Term[],
  groups: SynonymGroups,
  languages: readonly SpaceLanguage[],
): TermsWithSynonyms {
  const formsByKey = indexSynonyms(groups, languages)
  const maxLength = Math.max(0, ...Array.from(formsByKey.keys(), (key) => key.split(' ').length))
  const applied: Term[] = []
  const synonyms = new Map<Term, readonly Form[]>()
  for (let remaining = terms; remaining[0];) {
    const phrase = findLongestPhrase(remaining, maxLength, formsByKey, languages)
    const term = phrase?.term ?? remaining[0]
    applied.push(term)
    if (phrase) synonyms.set(term, phrase.forms)
    remaining = remaining.slice(phrase?.termCount ?? 1)
  }
  return { terms: applied, synonyms }
}

/** Returns the forms of the other members of a group by the stems of each member. */
function indexSynonyms(groups: SynonymGroups, languages: readonly SpaceLanguage[]): Map<string, Form[]> {
  const formsByKey = new Map<string, Form[]>()
  for (const group of groups) {
    const members = group
      .map((text) => splitSearchWords(text).map((word) => word.text))
      .filter(({ length }) => length > 0)
    for (const member of members) {
      const others = members
        .filter((other) => other !== member)
        .map((words): Form => ({ words, isPrefix: false, weight: synonymWeight }))
      for (const key of toKeys(member, languages)) formsByKey.set(key, [...(formsByKey.get(key) ?? []), ...others])
    }
  }
  return formsByKey
}

/** Returns the stems of words, joined with spaces, in each language. */
const toKeys = (words: readonly string[], languages: readonly SpaceLanguage[]): Set<string> =>
  new Set(languages.map((language) => words.map((word) => stemWord(word, language)).join(' ')))

function findLongestPhrase(
  terms: readonly Term[],
  maxLength: number,
  formsByKey: ReadonlyMap<string, Form[]>,
  languages: readonly SpaceLanguage[],
): { term: Term; termCount: number; forms: Form[] } | undefined {
  let found: { term: Term; termCount: number; forms: Form[] } | undefined
  const words: string[] = []
  for (const [index, term] of terms.entries()) {
    words.push(...term.words)
    if (term.isQuoted || words.length > maxLength) break
    const forms = [...toKeys(words, languages)].flatMap((key) => formsByKey.get(key) ?? [])
    if (forms.length === 0) continue
    const phrase = index === 0 ? term : { words: [...words], isPrefix: term.isPrefix, isQuoted: false }
    found = { term: phrase, termCount: index + 1, forms }
  }
  return found
}
