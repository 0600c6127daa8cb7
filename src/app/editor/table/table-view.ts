import type { Node } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import type { Fragment, Table } from '../../../content/document/nodes.ts'
import { columnOrder } from '../../../content/document/tables.ts'
import { headerText } from '../../../content/document/text.ts'
import { toBlock } from '../to-document.ts'
import { toNode } from '../to-editor.ts'
import { areasOf, rowIds, toMerges } from './merged-cells.ts'
import { type CellPlace, type EditedTableData, columnIds } from './table-model.ts'

/** Returns the titles of all columns by their IDs, including hidden columns. */
export function titlesOf(table: Node): ReadonlyMap<string, string> {
  const block = toBlock(table) as Table
  const bodies = new Map(block.fragments.map(({ fragment, nodes }: Fragment) => [fragment, nodes]))
  return new Map(columnOrder(block).map((id) => [id, headerText(block.data.definition[id] ?? { title: '' }, bodies)]))
}

/** Changes how a table is shown, and which columns are visible. */
export function changeView(
  state: EditorState,
  place: CellPlace,
  data: EditedTableData,
  view: EditedTableData['view'],
): Transaction {
  const { table, at } = place
  const isSame = view.columns.join('\0') === columnIds(table).join('\0')
  if (isSame) return state.tr.setNodeAttribute(at, 'data', { ...data, view })
  // The cells of hidden columns are not part of the editor, so the table is converted again.
  const block = toBlock(table, new WeakMap()) as Table
  const { definition, records } = block.data
  const cellMerges = toMerges(areasOf(table), rowIds(table), view.columns)
  const merged = cellMerges.length > 0 && { cellMerges }
  const changed: Table = { ...block, data: { ...data, ...merged, view, definition, records } }
  return state.tr.replaceWith(at, at + table.nodeSize, toNode(changed))
}
