import { type SKRSContext2D, createCanvas } from '@napi-rs/canvas'

/** Maximum number of measured characters; more never fit on the image. */
const maxMeasuredLength = 240

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const splitGraphemes = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

/** Wraps a text to lines of a maximum width, with an ellipsis where it is truncated. */
export function fitLines(context: SKRSContext2D, text: string, width: number, maxLines: number): string[] {
  const shown = removeUndrawable(context, text.slice(0, maxMeasuredLength).replace(/\s+/g, ' ').trim())
  const fits = (line: string) => context.measureText(line).width <= width
  const lines: string[] = []
  let line = ''
  for (const word of shown.split(' ').flatMap((one) => (fits(one) ? [one] : splitWord(one, fits)))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  if (line !== '') lines.push(line)
  const isTruncated = lines.length > maxLines || text.length > maxMeasuredLength
  const fitting = lines.slice(0, maxLines)
  const last = fitting.at(-1)
  return isTruncated && last !== undefined ? [...fitting.slice(0, -1), truncateLine(last, fits)] : fitting
}

/** Splits a word that is too long for a line, or a text of a language without spaces, into parts that fit. */
function splitWord(word: string, fits: (text: string) => boolean): string[] {
  const parts: string[] = []
  let part = ''
  for (const character of splitGraphemes(word)) {
    if (part !== '' && !fits(part + character)) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part]
}

function truncateLine(line: string, fits: (text: string) => boolean): string {
  const characters = splitGraphemes(line)
  while (characters.length > 0 && !fits(`${characters.join('').trimEnd()}…`)) characters.pop()
  return `${characters
    .join('')
    .trimEnd()
    .replace(/[,.;:]$/, '')}…`
}

/** Cache of the characters outside the bundled fonts that this system can draw; its size fits one script. */
const drawableCache = new Map<string, boolean>()
const maxCachedCharacters = 5000

/** Matches characters that all bundled fonts contain. */
const alwaysDrawable = /^[\u0020-\u007e\u00a0-\u017f\u2013\u2014\u2018-\u201d\u2026]$/

/** Removes characters that no font contains; returns an empty string if most letters are missing. */
export function removeUndrawable(context: SKRSContext2D, text: string): string {
  const characters = splitGraphemes(text)
  const shown = characters.filter((character) => alwaysDrawable.test(character) || isDrawable(context, character))
  return countLetters(shown) * 2 < countLetters(characters) ? '' : shown.join('').replace(/ {2,}/g, ' ').trim()
}

const countLetters = (characters: readonly string[]) =>
  characters.filter((character) => /[\p{L}\p{N}]/u.test(character)).length

function isDrawable(context: SKRSContext2D, character: string): boolean {
  const cached = drawableCache.get(character)
  if (cached !== undefined) return cached
  const hasGlyph = renderPixels(context, character) !== renderPixels(context, '\u{10ffff}')
  if (drawableCache.size >= maxCachedCharacters) drawableCache.clear()
  drawableCache.set(character, hasGlyph)
  return hasGlyph
}

/** Returns the pixels of a character in a small size; characters that no font contains have equal pixels. */
function renderPixels({ font }: SKRSContext2D, character: string): string {
  const canvas = createCanvas(20, 20)
  const context = canvas.getContext('2d')
  context.font = font.replace(/^.*?px/, '14px')
  context.fillText(character, 2, 15)
  return Buffer.from(context.getImageData(0, 0, 20, 20).data).toString('base64')
}
