import type { Db } from '../schema/tables.ts'
import type { Form } from './expand.ts'
import type { Term } from './query.ts'
import { type VocabularyScope, correctedLengths, findKnownWords } from './vocabulary.ts'

/** Maximum number of corrections of a word. */
const maxCorrections = 12

/** Weight of a corrected word, and of one that also differs in its first letter, which is rarely mistyped. */
const weights = { sameStart: 0.6, otherStart: 0.4 }

/** Letters that may replace others or be added, by script; words of other scripts are only corrected with their own letters. */
const alphabets: readonly (readonly [script: RegExp, letters: string])[] = [
  [/^\p{Script=Latin}+$/u, 'abcdefghijklmnopqrstuvwxyz'],
  [/^\p{Script=Cyrillic}+$/u, 'абвгдежзиклмнопрстуфхцчшщъыьэюяєіґ'],
  [/^\p{Script=Greek}+$/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
]

/** Returns all words that differ from a word by one letter: left out, added, replaced, or swapped with the next. */
export function createEdits(word: string): Set<string> {
  const letters = Array.from(word)
  const alphabet = Array.from(alphabets.find(([script]) => script.test(word))?.[1] ?? new Set(letters))
  const edits = new Set<string>()
  for (let at = 0; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')]
    const [letter = '', next] = [letters[at], letters[at + 1]]
    for (const added of alphabet) edits.add(before + added + letter + after)
    if (letter === '') continue
    edits.add(before + after)
    for (const other of alphabet) edits.add(before + other + after)
    if (next !== undefined) edits.add(before + next + letter + letters.slice(at + 2).join(''))
  }
  edits.delete(word)
  return edits
}

/** Where corrections are looked up: the vocabulary of spaces, and the words of a preview. */
export interface CorrectionScope extends VocabularyScope {
  previewWords?: ReadonlySet<string> | undefined
}

/** Returns the corrections of terms: words of the searched spaces that differ by one letter, best first. */
export async function findCorrections(
  db: Db,
  terms: readonly Term[],
  scope: CorrectionScope,
): Promise<Map<Term, readonly Form[]>> {
  const edited = terms.filter(canBeCorrected).map((term) => ({ term, edits: createEdits(term.words[0] ?? '') }))
  const allEdits = new Set(edited.flatMap(({ edits }) => [...edits]))
  const known = new Set(await findKnownWords(db, scope, [...allEdits], { arePrefixes: false }))
  const corrections = new Map<Term, readonly Form[]>()
  for (const { term, edits } of edited) {
    const found = [...edits].filter((edit) => known.has(edit) || scope.previewWords?.has(edit))
    // A word that is being typed may be the start of a longer one.
    const arePrefixes = found.length === 0 && term.isPrefix
    const words = arePrefixes ? await findKnownPrefixes(db, term, edits, scope) : found
    if (words.length > 0) corrections.set(term, toForms(term, words, arePrefixes))
  }
  return corrections
}

function canBeCorrected({ words: [word = '', ...others], isQuoted }: Term): boolean {
  const { min, max } = correctedLengths
  return !isQuoted && others.length === 0 && word.length >= min && word.length <= max && /^\p{L}+$/u.test(word)
}

/** Returns the edits of a term with which words of the searched spaces begin. */
async function findKnownPrefixes(
  db: Db,
  { words: [word = ''] }: Term,
  edits: ReadonlySet<string>,
  { previewWords = new Set(), ...scope }: CorrectionScope,
): Promise<string[]> {
  const found = new Set(await findKnownWords(db, scope, [...edits], { arePrefixes: true }))
  for (const known of previewWords) {
    for (const length of [word.length - 1, word.length, word.length + 1]) {
      const start = known.slice(0, length)
      if (edits.has(start)) found.add(start)
    }
  }
  return [...found]
}

/** Returns the best corrections of a term as forms. */
function toForms({ words: [word = ''] }: Term, corrections: readonly string[], arePrefixes: boolean): Form[] {
  return corrections
    .map((correction): Form => {
      const weight = correction[0] === word[0] ? weights.sameStart : weights.otherStart
      return { words: [correction], isPrefix: arePrefixes, weight }
    })
    .toSorted((a, b) => b.weight - a.weight || compareTexts(a.words[0] ?? '', b.words[0] ?? ''))
    .slice(0, maxCorrections)
}

const compareTexts = (a: string, b: string): number => Number(a > b) - Number(a < b)
