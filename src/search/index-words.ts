import { type SpaceLanguage, stemWord } from './stems.ts'
import { type Word, splitSearchWords } from './words.ts'

/**
 * Returns the words by which a text is found: its own words in order, then the parts of its identifiers, then the stems that are
 * not among them.
 */
export function toIndexWords(text: string, language: SpaceLanguage): string[] {
  return expandWords(splitSearchWords(text), language)
}

function expandWords(words: readonly Word[], language: SpaceLanguage): string[] {
  const indexed = words.map((word) => word.text)
  for (const { parts } of words) if (parts) for (const part of parts) indexed.push(part)
  const known = new Set(indexed)
  const different = [...known]
  for (const word of different) {
    const stem = stemWord(word, language)
    if (known.has(stem)) continue
    known.add(stem)
    indexed.push(stem)
  }
  return indexed
}
