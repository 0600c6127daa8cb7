import type { BlockTag } from './block-tag.ts'
import type { Insertion } from './masked-text.ts'
import { closesFence, columnOf, fenceStart, lineEnd, nextLine, pairTags } from './tags.ts'

// In a list item, people often indent the opening tag of a block but not its content or its closing tag. In Markdown the item ends
// at the first line that is not indented, so the parser gets these lines with the indentation of the opening tag.
//
// Formatters do the opposite: they read the tags directly below a list as text of its last item, and indent them. The parser gets
// these lines with the indentation of the opening tag, too.

const itemPrefix = /^(?:[ \t]|[*+-][ \t]|\d{1,9}[.)][ \t])*$/
const markerPattern = /^([ \t]*)(?:([*+-])|\d{1,9}([.)]))(?:[ \t]|$)/

/** Maximum number of lines before a tag among which the marker of its item is searched for. */
const maxLinesBefore = 200

/** Maximum number of lines below a closing tag that are moved with it. */
const maxLinesAfter = 200

/** Returns changes of the indentation with which tags may be paired that the parser found in different items, the best first. */
export function findIndentChanges(
  source: string,
  tags: readonly BlockTag[],
  unpaired: readonly BlockTag[],
  isPaired: (tag: BlockTag) => boolean,
): Insertion[][] {
  if (unpaired.length < 2) return []
  const others = new Set(unpaired)
  const sorted = unpaired.toSorted((one, other) => one.start - other.start)
  // The closing tag of a block further down may have closed the block of an indented one.
  const pairs = pairTags(tags, isPaired).filter((pair) => pair.some((tag) => others.has(tag)))
  const missing = findMissingIndents(source, pairTags(sorted, isPaired))
  const excess = findExcessIndents(source, pairs)
  const changes = [missing, excess].filter(({ length }) => length > 0)
  return changes.length === 2 ? [[...missing, ...excess], ...changes] : changes
}

type TagPair = readonly [opening: BlockTag, closing: BlockTag]

function findMissingIndents(source: string, tagPairs: readonly TagPair[]): Insertion[] {
  const pairs = tagPairs.toSorted(([one], [other]) => one.start - other.start)
  let end = 0
  return pairs.flatMap(([opening, closing]) => {
    // Tags inside of others are indented with them.
    if (opening.start < end) return []
    const found = indentPair(source, opening, closing)
    if (found.length > 0) end = closing.end
    return found
  })
}

/** Returns the indentation to replace before closing tags, which are sorted, and before the lines directly below them. */
function findExcessIndents(source: string, pairs: readonly TagPair[]): Insertion[] {
  const changes = new Map<number, Insertion>()
  for (const [opening, closing] of pairs) {
    const openingStart = source.lastIndexOf('\n', opening.start) + 1
    const prefix = source.slice(openingStart, opening.start)
    const start = source.lastIndexOf('\n', closing.start) + 1
    const blanks = /^[ \t]*(?=\{%)/.exec(source.slice(start, closing.end))?.[0] ?? ''
    if (openingStart === start || blanks === '' || changes.has(start) || !itemPrefix.test(prefix)) continue
    // The line of the opening tag may have been moved with another closing tag.
    const column = changes.get(openingStart)?.text.length ?? columnOf(prefix.replace(/[^\t]/g, ' '))
    if (column >= columnOf(blanks)) continue
    const change = { text: ' '.repeat(column), removed: blanks.length }
    changes.set(start, { ...change, offset: start })
    let count = 0
    for (const { start: below, text } of linesBetween(source, closing.end, source.length)) {
      const isMoved = text.startsWith(blanks) && text.trim() !== '' && !fenceStart.test(text)
      if (!isMoved || ++count > maxLinesAfter) break
      changes.set(below, { ...change, offset: below })
    }
  }
  return Array.from(changes.values())
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
