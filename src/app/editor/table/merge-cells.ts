import type { Node } from 'prosemirror-model'
import { type Command, type EditorState, NodeSelection, type Transaction } from 'prosemirror-state'
import { emptyValue } from './cell-values.ts'
import { type MergedArea, areasOf, rowIds, spanOf, visibleCell } from './merged-cells.ts'
import { currentCell, selectCell } from './table-commands.ts'
import { type CellPlace, cellPosition, columnIds, columnOf, findCell, isCards, nodeType } from './table-model.ts'

/** Range of cells of a table, from the first row and column to the last ones. */
interface CellRange {
  table: Node
  at: number
  rows: readonly [number, number]
  columns: readonly [number, number]
}

const rangeOf = ({ table, at, row, column }: CellPlace): CellRange => {
  const { rows, columns } = spanOf({ table, at, row, column })
  return { table, at, rows: [row, row + rows - 1], columns: [column, column + columns - 1] }
}

const joinRanges = (a: CellRange, b: CellRange): CellRange => ({
  ...a,
  rows: [Math.min(a.rows[0], b.rows[0]), Math.max(a.rows[1], b.rows[1])],
  columns: [Math.min(a.columns[0], b.columns[0]), Math.max(a.columns[1], b.columns[1])],
})

const isSameRange = (a: CellRange, b: CellRange): boolean => String([a.rows, a.columns]) === String([b.rows, b.columns])

function listCells({ table, at, rows, columns }: CellRange): CellPlace[] {
  const places: CellPlace[] = []
  for (let row = rows[0]; row <= rows[1]; row++)
    for (let column = columns[0]; column <= columns[1]; column++) places.push({ table, at, row, column })
  return places
}

/** Extends a range so that it contains each merged cell completely or not at all. */
function completeRange(range: CellRange): CellRange {
  const next = listCells(range).reduce((all, place) => joinRanges(all, rangeOf(visibleCell(place))), range)
  return isSameRange(range, next) ? range : completeRange(next)
}

/** Returns the range that the selection covers; undefined if it is within one cell or not in one table. */
export function findSelectedRange({ selection }: EditorState): CellRange | undefined {
  const [first, last] = [findCell(selection.$from), findCell(selection.$to)]
  if (!first || !last || first.at !== last.at || selection instanceof NodeSelection) return undefined
  const own = rangeOf(visibleCell(first))
  const range = completeRange(joinRanges(own, rangeOf(visibleCell(last))))
  return isSameRange(own, range) ? undefined : range
}

/** Returns the range of a cell and its neighbor on the right or below; undefined at the edge of the table. */
export function findNextRange(place: CellPlace, direction: 'right' | 'below'): CellRange | undefined {
  const own = rangeOf(visibleCell(place))
  const { table, at } = place
  const next =
    direction === 'right'
      ? { table, at, row: own.rows[0], column: own.columns[1] + 1 }
      : { table, at, row: own.rows[1] + 1, column: own.columns[0] }
  if (next.row >= table.childCount || next.column >= columnIds(table).length) return undefined
  return completeRange(joinRanges(own, rangeOf(visibleCell(next))))
}

const nodeAt = ({ table, row, column }: CellPlace): Node => table.child(row).child(column)

function isEmptyCell(place: CellPlace): boolean {
  const cell = nodeAt(place)
  if (!cell.isAtom) return cell.content.size === 0 || (cell.childCount === 1 && cell.firstChild?.content.size === 0)
  const { value } = cell.attrs as { value: unknown }
  const nothing = emptyValue(columnOf(place.table, place.column).type)
  return value === undefined || JSON.stringify(value) === JSON.stringify(nothing)
}

/**
 * Merges the cells of a range, and moves their texts to the first one. Undefined for titles and cards, and if a value would be
 * lost, because only one of the cells is stored.
 */
export function mergeRange(state: EditorState, range: CellRange): Transaction | undefined {
  const { table, at, rows, columns } = range
  if (rows[0] < 1 || isCards(table)) return undefined
  const [anchor, ...covered] = listCells(range)
  if (!anchor || covered.length === 0) return undefined
  const filled = covered.filter((place) => !isEmptyCell(place))
  if (filled.length > 0 && [anchor, ...filled].some((place) => nodeAt(place).isAtom)) return undefined
  const { tr } = state
  const paragraph = nodeType(state.schema, 'paragraph')
  for (const place of filled.toReversed()) {
    const start = cellPosition(place)
    tr.replaceWith(start + 1, start + nodeAt(place).nodeSize - 1, paragraph.create())
  }
  const texts = filled.flatMap((place) => nodeAt(place).children)
  const start = cellPosition(anchor) + 1
  if (texts.length > 0) {
    const end = start + nodeAt(anchor).content.size
    if (isEmptyCell(anchor)) tr.replaceWith(start, end, texts)
    else tr.insert(end, texts)
  }
  const area: MergedArea = {
    rows: rowIds(table).slice(rows[0] - 1, rows[1]),
    columns: columnIds(table).slice(columns[0], columns[1] + 1),
  }
  const others = areasOf(table).filter((one) => !isInside(one, area))
  tr.setNodeAttribute(at, 'merges', [...others, area])
  return selectAnchor(tr, anchor)
}

const isInside = (inner: MergedArea, outer: MergedArea): boolean =>
  inner.rows.every((id) => outer.rows.includes(id)) && inner.columns.every((id) => outer.columns.includes(id))

function selectAnchor(tr: Transaction, place: CellPlace): Transaction {
  const table = tr.doc.nodeAt(place.at)
  return table ? selectCell(tr, { ...place, table }) : tr
}

/** Splits a merged cell; its text remains in the first one. Undefined if the cell is not merged. */
export function splitCell(state: EditorState, place: CellPlace): Transaction | undefined {
  const anchor = visibleCell(place)
  const { rows, columns } = spanOf(anchor)
  if (rows * columns === 1) return undefined
  const [row, column] = [rowIds(place.table)[anchor.row - 1] ?? '', columnIds(place.table)[anchor.column] ?? '']
  const kept = areasOf(place.table).filter((area) => !(area.rows.includes(row) && area.columns.includes(column)))
  return selectAnchor(state.tr.setNodeAttribute(place.at, 'merges', kept.length > 0 ? kept : null), anchor)
}

/** Merges the selected cells, or splits the cell with the cursor. */
export const mergeOrSplit: Command = (state, dispatch) => {
  const place = currentCell(state)
  if (!place) return false
  const range = findSelectedRange(state)
  const tr = range ? mergeRange(state, range) : splitCell(state, place)
  if (tr) dispatch?.(tr)
  return true
}
