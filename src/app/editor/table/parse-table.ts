import { DOMParser, Fragment, type Node, type Schema } from 'prosemirror-model'
import { createCell, createTable, newColumn, newName, nodeType } from './table-model.ts'

/** Maximum size of a pasted table; the browser would not respond for a while with more. */
export const maxPastedColumns = 50
export const maxPastedCells = 1000

type DomNode = Parameters<DOMParser['parse']>[0]

/** What is used of a cell in HTML; the unit tests have no types of browsers. */
type CellElement = DomNode & {
  tagName: string
  colSpan: number
  querySelectorAll: (selector: string) => Iterable<CellElement & { replaceWith: (...nodes: DomNode[]) => void }>
}

type TableElement = DomNode & { rows: Iterable<{ cells: Iterable<CellElement> }> }

/** Returns the contents of a table in pasted HTML. The first row contains the titles if all its cells are headers. */
export function parseTable(dom: DomNode, schema: Schema): Fragment {
  return readTable(dom as TableElement, schema).content
}

/** Converts a table in HTML. Cells that cover others are followed by empty ones. */
export function readTable(element: TableElement, schema: Schema): Node {
  const parser = DOMParser.fromSchema(schema)
  const grid = [...element.rows]
    .map((row) => [...row.cells].flatMap((cell) => [cell, ...emptyCells(cell)]))
    .filter((row) => row.length > 0)
  const width = Math.min(Math.max(1, ...grid.map((row) => row.length)), maxPastedColumns)
  const isHead = grid[0]?.every((cell) => cell === undefined || cell.tagName === 'TH') === true
  const columns = Array.from({ length: width }, newColumn)
  const heads = isHead ? (grid[0] ?? []) : []
  const titles = columns.map((_, index) => readTitle(heads[index], parser, schema))
  const lines = (isHead ? grid.slice(1) : grid).slice(0, Math.max(1, Math.floor(maxPastedCells / width)))
  const rows = lines.map((cells) =>
    nodeType(schema, 'table_row').create(
      { id: newName('r') },
      columns.map((column, index) => createCell(schema, column, readCell(cells[index], parser, schema))),
    ),
  )
  return createTable(schema, columns, titles, rows)
}

const emptyCells = ({ colSpan }: CellElement): undefined[] =>
  Array.from({ length: Math.min(colSpan, maxPastedColumns) - 1 }, () => undefined)

function readCell(cell: CellElement | undefined, parser: DOMParser, schema: Schema): Fragment | undefined {
  if (!cell) return undefined
  // A table in a cell is not edited in place, so only its text is kept.
  for (const inner of cell.querySelectorAll('table')) inner.replaceWith(...inner.querySelectorAll('td > *, th > *'))
  const parsed = parser.parse(cell, { topNode: nodeType(schema, 'table_cell').create() })
  return parsed.content
}

function readTitle(cell: CellElement | undefined, parser: DOMParser, schema: Schema): Fragment | undefined {
  if (!cell) return undefined
  return parser.parse(cell, { topNode: nodeType(schema, 'table_header').create() }).content
}

/** Converts text with tabs, as spreadsheets copy it, to the texts of cells; undefined if it is not a table. */
export function splitTabs(text: string): string[][] | undefined {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  const isTable =
    lines.some((line) => line.includes('\t')) && lines.every((line) => line.includes('\t') || lines.length > 1)
  return isTable ? lines.map((line) => line.split('\t')) : undefined
}

/** Creates a table from texts; the first row contains the titles. */
export function tableOfTexts(texts: readonly (readonly string[])[], schema: Schema): Node {
  const width = Math.max(1, ...texts.map((row) => row.length))
  const columns = Array.from({ length: width }, newColumn)
  const [first = [], ...others] = texts
  const content = (text: string | undefined) =>
    text === undefined || text.trim() === '' ? Fragment.empty : Fragment.from(schema.text(text.trim()))
  const rows = others.map((row) =>
    nodeType(schema, 'table_row').create(
      { id: newName('r') },
      columns.map((column, index) =>
        createCell(schema, column, [nodeType(schema, 'paragraph').create(null, content(row[index]))]),
      ),
    ),
  )
  return createTable(
    schema,
    columns,
    columns.map((_, index) => content(first[index])),
    rows,
  )
}
