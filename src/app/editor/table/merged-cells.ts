import type { Node } from 'prosemirror-model'
import type { TableData } from '../../../content/document/nodes.ts'
import { type CellPlace, columnIds, isCards } from './table-model.ts'

type CellMerge = NonNullable<TableData['cellMerges']>[number]

/**
 * Rows and columns that one cell covers, by their IDs. In documents, a merge contains numbers of rows and columns, which would be
 * wrong after rows or columns change.
 */
export interface MergedArea {
  rows: readonly string[]
  columns: readonly string[]
}

/** Converts merges to areas. */
export const toAreas = (
  merges: readonly CellMerge[],
  rows: readonly string[],
  columns: readonly string[],
): MergedArea[] =>
  merges.map(({ anchor, rowSpan, colSpan }) => {
    const [row, column] = [rows.indexOf(anchor.record), columns.indexOf(anchor.column)]
    const isKnown = row >= 0 && column >= 0
    return {
      rows: isKnown ? rows.slice(row, row + rowSpan) : [],
      columns: isKnown ? columns.slice(column, column + colSpan) : [],
    }
  })

/**
 * Returns the first index of an area in a list of IDs, and the number of covered IDs, including those that were inserted between
 * them.
 */
function findSpan(ids: readonly string[], covered: readonly string[]): { start: number; count: number } {
  const indexes = covered.map((id) => ids.indexOf(id)).filter((index) => index >= 0)
  if (indexes.length === 0) return { start: 0, count: 0 }
  const start = Math.min(...indexes)
  return { start, count: Math.max(...indexes) - start + 1 }
}

/** Converts areas to merges, except areas that have only one cell left. */
export const toMerges = (
  areas: readonly MergedArea[],
  rows: readonly string[],
  columns: readonly string[],
): CellMerge[] =>
  areas.flatMap((area) => {
    const [row, column] = [findSpan(rows, area.rows), findSpan(columns, area.columns)]
    if (row.count * column.count <= 1) return []
    const anchor = { record: rows[row.start] ?? '', column: columns[column.start] ?? '' }
    return [{ anchor, rowSpan: row.count, colSpan: column.count }]
  })

/** Sorts merges by the position of their cells, which is their order after parsing Markdown. */
export function sortMerges(
  merges: readonly CellMerge[],
  rows: readonly string[],
  columns: readonly string[],
): CellMerge[] {
  const position = ({ anchor }: CellMerge) =>
    rows.indexOf(anchor.record) * columns.length + columns.indexOf(anchor.column)
  return merges.toSorted((a, b) => position(a) - position(b))
}

export const areasOf = (table: Node): readonly MergedArea[] =>
  (table.attrs['merges'] as readonly MergedArea[] | null) ?? []

/** Returns the IDs of the rows below the titles. */
export const rowIds = (table: Node): string[] => table.children.slice(1).map(({ attrs }) => attrs['id'] as string)

export const mergesOf = (table: Node): CellMerge[] => toMerges(areasOf(table), rowIds(table), columnIds(table))

/** Display of a cell in a grid: how many rows and columns it covers, or which cell covers it. */
export interface CellSpan {
  rows: number
  columns: number
  coveredBy?: { row: number; column: number }
}

const single: CellSpan = { rows: 1, columns: 1 }
const known = new WeakMap<Node, ReadonlyMap<string, CellSpan>>()

/** Returns the span of a cell. If two areas overlap, the first one is shown, as on published pages. */
export function spanOf({ table, row, column }: CellPlace): CellSpan {
  if (areasOf(table).length === 0 || isCards(table)) return single
  const spans = known.get(table) ?? computeSpans(table)
  known.set(table, spans)
  return spans.get(`${row}:${column}`) ?? single
}

function computeSpans(table: Node): Map<string, CellSpan> {
  const [rows, columns] = [rowIds(table), columnIds(table)]
  const spans = new Map<string, CellSpan>()
  for (const { anchor, rowSpan, colSpan } of mergesOf(table)) {
    const [row, column] = [rows.indexOf(anchor.record) + 1, columns.indexOf(anchor.column)]
    const cells = Array.from({ length: rowSpan * colSpan }, (_, index) => ({
      row: row + Math.floor(index / colSpan),
      column: column + (index % colSpan),
    }))
    if (cells.some((cell) => spans.has(`${cell.row}:${cell.column}`))) continue
    for (const cell of cells) spans.set(`${cell.row}:${cell.column}`, { ...single, coveredBy: { row, column } })
    spans.set(`${row}:${column}`, { rows: rowSpan, columns: colSpan })
  }
  return spans
}

/** Returns the cell that is visible at a place. */
export const visibleCell = (place: CellPlace): CellPlace => ({ ...place, ...spanOf(place).coveredBy })

/** Whether all areas keep their size if the rows or columns have another order. */
export const keepsAreas = (table: Node, rows: readonly string[], columns: readonly string[]): boolean =>
  areasOf(table).every(
    (area) =>
      findSpan(rows, area.rows).count === findSpan(rowIds(table), area.rows).count &&
      findSpan(columns, area.columns).count === findSpan(columnIds(table), area.columns).count,
  )
