import { escapePattern } from '../../../content/document/escape-pattern.ts'
import type { IconName } from '../../ui/icons.ts'

/** A search result of the palette. */
export interface PaletteEntry {
  /** Unique among all entries. */
  id: string
  title: string
  /** Context of the entry, for example its space. */
  detail?: string | undefined
  /** Text in which the words were found. */
  excerpt?: string | undefined
  icon: IconName
  /** Character of an emoji that replaces the icon. */
  emoji?: string | undefined
  /** Path of a screen to open. */
  path?: string
  run?: () => void
}

export interface PaletteGroup {
  title: string
  entries: readonly PaletteEntry[]
}

/** Returns the words of a query in lower case. */
export const toWords = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** Returns how well a title matches all words of a query: 0 if it does not match, and a higher number if words are at its start. */
export function rankTitle(title: string, words: readonly string[]): number {
  const text = title.toLowerCase()
  let rank = text.startsWith(words.join(' ')) ? 2 : 1
  for (const word of words) {
    const at = text.indexOf(word)
    if (at < 0) return 0
    if (at === 0 || /[\s\p{P}]/u.test(text[at - 1] as string)) rank++
  }
  return rank
}

/** Returns the best matches in the order of their rank; equal ones keep their order. */
export function findByTitle<Item extends { title: string }>(
  items: readonly Item[],
  words: readonly string[],
  max: number,
): Item[] {
  const ranked = items.map((item) => ({ item, rank: rankTitle(item.title, words) })).filter(({ rank }) => rank > 0)
  return ranked
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, max)
    .map(({ item }) => item)
}

/** Splits a text into parts that match a word of the query and parts that do not. */
export function splitMatches(text: string, words: readonly string[]): { text: string; isMatch: boolean }[] {
  if (words.length === 0) return [{ text, isMatch: false }]
  return text
    .split(new RegExp(`(${words.map(escapePattern).join('|')})`, 'giu'))
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}
