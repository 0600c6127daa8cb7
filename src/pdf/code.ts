import type { PdfCodeColors } from './source.ts'
import { type Typst, typst, typstArray } from './typst.ts'
import { breakLongRuns } from './words.ts'

/** Length of runs without spaces in code that may be broken. */
const codeRunLength = 72

/** Inserts break opportunities into code, because a line that is too long would be cut off. */
export const breakCode = (text: string): string => breakLongRuns(text, codeRunLength)

/** Returns a color; none if it is not a hexadecimal one. */
export const colorOrNone = (color: string | undefined): Typst =>
  color !== undefined && /^#[0-9a-f]{6}$/i.test(color) ? typst`rgb(${color})` : typst`none`

/** Returns the colors of tokens as an array of pairs. */
export const renderTokenColors = ({ tokens }: PdfCodeColors): Typst =>
  typstArray(Object.entries(tokens).map(([className, color]) => typst`(${className}, ${colorOrNone(color)})`))

/** Returns an array with the content of each highlighted line; none for code that is printed in one color. */
export const renderHighlightedLines = (lines: readonly string[] | null): Typst =>
  lines ? typstArray(lines.map(renderLine)) : typst`none`

/** Matches a token with a class, or the text between two tokens. */
const piece = /<span class="([a-z]+)">([^<]*)<\/span>|([^<]+)/g

function renderLine(html: string): Typst {
  const pieces = Array.from(html.matchAll(piece), ([, className, token, text]) =>
    className === undefined
      ? typst`${breakCode(unescapeHtml(text ?? ''))}`
      : typst`token(${className}, ${breakCode(unescapeHtml(token ?? ''))})`,
  )
  return typst`(${pieces.length === 0 ? [''] : pieces},).join()`
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

const unescapeHtml = (text: string): string =>
  text.replace(/&(amp|lt|gt);/g, (_, name: string) => characters[name] as string)
