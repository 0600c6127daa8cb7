import type { Fields } from './engine.ts'
import { type Term, countOf } from './query.ts'

/** Everything that is looked in. */
export interface Corpus {
  /** How many sections there are. */
  size: number
  /** How many words they hold together. */
  length: number
  /** How many of them hold each of the terms. */
  holding: readonly number[]
}

/** How soon a word that is repeated counts no more, and how much less it counts in a long text; as FTS5 has them. */
const [saturation, regardForLength] = [1.2, 0.75]
/** What a word counts that is nearly everywhere. */
const least = 1e-6

/** The score that FTS5 would give to a section, which it does not hold itself, among those that it does. */
export function bm25(
  words: Fields,
  weights: Readonly<Record<keyof Fields, number>>,
  terms: readonly Term[],
  { size, length: total, holding }: Corpus,
): number {
  const fields = Object.keys(weights) as (keyof Fields)[]
  // Each section also has the word of its space.
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
