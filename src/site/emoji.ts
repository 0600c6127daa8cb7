import { emojiCharacters } from '../content/document/text.ts'

/** Returns the characters of an emoji code. */
export const emojiOf = (code: string | undefined): string | undefined =>
  code === undefined ? undefined : emojiCharacters(code)
