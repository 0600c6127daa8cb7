import { Fragment, type Node } from 'prosemirror-model'
import type { Command, EditorState, Transaction } from 'prosemirror-state'
import type { CellValue } from '../../../content/document/nodes.ts'
import { chosenValues, describeValue } from './cell-values.ts'
import { keepsAreas, rowIds } from './merged-cells.ts'
import { inTable } from './table-commands.ts'
import { convertText, selectAfter, setData, withoutWidth } from './table-columns.ts'
import {
  type CellPlace,
  type Column,
  cellPosition,
  columnIds,
  columnOf,
  createCell,
  dataOfTable,
  nodeType,
  rowPosition,
} from './table-model.ts'

/** Deletes a column; the last column is deleted together with the table. */
export function deleteColumn(state: EditorState, place: CellPlace): Transaction {
  const { table, at, column } = place
  const id = columnIds(table)[column] ?? ''
  const tr = state.tr
  if (columnIds(table).length === 1) return tr.delete(at, at + table.nodeSize)
  for (let row = table.childCount - 1; row >= 0; row--) {
    const start = cellPosition({ table, at, row, column })
    tr.delete(start, start + table.child(row).child(column).nodeSize)
  }
  const { view, definition } = dataOfTable(table)
  const { [id]: _, ...others } = definition
  const columns = view.columns.filter((one) => one !== id)
  setData(tr, place, { view: withoutWidth({ ...view, columns }, id), definition: others })
  return selectAfter(tr, { ...place, column: Math.min(column, columns.length - 1) })
}

/** Moves a column by one position; undefined if it is the first or last, or if merged cells prevent it. */
export function moveColumn(state: EditorState, place: CellPlace, by: -1 | 1): Transaction | undefined {
  const { table, at, column } = place
  const target = column + by
  const { view } = dataOfTable(table)
  const id = view.columns[column]
  if (id === undefined || target < 0 || target >= view.columns.length) return undefined
  const columns = view.columns.toSpliced(column, 1).toSpliced(target, 0, id)
  if (!keepsAreas(table, rowIds(table), columns)) return undefined
  const tr = state.tr
  for (let row = table.childCount - 1; row >= 0; row--) {
    const line = table.child(row)
    const start = rowPosition(table, at, row) + 1
    const cell = line.child(column)
    const cells = line.children.toSpliced(column, 1).toSpliced(target, 0, cell)
    tr.replaceWith(start, start + line.content.size, cells)
  }
  setData(tr, place, { view: { ...view, columns } })
  return selectAfter(tr, { ...place, column: target })
}

/** Moves the column of the cursor. */
export const moveColumnCommand = (by: -1 | 1): Command => inTable((state, place) => moveColumn(state, place, by))

/** Replaces the definition of a column, and converts its cells if its type changes. */
export function changeColumn(state: EditorState, place: CellPlace, next: Column): Transaction {
  const { table, at, column } = place
  const before = columnOf(table, column)
  const { definition } = dataOfTable(table)
  const tr = state.tr
  if (before.type !== next.type) {
    for (let row = table.childCount - 1; row > 0; row--) {
      const start = cellPosition({ table, at, row, column })
      const cell = table.child(row).child(column)
      tr.replaceWith(start, start + cell.nodeSize, convertCell(cell, before, next))
    }
  }
  setData(tr, place, { definition: { ...definition, [next.id]: next } })
  return selectAfter(tr, place)
}

/** Converts a cell to the type of its column. Content that has no meaning there is dropped. */
function convertCell(cell: Node, before: Column, next: Column): Node {
  const { schema } = cell.type
  const value = cell.attrs['value'] as CellValue | undefined
  const text = cell.isAtom ? toText(value, before) : cell.textBetween(0, cell.content.size, ' ', ' ').trim()
  if (next.type === 'text') {
    const paragraph = nodeType(schema, 'paragraph').create(null, text === '' ? Fragment.empty : schema.text(text))
    return createCell(schema, next, [paragraph])
  }
  return nodeType(schema, 'table_value').create({ column: next.id, value: convertText(text, next) })
}

function toText(value: CellValue | undefined, column: Column): string {
  if (column.type !== 'select') return describeValue(value)
  const labels = new Map(column.options.map(({ value: name, label }) => [name, label]))
  return chosenValues(value ?? null)
    .map((one) => labels.get(one) ?? one)
    .join(', ')
}

/** Returns the texts of a column without duplicates, as options of a choice. */
export function listOptions({ table, column }: CellPlace): { value: string; label: string; color: string }[] {
  const texts = new Set<string>()
  for (const row of table.children.slice(1)) {
    const cell = row.child(column)
    if (!cell.isAtom) texts.add(cell.textBetween(0, cell.content.size, ' ', ' ').trim())
  }
  texts.delete('')
  return [...texts].slice(0, maxOptions).map((label) => ({ value: label, label, color: 'default' }))
}

/** Maximum number of options that are created from the texts of a column. */
const maxOptions = 50
