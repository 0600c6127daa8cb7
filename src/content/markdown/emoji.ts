import { emojiToName, nameToEmoji } from 'gemoji'
import { emojiCharacters } from '../document/text.ts'

// Emoji are stored as hexadecimal code points joined by hyphens, and printed by name if they have one.

/** Returns the code points of the emoji with this name; undefined if there is none. */
export function emojiCode(name: string): string | undefined {
  const emoji = Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined
  return emoji && codeOf(emoji)
}

export function emojiName(code: string): string | undefined {
  const characters = emojiCharacters(code)
  const name = Object.hasOwn(emojiToName, characters) ? emojiToName[characters] : undefined
  return name !== undefined && emojiCode(name) === code ? name : undefined
}

function codeOf(emoji: string): string {
  return Array.from(emoji, (character) => (character.codePointAt(0) as number).toString(16)).join('-')
}
