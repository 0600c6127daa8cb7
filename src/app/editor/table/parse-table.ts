import { DOMParser, Fragment, type Schema } from 'prosemirror-model'
import type { MergedArea } from './merged-cells.ts'
import {
  type Column,
  type EditedTableData,
  createCell,
  createHeader,
  createTableData,
  maxPastedCells,
  maxPastedColumns,
  newColumn,
  newName,
  nodeType,
} from './table-model.ts'

type DomNode = Parameters<DOMParser['parse']>[0]

/** Properties of a cell in HTML that are used; unit tests have no DOM types. */
type CellElement = DomNode & {
  tagName: string
  colSpan: number
  rowSpan: number
  querySelectorAll: (selector: string) => Iterable<CellElement & { replaceWith: (...nodes: DomNode[]) => void }>
}

type TableElement = DomNode & { rows: Iterable<{ cells: Iterable<CellElement> }> }

/** The cells of a table in HTML, with the names of its new rows and columns. */
interface TablePlan {
  columns: readonly Column[]
  /** Cells with the titles; empty if the table has none. */
  heads: readonly (CellElement | undefined)[]
  rows: readonly { id: string; cells: readonly (CellElement | undefined)[] }[]
  attrs: { data: EditedTableData; merges: readonly MergedArea[] | null }
}

const plans = new WeakMap<object, TablePlan>()

/** Returns the plan of a table. It is kept, because the attributes and contents of the table are requested one after the other. */
function planOnce(dom: DomNode): TablePlan {
  const plan = plans.get(dom) ?? planTable(dom as TableElement)
  plans.set(dom, plan)
  return plan
}

/** The first row contains the titles if all its cells are header cells; otherwise titles are hidden. */
function planTable(element: TableElement): TablePlan {
  const { grid, spans } = layOut([...element.rows].slice(0, maxPastedCells + 1).map((row) => [...row.cells]))
  const width = Math.min(Math.max(1, ...grid.map((row) => row.length)), maxPastedColumns)
  const isHead = grid[0]?.every((cell) => cell === undefined || cell.tagName === 'TH') === true
  const columns = Array.from({ length: width }, newColumn)
  const first = isHead ? 1 : 0
  const rows = grid
    .slice(first, first + Math.max(1, Math.floor(maxPastedCells / width)))
    .map((cells) => ({ id: newName('r'), cells }))
  const merges = spans.flatMap((span): MergedArea[] => {
    const start = span.row - first
    const covered = start < 0 ? [] : rows.slice(start, start + span.rows).map(({ id }) => id)
    const ids = columns.slice(span.column, span.column + span.columns).map(({ id }) => id)
    return covered.length * ids.length > 1 ? [{ rows: covered, columns: ids }] : []
  })
  const data = createTableData(columns, !isHead)
  const attrs = { data, merges: merges.length > 0 ? merges : null }
  return { columns, heads: isHead ? (grid[0] ?? []) : [], rows, attrs }
}

/** Returns the attributes of a table in pasted HTML. */
export const parseTableAttributes = (dom: DomNode): TablePlan['attrs'] => planOnce(dom).attrs

/** Returns the contents of a table in pasted HTML. */
export function parseTable(dom: DomNode, schema: Schema): Fragment {
  const parser = DOMParser.fromSchema(schema)
  const { columns, heads, rows } = planOnce(dom)
  const titles = columns.map((column, index) => createHeader(schema, column, readTitle(heads[index], parser, schema)))
  const lines = rows.map(({ id, cells }) =>
    nodeType(schema, 'table_row').create(
      { id },
      columns.map((column, index) => createCell(schema, column, readCell(cells[index], parser, schema))),
    ),
  )
  return Fragment.from([nodeType(schema, 'table_head').create(null, titles), ...lines])
}

interface Span {
  row: number
  column: number
  rows: number
  columns: number
}

/** Places cells in a grid; cells that are covered by a cell of several rows or columns are empty. */
function layOut(lines: readonly (readonly CellElement[])[]): {
  grid: (CellElement | undefined)[][]
  spans: Span[]
} {
  const shown = lines.filter((line) => line.length > 0)
  const grid: (CellElement | undefined)[][] = shown.map(() => [])
  const covered = shown.map(() => new Set<number>())
  const spans: Span[] = []
  shown.forEach((line, row) => {
    let column = 0
    for (const cell of line) {
      while (covered[row]?.has(column)) column++
      const columns = Math.max(1, Math.min(cell.colSpan, maxPastedColumns - column))
      const rows = Math.max(1, Math.min(cell.rowSpan, shown.length - row))
      if (column >= maxPastedColumns) break
      const own = grid[row]
      if (own) own[column] = cell
      for (let at = 0; at < rows * columns; at++) covered[row + Math.floor(at / columns)]?.add(column + (at % columns))
      if (rows * columns > 1) spans.push({ row, column, rows, columns })
      column += columns
    }
  })
  const width = Math.max(0, ...covered.map((set) => Math.max(-1, ...set) + 1))
  return { grid: grid.map((line) => Array.from({ length: width }, (_, index) => line[index])), spans }
}

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
