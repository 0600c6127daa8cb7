import type { EditorState, Transaction } from 'prosemirror-state'
import type { CellValue } from '../../../content/document/nodes.ts'
import { toNumber } from './cell-values.ts'
import { selectCell } from './table-commands.ts'
import {
  type CellPlace,
  type Column,
  type EditedTableData,
  cellPosition,
  columnIds,
  createCell,
  createHeader,
  dataOfTable,
  newColumn,
} from './table-model.ts'

/** Changes the data of a table. */
export const setData = (tr: Transaction, { table, at }: CellPlace, data: Partial<EditedTableData>): Transaction =>
  tr.setNodeAttribute(at, 'data', { ...dataOfTable(table), ...data })

/** Inserts an empty column before a column of a table. */
export function insertColumn(state: EditorState, place: CellPlace, column: number): Transaction {
  const { table, at } = place
  const { view, definition } = dataOfTable(table)
  const added = newColumn()
  const tr = state.tr
  for (let row = table.childCount - 1; row >= 0; row--) {
    const cell = row === 0 ? createHeader(state.schema, added) : createCell(state.schema, added)
    tr.insert(cellPosition({ table, at, row, column }), cell)
  }
  const columns = view.columns.toSpliced(column, 0, added.id)
  setData(tr, place, { view: { ...view, columns }, definition: { ...definition, [added.id]: added } })
  return selectAfter(tr, { ...place, column })
}

/** Selects a cell of a table that was changed. */
export const selectAfter = (tr: Transaction, place: CellPlace): Transaction => {
  const table = tr.doc.nodeAt(place.at)
  return table?.type.name === 'table' ? selectCell(tr, { ...place, table }) : tr
}

/** Removes the width of a column. */
export function withoutWidth(view: EditedTableData['view'], id: string): EditedTableData['view'] {
  if (view.type !== 'grid' || !view.columnWidths) return view
  const { columnWidths, ...rest } = view
  const { [id]: _, ...widths } = columnWidths
  return Object.keys(widths).length > 0 ? { ...rest, columnWidths: widths } : rest
}

/** Converts a text to a value of a column; content that has no meaning there is dropped. */
export function convertText(text: string, column: Column): CellValue {
  switch (column.type) {
    case 'number':
      return toNumber(text)
    case 'rating': {
      const number = toNumber(text)
      return number === null ? null : Math.max(0, Math.min(number, column.max))
    }
    case 'checkbox':
      return /^(?:true|yes|x|✓|1)$/i.test(text)
    case 'select': {
      const found = column.options.find(({ label }) => label === text)
      return found ? [found.value] : []
    }
    case 'files':
    case 'users':
      return []
    case 'content-ref':
      return /^https?:\/\/\S+$/.test(text) ? { kind: 'url', url: text } : null
    default:
      return null
  }
}

/** Sets the width of a column in pixels, or lets the browser choose it. */
export function setColumnWidth(state: EditorState, place: CellPlace, width: number | undefined): Transaction {
  const { view } = dataOfTable(place.table)
  const id = columnIds(place.table)[place.column] ?? ''
  if (view.type !== 'grid') return state.tr
  const next =
    width === undefined ? withoutWidth(view, id) : { ...view, columnWidths: { ...view.columnWidths, [id]: width } }
  return setData(state.tr, place, { view: next })
}
