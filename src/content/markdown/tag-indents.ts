import type { BlockTag } from './block-tag.ts'
import type { Insertion } from './masked-text.ts'
import { closesFence, columnOf, fenceStart, lineEnd, nextLine, pairTags } from './tags.ts'

// In a list item, people often indent the opening tag of a block but not its content or its closing tag. In Markdown the item ends
// at the first line that is not indented, so the parser gets these lines with the indentation of the opening tag.

const itemPrefix = /^(?:[ \t]|[*+-][ \t]|\d{1,9}[.)][ \t])*$/
const markerPattern = /^([ \t]*)(?:([*+-])|\d{1,9}([.)]))(?:[ \t]|$)/

/** Maximum number of lines before a tag among which the marker of its item is searched for. */
const maxLinesBefore = 200

/** Returns the indentation that is missing between tags that were not paired because they are in different items. */
export function findMissingIndents(
  source: string,
  unpaired: readonly BlockTag[],
  isPaired: (tag: BlockTag) => boolean,
): Insertion[] {
  if (unpaired.length < 2) return []
  const tags = unpaired.toSorted((one, other) => one.start - other.start)
  const pairs = pairTags(tags, isPaired).toSorted(([one], [other]) => one.start - other.start)
  let end = 0
  return pairs.flatMap(([opening, closing]) => {
    // Tags inside of others are indented with them.
    if (opening.start < end) return []
    const found = indentPair(source, opening, closing)
    if (found.length > 0) end = closing.end
    return found
  })
}

interface Line {
  start: number
  text: string
  column: number
}

function indentPair(source: string, opening: BlockTag, closing: BlockTag): Insertion[] {
  const lineStart = source.lastIndexOf('\n', opening.start) + 1
  const prefix = source.slice(lineStart, opening.start)
  const column = columnOf(prefix.replace(/[^\t]/g, ' '))
  if (column === 0 || !itemPrefix.test(prefix)) return []
  const lines = Array.from(linesBetween(source, opening.end, closing.end))
  const last = lines.pop()
  const marker = findMarker(source, lineStart, prefix, column)
  if (!last || lines.some(({ text }) => isSameMarker(text, marker))) return []
  const written = lines.filter(({ text }) => text.trim() !== '')
  const least = written.reduce((min, line) => Math.min(min, line.column), column)
  // Lines keep their indentation relative to the first one, unless that one is indented.
  const isOutside = written[0] !== undefined && written[0].column < column
  const indents = isOutside ? written.map(() => column - least) : indentLines(written, column)
  return [...written, last].flatMap((line, index) => {
    const missing = indents[index] ?? column - line.column
    return missing > 0 ? [{ offset: line.start, text: ' '.repeat(missing) }] : []
  })
}

/** Returns the missing indentation of each line; that of a fence is also missing in the lines of its code. */
function indentLines(lines: readonly Line[], column: number): number[] {
  let fence: { text: string; missing: number } | undefined
  return lines.map((line) => {
    const missing = fence?.missing ?? Math.max(0, column - line.column)
    const opened = fence ? undefined : fenceStart.exec(line.text)?.[1]
    if (opened !== undefined) fence = { text: opened, missing }
    else if (fence && closesFence(line.text, fence.text)) fence = undefined
    return missing
  })
}

/** Yields the lines after the one with an offset, up to the one that contains the end. */
function* linesBetween(source: string, from: number, end: number): Generator<Line> {
  for (let start = nextLine(source, from); start < end; start = nextLine(source, lineEnd(source, start))) {
    const text = source.slice(start, lineEnd(source, start))
    yield { start, text, column: columnOf(/^[ \t]*/.exec(text)?.[0] ?? '') }
  }
}

interface Marker {
  column: number
  character: string | undefined
}

/** Returns the marker of the item that contains a tag. */
function findMarker(source: string, lineStart: number, prefix: string, column: number): Marker | undefined {
  let text = prefix
  let start = lineStart
  for (let count = 0; count < maxLinesBefore; count++) {
    const marker = readMarker(text)
    if (marker && marker.column < column) return marker
    if (start === 0) return undefined
    const end = start - 1
    start = source.lastIndexOf('\n', end - 1) + 1
    text = source.slice(start, end)
  }
  return undefined
}

function readMarker(line: string): Marker | undefined {
  const [, blanks = '', bullet, delimiter] = markerPattern.exec(line) ?? []
  const character = bullet ?? delimiter
  return character === undefined ? undefined : { column: columnOf(blanks), character }
}

function isSameMarker(line: string, marker: Marker | undefined): boolean {
  const own = readMarker(line)
  return own !== undefined && own.column === marker?.column && own.character === marker.character
}
