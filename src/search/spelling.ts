import type { Db } from '../schema/tables.ts'
import type { Form } from './expand.ts'
import type { Term } from './query.ts'
import { type VocabularyScope, findKnownPrefixes, findSimilarWords } from './find-words.ts'
import { createEditTest, createEdits } from './spelling-distance.ts'
import { correctedLengths } from './vocabulary.ts'

/** Maximum number of corrections of a word. */
const maxCorrections = 12

/** Weight of a corrected word, and of one that also differs in its first letter, which is rarely mistyped. */
const weights = { sameStart: 0.6, otherStart: 0.4 }

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
  const { previewWords = new Set<string>() } = scope
  const corrected = terms.filter(canBeCorrected)
  const similar = await findSimilarWords(db, scope, corrected.map(wordOf))
  const corrections = new Map<Term, readonly Form[]>()
  for (const term of corrected) {
    const inPreview = previewWords.size > 0 ? [...previewWords].filter(createEditTest(wordOf(term))) : []
    const found = [...new Set([...(similar.get(wordOf(term)) ?? []), ...inPreview])]
    // A word that is being typed may be the start of a longer one.
    const arePrefixes = found.length === 0 && term.isPrefix
    const words = arePrefixes ? await findCorrectedPrefixes(db, term, scope) : found
    if (words.length > 0) corrections.set(term, toForms(term, words, arePrefixes))
  }
  return corrections
}

const wordOf = ({ words: [word = ''] }: Term): string => word

function canBeCorrected({ words: [word = '', ...others], isQuoted }: Term): boolean {
  const { min, max } = correctedLengths
  return !isQuoted && others.length === 0 && word.length >= min && word.length <= max && /^\p{L}+$/u.test(word)
}

/** Returns the edits of a term with which words of the searched spaces begin. */
async function findCorrectedPrefixes(
  db: Db,
  { words: [word = ''] }: Term,
  { previewWords = new Set(), ...scope }: CorrectionScope,
): Promise<string[]> {
  const edits = createEdits(word)
  const found = new Set(await findKnownPrefixes(db, scope, [...edits]))
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
