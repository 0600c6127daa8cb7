import type { EditorView } from 'prosemirror-view'
import type { GetPosition } from '../view-parts.ts'
import { spanOf } from './merged-cells.ts'
import { type CellPlace, type Column, columnOf, dataOfTable, findCell } from './table-model.ts'

/** Returns the cell whose view is created or updated. */
export function placeOf(view: EditorView, getPosition: GetPosition): CellPlace | undefined {
  const position = getPosition()
  return position === undefined ? undefined : findCell(view.state.doc.resolve(position))
}

/** Returns the CSS classes of a cell, as on published pages. */
function alignmentOf(column: Column): string {
  if (column.type === 'number') return 'right'
  if (column.type !== 'text') return ''
  const { textAlignment, verticalAlignment } = column
  const horizontal = textAlignment === undefined || textAlignment === 'left' ? '' : textAlignment
  return [horizontal, verticalAlignment && `vertical-${verticalAlignment}`].filter(Boolean).join(' ')
}

/** Sets how many rows and columns a cell of a grid covers; covered cells are hidden. */
export function showSpan(cell: HTMLTableCellElement, place: CellPlace): void {
  const { rows, columns, coveredBy } = spanOf(place)
  cell.hidden = coveredBy !== undefined
  cell.rowSpan = rows
  cell.colSpan = columns
  cell.classList.toggle('is-in-last-row', place.row + rows === place.table.childCount)
}

/** Sets the alignment and width of a cell. */
export function showColumn(cell: HTMLElement, { table, column }: CellPlace): void {
  const definition = columnOf(table, column)
  const { view } = dataOfTable(table)
  cell.classList.add(...alignmentOf(definition).split(' ').filter(Boolean))
  const width = view.type === 'grid' ? view.columnWidths?.[definition.id] : undefined
  if (width !== undefined) cell.style.width = cell.style.minWidth = `${Math.round(width)}px`
}
