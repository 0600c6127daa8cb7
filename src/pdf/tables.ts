import type { CellValue, ColumnDefinition, ContentRef, FileRef, Fragment, Table } from '../content/document/nodes.ts'
import { rowOrder } from '../content/document/tables.ts'
import { textOfBlocks } from '../content/document/text.ts'
import { colorOf } from './inlines.ts'
import type { PdfContext } from './pdf-context.ts'
import { Typst, typst, typstArray } from './typst.ts'

/** Weight of a column: at least a short word, at most a line of text. */
const [minWeight, maxWeight] = [6, 44]

/** Number of columns from which the text of a table is smaller. */
const manyColumns = 6

/** Converts a table to a grid or to cards. */
export function renderTable(
  table: Table,
  context: PdfContext,
  renderFragment: (fragment: Fragment) => Typst,
): Typst | undefined {
  const { view, definition } = table.data
  const columns = view.columns.flatMap((id) => (Object.hasOwn(definition, id) ? (definition[id] ?? []) : []))
  if (columns.length === 0) return undefined
  const cells = new Cells(table, context, renderFragment)
  const rows = rowOrder(table)
  return view.type === 'cards' ? renderCards(table, columns, rows, cells) : renderGrid(table, columns, rows, cells)
}

function renderGrid(table: Table, columns: readonly ColumnDefinition[], rows: readonly string[], cells: Cells): Typst {
  const { view, cellMerges = [] } = table.data
  const hasHeader =
    view.type === 'grid' && !view.hideHeader && columns.some((column) => cells.headerText(column) !== '')
  const weights = columns.map((column) =>
    weightOf([cells.headerText(column), ...rows.map((row) => cells.text(row, column))]),
  )
  const covered = new Set<string>()
  const merges = new Map(cellMerges.map((merge) => [JSON.stringify([merge.anchor.record, merge.anchor.column]), merge]))
  const body = rows.flatMap((row, rowIndex) =>
    columns.flatMap((column, columnIndex) => {
      if (covered.has(positionOf(rowIndex, columnIndex))) return []
      const merge = merges.get(JSON.stringify([row, column.id]))
      const isFree = (across: number, down: number) => !covered.has(positionOf(rowIndex + down, columnIndex + across))
      let across = 1
      while (across < (merge?.colSpan ?? 1) && columnIndex + across < columns.length && isFree(across, 0)) across++
      const down = Math.min(merge?.rowSpan ?? 1, rows.length - rowIndex)
      for (let y = 0; y < down; y++)
        for (let x = 0; x < across; x++) covered.add(positionOf(rowIndex + y, columnIndex + x))
      return typst`table.cell(colspan: ${across}, rowspan: ${down}, align: ${alignmentOf(column)}, ${cells.render(row, column)})`
    }),
  )
  const header = hasHeader
    ? [
        typst`table.header(${columns.map((column) => typst`table.cell(align: ${alignmentOf(column)}, strong(${cells.header(column)}))`)})`,
      ]
    : []
  const widths = typstArray(weights.map((weight) => typst`${weight} * 1fr`))
  return typst`grid-table(${widths}, ${columns.length >= manyColumns}, ${hasHeader}, ${[...header, ...body]})`
}

const positionOf = (row: number, column: number): string => `${row} ${column}`

/** Returns the share of the width for a column with these texts. */
function weightOf(texts: readonly string[]): number {
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0)
  return Math.min(Math.max(longest, minWeight), maxWeight)
}

function alignmentOf(column: ColumnDefinition): Typst {
  if (column.type === 'number') return typst`end`
  if (column.type !== 'text') return typst`start`
  if (column.textAlignment === 'center') return typst`center`
  return column.textAlignment === 'right' ? typst`end` : typst`start`
}

function renderCards(table: Table, columns: readonly ColumnDefinition[], rows: readonly string[], cells: Cells): Typst {
  const { view } = table.data
  if (view.type !== 'cards') return typst`none`
  const cards = rows.map((row) => {
    const cover = cells.image(cells.valueOf(row, view.coverDefinition))
    const fields = columns.flatMap((column) => {
      if (cells.isEmpty(row, column)) return []
      const content = cells.render(row, column)
      const label = view.hideColumnTitle === false && cells.headerText(column) !== '' ? cells.header(column) : undefined
      return label ? typst`field(${label}, ${content})` : typst`block(${content})`
    })
    const content = typst`card(${[cover ?? typst`none`, ...fields]})`
    return cells.linkTo(cells.valueOf(row, view.targetDefinition), content)
  })
  return typst`card-grid(${view.cardSize === 'large' ? 2 : 3}, ${cards})`
}

class Cells {
  readonly #table: Table
  readonly #context: PdfContext
  readonly #renderFragment: (fragment: Fragment) => Typst
  readonly #fragments: ReadonlyMap<string, Fragment>

  constructor(table: Table, context: PdfContext, renderFragment: (fragment: Fragment) => Typst) {
    this.#table = table
    this.#context = context
    this.#renderFragment = renderFragment
    this.#fragments = new Map(table.fragments.map((one) => [one.fragment ?? '', one]))
  }

  valueOf(row: string, column: string | undefined): CellValue | undefined {
    const values = this.#table.data.records[row]?.values ?? {}
    return column !== undefined && Object.hasOwn(values, column) ? values[column] : undefined
  }

  header({ title, header }: ColumnDefinition): Typst {
    const fragment = header === undefined ? undefined : this.#fragments.get(header)
    return fragment ? this.#renderFragment(fragment) : typst`${title}`
  }

  headerText({ title, header }: ColumnDefinition): string {
    const fragment = header === undefined ? undefined : this.#fragments.get(header)
    return fragment ? textOfBlocks(fragment.nodes, ' ') : title
  }

  /** Returns the text of a cell, which determines the width of its column. */
  text(row: string, column: ColumnDefinition): string {
    const value = this.valueOf(row, column.id)
    if (typeof value === 'number') return String(value)
    if (column.type === 'select' || column.type === 'files') return 'x'.repeat(20)
    if (typeof value !== 'string') return ''
    return column.type === 'text' ? textOfBlocks(this.#fragments.get(value)?.nodes ?? [], ' ') : value
  }

  isEmpty(row: string, column: ColumnDefinition): boolean {
    const value = this.valueOf(row, column.id)
    if (value === undefined || value === null || value === '') return true
    if (column.type !== 'text' || typeof value !== 'string') return false
    return (this.#fragments.get(value)?.nodes.length ?? 0) === 0
  }

  render(row: string, column: ColumnDefinition): Typst {
    const value = this.valueOf(row, column.id)
    if (value === undefined || value === null || value === '') return typst`none`
    if (column.type === 'text' && typeof value === 'string') {
      const fragment = this.#fragments.get(value)
      return fragment ? this.#renderFragment(fragment) : typst`none`
    }
    if (column.type === 'rating' && typeof value === 'number') return typst`${`${value} / ${column.max}`}`
    if (column.type === 'image') return this.image(value) ?? typst`none`
    if (typeof value === 'number') return typst`${String(value)}`
    if (typeof value === 'boolean') return typst`checkbox(${value})`
    if (typeof value === 'string' || isList(value)) {
      const items = (isList(value) ? value : [value]).map((one) => this.#listValue(one, column))
      return typst`spaced(${items})`
    }
    return 'kind' in value ? this.#link(value) : (this.image(value) ?? typst`none`)
  }

  #listValue(value: string, column: ColumnDefinition): Typst {
    if (column.type === 'select') {
      const option = column.options.find((one) => one.value === value)
      return typst`tag(${option?.label ?? value}, ${colorOf(option?.color) ?? typst`muted`})`
    }
    if (column.type === 'files') return this.#link({ kind: 'file', file: value })
    if (column.type === 'users') return this.#link({ kind: 'user', user: value })
    return typst`seq(${value})`
  }

  #link(ref: ContentRef): Typst {
    const target = this.#context.findTarget(ref)
    return target ? this.#context.link(target, typst`seq(${target.title})`) : typst`none`
  }

  /** Makes content a link to the target of a cell, if it has one. */
  linkTo(value: CellValue | undefined, content: Typst): Typst {
    const ref = typeof value === 'object' && value !== null && 'kind' in value ? value : undefined
    return ref ? this.#context.link(this.#context.findTarget(ref), content) : content
  }

  image(value: CellValue | undefined): Typst | undefined {
    const found = toImage(value)
    const file = found && this.#context.findFile(found.ref)
    const name = file && this.#context.useImage(file)
    return name === undefined ? undefined : typst`cell-image(${name}, ${found?.alt ?? file?.name ?? ''})`
  }
}

function toImage(value: CellValue | undefined): { ref: FileRef; alt?: string | undefined } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (isList(value)) return value[0] === undefined ? undefined : { ref: { kind: 'file', file: value[0] } }
  if ('ref' in value) return value
  return value.kind === 'file' || value.kind === 'url' ? { ref: value } : undefined
}

const isList = (value: CellValue): value is readonly string[] => Array.isArray(value)
