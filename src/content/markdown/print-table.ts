import type { Block, CellValue, ColumnDefinition, Table, TableData } from '../document/nodes.ts'
import { columnOrder, rowOrder } from '../document/tables.ts'
import { isPlausibleTableSize } from './cell-columns.ts'
import { escapeAttribute, escapeHtml } from './html.ts'
import { type PrintBlocks, isCellBlock, escapeCell, printCell } from './print-cell.ts'
import type { PrintContext } from './print-html-inlines.ts'
import { printPlainText } from './print-inlines.ts'
import { printFileCell, printUserCell } from './references.ts'

export function printTable(table: Table, context: PrintContext, printCellBlocks: PrintBlocks): string {
  return canBePipeTable(table)
    ? printPipeTable(table, context, printCellBlocks)
    : printHtmlTable(table, context, printCellBlocks)
}

/** A table to print: its rows and columns in order, and its cells by fragment name. */
interface TableLayout {
  table: Table
  columns: readonly ColumnDefinition[]
  rows: readonly { id: string; values: Readonly<Record<string, CellValue>> }[]
  visibleColumns: ReadonlySet<string>
  bodies: ReadonlyMap<string | undefined, readonly Block[]>
  merges: ReadonlyMap<string, ReadonlyMap<string, CellMerge>>
}

type CellMerge = NonNullable<TableData['cellMerges']>[number]

function createTableLayout(table: Table): TableLayout {
  const { definition, records, view, cellMerges } = table.data
  const merges = new Map<string, Map<string, CellMerge>>()
  for (const merge of cellMerges ?? []) {
    const ofRecord = merges.get(merge.anchor.record) ?? new Map<string, CellMerge>()
    merges.set(merge.anchor.record, ofRecord.set(merge.anchor.column, merge))
  }
  return {
    table,
    columns: [...new Set(columnOrder(table))].flatMap((id) => definition[id] ?? []),
    rows: rowOrder(table).map((id) => ({ id, values: records[id]?.values ?? {} })),
    visibleColumns: new Set(view.columns),
    bodies: new Map(table.fragments.map(({ fragment, nodes }) => [fragment, nodes])),
    merges,
  }
}

function cellNodes({ bodies }: TableLayout, value: CellValue | undefined): readonly Block[] {
  return typeof value === 'string' ? (bodies.get(value) ?? []) : []
}

function canBePipeTable(table: Table): boolean {
  const { view, cellMerges, fullWidth, search } = table.data
  if (
    view.type !== 'grid' ||
    view.columnWidths ||
    view.stickyHeader ||
    view.stickyFirstColumn ||
    cellMerges ||
    fullWidth
  )
    return false
  if (search !== undefined || view.columns.length !== Object.keys(table.data.definition).length) return false
  const definitions = Object.values(table.data.definition)
  if (
    definitions.length === 0 ||
    view.hideHeader !== definitions.every(({ title, header }) => title === '' && header === undefined)
  )
    return false
  if (definitions.some((definition) => definition.type !== 'text' || definition.verticalAlignment)) return false
  return table.fragments.every(({ nodes }) => nodes.every(isCellBlock))
}

/** Returns the approximate width of a text in an editor: one column for each character. */
export const measureWidth = (text: string) => Array.from(text).length

/** Printed cells of a pipe table. */
export interface PipeCells {
  columns: readonly ColumnDefinition[]
  header: readonly string[]
  rows: readonly (readonly string[])[]
}

/** Prints the cells of a pipe table; undefined if the table cannot be a pipe table. */
export function printPipeCells(
  table: Table,
  context: PrintContext,
  printCellBlocks: PrintBlocks,
): PipeCells | undefined {
  return canBePipeTable(table) ? printCells(table, context, printCellBlocks) : undefined
}

function printCells(table: Table, context: PrintContext, printCellBlocks: PrintBlocks): PipeCells {
  const layout = createTableLayout(table)
  const { columns } = layout
  const header = columns.map(({ title, header: name }) =>
    name === undefined
      ? escapeCell(printPlainText(title.trim()).replace(/\\?\r?\n|\r/g, '<br>'))
      : printCell(cellNodes(layout, name), context, printCellBlocks),
  )
  const rows = layout.rows.map(({ values }) =>
    columns.map(({ id }) => printCell(cellNodes(layout, values[id]), context, printCellBlocks)),
  )
  return { columns, header, rows }
}

function printPipeTable(table: Table, context: PrintContext, printCellBlocks: PrintBlocks): string {
  const { columns, header, rows } = printCells(table, context, printCellBlocks)
  const widths = context.isUnpadded ? minWidths(header) : columnWidths([header, ...rows])
  const padded = (cell: string, index: number) =>
    context.isUnpadded ? cell : cell.padEnd(cell.length + (widths[index] as number) - measureWidth(cell))
  const line = (cells: readonly string[]) => `| ${cells.map(padded).join(' | ')} |`
  const rule = columns.map((column, index) => printDelimiterCell(column, widths[index] as number))
  return [line(header), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n')
}

/** Prints the delimiter row below the title of a column, which contains its alignment. */
export function printDelimiterCell(column: ColumnDefinition, width: number): string {
  const dashes = '-'.repeat(width)
  const alignment = column.type === 'text' ? column.textAlignment : undefined
  if (alignment === 'center') return `:${dashes.slice(2)}:`
  if (alignment === 'right') return `${dashes.slice(1)}:`
  return alignment === 'left' ? `:${dashes.slice(1)}` : dashes
}

/**
 * Maximum number of padding spaces of a table beyond four times its text: one long cell in a long table could exhaust the memory.
 */
const maxPaddingLength = 1_000_000

const minWidths = (header: readonly string[]): number[] => header.map(() => 3)

/** Returns the widths of aligned columns; the minimum widths if aligning would require too many spaces. */
function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths = minWidths(rows[0] ?? [])
  let written = 0
  for (const row of rows) {
    row.forEach((cell, index) => {
      const width = measureWidth(cell)
      written += width
      widths[index] = Math.max(widths[index] as number, width)
    })
  }
  const aligned = rows.length * widths.reduce((sum, width) => sum + width, 0)
  return aligned > 4 * written + maxPaddingLength ? minWidths(rows[0] ?? []) : widths
}

export function printHtmlTable(table: Table, context: PrintContext, printCellBlocks: PrintBlocks): string {
  const layout = createTableLayout(table)
  const heads = layout.columns.map((column) => printHead(layout, column, printCellBlocks)).join('')
  const printers = layout.columns.map((column) => cellPrinter(layout, column, context, printCellBlocks))
  const covered = layout.merges.size === 0 ? undefined : findCoveredColumns(layout)
  const rows = layout.rows.map(({ id, values }, row) => {
    const merges = layout.merges.get(id)
    const cells = layout.columns.map((column, index) =>
      covered?.[row]?.has(index) ? '' : printers[index]?.(values[column.id], merges?.get(column.id)),
    )
    return `<tr>${cells.join('')}</tr>`
  })
  return `<table${tableAttributes(table)}><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/**
 * Returns the columns of each row that are covered by merged cells and therefore not printed, as in any HTML. Returns undefined
 * if a covered cell has content or is covered twice; then every cell is printed and parsed by its position.
 */
function findCoveredColumns(layout: TableLayout): readonly ReadonlySet<number>[] | undefined {
  const { columns, rows, merges } = layout
  const covered = rows.map(() => new Set<number>())
  const isFree = (row: number, column: number) => {
    const value = rows[row]?.values[columns[column]?.id ?? '']
    const holds = columns[column]?.type === 'text' ? cellNodes(layout, value).length > 0 : (value ?? null) !== null
    return column < columns.length && !holds && !covered[row]?.has(column)
  }
  for (const [top, { id }] of rows.entries()) {
    const ofRow = merges.get(id)
    for (const [left, column] of ofRow ? columns.entries() : []) {
      const merge = ofRow?.get(column.id)
      if (!merge) continue
      if (covered[top]?.has(left)) return undefined
      for (let row = top; row < Math.min(top + merge.rowSpan, rows.length); row++) {
        for (let coveredColumn = left; coveredColumn < left + merge.colSpan; coveredColumn++) {
          if (row === top && coveredColumn === left) continue
          if (!isFree(row, coveredColumn)) return undefined
          covered[row]?.add(coveredColumn)
        }
      }
    }
  }
  const cellCount = columns.length * (1 + rows.length)
  const written = covered.reduce((sum, { size }) => sum - size, cellCount)
  return isPlausibleTableSize(cellCount, written) ? covered : undefined
}

function tableAttributes({ data: { view, fullWidth, search } }: Table): string {
  return [
    view.type === 'cards' ? ' data-view="cards"' : '',
    view.type === 'cards' && view.cardSize === 'large' ? ' data-card-size="large"' : '',
    view.type === 'cards' && view.hideColumnTitle ? ' data-column-title-hidden' : '',
    view.type === 'cards' && view.wrap !== undefined ? ` data-card-wrap="${view.wrap}"` : '',
    view.type === 'grid' && view.hideHeader ? ' data-header-hidden' : '',
    view.type === 'grid' && view.stickyHeader ? ' data-header-sticky' : '',
    fullWidth ? ' data-full-width="true"' : '',
    search === undefined ? '' : ` data-search="${search}"`,
  ].join('')
}

function printHead(layout: TableLayout, column: ColumnDefinition, printCellBlocks: PrintBlocks): string {
  const { table, visibleColumns } = layout
  const { view } = table.data
  const width = view.type === 'grid' ? view.columnWidths?.[column.id] : undefined
  const attributes = [
    width === undefined ? '' : ` width="${width}"`,
    column.type === 'text' && column.textAlignment ? ` align="${column.textAlignment}"` : '',
    column.type === 'text' && column.verticalAlignment ? ` valign="${column.verticalAlignment}"` : '',
    visibleColumns.has(column.id) ? '' : ' data-hidden',
    view.type === 'cards' && view.targetDefinition === column.id ? ' data-card-target' : '',
    view.type === 'cards' && view.coverDefinition === column.id ? ' data-card-cover' : '',
    view.type === 'cards' && view.coverDefinitionDark === column.id ? ' data-card-cover-dark' : '',
    column.type === 'text' || column.type === 'select' ? '' : ` data-type="${column.type}"`,
    column.type === 'users' && column.multiple ? ' data-multiple' : '',
    column.type === 'rating' ? ` data-max="${column.max}"` : '',
  ].join('')
  const header =
    column.header === undefined ? escapeHtml(column.title) : printCellBlocks(cellNodes(layout, column.header))
  return `<th${attributes}>${header}${column.type === 'select' ? printOptions(column) : ''}</th>`
}

function printOptions({ multiple, options }: Extract<ColumnDefinition, { type: 'select' }>): string {
  const written = options.map(
    ({ value, label, color }) =>
      `<option value="${escapeAttribute(value)}" label="${escapeAttribute(label)}"${color ? ` color="${escapeAttribute(color)}"` : ''}></option>`,
  )
  return `<select${multiple ? ' multiple' : ''}>${written.join('')}</select>`
}

function cellPrinter(
  layout: TableLayout,
  column: ColumnDefinition,
  context: PrintContext,
  printCellBlocks: PrintBlocks,
): (value: CellValue | undefined, merge: CellMerge | undefined) => string {
  const align = column.type === 'text' && column.textAlignment ? ` align="${column.textAlignment}"` : ''
  const valign = column.type === 'text' && column.verticalAlignment ? ` valign="${column.verticalAlignment}"` : ''
  const labels = new Map(column.type === 'select' ? column.options.map(({ value, label }) => [value, label]) : [])
  return (value, merge) => {
    const spans = [
      merge && merge.rowSpan > 1 ? ` rowspan="${merge.rowSpan}"` : '',
      merge && merge.colSpan > 1 ? ` colspan="${merge.colSpan}"` : '',
    ].join('')
    const fit =
      typeof value === 'object' && value !== null && 'objectFit' in value && value.objectFit
        ? ` data-object-fit="${value.objectFit}"`
        : ''
    const inner =
      column.type === 'text' && typeof value === 'string'
        ? printCellBlocks(cellNodes(layout, value))
        : printValue(column, value, labels, context)
    return `<td${spans}${align}${valign}${fit}>${inner}</td>`
  }
}

const link = (destination: string) => `<a href="${escapeAttribute(destination)}">${escapeHtml(destination)}</a>`

function printValue(
  { type }: ColumnDefinition,
  value: CellValue | undefined,
  labels: ReadonlyMap<string, string>,
  { references }: PrintContext,
): string {
  if (value === null || value === undefined) return ''
  if (isTexts(value)) {
    switch (type) {
      case 'select':
        return value
          .map((one) => `<span data-option="${escapeAttribute(one)}">${escapeHtml(labels.get(one) ?? one)}</span>`)
          .join('')
      case 'files':
        return value.map((file) => link(printFileCell(references, file))).join('')
      case 'users':
        return value.map((user) => link(printUserCell(references, user))).join('')
      default:
        return value.map(link).join('')
    }
  }
  if (typeof value !== 'object') return escapeHtml(String(value))
  if (!('ref' in value)) return link(references.print(value))
  const source = references.print(value.ref)
  return value.alt ? `<img src="${escapeAttribute(source)}" alt="${escapeAttribute(value.alt)}">` : link(source)
}

const isTexts = (value: CellValue): value is readonly string[] => Array.isArray(value)
