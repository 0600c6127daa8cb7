import type { Node } from 'prosemirror-model'
import type { Block, CellValue, Fragment, InlineNode, Table } from '../../../content/document/nodes.ts'
import { rowOrder } from '../../../content/document/tables.ts'
import { toTextNodes } from '../plain-text.ts'
import { toAreas } from './merged-cells.ts'

/** Maximum number of cells of a table that is edited in place, because browsers lay out all cells again after each key. */
const maxCells = 1000

/** Functions that read the contents of a table. */
export interface TableReader {
  readBlocks: (blocks: readonly Block[]) => readonly Node[]
  /** Returns undefined if the editor would change the inlines. */
  readInlines: (nodes: readonly InlineNode[]) => readonly Node[] | undefined
  attributesOf: (block: Block) => object
  create: (name: string, attrs: object, content?: readonly Node[]) => Node
}

/** Returns the nodes and attributes of a table; undefined if it is not edited in place. */
export function readTable(block: Table, reader: TableReader): { attrs: object; content: Node[] } | undefined {
  const { data, fragments } = block
  const { records: _, definition, cellMerges, ...rest } = data
  const rows = rowOrder(block)
  const columns = data.view.columns
  if (columns.length === 0 || new Set(columns).size < columns.length) return undefined
  if (columns.some((id) => !Object.hasOwn(definition, id))) return undefined
  if (columns.length * (rows.length + 1) > maxCells) return undefined
  const unused = new Map(fragments.map((fragment) => [fragment.fragment, fragment]))
  const take = (name: string | undefined): Fragment | undefined => {
    const found = name === undefined ? undefined : unused.get(name)
    if (found) unused.delete(name)
    return found
  }
  const heads = columns.map((id) => readHeader(block, id, take, reader))
  if (heads.includes(undefined)) return undefined
  const lines = rows.map((id) => readRow(block, id, take, reader))
  const visible = columns.map((id) => {
    const { title: _title, header: _header, ...column } = definition[id] ?? { title: '' }
    return [id, column]
  })
  const loose = [...unused.values()]
  return {
    attrs: {
      data: { ...rest, definition: { ...definition, ...Object.fromEntries(visible) } },
      loose: loose.length > 0 ? loose : null,
      merges: cellMerges ? toAreas(cellMerges, rows, columns) : null,
    },
    content: [reader.create('table_head', {}, heads as Node[]), ...lines],
  }
}

type Take = (name: string | undefined) => Fragment | undefined

function readHeader({ data }: Table, id: string, take: Take, reader: TableReader): Node | undefined {
  const { title = '', header } = data.definition[id] ?? {}
  if (header === undefined) {
    const inlines = reader.readInlines(toTextNodes(title))
    return inlines && reader.create('table_header', { column: id }, inlines)
  }
  const fragment = take(header)
  const [paragraph, second] = fragment?.nodes ?? []
  if (!fragment || paragraph?.type !== 'paragraph' || second) return undefined
  const inlines = reader.readInlines(paragraph.nodes)
  const { nodes: _, ...rest } = fragment
  const attrs = { column: id, title, rest, paragraph: reader.attributesOf(paragraph) }
  return inlines && reader.create('table_header', attrs, inlines)
}

function readRow({ data }: Table, id: string, take: Take, reader: TableReader): Node {
  const { orderIndex, values, ...rest } = data.records[id] ?? { orderIndex: '', values: {} }
  const { columns } = data.view
  const cells = columns.map((column) => {
    const value = Object.hasOwn(values, column) ? values[column] : undefined
    return readCell(column, data.definition[column]?.type === 'text', value, take, reader)
  })
  const hidden = Object.entries(values).filter(([column]) => !columns.includes(column))
  return reader.create(
    'table_row',
    {
      id,
      orderIndex,
      hidden: hidden.length > 0 ? Object.fromEntries(hidden) : null,
      rest: Object.keys(rest).length > 0 ? rest : null,
    },
    cells,
  )
}

function readCell(
  column: string,
  isText: boolean,
  value: CellValue | undefined,
  take: Take,
  reader: TableReader,
): Node {
  // A cell without a value has no name, unless its column has another type.
  const isName = typeof value === 'string' || value === undefined
  if (!isText || !isName) return reader.create('table_value', { column, value })
  const fragment = take(value)
  const { nodes = [], ...rest } = fragment ?? {}
  return reader.create(
    'table_cell',
    { column, name: value ?? null, rest: fragment ? rest : null },
    reader.readBlocks(nodes),
  )
}
