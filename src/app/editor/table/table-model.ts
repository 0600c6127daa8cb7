import type { Fragment as EditorFragment, Node, NodeType, ResolvedPos, Schema } from 'prosemirror-model'
import type { ColumnDefinition, TableData } from '../../../content/document/nodes.ts'
import { emptyValue } from './cell-values.ts'

type WithoutTitle<One> = One extends unknown ? Omit<One, 'title' | 'header'> : never

/** Definition of a visible column; its title is in the first row of the editor. */
export type Column = WithoutTitle<ColumnDefinition>

/** Maximum size of a pasted table; a larger one would block the browser for a while. */
export const maxPastedColumns = 50
export const maxPastedCells = 1000

/** Data of a table in the editor; its records are rows, and merges are a separate attribute. */
export interface EditedTableData extends Omit<TableData, 'records' | 'definition' | 'cellMerges'> {
  definition: Readonly<Record<string, Column | ColumnDefinition>>
}

export const dataOfTable = (table: Node): EditedTableData => table.attrs['data'] as EditedTableData

/** Returns the IDs of the visible columns. */
export const columnIds = (table: Node): readonly string[] => dataOfTable(table).view.columns

/** Returns the definition of a visible column. */
export const columnOf = (table: Node, index: number): Column => {
  const id = columnIds(table)[index] ?? ''
  return dataOfTable(table).definition[id] ?? { id, type: 'text' }
}

export const isCards = (table: Node): boolean => dataOfTable(table).view.type === 'cards'

/** Whether the titles of the columns can be edited in the first row. */
export const hasVisibleHead = (table: Node): boolean => {
  const { view } = dataOfTable(table)
  return view.type === 'grid' && !view.hideHeader
}

/** Returns a name that no row, column or cell has. */
export const newName = (prefix: string): string => `${prefix}-${crypto.randomUUID().slice(0, 13)}`

/** Creates an empty column; fields with default values are those that the API returns. */
export const newColumn = (): Column => ({ id: newName('c'), type: 'text', textAlignment: 'left' })

/** Returns a type of node by name. */
export const nodeType = (schema: Schema, name: string): NodeType => schema.nodes[name] as NodeType

/** Creates an empty cell of a column. */
export function createCell(schema: Schema, { id, type }: Column, content?: EditorFragment | readonly Node[]): Node {
  if (type !== 'text') return nodeType(schema, 'table_value').create({ column: id, value: emptyValue(type) })
  const cell = nodeType(schema, 'table_cell')
  return cell.create({ column: id }, content ?? nodeType(schema, 'paragraph').create())
}

/** Creates an empty row. */
export const createRow = (schema: Schema, columns: readonly Column[]): Node =>
  nodeType(schema, 'table_row').create(
    { id: newName('r') },
    columns.map((column) => createCell(schema, column)),
  )

export const createHeader = (schema: Schema, { id }: Column, content?: EditorFragment): Node =>
  nodeType(schema, 'table_header').create({ column: id }, content)

/** Returns the data of a grid with columns. */
export const createTableData = (columns: readonly Column[], hideHeader: boolean): EditedTableData => ({
  view: { type: 'grid', columns: columns.map(({ id }) => id), hideHeader },
  definition: Object.fromEntries(columns.map((column) => [column.id, column])),
})

/** Creates a table. The first row contains the titles. */
export function createTable(
  schema: Schema,
  columns: readonly Column[],
  titles: readonly (EditorFragment | undefined)[],
  rows: readonly Node[],
): Node {
  const data = createTableData(columns, false)
  const heads = columns.map((column, index) => createHeader(schema, column, titles[index]))
  return nodeType(schema, 'table').create({ data }, [nodeType(schema, 'table_head').create(null, heads), ...rows])
}

/** A cell of a table; row 0 contains the titles. */
export interface CellPlace {
  table: Node
  /** Position of the table. */
  at: number
  row: number
  column: number
}

const cellNames: ReadonlySet<string> = new Set(['table_header', 'table_cell', 'table_value'])

export const isCell = (node: Node | null | undefined): boolean => cellNames.has(node?.type.name ?? '')

/** Returns the innermost cell that contains a position, or that starts at it. */
export function findCell($pos: ResolvedPos): CellPlace | undefined {
  const isBefore = isCell($pos.nodeAfter) && !isCell($pos.parent) && $pos.parent.type.name.startsWith('table_')
  const inside = isBefore ? $pos.depth + 1 : undefined
  for (let depth = inside ?? $pos.depth; depth > 2; depth--) {
    if (depth !== inside && !isCell($pos.node(depth))) continue
    const [table, at] = [$pos.node(depth - 2), $pos.before(depth - 2)]
    return { table, at, row: $pos.index(depth - 2), column: $pos.index(depth - 1) }
  }
  return undefined
}

/** Returns the position of a row. */
export function rowPosition(table: Node, at: number, row: number): number {
  let position = at + 1
  for (let index = 0; index < row; index++) position += table.child(index).nodeSize
  return position
}

/** Returns the position of a cell. */
export function cellPosition({ table, at, row, column }: CellPlace): number {
  let position = rowPosition(table, at, row) + 1
  for (let index = 0; index < column; index++) position += table.child(row).child(index).nodeSize
  return position
}
