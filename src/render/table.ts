import type { CellValue, ColumnDefinition, Fragment, Table, TableView } from '../content/document/nodes.ts'
import { rowOrder } from '../content/document/tables.ts'
import { CellRenderer, type TableParts, toImageCell, ownValue, toContentRef } from './cells.ts'
import { type Html, attributes, markup, nothing } from './html.ts'
import { type InlineRenderer, joinClasses } from './inlines.ts'
import type { RenderContext } from './render-context.ts'

type Grid = Extract<TableView, { type: 'grid' }>
type Cards = Extract<TableView, { type: 'cards' }>

/** Lengths of text from which a column gets more width. */
const mediumTextLength = 24
const longTextLength = 80
/** Maximum length of a word that is not broken; longer words are mostly URLs. */
const longWordPattern = /\S{33}/

/** Renders a table as a grid or as cards, row by row. */
export function* renderTableByRow(
  table: Table,
  context: RenderContext,
  inlines: InlineRenderer,
  renderFragment: (fragment: Fragment) => Html,
): Iterable<Html> {
  const { view, definition, fullWidth, search } = table.data
  const columns = view.columns.flatMap((id) => ownValue(definition, id) ?? [])
  if (columns.length === 0) return
  const shown = new TableRenderer({ table, columns, context, inlines, renderFragment })
  const { texts } = context
  const searchInput =
    search === true &&
    markup`<input type="search" class="find" data-find data-scripted${attributes({ placeholder: texts.searchTable, 'aria-label': texts.searchTable })}>`
  const noRowsMessage =
    search === true && markup`<p class="missing" data-no-rows role="status" hidden>${texts.noRows}</p>`
  yield markup`<div${attributes({ class: joinClasses('table', fullWidth && 'full-width') })}>${searchInput}`
  yield* view.type === 'grid' ? shown.renderGrid(view) : shown.renderCards(view)
  yield markup`${noRowsMessage}</div>`
}

class TableRenderer {
  readonly #table: Table
  readonly #columns: readonly ColumnDefinition[]
  readonly #context: RenderContext
  readonly #inlines: InlineRenderer
  readonly #cells: CellRenderer

  constructor(parts: TableParts) {
    this.#table = parts.table
    this.#columns = parts.columns
    this.#context = parts.context
    this.#inlines = parts.inlines
    this.#cells = new CellRenderer(parts)
  }

  *renderGrid(view: Grid): Iterable<Html> {
    const rows = this.#visibleRows()
    const widthClasses = this.#columns.map((column) => this.#widthClass(column, view, rows))
    const heads = this.#columns.map((column, index) => this.#head(column, widthClasses[index]))
    const head = view.hideHeader ? nothing : markup`<thead><tr>${heads}</tr></thead>`
    const spans = new CellSpans(this.#table, this.#columns)
    const className = joinClasses('grid', view.stickyHeader && 'sticky-head', view.stickyFirstColumn && 'sticky-first')
    const region = attributes({ class: 'scroll', tabindex: 0, role: 'group', 'aria-label': this.#context.texts.table })
    yield markup`<div${region}><table${attributes({ class: className })}>${this.#widths(view)}${head}<tbody>`
    for (const [index, row] of rows.entries()) {
      // The column is as wide as its widest cell needs.
      const cellWidthClasses = view.hideHeader && index === 0 ? widthClasses : []
      yield markup`<tr>${this.#row(row, spans.next(row), cellWidthClasses)}</tr>`
    }
    yield markup`</tbody></table></div>`
  }

  /** Drops an empty last row, which editors add for the next entry. */
  #visibleRows(): string[] {
    const rows = rowOrder(this.#table)
    const last = rows.at(-1)
    const isEmpty = (row: string) => this.#columns.every((column) => this.#cells.isEmpty(row, column))
    return rows.length > 1 && !this.#table.data.cellMerges && last !== undefined && isEmpty(last)
      ? rows.slice(0, -1)
      : rows
  }

  /** Whether any column has a header; an empty table head is not rendered. */
  #head(column: ColumnDefinition, widthClass: string | undefined): Html {
    const header = this.#cells.header(column)
    if (header.text === '') return markup`<td${attributes({ class: widthClass })}></td>`
    const isLong = column.header !== undefined || column.title.length > mediumTextLength
    const className = joinClasses(alignmentClass(column), widthClass, isLong && 'long-head')
    return markup`<th scope="col"${attributes({ class: className })}>${header}</th>`
  }

  /** Returns the minimum width of a column, chosen by the author or derived from its longest text. */
  #widthClass(column: ColumnDefinition, { columnWidths = {} }: Grid, rows: readonly string[]): string | undefined {
    if (ownValue(columnWidths, column.id) !== undefined) return undefined
    const longest = rows.reduce((most, row) => Math.max(most, this.#cells.getText(row, column).length), 0)
    return longest > longTextLength ? 'much-room' : longest > mediumTextLength ? 'some-room' : undefined
  }

  #row(
    row: string,
    spans: readonly (Span | undefined)[],
    widthClasses: readonly (string | undefined)[],
  ): readonly Html[] {
    return this.#columns.map((column, index) => {
      const span = spans[index]
      if (span?.isCovered) return nothing
      const isLong = longWordPattern.test(this.#cells.getText(row, column))
      const className = joinClasses(alignmentClass(column), widthClasses[index], isLong && 'long-words')
      const cellAttributes = attributes({
        class: className,
        rowspan: spanAttribute(span?.rows),
        colspan: spanAttribute(span?.columns),
      })
      return markup`<td${cellAttributes}>${this.#cells.render(row, index)}</td>`
    })
  }

  #widths({ columnWidths = {} }: Grid): Html {
    const widths = this.#columns.map(({ id }) => ownValue(columnWidths, id))
    if (widths.every((width) => width === undefined)) return nothing
    return markup`<colgroup>${widths.map((width) => markup`<col${attributes({ style: width === undefined ? undefined : `width:${Math.round(width)}px` })}>`)}</colgroup>`
  }

  *renderCards(view: Cards): Iterable<Html> {
    yield markup`<ul${attributes({ class: `cards cards-${view.cardSize}`, role: 'list' })}>`
    for (const row of rowOrder(this.#table)) yield this.#card(row, view)
    yield markup`</ul>`
  }

  /** Renders a card; its target covers the whole card below the links inside. */
  #card(row: string, view: Cards): Html {
    const getValue = (column: string | undefined) => this.#cells.getValue(row, column)
    const ref = toContentRef(getValue(view.targetDefinition))
    const target = ref && this.#context.resolveLink(ref)
    const id = target && this.#context.newId('card')
    let hasName = false
    const fields = this.#columns.map((column, index) => {
      const content = this.#cells.render(row, index)
      if (content.text === '') return nothing
      const label = view.hideColumnTitle === false ? this.#cells.header(column) : nothing
      const isName = !hasName
      hasName = true
      return markup`<div${attributes({ class: 'card-field', id: isName ? id : undefined })}>${label.text !== '' && markup`<span class="label">${label}</span>`}${content}</div>`
    })
    const link =
      target?.href !== undefined &&
      markup`<a${attributes({ class: 'card-link', href: target.href, ...(hasName ? { 'aria-labelledby': id } : { 'aria-label': target.title }), ...this.#inlines.externalAttributes(target) })}></a>`
    return markup`<li class="card">${this.#cover(view, getValue)}<div class="card-body">${fields}</div>${link}</li>`
  }

  #cover(view: Cards, getValue: (column: string | undefined) => CellValue | undefined): Html {
    const light = this.#toCover(getValue(view.coverDefinition))
    const dark = this.#toCover(getValue(view.coverDefinitionDark))
    if (!light && !dark) return nothing
    return markup`<div class="cover">${light && renderCoverImage(light, dark && 'only-light')}${dark && renderCoverImage(dark, light && 'only-dark')}</div>`
  }

  #toCover(value: CellValue | undefined): CardCover | undefined {
    const image = toImageCell(value)
    const shown = image && this.#context.resolveFile(image.ref)
    return shown && { url: shown.resizedUrl?.(960) ?? shown.url, fit: image.objectFit, alt: image.alt ?? '' }
  }
}

function alignmentClass(column: ColumnDefinition): string | undefined {
  if (column.type === 'number') return 'right'
  if (column.type !== 'text') return undefined
  const { textAlignment, verticalAlignment } = column
  return joinClasses(textAlignment !== 'left' && textAlignment, verticalAlignment && `vertical-${verticalAlignment}`)
}

const spanAttribute = (count: number | undefined): number | undefined => (count === 1 ? undefined : count)

interface Span {
  rows: number
  columns: number
  isCovered: boolean
}

const coveredCell: Span = { rows: 1, columns: 1, isCovered: true }

/** Computes spans of cells row by row; of two overlapping cells the first wins. */
class CellSpans {
  readonly #columns: readonly ColumnDefinition[]
  readonly #merges = new Map<string, Map<string, { rowSpan: number; colSpan: number }>>()
  /** For each column the first row that no cell from above covers. */
  readonly #firstFreeRow: number[]
  #rowsLeft: number
  #row = 0

  constructor({ data: { cellMerges = [], records } }: Table, columns: readonly ColumnDefinition[]) {
    this.#columns = columns
    this.#firstFreeRow = columns.map(() => 0)
    this.#rowsLeft = Object.keys(records).length
    for (const { anchor, rowSpan, colSpan } of cellMerges) {
      const ofRow = this.#merges.get(anchor.record) ?? new Map<string, { rowSpan: number; colSpan: number }>()
      this.#merges.set(anchor.record, ofRow.set(anchor.column, { rowSpan, colSpan }))
    }
  }

  /** Returns the spans of the next row; undefined for cells that span nothing. */
  next(id: string): readonly (Span | undefined)[] {
    const merges = this.#merges.get(id)
    const spans = this.#columns.map((column, index) => {
      if (this.#isCovered(index)) return coveredCell
      const merge = merges?.get(column.id)
      return merge && this.#cover(index, merge)
    })
    this.#row++
    this.#rowsLeft--
    return spans
  }

  #isCovered = (column: number): boolean => (this.#firstFreeRow[column] ?? Infinity) > this.#row

  #cover(column: number, { rowSpan, colSpan }: { rowSpan: number; colSpan: number }): Span {
    const rows = Math.min(rowSpan, this.#rowsLeft)
    let columns = 0
    while (columns < colSpan && !this.#isCovered(column + columns))
      this.#firstFreeRow[column + columns++] = this.#row + rows
    return { rows, columns, isCovered: false }
  }
}

interface CardCover {
  url: string
  fit: string | undefined
  alt: string
}

const renderCoverImage = ({ url, fit, alt }: CardCover, mode: string | undefined): Html =>
  markup`<img${attributes({ class: joinClasses(mode, fit !== undefined && `fit-${fit}`), src: url, alt, loading: 'lazy' })}>`
