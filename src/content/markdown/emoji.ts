import { emojiToName, nameToEmoji } from 'gemoji'

// Emoji are stored by their code points in hexadecimal, joined by hyphens, and written by name where they have one.

/** The code points of the emoji of a name; undefined when there is none. */
export function emojiCode(name: string): string | undefined {
  const emoji = Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined
  return emoji && codeOf(emoji)
}

export function emojiName(code: string): string | undefined {
  const characters = emojiCharacters(code)
  const name = Object.hasOwn(emojiToName, characters) ? emojiToName[characters] : undefined
  return name !== undefined && emojiCode(name) === code ? name : undefined
}

/** The characters behind code points; empty when they are none. */
export function emojiCharacters(code: string): string {
  const points = code.split('-').map((part) => (/^[0-9a-f]{1,6}$/i.test(part) ? parseInt(part, 16) : -1))
  const areCharacters = points.every((point) => point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
  return areCharacters ? String.fromCodePoint(...points) : ''
}

function codeOf(emoji: string): string {
  return Array.from(emoji, (character) => (character.codePointAt(0) as number).toString(16)).join('-')
}
