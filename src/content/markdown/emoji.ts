import { emojiToName, nameToEmoji } from 'gemoji'
import { emojiCharacters } from '../document/text.ts'

// Emoji are stored as hexadecimal code points joined by hyphens, and printed by name if they have one.

/** Returns the code points of the emoji with this name; undefined if there is none. */
export function findEmojiCode(name: string): string | undefined {
  const emoji = Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined
  return emoji && toCodePoints(emoji)
}

export function findEmojiName(code: string): string | undefined {
  const characters = emojiCharacters(code)
  const name = Object.hasOwn(emojiToName, characters) ? emojiToName[characters] : undefined
  return name !== undefined && findEmojiCode(name) === code ? name : undefined
}

/** Finds emoji by their names: those that start with the text, then those that contain it. */
export function findEmojiNames(query: string, limit: number): { name: string; emoji: string }[] {
  const text = query.toLowerCase()
  const names = Object.keys(nameToEmoji).filter((name) => name.includes(text))
  const [starting, others] = [
    names.filter((name) => name.startsWith(text)),
    names.filter((name) => !name.startsWith(text)),
  ]
  return [...starting, ...others].slice(0, limit).map((name) => ({ name, emoji: nameToEmoji[name] ?? '' }))
}

function toCodePoints(emoji: string): string {
  return Array.from(emoji, (character) => (character.codePointAt(0) as number).toString(16)).join('-')
}
