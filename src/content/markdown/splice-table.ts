import type { Table } from '../document/nodes.ts'
import { alignSequences } from '../document/sequences.ts'
import { printHtmlBlocks } from './print-html.ts'
import type { PrintContext } from './print-html-inlines.ts'
import { type PipeCells, printPipeCells, printHtmlTable, printDelimiterCell, measureWidth } from './print-table.ts'
import { SpliceWriter, createGap } from './splice-writer.ts'
import { spliceWords } from './splice-words.ts'
import { findCodePipesInLine } from './code-pipes.ts'

interface EditedTable {
  /** The table as it is in the source, and as it is wanted. */
  before: Table
  after: Table
  source: string
  prefix: string
  newline: string
  /** Contexts for printing the table as it is in the source, and as it is wanted. */
  contexts: { before: PrintContext; after: PrintContext }
  /** Splices the text of an edited cell of a pipe table; if it returns undefined, the whole cell is printed. */
  spliceCell: typeof spliceWords
}

/** Prints a table over its source; only the edited rows change. */
export function spliceTable(edited: EditedTable): string | undefined {
  return /^\s*</.test(edited.source) ? spliceHtmlTable(edited) : splicePipeTable(edited)
}

interface RowMatch {
  /** Index of the equal or edited source row for each wanted row. */
  kept: ReadonlyMap<number, number>
  changed: ReadonlyMap<number, number>
}

/** Maximum number of rows to search for the source of an edited row. */
const maxLookAhead = 8

function matchRows(before: readonly (readonly string[])[], after: readonly (readonly string[])[]): RowMatch {
  const pairs = alignSequences(
    before.map((row) => row.join('\0')),
    after.map((row) => row.join('\0')),
  )
  const kept = new Map(pairs.map(([at, index]) => [index, at]))
  const changed = new Map<number, number>()
  let [at, index] = [0, 0]
  for (const [nextAt, nextIndex] of [...pairs, [before.length, after.length] as const]) {
    const isRewritten = nextAt - at === nextIndex - index
    for (; index < nextIndex; index++) {
      const row = after[index] as readonly string[]
      const isLike = (one: number) => before[one]?.some((cell, column) => cell !== '' && cell === row[column]) ?? false
      const candidates = Array.from({ length: Math.min(maxLookAhead, nextAt - at) }, (_, nth) => at + nth)
      const found = isRewritten ? at : candidates.find(isLike)
      if (found === undefined) continue
      changed.set(index, found)
      at = found + 1
    }
    ;[at, index] = [nextAt + 1, nextIndex + 1]
  }
  return { kept, changed }
}

const cellsOfTable = (table: Table, context: PrintContext) =>
  printPipeCells(table, context, (blocks) => printHtmlBlocks(blocks, context))

function withoutFullWidth(table: Table): Table {
  const { fullWidth: _, ...data } = table.data
  return { ...table, data }
}

function splicePipeTable({ before, after, source, contexts, spliceCell }: EditedTable): string | undefined {
  // The element around the table in the source sets its width.
  const isSameWidth = before.data.fullWidth === after.data.fullWidth
  const cellsIn = (table: Table, context: PrintContext) =>
    cellsOfTable(isSameWidth ? withoutFullWidth(table) : table, context)
  const [old, wanted] = [cellsIn(before, contexts.before), cellsIn(after, contexts.after)]
  const lineEnd = source.includes('\r\n') ? '\r\n' : '\n'
  const [headerLine = '', ruleLine = '', ...rowLines] = source.split(lineEnd)
  const [header, rule] = [splitRow(headerLine), splitRow(ruleLine)]
  const lines = rowLines.map((line) => {
    const row = splitRow(line)
    // If a row has more cells than the header, pipes in its code spans do not separate cells.
    return row.cells.length > header.cells.length ? splitRow(line, new Set(findCodePipesInLine(line))) : row
  })
  if (!old || !wanted || lines.length !== old.rows.length) return undefined
  // Rows may have more cells than the header.
  if (old.columns.length !== wanted.columns.length || header.cells.length > old.columns.length) return undefined
  if (rule.cells.length !== header.cells.length || wanted.rows.length === 0 || lines.length === 0) return undefined
  const widths = alignedWidths([header, rule, ...lines])
  const match = matchRows(old.rows, wanted.rows)
  let sample = lines[0] as Row
  const rows = wanted.rows.map((cells, index) => {
    const kept = match.kept.get(index)
    const at = kept ?? match.changed.get(index)
    if (at === undefined) return printRowLike(sample, cells, widths)
    sample = lines[at] as Row
    return kept === undefined
      ? spliceRow(sample, old.rows[at] as readonly string[], cells, widths, spliceCell)
      : joinRow(sample)
  })
  const head = spliceRow(header, old.header, wanted.header, widths, spliceCell)
  return [head, spliceDelimiterRow(rule, old, wanted), ...rows].join(lineEnd)
}

/** A line of a table: its cells with their whitespace, and the parts before the first and after the last one. */
interface Row {
  lead: string
  cells: readonly string[]
  end: string
}

/** Splits a line at its pipes, except those at the given offsets. */
function splitRow(line: string, inside: ReadonlySet<number> = noOffsets): Row {
  const [, lead = '', rest = ''] = /^([ \t>]*\|?)([^]*)$/.exec(line) as RegExpExecArray
  const cells: string[] = []
  let start = 0
  for (let at = 0; at < rest.length; at++) {
    if (rest[at] === '\\') at++
    else if (rest[at] === '|' && !inside.has(lead.length + at)) {
      cells.push(rest.slice(start, at))
      start = at + 1
    }
  }
  const last = rest.slice(start)
  if (last.trim() !== '') return { lead, cells: [...cells, last.trimEnd()], end: last.slice(last.trimEnd().length) }
  return { lead, cells, end: `|${last}` }
}

const noOffsets: ReadonlySet<number> = new Set()

const joinRow = ({ lead, cells, end }: Row) => lead + cells.join('|') + end

/** Widths of the columns whose cells all have the same width; undefined for other columns. */
type Widths = readonly (number | undefined)[]

function alignedWidths(rows: readonly Row[]): Widths {
  return (rows[0]?.cells ?? []).map((cell, column) => {
    const width = measureWidth(cell)
    return rows.every(({ cells }) => measureWidth(cells[column] ?? '') === width) ? width : undefined
  })
}

function spliceRow(
  row: Row,
  before: readonly string[],
  after: readonly string[],
  widths: Widths,
  spliceCell: typeof spliceWords,
): string {
  if (after.slice(row.cells.length).some((cell) => cell !== '')) return printRowLike(row, after, widths)
  const cells = row.cells.map((cell, column) => {
    const [old, wanted] = [before[column], after[column]]
    if (old === undefined || wanted === undefined || old === wanted) return cell
    const merged = spliceCell({ before: old, after: wanted, source: cell.trim(), prefix: '', newline: ' ' })
    return padded(merged ?? wanted, cell, widths[column])
  })
  return joinRow({ ...row, cells })
}

/** Prints a row in the style of another one. */
function printRowLike({ lead, cells, end }: Row, texts: readonly string[], widths: Widths): string {
  const hasBlanks = cells.every((cell) => cell.startsWith(' '))
  const written = texts.map((text, column) =>
    padded(text, hasBlanks || cells[column]?.startsWith(' ') ? '  ' : '', widths[column]),
  )
  return joinRow({ lead, cells: written, end })
}

/** Pads the text of a cell like a cell of the source. */
function padded(text: string, cell: string, width: number | undefined): string {
  const lead = cell.slice(0, cell.length - cell.trimStart().length)
  const trail = cell.trim() === '' ? lead.slice(1) : cell.slice(cell.trimEnd().length)
  const before = cell.trim() === '' ? lead.slice(0, 1) : lead
  const isAtEnd = before.length > trail.length && before.length > 1
  const [first, last] = width === undefined ? [before, trail] : [before.slice(0, 1), trail.slice(0, 1)]
  const short = first + text + last
  const missing = width === undefined ? 0 : width - measureWidth(short)
  if (missing <= 0) return short
  return isAtEnd ? ' '.repeat(missing) + short : short + ' '.repeat(missing)
}

/** Prints the delimiter row below the header; only the edited alignments change. */
function spliceDelimiterRow(rule: Row, before: PipeCells, after: PipeCells): string {
  const cells = rule.cells.map((cell, column) => {
    const [old, wanted] = [before.columns[column], after.columns[column]]
    if (!old || !wanted || printDelimiterCell(old, 3) === printDelimiterCell(wanted, 3)) return cell
    const text = cell.trim()
    return cell.replace(text, printDelimiterCell(wanted, Math.max(3, text.length)))
  })
  return joinRow({ ...rule, cells })
}

function spliceHtmlTable({ before, after, source, prefix, newline, contexts }: EditedTable): string | undefined {
  const printed = (table: Table, context: PrintContext) =>
    splitRows(printHtmlTable(table, context, (blocks) => printHtmlBlocks(blocks, context)))
  const [old, wanted, written] = [printed(before, contexts.before), printed(after, contexts.after), splitRows(source)]
  if (!old || !wanted || !written || old.rows.length !== written.rows.length) return undefined
  const merged = (one: string, other: string, text: string) =>
    one === other ? text : spliceWords({ before: one, after: other, source: text, prefix, newline })
  const opening = merged(old.head, wanted.head, written.head)
  const header = merged(old.rows[0] as string, wanted.rows[0] as string, written.rows[0] as string)
  const [oldRows, rows, lines] = [old.rows.slice(1), wanted.rows.slice(1), written.rows.slice(1)]
  if (opening === undefined || header === undefined || lines.length === 0 || rows.length === 0) return undefined
  const match = matchRows(oldRows.map(cellsOf), rows.map(cellsOf))
  const texts = rows.map((row, index) => {
    const at = match.kept.get(index) ?? match.changed.get(index)
    return at === undefined ? row : (merged(oldRows[at] as string, row, lines[at] as string) ?? row)
  })
  const [afterHeader = '', ...gaps] = written.gaps
  const separator = gaps.find((gap) => gap.trim() === '') ?? (/\n[ \t]*$/.exec(afterHeader)?.[0] || '')
  const writer = new SpliceWriter([emptyGap, ...gaps.map((gap) => createGap(gap, false)), emptyGap], '', true)
  texts.forEach((row, index) => writer.writeBlock(row, match.kept.get(index) ?? match.changed.get(index), separator))
  writer.writeGapsBefore(lines.length, separator)
  return opening + header + afterHeader + writer.text + written.tail
}

const emptyGap = { content: '', verbatim: '' }
const cellsOf = (row: string) => row.split('</td>')

/** Splits an HTML table into its rows and the parts around them; undefined if it contains nested tables. */
function splitRows(html: string): { head: string; rows: string[]; gaps: string[]; tail: string } | undefined {
  const rows: string[] = []
  const gaps: string[] = []
  let head: string | undefined
  let start: number | undefined
  let end = 0
  for (const match of html.matchAll(/<(\/?)tr(?=[\s>])/gi)) {
    if (match[1] === '') {
      if (start !== undefined) return undefined
      start = match.index
      if (head === undefined) head = html.slice(0, start)
      else gaps.push(html.slice(end, start))
    } else {
      const close = html.indexOf('>', match.index)
      if (start === undefined || close === -1) return undefined
      end = close + 1
      rows.push(html.slice(start, end))
      start = undefined
    }
  }
  return head === undefined || start !== undefined ? undefined : { head, rows, gaps, tail: html.slice(end) }
}
