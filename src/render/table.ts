import type {
  CellValue,
  ColumnDefinition,
  ContentRef,
  FileRef,
  Fragment,
  Table,
  TableView,
} from '../content/document/nodes.ts'
import { rowOrder } from '../content/document/tables.ts'
import { type Html, attributes, markup, nothing } from './html.ts'
import { type Inlines, classes } from './inlines.ts'
import type { Setting } from './setting.ts'

type Grid = Extract<TableView, { type: 'grid' }>
type Cards = Extract<TableView, { type: 'cards' }>
type RenderFragment = (fragment: Fragment) => Html

/** Shows a table, as a grid or as cards. */
export function renderTable(table: Table, setting: Setting, inlines: Inlines, fragment: RenderFragment): Html {
  const { view, fullWidth, search } = table.data
  const cells = new Cells(table, setting, inlines, fragment)
  const shown = view.type === 'grid' ? renderGrid(table, view, cells) : renderCards(table, view, cells, setting)
  const look = classes('table', fullWidth && 'full-width')
  const finder = search
    ? markup`<input type="search" class="find" data-find hidden${attributes({ placeholder: setting.texts.searchTable, 'aria-label': setting.texts.searchTable })}>`
    : nothing
  return markup`<div class="${look ?? ''}">${finder}${shown}</div>`
}

function renderGrid(table: Table, view: Grid, cells: Cells): Html {
  const { definition } = table.data
  const columns = view.columns.flatMap((id) => definition[id] ?? [])
  const spans = new Spans(table, columns)
  const head = view.hideHeader
    ? nothing
    : markup`<thead><tr>${columns.map((column) => markup`<th scope="col" ${attributes({ class: alignment(column) })}>${column.title}</th>`)}</tr></thead>`
  const widths = view.columnWidths ?? {}
  const sized = columns.some(({ id }) => widths[id] !== undefined)
  const columnGroup = sized
    ? markup`<colgroup>${columns.map(({ id }) => markup`<col${attributes({ style: widths[id] === undefined ? undefined : `width:${widths[id]}px` })}>`)}</colgroup>`
    : nothing
  const rows = rowOrder(table).map(
    (row) =>
      markup`<tr>${columns.map((column) => {
        const span = spans.at(row, column.id)
        if (span === 'covered') return nothing
        return markup`<td${attributes({ class: alignment(column), rowspan: span?.rowSpan, colspan: span?.colSpan })}>${cells.render(row, column)}</td>`
      })}</tr>`,
  )
  const look = classes('grid', view.stickyHeader && 'sticky-head', view.stickyFirstColumn && 'sticky-first')
  return markup`<div class="scroll" tabindex="0"><table class="${look ?? ''}">${columnGroup}${head}<tbody>${rows}</tbody></table></div>`
}

function alignment(column: ColumnDefinition): string | undefined {
  if (column.type === 'number') return 'right'
  if (column.type !== 'text') return undefined
  const vertical = column.verticalAlignment && `vertical-${column.verticalAlignment}`
  return classes(column.textAlignment !== 'left' && column.textAlignment, vertical)
}

/** Which cells of a grid cover others. */
class Spans {
  readonly #anchors = new Map<string, { rowSpan: number | undefined; colSpan: number | undefined }>()
  readonly #covered = new Set<string>()

  constructor(table: Table, columns: readonly ColumnDefinition[]) {
    const rows = rowOrder(table)
    const rowAt = new Map(rows.map((id, index) => [id, index]))
    const columnAt = new Map(columns.map(({ id }, index) => [id, index]))
    for (const { anchor, rowSpan, colSpan } of table.data.cellMerges ?? []) {
      const [top, left] = [rowAt.get(anchor.record), columnAt.get(anchor.column)]
      if (top === undefined || left === undefined) continue
      const bottom = Math.min(top + rowSpan, rows.length)
      const right = Math.min(left + colSpan, columns.length)
      for (const row of rows.slice(top, bottom)) {
        for (const { id } of columns.slice(left, right)) this.#covered.add(`${row} ${id}`)
      }
      this.#covered.delete(`${anchor.record} ${anchor.column}`)
      this.#anchors.set(`${anchor.record} ${anchor.column}`, {
        rowSpan: bottom - top > 1 ? bottom - top : undefined,
        colSpan: right - left > 1 ? right - left : undefined,
      })
    }
  }

  at(row: string, column: string) {
    const name = `${row} ${column}`
    return this.#covered.has(name) ? 'covered' : this.#anchors.get(name)
  }
}

function renderCards(table: Table, view: Cards, cells: Cells, setting: Setting): Html {
  const { definition, records } = table.data
  const columns = view.columns.flatMap((id) => definition[id] ?? [])
  const cards = rowOrder(table).map((row) => {
    const values = records[row]?.values ?? {}
    const target = view.targetDefinition === undefined ? undefined : refIn(values[view.targetDefinition])
    const link = target && setting.linkTo(target)
    const light = coverOf(view.coverDefinition, values, setting)
    const dark = coverOf(view.coverDefinitionDark, values, setting)
    const cover =
      light || dark
        ? markup`<div class="cover">${light && coverImage(light, dark && 'only-light')}${dark && coverImage(dark, light && 'only-dark')}</div>`
        : nothing
    const body = columns.map((column) => {
      const content = cells.render(row, column)
      if (content === nothing) return nothing
      const title = view.hideColumnTitle === false ? markup`<span class="label">${column.title}</span>` : nothing
      return markup`<div class="field">${title}${content}</div>`
    })
    const inside = markup`${cover}<div class="fields">${body}</div>`
    return markup`<li class="card">${inside}${link && markup`<a class="cover-link" ${attributes({ href: link.href, 'aria-label': link.title })}></a>`}</li>`
  })
  return markup`<ul${attributes({ class: classes('cards', `cards-${view.cardSize}`) })}>${cards}</ul>`
}

interface Cover {
  url: string
  fit: string | undefined
  alt: string
}

function coverOf(
  column: string | undefined,
  values: Readonly<Record<string, CellValue>>,
  setting: Setting,
): Cover | undefined {
  const value = column === undefined ? undefined : values[column]
  const image = imageIn(value)
  const shown = image && setting.file(image.ref)
  return shown && { url: shown.url, fit: image.objectFit, alt: image.alt ?? '' }
}

const coverImage = ({ url, fit, alt }: Cover, mode: string | undefined | false): Html =>
  markup`<img${attributes({ class: classes(mode, fit !== undefined && `fit-${fit}`), src: url, alt, loading: 'lazy' })}>`

function refIn(value: CellValue | undefined): ContentRef | undefined {
  return typeof value === 'object' && value !== null && 'kind' in value ? value : undefined
}

function imageIn(value: CellValue | undefined): { ref: FileRef; objectFit?: string; alt?: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if ('ref' in value) return value
  if ('kind' in value && (value.kind === 'file' || value.kind === 'url')) return { ref: value }
  return Array.isArray(value) && typeof value[0] === 'string' ? { ref: { kind: 'file', file: value[0] } } : undefined
}

/** Shows the values of cells. */
class Cells {
  readonly #table: Table
  readonly #setting: Setting
  readonly #inlines: Inlines
  readonly #fragment: RenderFragment
  readonly #fragments: ReadonlyMap<string, Fragment>

  constructor(table: Table, setting: Setting, inlines: Inlines, fragment: RenderFragment) {
    this.#table = table
    this.#setting = setting
    this.#inlines = inlines
    this.#fragment = fragment
    this.#fragments = new Map(table.fragments.map((one) => [one.fragment ?? '', one]))
  }

  /** `nothing` for a cell that is empty. */
  render(row: string, column: ColumnDefinition): Html {
    const value = this.#table.data.records[row]?.values[column.id]
    if (value === undefined || value === null || value === '') return nothing
    switch (column.type) {
      case 'text':
        return this.#text(value)
      case 'checkbox':
        return markup`<span${attributes({ class: 'check', role: 'img', 'aria-label': value ? this.#setting.texts.taskDone : this.#setting.texts.taskOpen })}>${this.#setting.icon(value ? 'square-check' : 'square')}</span>`
      case 'rating':
        return this.#rating(Number(value), column.max)
      case 'select':
        return markup`${listOf(value).map((chosen) => {
          const option = column.options.find((one) => one.value === chosen)
          return markup`<span${attributes({ class: classes('option', option?.color !== undefined && `option-${option.color}`) })}>${option?.label ?? chosen}</span>`
        })}`
      case 'content-ref': {
        const ref = refIn(value)
        const target = ref && this.#setting.linkTo(ref)
        return target ? this.#inlines.link(target, markup`${target.title}`) : nothing
      }
      case 'files':
        return markup`${listOf(value).map((file) => this.#file({ kind: 'file', file }))}`
      case 'image': {
        const image = imageIn(value)
        const shown = image && this.#setting.file(image.ref)
        return shown ? markup`<img${attributes({ src: shown.url, alt: image.alt ?? '', loading: 'lazy' })}>` : nothing
      }
      case 'users':
        return markup`${listOf(value).map((user) => {
          const target = this.#setting.linkTo({ kind: 'user', user })
          return target ? markup`<span class="user">${target.title}</span>` : nothing
        })}`
      default:
        return typeof value === 'object' ? nothing : markup`${String(value)}`
    }
  }

  #text(value: CellValue): Html {
    const fragment = typeof value === 'string' ? this.#fragments.get(value) : undefined
    return fragment && fragment.nodes.length > 0 ? this.#fragment(fragment) : nothing
  }

  #file(ref: FileRef): Html {
    const shown = this.#setting.file(ref)
    return shown ? markup`<a${attributes({ href: shown.url, download: shown.name })}>${shown.name}</a> ` : nothing
  }

  #rating(value: number, max: number): Html {
    const stars = Array.from(
      { length: Math.min(max, 10) },
      (_, index) => markup`<span class="${index < value ? 'star full' : 'star'}">${this.#setting.icon('star')}</span>`,
    )
    return markup`<span role="img" aria-label="${value} / ${max}">${stars}</span>`
  }
}

function listOf(value: CellValue): string[] {
  if (Array.isArray(value)) return value.filter((item): item is string => typeof item === 'string')
  return typeof value === 'string' ? [value] : []
}
