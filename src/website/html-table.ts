import type { Block, ColumnDefinition, Table, TableData, TextAlignment } from '../content/document/nodes.ts'
import { createTextTable } from '../content/markdown/parse-table.ts'
import { type WebElement, childElements, findOutermost, hasRole, hasTagName, nodeText } from './html-tree.ts'
import type { NodeReader } from './node-reader.ts'

// Limits of tables: a page that declares a cell of a million columns must not require that much memory.
const maxSpan = 50
const maxColumns = 200
const maxCells = 50_000

type CellMerge = NonNullable<TableData['cellMerges']>[number]

const isRow = (element: WebElement) => element.name === 'tr' || element.attributes['role'] === 'row'
const isCell = ({ name, attributes: { role } }: WebElement) =>
  name === 'td' || name === 'th' || role === 'cell' || role === 'gridcell' || role === 'columnheader'
const isHeaderCell = ({ name, attributes: { role } }: WebElement) => name === 'th' || role === 'columnheader'

export const isTable = (element: WebElement) => element.name === 'table' || hasRole('table')(element)

/** Reads a table; undefined if it is only used for layout. */
export function readTable(table: WebElement, reader: NodeReader): Block[] | undefined {
  if (table.attributes['role'] === 'presentation' || table.attributes['role'] === 'none') return undefined
  const rows = findOutermost(table, isRow).map((row) => findOutermost(row, isCell))
  const filledRows = rows.filter((row) => row.length > 0)
  const [first, ...rest] = filledRows
  if (!first) return undefined
  const hasHeader = first.every(isHeaderCell) && (rest.length > 0 || first.length > 1)
  const width = Math.min(maxColumns, Math.max(...filledRows.map(widthOf)))
  if (width < 2 && !hasHeader) return undefined
  const columns = Math.max(1, Math.min(width, Math.floor(maxCells / filledRows.length)))
  const titles = hasHeader ? titlesOf(first, columns) : Array.from({ length: columns }, () => '')
  const { cells, merges } = placeCells(hasHeader ? rest : filledRows, columns)
  const tableBlock = createTextTable(
    titles,
    cells.map((row) => row.map((cell) => (cell ? reader.readBlocks(cell.children) : []))),
  )
  const caption = childElements(table).find(hasTagName('caption'))
  return [...(caption ? reader.readBlocks(caption.children) : []), withFormatting(tableBlock, cells, first, merges)]
}

const spanOf = (cell: WebElement, name: 'colspan' | 'rowspan') =>
  Math.min(maxSpan, Math.max(1, Number.parseInt(cell.attributes[name] ?? '1', 10) || 1))

const widthOf = (row: readonly WebElement[]) => row.reduce((width, cell) => width + spanOf(cell, 'colspan'), 0)

function titlesOf(header: readonly WebElement[], columns: number): string[] {
  const titles = header.flatMap((cell) => [
    nodeText(cell),
    ...Array.from({ length: spanOf(cell, 'colspan') - 1 }, () => ''),
  ])
  return Array.from({ length: columns }, (_, index) => titles[index] ?? '')
}

/** Places cells as browsers do: a cell that spans several rows takes the places below it. */
function placeCells(rows: readonly (readonly WebElement[])[], columns: number) {
  const merges: CellMerge[] = []
  const occupiedUntil = Array.from({ length: columns }, () => 0)
  const cells = rows.map((row, record) => {
    const rowCells: (WebElement | undefined)[] = Array.from({ length: columns }, () => undefined)
    let column = 0
    const isOccupied = (index: number) => (occupiedUntil[index] ?? 0) > record
    for (const cell of row) {
      while (column < columns && isOccupied(column)) column++
      if (column >= columns) break
      rowCells[column] = cell
      const colSpan = Math.min(spanOf(cell, 'colspan'), columns - column)
      const rowSpan = Math.min(spanOf(cell, 'rowspan'), rows.length - record)
      if (colSpan > 1 || rowSpan > 1)
        merges.push({ anchor: { record: `r${record + 1}`, column: `c${column + 1}` }, rowSpan, colSpan })
      for (let index = column; index < column + colSpan; index++) occupiedUntil[index] = record + rowSpan
      column += colSpan
    }
    return rowCells
  })
  return { cells, merges }
}

function withFormatting(
  table: Table,
  cells: readonly (readonly (WebElement | undefined)[])[],
  header: readonly WebElement[],
  merges: readonly CellMerge[],
): Table {
  const { data } = table
  const definition = Object.fromEntries(
    Object.values(data.definition).map((column, index): [string, ColumnDefinition] => {
      const cell = header[index] ?? cells[0]?.[index]
      const textAlignment = cell && alignmentOf(cell)
      return [column.id, column.type === 'text' && textAlignment ? { ...column, textAlignment } : column]
    }),
  )
  const hideHeader = Object.values(definition).every(({ title }) => title === '')
  const view = data.view.type === 'grid' ? { ...data.view, hideHeader } : data.view
  return { ...table, data: { ...data, definition, view, ...(merges.length > 0 && { cellMerges: merges }) } }
}

function alignmentOf({ attributes: { align, style = '' }, classes }: WebElement): TextAlignment | undefined {
  const written = align ?? /text-align:\s*(\w+)/.exec(style)?.[1]
  if (written === 'center' || written === 'right') return written
  return classes.has('text-center') ? 'center' : classes.has('text-right') ? 'right' : undefined
}
