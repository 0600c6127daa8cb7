import type { Node, ResolvedPos } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { CellValue } from '../../../content/document/nodes.ts'
import { emptyValue } from './cell-values.ts'
import { type MergedArea, areasOf, keepsAreas, rowIds, spanOf, visibleCell } from './merged-cells.ts'
import {
  type CellPlace,
  cellPosition,
  columnIds,
  columnOf,
  createRow,
  findCell,
  hasVisibleHead,
  isCell,
  newName,
  nodeType,
  rowPosition,
} from './table-model.ts'

/** Returns the cell with the cursor. */
export const currentCell = ({ selection }: EditorState): CellPlace | undefined => findCell(selection.$from)

/** Selects a cell: its text, or the cell itself if it has no text. */
export function selectCell(tr: Transaction, place: CellPlace): Transaction {
  const position = cellPosition(visibleCell(place))
  const cell = tr.doc.nodeAt(position)
  if (!cell) return tr
  const selection = cell.isAtom
    ? NodeSelection.create(tr.doc, position)
    : TextSelection.between(
        Selection.near(tr.doc.resolve(position + 1), 1).$from,
        Selection.near(tr.doc.resolve(position + cell.nodeSize - 1), -1).$to,
      )
  return tr.setSelection(selection).scrollIntoView()
}

/** Returns the table of a place after a change. */
const afterChange = (tr: Transaction, place: CellPlace): CellPlace => ({
  ...place,
  table: tr.doc.nodeAt(place.at) ?? place.table,
})

/** Inserts an empty row before a row of a table. */
export function insertRow(state: EditorState, { table, at, column }: CellPlace, row: number): Transaction {
  const columns = columnIds(table).map((_, index) => columnOf(table, index))
  const tr = state.tr.insert(rowPosition(table, at, row), createRow(table.type.schema, columns))
  return selectCell(tr, afterChange(tr, { table, at, row, column }))
}

/** Deletes a row. */
export function deleteRow(state: EditorState, place: CellPlace): Transaction {
  const { table, at, row, column } = place
  const start = rowPosition(table, at, row)
  const tr = state.tr.delete(start, start + table.child(row).nodeSize)
  const next = afterChange(tr, { table, at, row: Math.min(row, table.childCount - 2), column })
  return next.row > 0 || hasVisibleHead(table) ? selectCell(tr, next) : tr
}

/** Moves a row by one position; undefined if it is the first or last, or if merged cells prevent it. */
export function moveRow(state: EditorState, place: CellPlace, by: -1 | 1): Transaction | undefined {
  const { table, at, row, column } = place
  const target = row + by
  if (row < 1 || target < 1 || target >= table.childCount) return undefined
  const moved = table.child(row)
  const start = rowPosition(table, at, row)
  const to = by < 0 ? rowPosition(table, at, target) : start + table.child(target).nodeSize
  const ids = rowIds(table)
  const order = ids.toSpliced(row - 1, 1).toSpliced(target - 1, 0, ids[row - 1] ?? '')
  if (!keepsAreas(table, order, columnIds(table))) return undefined
  const copy = moved.type.create({ ...moved.attrs, orderIndex: null }, moved.content)
  const tr = state.tr.delete(start, start + moved.nodeSize).insert(to, copy)
  return selectCell(tr, afterChange(tr, { table, at, row: target, column }))
}

/** Inserts a copy of a row after it. */
export function duplicateRow(state: EditorState, place: CellPlace): Transaction {
  const { table, at, row, column } = place
  const original = table.child(row)
  const cells = original.children.map((cell) =>
    cell.type.create({ ...cell.attrs, ...(!cell.isAtom && { name: null, rest: null }) }, cell.content),
  )
  const id = newName('r')
  const copy = original.type.create({ ...original.attrs, id, orderIndex: null }, cells)
  const tr = state.tr.insert(rowPosition(table, at, row + 1), copy)
  const inRow = areasOf(table).filter(({ rows }) => rows.length === 1 && rows[0] === original.attrs['id'])
  const added = inRow.map(({ columns }): MergedArea => ({ rows: [id], columns }))
  if (added.length > 0) tr.setNodeAttribute(at, 'merges', [...areasOf(table), ...added])
  return selectCell(tr, afterChange(tr, { table, at, row: row + 1, column }))
}

/** Returns the next cell in reading order; undefined after the last one. */
function nextCell({ table, at, row, column }: CellPlace, by: -1 | 1): CellPlace | undefined {
  const width = columnIds(table).length
  const first = hasVisibleHead(table) ? 0 : width
  for (let index = row * width + column + by; index >= first && index < table.childCount * width; index += by) {
    const next = { table, at, row: Math.floor(index / width), column: index % width }
    if (!spanOf(next).coveredBy) return next
  }
  return undefined
}

/** Properties of an element that are used; unit tests have no DOM types. */
interface Searchable {
  querySelector: (selector: string) => { focus: () => void } | null
}

/** Moves to another cell; the control of a cell without text gets the focus. */
export function focusCell(view: EditorView, place: CellPlace): void {
  view.dispatch(selectCell(view.state.tr, place))
  const element = view.nodeDOM(cellPosition(visibleCell(place))) as Searchable | null
  const control = element?.querySelector('[data-control]')
  if (control && view.state.selection instanceof NodeSelection) control.focus()
  else view.focus()
}

/** Moves to the next or previous cell. After the last cell it adds a row. */
export function moveToCell(view: EditorView, place: CellPlace, by: -1 | 1): void {
  const next = nextCell(place, by)
  if (next) focusCell(view, next)
  else if (by > 0) {
    view.dispatch(insertRow(view.state, { ...place, column: 0 }, place.table.childCount))
    const table = view.state.doc.nodeAt(place.at)
    if (table) focusCell(view, { table, at: place.at, row: table.childCount - 1, column: 0 })
  }
}

const tab =
  (by: -1 | 1): Command =>
  (state, dispatch, view) => {
    const place = currentCell(state)
    if (!place) return false
    if (dispatch && view) moveToCell(view, place, by)
    return true
  }

export const nextCellCommand = tab(1)
export const previousCellCommand = tab(-1)

/** Returns a command that changes the table with the cursor. */
export const inTable =
  (change: (state: EditorState, place: CellPlace) => Transaction | undefined): Command =>
  (state, dispatch) => {
    const place = currentCell(state)
    const tr = place && change(state, place)
    if (tr) dispatch?.(tr.scrollIntoView())
    return tr !== undefined
  }

/** Moves from a title to the first cell below it. */
export const leaveHeader: Command = (state, dispatch) => {
  const place = currentCell(state)
  if (place?.row !== 0) return false
  if (place.table.childCount > 1) dispatch?.(selectCell(state.tr, { ...place, row: 1 }))
  return true
}

export const insertRowBelow = inTable((state, place) => insertRow(state, place, place.row + 1))

/** Returns the cells that a selection of several cells of a table contains, with their positions. */
function selectedCells({ selection, doc }: EditorState): { cell: Node; at: number }[] {
  const { $from, $to } = selection
  const [first, last] = [findCell($from), findCell($to)]
  if (!first || !last || first.at !== last.at) return []
  const [from, to] = [cellPosition(first), cellPosition(last)]
  if (from === to || selection instanceof NodeSelection) return []
  const cells: { cell: Node; at: number }[] = []
  doc.nodesBetween(from, to + 1, (node, at) => {
    if (isCell(node) && at >= from && at <= to) cells.push({ cell: node, at })
    return !isCell(node)
  })
  return cells
}

const emptyValueAt = ($at: ResolvedPos): CellValue => emptyValue(columnOf($at.node($at.depth - 1), $at.index()).type)

/** Removes the contents of the selected cells, but not the cells. */
export function clearSelectedCells(state: EditorState): Transaction | undefined {
  const cells = selectedCells(state)
  const [first] = cells
  if (!first) return undefined
  const { tr } = state
  const paragraph = nodeType(state.schema, 'paragraph')
  for (const { cell, at } of cells.toReversed()) {
    if (cell.isAtom) tr.setNodeAttribute(at, 'value', emptyValueAt(state.doc.resolve(at)))
    else if (cell.inlineContent) tr.delete(at + 1, at + cell.nodeSize - 1)
    else tr.replaceWith(at + 1, at + cell.nodeSize - 1, paragraph.create())
  }
  return tr.setSelection(Selection.near(tr.doc.resolve(first.at + 1), 1))
}

export const deleteCells: Command = (state, dispatch) => {
  const tr = clearSelectedCells(state)
  if (tr) dispatch?.(tr.scrollIntoView())
  return tr !== undefined
}

/** Moves the focus to a button beside the text. */
export function focusMenu(view: EditorView | undefined, selector: string): void {
  const dom = view?.dom as unknown as { closest: (selector: string) => Searchable | null } | undefined
  dom?.closest('.visual-editor')?.querySelector(selector)?.focus()
}

/** Moves the focus to the menus of the cell with the cursor. */
export const focusTableMenu: Command = (state, _dispatch, view) => {
  if (!currentCell(state)) return false
  focusMenu(view, '.table-handle-column button, .table-handle button')
  return true
}

export const moveRowUp = inTable((state, place) => moveRow(state, place, -1))
export const moveRowDown = inTable((state, place) => moveRow(state, place, 1))
