import type { CellValue, ColumnDefinition, Fragment, Table, TableView } from '../content/document/nodes.ts'
import { rowOrder } from '../content/document/tables.ts'
import { Cells, type TableParts, imageIn, ownValue, refIn } from './cells.ts'
import { type Html, attributes, markup, nothing } from './html.ts'
import { type Inlines, classes } from './inlines.ts'
import type { Setting } from './setting.ts'

type Grid = Extract<TableView, { type: 'grid' }>
type Cards = Extract<TableView, { type: 'cards' }>

/** Lengths of text from which a column gets more width. */
const shortText = 24
const longText = 80
/** Maximum length of a word that is not broken; longer words are mostly URLs. */
const longWord = /\S{33}/

/** Renders a table as a grid or as cards. */
export function renderTable(
  table: Table,
  setting: Setting,
  inlines: Inlines,
  fragment: (fragment: Fragment) => Html,
): Html {
  const { view, definition, fullWidth, search } = table.data
  const columns = view.columns.flatMap((id) => ownValue(definition, id) ?? [])
  if (columns.length === 0) return nothing
  const shown = new ShownTable({ table, columns, setting, inlines, fragment })
  const content = view.type === 'grid' ? shown.grid(view) : shown.cards(view)
  const { texts } = setting
  const finder =
    search === true &&
    markup`<input type="search" class="find" data-find data-scripted${attributes({ placeholder: texts.searchTable, 'aria-label': texts.searchTable })}>`
  const none = search === true && markup`<p class="missing" data-no-rows role="status" hidden>${texts.noRows}</p>`
  return markup`<div${attributes({ class: classes('table', fullWidth && 'full-width') })}>${finder}${content}${none}</div>`
}

class ShownTable {
  readonly #table: Table
  readonly #columns: readonly ColumnDefinition[]
  readonly #setting: Setting
  readonly #inlines: Inlines
  readonly #cells: Cells

  constructor(parts: TableParts) {
    this.#table = parts.table
    this.#columns = parts.columns
    this.#setting = parts.setting
    this.#inlines = parts.inlines
    this.#cells = new Cells(parts)
  }

  grid(view: Grid): Html {
    const rows = this.#shownRows()
    const rooms = this.#columns.map((column) => this.#room(column, view, rows))
    const heads = this.#columns.map((column, index) => this.#head(column, rooms[index]))
    const head = view.hideHeader ? nothing : markup`<thead><tr>${heads}</tr></thead>`
    const spans = new Spans(this.#table, this.#columns)
    const body = rows.map((row, index) => {
      // The column is as wide as its widest cell needs.
      const given = view.hideHeader && index === 0 ? rooms : []
      return markup`<tr>${this.#row(row, spans.next(row), given)}</tr>`
    })
    const look = classes('grid', view.stickyHeader && 'sticky-head', view.stickyFirstColumn && 'sticky-first')
    const region = attributes({ class: 'scroll', tabindex: 0, role: 'group', 'aria-label': this.#setting.texts.table })
    return markup`<div${region}><table${attributes({ class: look })}>${this.#widths(view)}${head}<tbody>${body}</tbody></table></div>`
  }

  /** Drops an empty last row, which editors add for the next entry. */
  #shownRows(): string[] {
    const rows = rowOrder(this.#table)
    const last = rows.at(-1)
    const isEmpty = (row: string) => this.#columns.every((column) => this.#cells.isEmpty(row, column))
    return rows.length > 1 && !this.#table.data.cellMerges && last !== undefined && isEmpty(last)
      ? rows.slice(0, -1)
      : rows
  }

  /** Whether any column has a header; an empty table head is not rendered. */
  #head(column: ColumnDefinition, room: string | undefined): Html {
    const header = this.#cells.header(column)
    if (header.text === '') return markup`<td${attributes({ class: room })}></td>`
    const isLong = column.header !== undefined || column.title.length > shortText
    const look = classes(alignment(column), room, isLong && 'long-head')
    return markup`<th scope="col"${attributes({ class: look })}>${header}</th>`
  }

  /** Returns the minimum width of a column, chosen by the author or derived from its longest text. */
  #room(column: ColumnDefinition, { columnWidths = {} }: Grid, rows: readonly string[]): string | undefined {
    if (ownValue(columnWidths, column.id) !== undefined) return undefined
    const longest = rows.reduce((most, row) => Math.max(most, this.#cells.textOf(row, column).length), 0)
    return longest > longText ? 'much-room' : longest > shortText ? 'some-room' : undefined
  }

  #row(row: string, spans: readonly (Span | undefined)[], rooms: readonly (string | undefined)[]): readonly Html[] {
    return this.#columns.map((column, index) => {
      const span = spans[index]
      if (span?.isCovered) return nothing
      const isLong = longWord.test(this.#cells.textOf(row, column))
      const look = classes(alignment(column), rooms[index], isLong && 'long-words')
      const around = attributes({ class: look, rowspan: over(span?.rows), colspan: over(span?.columns) })
      return markup`<td${around}>${this.#cells.render(row, index)}</td>`
    })
  }

  #widths({ columnWidths = {} }: Grid): Html {
    const widths = this.#columns.map(({ id }) => ownValue(columnWidths, id))
    if (widths.every((width) => width === undefined)) return nothing
    return markup`<colgroup>${widths.map((width) => markup`<col${attributes({ style: width === undefined ? undefined : `width:${Math.round(width)}px` })}>`)}</colgroup>`
  }

  cards(view: Cards): Html {
    const cards = rowOrder(this.#table).map((row) => this.#card(row, view))
    return markup`<ul${attributes({ class: `cards cards-${view.cardSize}`, role: 'list' })}>${cards}</ul>`
  }

  /** Renders a card; its target covers the whole card below the links inside. */
  #card(row: string, view: Cards): Html {
    const valueIn = (column: string | undefined) => this.#cells.valueOf(row, column)
    const ref = refIn(valueIn(view.targetDefinition))
    const target = ref && this.#setting.linkTo(ref)
    const id = target && this.#setting.newId('card')
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
      markup`<a${attributes({ class: 'card-link', href: target.href, ...(hasName ? { 'aria-labelledby': id } : { 'aria-label': target.title }), ...this.#inlines.external(target) })}></a>`
    return markup`<li class="card">${this.#cover(view, valueIn)}<div class="card-body">${fields}</div>${link}</li>`
  }

  #cover(view: Cards, valueIn: (column: string | undefined) => CellValue | undefined): Html {
    const light = this.#coverIn(valueIn(view.coverDefinition))
    const dark = this.#coverIn(valueIn(view.coverDefinitionDark))
    if (!light && !dark) return nothing
    return markup`<div class="cover">${light && coverImage(light, dark && 'only-light')}${dark && coverImage(dark, light && 'only-dark')}</div>`
  }

  #coverIn(value: CellValue | undefined): Cover | undefined {
    const image = imageIn(value)
    const shown = image && this.#setting.file(image.ref)
    return shown && { url: shown.sized?.(960) ?? shown.url, fit: image.objectFit, alt: image.alt ?? '' }
  }
}

function alignment(column: ColumnDefinition): string | undefined {
  if (column.type === 'number') return 'right'
  if (column.type !== 'text') return undefined
  const { textAlignment, verticalAlignment } = column
  return classes(textAlignment !== 'left' && textAlignment, verticalAlignment && `vertical-${verticalAlignment}`)
}

const over = (count: number | undefined): number | undefined => (count === 1 ? undefined : count)

interface Span {
  rows: number
  columns: number
  isCovered: boolean
}

const covered: Span = { rows: 1, columns: 1, isCovered: true }

/** Computes spans of cells row by row; of two overlapping cells the first wins. */
class Spans {
  readonly #columns: readonly ColumnDefinition[]
  readonly #merges = new Map<string, Map<string, { rowSpan: number; colSpan: number }>>()
  /** For each column the first row that no cell from above covers. */
  readonly #free: number[]
  #rowsLeft: number
  #row = 0

  constructor({ data: { cellMerges = [], records } }: Table, columns: readonly ColumnDefinition[]) {
    this.#columns = columns
    this.#free = columns.map(() => 0)
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
      if (this.#isCovered(index)) return covered
      const merge = merges?.get(column.id)
      return merge && this.#cover(index, merge)
    })
    this.#row++
    this.#rowsLeft--
    return spans
  }

  #isCovered = (column: number): boolean => (this.#free[column] ?? Infinity) > this.#row

  #cover(column: number, { rowSpan, colSpan }: { rowSpan: number; colSpan: number }): Span {
    const rows = Math.min(rowSpan, this.#rowsLeft)
    let columns = 0
    while (columns < colSpan && !this.#isCovered(column + columns)) this.#free[column + columns++] = this.#row + rows
    return { rows, columns, isCovered: false }
  }
}

interface Cover {
  url: string
  fit: string | undefined
  alt: string
}

const coverImage = ({ url, fit, alt }: Cover, mode: string | undefined): Html =>
  markup`<img${attributes({ class: classes(mode, fit !== undefined && `fit-${fit}`), src: url, alt, loading: 'lazy' })}>`
