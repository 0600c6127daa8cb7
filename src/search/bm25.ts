import type { FieldWords } from './engine.ts'
import { type Term, countTerm } from './query.ts'

/** Statistics of all indexed sections. */
export interface Corpus {
  /** Number of sections. */
  sectionCount: number
  /** Total number of words in all sections. */
  wordCount: number
  /** Number of sections that contain each term. */
  sectionsPerTerm: readonly number[]
}

/** BM25 parameters k1 (saturation of repeated words) and b (penalty for long texts), with the values of FTS5. */
const [saturation, lengthPenalty] = [1.2, 0.75]
/** Minimum inverse document frequency, for words that are in nearly all sections. */
const minRarity = 1e-6

/** Returns the score that FTS5 would give to a section that is not in its index. */
export function bm25(
  words: FieldWords,
  weights: Readonly<Record<keyof FieldWords, number>>,
  terms: readonly Term[],
  { sectionCount, wordCount: total, sectionsPerTerm }: Corpus,
): number {
  const fields = Object.keys(weights) as (keyof FieldWords)[]
  // Each section also contains the scope word of its space.
  const length = fields.reduce((sum, field) => sum + words[field].length, 1)
  const relativeLength = total === 0 ? 1 : (length * sectionCount) / total
  const damping = saturation * (1 - lengthPenalty + lengthPenalty * relativeLength)
  return terms.reduce((score, term, index) => {
    const count = sectionsPerTerm[index] ?? 0
    const rarity = Math.max(Math.log((sectionCount - count + 0.5) / (count + 0.5)), minRarity)
    const frequency = fields.reduce((sum, field) => sum + weights[field] * countTerm(words[field], term), 0)
    return score + (rarity * frequency * (saturation + 1)) / (frequency + damping)
  }, 0)
}
