import { Fragment, type Node } from 'prosemirror-model'
import { Plugin, type Transaction } from 'prosemirror-state'
import {
  type Column,
  type EditedTableData,
  columnIds,
  createCell,
  createHeader,
  createTable,
  dataOfTable,
  newColumn,
  newName,
  nodeType,
} from './table-model.ts'

/**
 * Repairs tables after changes that do not preserve their cells, such as deleting a selection across several cells: every row must
 * have one cell for each column, and no two rows may have the same ID.
 */
export const fixTables = (): Plugin =>
  new Plugin({
    appendTransaction(transactions, _, { doc, tr }) {
      if (!transactions.some(({ docChanged }) => docChanged)) return null
      const tables = new Map<number, Node>()
      for (const [from, to] of changedRanges(transactions)) {
        doc.nodesBetween(Math.max(0, Math.min(from, doc.content.size)), Math.min(to, doc.content.size), (node, at) => {
          if (node.type.name === 'table') tables.set(at, node)
          return !node.isTextblock
        })
      }
      for (const [at, table] of [...tables].toReversed()) {
        if (!isComplete(table)) tr.replaceWith(at, at + table.nodeSize, completeTable(table))
      }
      return tr.docChanged ? tr : null
    },
  })

/** Returns the ranges of the last document that transactions have changed. */
function changedRanges(transactions: readonly Transaction[]): [number, number][] {
  const ranges: [number, number][] = []
  transactions.forEach(({ mapping }, index) => {
    mapping.maps.forEach((map, step) => {
      map.forEach((_from, _to, start, end) => {
        const rest = mapping.slice(step + 1)
        let [from, to] = [rest.map(start, -1), rest.map(end, 1)]
        for (const later of transactions.slice(index + 1))
          [from, to] = [later.mapping.map(from, -1), later.mapping.map(to, 1)]
        ranges.push([from, to])
      })
    })
  })
  return ranges
}

const hasColumns = (row: Node, columns: readonly string[]): boolean =>
  row.childCount === columns.length && row.children.every(({ attrs }, index) => attrs['column'] === columns[index])

function isComplete(table: Node): boolean {
  if (!dataOfTable(table)) return false
  const columns = columnIds(table)
  const ids = new Set(table.children.map(({ attrs }) => attrs['id'] as string | null | undefined))
  return ids.size === table.childCount && !ids.has(null) && table.children.every((row) => hasColumns(row, columns))
}

const cellOf = (row: Node | undefined, id: string): Node | undefined =>
  row?.children.find(({ attrs }) => attrs['column'] === id)

/** Returns a table in which every row has one cell for each column. */
function completeTable(table: Node): Node {
  const { schema } = table.type
  const [head, ...rows] = table.children
  const data = dataOfTable(table) as EditedTableData | null
  if (!data) {
    const width = Math.max(1, ...table.children.map(({ childCount }) => childCount))
    const columns = Array.from({ length: width }, newColumn)
    const named = rows.map((row) => copyRow(row, columns, (index) => row.maybeChild(index)))
    return createTable(
      schema,
      columns,
      columns.map((_, index) => head?.maybeChild(index)?.content),
      named,
    )
  }
  const columns = data.view.columns.map((id): Column => data.definition[id] ?? { id, type: 'text' })
  const heads = columns.map((column) => cellOf(head, column.id) ?? createHeader(schema, column))
  const ids = new Set<unknown>([null])
  const complete = rows.map((row) => {
    const isKnown = ids.has(row.attrs['id'])
    ids.add(row.attrs['id'])
    return copyRow(row, columns, (_, { id }) => cellOf(row, id), isKnown ? newName('r') : undefined)
  })
  return table.copy(Fragment.from([nodeType(schema, 'table_head').create(null, heads), ...complete]))
}

/** Returns a row with one cell for each column. A new row gets new names. */
function copyRow(
  row: Node,
  columns: readonly Column[],
  find: (index: number, column: Column) => Node | null | undefined,
  newId?: string,
): Node {
  const cells = columns.map((column, index) => {
    const found = find(index, column)
    if (!found || (found.type.name === 'table_cell') !== (column.type === 'text'))
      return createCell(row.type.schema, column)
    const isSame = newId === undefined && found.attrs['column'] === column.id
    return isSame || found.type.name === 'table_value'
      ? found.type.create({ ...found.attrs, column: column.id }, found.content)
      : createCell(row.type.schema, column, found.content)
  })
  const id = newId ?? (row.attrs['id'] as string | null) ?? newName('r')
  return row.type.create({ ...row.attrs, id, ...(newId !== undefined && { orderIndex: null }) }, cells)
}
