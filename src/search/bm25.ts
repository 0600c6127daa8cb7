import type { Fields } from './engine.ts'
import { type Term, countOf } from './query.ts'

/** Statistics of all indexed sections. */
export interface Corpus {
  /** Number of sections. */
  size: number
  /** Total number of words in all sections. */
  length: number
  /** Number of sections that contain each term. */
  holding: readonly number[]
}

/** BM25 parameters k1 (saturation of repeated words) and b (penalty for long texts), with the values of FTS5. */
const [saturation, regardForLength] = [1.2, 0.75]
/** Minimum inverse document frequency, for words that are in nearly all sections. */
const least = 1e-6

/** Returns the score that FTS5 would give to a section that is not in its index. */
export function bm25(
  words: Fields,
  weights: Readonly<Record<keyof Fields, number>>,
  terms: readonly Term[],
  { size, length: total, holding }: Corpus,
): number {
  const fields = Object.keys(weights) as (keyof Fields)[]
  // Each section also contains the scope word of its space.
  const length = fields.reduce((sum, field) => sum + words[field].length, 1)
  const relativeLength = total === 0 ? 1 : (length * size) / total
  const damping = saturation * (1 - regardForLength + regardForLength * relativeLength)
  return terms.reduce((score, term, index) => {
    const count = holding[index] ?? 0
    const rarity = Math.max(Math.log((size - count + 0.5) / (count + 0.5)), least)
    const frequency = fields.reduce((sum, field) => sum + weights[field] * countOf(words[field], term), 0)
    return score + (rarity * frequency * (saturation + 1)) / (frequency + damping)
  }, 0)
}
