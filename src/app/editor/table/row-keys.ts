import type { Node } from 'prosemirror-model'
import { type Command, type EditorState, NodeSelection, Selection, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { addParagraph } from '../page-edges.ts'
import { spanOf, visibleCell } from './merged-cells.ts'
import { currentCell, focusCell } from './table-commands.ts'
import { type CellPlace, cellPosition, columnIds, hasVisibleHead, isCards, isCell } from './table-model.ts'

/** Distance from the edge of a cell to its first or last line, in pixels. */
const inset = 20

/** Properties of an element that are used; unit tests have no DOM types. */
interface Box {
  getBoundingClientRect: () => { left: number; right: number; top: number; bottom: number }
  scrollIntoView: (options: { block: 'nearest' }) => void
}

const elementOf = (view: EditorView, place: CellPlace): Box | null =>
  view.nodeDOM(cellPosition(visibleCell(place))) as Box | null

/**
 * Places the cursor in the first or last line of a cell, at the same horizontal position as before. A cell without text gets the
 * focus.
 */
function goToCell(view: EditorView, place: CellPlace, by: -1 | 1): void {
  const { state } = view
  const position = cellPosition(visibleCell(place))
  const cell = state.doc.nodeAt(position)
  const element = elementOf(view, place)
  if (!cell || cell.isAtom || !element) return focusCell(view, place)
  element.scrollIntoView({ block: 'nearest' })
  const { top, bottom } = element.getBoundingClientRect()
  const line = by < 0 ? bottom - inset : top + inset
  const found = view.posAtCoords({ left: view.coordsAtPos(state.selection.head).left, top: line })?.pos ?? 0
  const isInside = found > position && found < position + cell.nodeSize
  const $near = state.doc.resolve(isInside ? found : position + 1)
  const selection = Selection.near($near, $near.parentOffset === 0 ? 1 : -1)
  view.dispatch(state.tr.setSelection(selection).scrollIntoView())
  view.focus()
}

/** Returns the first and last visible row. */
const rowsOf = ({ table }: CellPlace): [number, number] => [hasVisibleHead(table) ? 0 : 1, table.childCount - 1]

/** Moves to the cell above or below another one, or out of the table. */
export function moveToRow(view: EditorView, place: CellPlace, by: -1 | 1): void {
  const { state } = view
  const { table, at } = place
  const row = place.row + (by < 0 ? -1 : spanOf(place).rows)
  const [first, last] = rowsOf(place)
  if (row >= first && row <= last) return goToCell(view, { ...place, row }, by)
  const outside = Selection.findFrom(state.doc.resolve(by < 0 ? at : at + table.nodeSize), by)
  view.dispatch(outside ? state.tr.setSelection(outside).scrollIntoView() : addParagraph(state, by))
  view.focus()
}

/** Returns the cell of an adjacent table above or below the text with the cursor. */
function findBeside({ selection: { $head } }: EditorState, view: EditorView, by: -1 | 1): CellPlace | undefined {
  if ($head.depth === 0) return undefined
  const parent = $head.node(-1)
  const index = $head.index(-1) + by
  const table = index < 0 ? null : parent.maybeChild(index)
  if (table?.type.name !== 'table' || isCards(table)) return undefined
  const place = { table, at: by < 0 ? $head.before() - table.nodeSize : $head.after(), row: 0, column: 0 }
  const [first, last] = rowsOf(place)
  const { left } = view.coordsAtPos($head.pos)
  const cells = columnIds(table).map((_, column) => ({ ...place, row: by < 0 ? last : first, column }))
  const contains = (cell: CellPlace) => {
    const box = elementOf(view, cell)?.getBoundingClientRect()
    return box !== undefined && box.left <= left && left < box.right
  }
  return cells.find(contains) ?? cells[0]
}

/** Whether the cursor is in the first or last line of its cell, or of its text outside of tables. */
function isAtEdge({ selection: { $head } }: EditorState, view: EditorView, by: -1 | 1): boolean {
  let depth = $head.depth
  while (depth > 0 && !isCell($head.node(depth))) depth--
  const isOuter = (index: number, { childCount }: Node) => index === (by < 0 ? 0 : childCount - 1)
  for (; depth > 0 && depth < $head.depth; depth++) if (!isOuter($head.index(depth), $head.node(depth))) return false
  return view.endOfTextblock(by < 0 ? 'up' : 'down')
}

/** Moves up or down by rows in a table, because browsers continue with the next cell and skip cells without text. */
export const moveByRow =
  (by: -1 | 1): Command =>
  (state, dispatch, view) => {
    const { selection } = state
    const cell = currentCell(state)
    if (!view || (cell && isCards(cell.table))) return false
    if (selection instanceof NodeSelection) {
      if (!cell || selection.node.type.name !== 'table_value') return false
    } else if (!(selection instanceof TextSelection) || !selection.empty || !isAtEdge(state, view, by)) return false
    const beside = cell ? undefined : findBeside(state, view, by)
    if (!cell && !beside) return false
    if (dispatch && beside) goToCell(view, beside, by)
    else if (dispatch && cell) moveToRow(view, cell, by)
    return true
  }
