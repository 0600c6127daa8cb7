import { Fragment, type Node, type Schema } from 'prosemirror-model'
import type { ColumnDefinition } from '../../../content/document/nodes.ts'
import {
  type Column,
  type EditedTableData,
  createCell,
  createRow,
  createTable,
  dataOfTable,
  newColumn,
  newName,
  nodeType,
} from './table-model.ts'

/** Creates a table of three columns and two rows; the given text becomes the first title. */
export function createNewTable(schema: Schema, text: Fragment): Node {
  const columns = Array.from({ length: 3 }, newColumn)
  return createTable(schema, columns, [text], [createRow(schema, columns), createRow(schema, columns)])
}

/** Creates cards with a title and a text; the given text becomes the first title. */
export function createNewCards(schema: Schema, text: Fragment): Node {
  const columns: Column[] = [newColumn(), newColumn()]
  const title = nodeType(schema, 'paragraph').create(null, text)
  const rows = [0, 1, 2].map((index) => {
    const row = createRow(schema, columns)
    const [first] = columns
    return index > 0 || !first
      ? row
      : row.copy(Fragment.from([createCell(schema, first, [title]), ...row.children.slice(1)]))
  })
  const table = createTable(schema, columns, [], rows)
  const target: ColumnDefinition = { id: newName('c'), title: '', type: 'content-ref' }
  const cover: ColumnDefinition = { id: newName('c'), title: '', type: 'image' }
  const data: EditedTableData = {
    view: {
      type: 'cards',
      cardSize: 'medium',
      columns: columns.map(({ id }) => id),
      targetDefinition: target.id,
      coverDefinition: cover.id,
    },
    definition: { ...dataOfTable(table).definition, [target.id]: target, [cover.id]: cover },
  }
  return table.type.create({ ...table.attrs, data }, table.content)
}
