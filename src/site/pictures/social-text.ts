import { type SKRSContext2D, createCanvas } from '@napi-rs/canvas'

/** Maximum number of measured characters; more never fit on the image. */
const longest = 240

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const charactersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

/** Wraps a text to lines of a maximum width, with an ellipsis where it is truncated. */
export function fitLines(context: SKRSContext2D, text: string, width: number, most: number): string[] {
  const shown = withoutMissing(context, text.slice(0, longest).replace(/\s+/g, ' ').trim())
  const fits = (line: string) => context.measureText(line).width <= width
  const lines: string[] = []
  let line = ''
  for (const word of shown.split(' ').flatMap((one) => (fits(one) ? [one] : pieces(one, fits)))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  if (line !== '') lines.push(line)
  const isCut = lines.length > most || text.length > longest
  const kept = lines.slice(0, most)
  const last = kept.at(-1)
  return isCut && last !== undefined ? [...kept.slice(0, -1), cut(last, fits)] : kept
}

/** Splits a word that is too long for a line, or a text of a language without spaces, into parts that fit. */
function pieces(word: string, fits: (text: string) => boolean): string[] {
  const parts: string[] = []
  let part = ''
  for (const character of charactersOf(word)) {
    if (part !== '' && !fits(part + character)) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part]
}

function cut(line: string, fits: (text: string) => boolean): string {
  const characters = charactersOf(line)
  while (characters.length > 0 && !fits(`${characters.join('').trimEnd()}…`)) characters.pop()
  return `${characters
    .join('')
    .trimEnd()
    .replace(/[,.;:]$/, '')}…`
}

/** Cache of the characters outside the bundled fonts that this system can draw; its size fits one script. */
const drawable = new Map<string, boolean>()
const remembered = 5000

/** Matches characters that all bundled fonts contain. */
const always = /^[\u0020-\u007e\u00a0-\u017f\u2013\u2014\u2018-\u201d\u2026]$/

/** Removes characters that no font contains; returns an empty string if most letters are missing. */
export function withoutMissing(context: SKRSContext2D, text: string): string {
  const characters = charactersOf(text)
  const shown = characters.filter((character) => always.test(character) || isDrawable(context, character))
  return lettersAmong(shown) * 2 < lettersAmong(characters) ? '' : shown.join('').replace(/ {2,}/g, ' ').trim()
}

const lettersAmong = (characters: readonly string[]) =>
  characters.filter((character) => /[\p{L}\p{N}]/u.test(character)).length

function isDrawable(context: SKRSContext2D, character: string): boolean {
  const before = drawable.get(character)
  if (before !== undefined) return before
  const known = shapeOf(context, character) !== shapeOf(context, '\u{10ffff}')
  if (drawable.size >= remembered) drawable.clear()
  drawable.set(character, known)
  return known
}

/** Returns the pixels of a character in a small size; characters that no font contains have equal pixels. */
function shapeOf({ font }: SKRSContext2D, character: string): string {
  const canvas = createCanvas(20, 20)
  const context = canvas.getContext('2d')
  context.font = font.replace(/^.*?px/, '14px')
  context.fillText(character, 2, 15)
  return Buffer.from(context.getImageData(0, 0, 20, 20).data).toString('base64')
}
