import type { Insertion } from './masked-text.ts'
import { closesFence, columnOf, fenceStart, lineEnd, nextLine } from './tags.ts'

// GitBook exports an item that begins with a picture, a hint or another block as a marker, an empty line and indented blocks. In
// Markdown such an item is empty, and what follows it is indented code: the parser gets the marker with a comment behind it.

/** Comment behind the marker of such an item; it contains a character that no text contains. */
export const itemFiller = '<!--\ufdd0-->'

const markerLine = /^([ \t]*)([*+-]|\d{1,9}[.)])[ \t]*$/
const anyMarkerLine = /^[ \t]*(?:[*+-]|\d{1,9}[.)])[ \t]*\r?\n[ \t]*\r?\n[ \t]/m
const itemStart = /^[ \t]*(?:[*+-]|\d{1,9}[.)])(?:[ \t]|$)/

/** Finds the markers before blocks that are indented behind an empty line. */
export function findEmptyItems(source: string): Insertion[] {
  const found: Insertion[] = []
  if (!anyMarkerLine.test(source)) return found
  let fence: string | undefined
  let previous = ''
  for (let start = 0; start < source.length;) {
    const end = lineEnd(source, start)
    const line = source.slice(start, end)
    const next = nextLine(source, end)
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined
    } else {
      fence = fenceStart.exec(line)?.[1]
      const [, prefix = '', marker = ''] = markerLine.exec(line) ?? []
      const column = columnOf(prefix)
      if (marker !== '' && mayPrecedeItem(previous, column) && hasIndentedBlock(source, next, column))
        found.push({ offset: start + prefix.length + marker.length, text: ` ${itemFiller}` })
    }
    previous = line
    start = next
  }
  return found
}

/** Whether an item may follow a line; behind other text, the marker would be part of its paragraph. */
const mayPrecedeItem = (line: string, column: number): boolean =>
  line.trim() === '' || indentOf(line) > column || (indentOf(line) === column && itemStart.test(line))

function hasIndentedBlock(source: string, start: number, column: number): boolean {
  const end = lineEnd(source, start)
  if (source.slice(start, end).trim() !== '') return false
  const next = nextLine(source, end)
  const line = source.slice(next, lineEnd(source, next))
  return line.trim() !== '' && indentOf(line) >= column + 2
}

const indentOf = (line: string): number => columnOf(/^[ \t]*/.exec(line)?.[0] ?? '')
