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

function toCodePoints(emoji: string): string {
  return Array.from(emoji, (character) => (character.codePointAt(0) as number).toString(16)).join('-')
}
