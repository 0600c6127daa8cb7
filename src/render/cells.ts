import type {
  Block,
  CellValue,
  ColumnDefinition,
  ContentRef,
  FileRef,
  Fragment,
  Table,
} from '../content/document/nodes.ts'
import { textOfBlocks } from '../content/document/text.ts'
import { type Html, attributes, markup, nothing } from './html.ts'
import type { InlineRenderer } from './inlines.ts'
import type { RenderContext } from './render-context.ts'
import { toneStyle } from './tones.ts'

type ImageCell = Extract<CellValue, { ref: unknown }>
type Column<Type> = Extract<ColumnDefinition, { type: Type }>

/** Maximum number of stars; higher ratings are shown as a number. */
const maxStars = 10

/** Returns an own property of a record with user-defined keys. */
export const ownValue = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** A table with its visible columns and what rendering its cells needs. */
export interface TableParts {
  table: Table
  columns: readonly ColumnDefinition[]
  context: RenderContext
  inlines: InlineRenderer
  renderFragment: (fragment: Fragment) => Html
}

/** Renders the values of cells. */
export class CellRenderer {
  readonly #table: Table
  readonly #context: RenderContext
  readonly #inlines: InlineRenderer
  readonly #renderFragment: (fragment: Fragment) => Html
  readonly #fragments: ReadonlyMap<string, Fragment>
  readonly #columns: readonly { id: string; render: (value: CellValue) => Html }[]

  constructor({ table, columns, context, inlines, renderFragment }: TableParts) {
    this.#table = table
    this.#context = context
    this.#inlines = inlines
    this.#renderFragment = renderFragment
    this.#fragments = new Map(table.fragments.map((one) => [one.fragment ?? '', one]))
    this.#columns = columns.map((column) => ({ id: column.id, render: this.#rendererFor(column) }))
  }

  getValue(row: string, column: string | undefined): CellValue | undefined {
    return column === undefined ? undefined : ownValue(this.#table.data.records[row]?.values ?? {}, column)
  }

  /** Renders a column header; `nothing` if it is empty. */
  header({ title, header }: ColumnDefinition): Html {
    if (header !== undefined) return this.#text(header)
    return title === '' ? nothing : markup`${title}`
  }

  /** Returns the text of a cell, which determines the width of its column. */
  getText(row: string, column: ColumnDefinition): string {
    const value = this.getValue(row, column.id)
    if (column.type !== 'text' || typeof value !== 'string') return ''
    return textOfBlocks(this.#fragments.get(value)?.nodes ?? [], ' ')
  }

  /** Whether a cell is empty. */
  isEmpty(row: string, column: ColumnDefinition): boolean {
    const value = this.getValue(row, column.id)
    if (value === undefined || value === null || value === '') return true
    if (isList(value)) return value.length === 0
    if (column.type !== 'text' || typeof value !== 'string') return false
    return this.#fragments.get(value)?.nodes.every(isEmptyParagraph) ?? true
  }

  /** Renders a cell; `nothing` if it is empty. */
  render(row: string, column: number): Html {
    const renderer = this.#columns[column]
    const value = this.getValue(row, renderer?.id)
    return !renderer || value === undefined || value === null || value === '' ? nothing : renderer.render(value)
  }

  /** Renders a value that does not match the type of its column, which may have changed since the value was written. */
  #rendererFor(column: ColumnDefinition): (value: CellValue) => Html {
    switch (column.type) {
      case 'text':
        return (value) => (typeof value === 'string' ? this.#text(value) : this.#renderByValueType(value))
      case 'rating':
        return (value) => (typeof value === 'number' ? this.#rating(value, column) : this.#renderByValueType(value))
      case 'select':
        return this.#optionsRenderer(column)
      case 'files':
        return (value) => this.#renderValues(value, (file) => this.#file({ kind: 'file', file }))
      case 'users':
        return (value) => this.#renderValues(value, (user) => this.#person(user))
      case 'image':
        return (value) => {
          const image = toImageCell(value)
          return image ? this.#image(image) : this.#renderByValueType(value)
        }
      case 'number':
      case 'checkbox':
      case 'content-ref':
        return (value) => this.#renderByValueType(value)
    }
  }

  #renderByValueType(value: CellValue): Html {
    if (typeof value === 'number') return markup`${this.#number(value)}`
    if (typeof value === 'boolean') return this.#check(value)
    if (typeof value === 'string') return markup`${value}`
    if (value === null) return nothing
    if (isList(value)) return markup`${value.join(', ')}`
    return 'kind' in value ? this.#link(value) : this.#image(value)
  }

  #number(value: number): string {
    return this.#context.formatNumber?.(value) ?? String(value)
  }

  #text(name: string): Html {
    const fragment = this.#fragments.get(name)
    return fragment && fragment.nodes.length > 0 ? this.#renderFragment(fragment) : nothing
  }

  #check(isChecked: boolean): Html {
    const { texts } = this.#context
    return markup`<span${attributes({ class: isChecked ? 'check checked' : 'check', role: 'img', 'aria-label': isChecked ? texts.taskDone : texts.taskOpen })}>${this.#context.icon(isChecked ? 'square-check' : 'square')}</span>`
  }

  #rating(value: number, { max }: Column<'rating'>): Html {
    const label = `${this.#number(value)} / ${max}`
    if (max > maxStars) return markup`${label}`
    const star = this.#context.icon('star')
    const stars = Array.from(
      { length: max },
      (_, index) => markup`<span${attributes({ class: index < value ? 'full' : undefined })}>${star}</span>`,
    )
    return markup`<span class="rating" role="img" aria-label="${label}">${stars}</span>`
  }

  #optionsRenderer({ options }: Column<'select'>): (value: CellValue) => Html {
    const optionsByValue = new Map(options.map((option) => [option.value, option]))
    const show = (chosen: string) => {
      const option = optionsByValue.get(chosen)
      return markup`<span${attributes({ class: 'tag', style: toneStyle(option?.color) })}>${option?.label ?? chosen}</span>`
    }
    return (value) => this.#renderValues(value, show)
  }

  #link(ref: ContentRef): Html {
    const target = this.#context.resolveLink(ref)
    return this.#inlines.renderLink(target, () =>
      target ? markup`${target.title}` : this.#inlines.renderBrokenTitle(),
    )
  }

  #file(ref: FileRef): Html {
    const shown = this.#context.resolveFile(ref)
    return shown
      ? markup`<a${attributes({ href: shown.url, download: shown.name })}>${shown.name}</a>`
      : this.#renderMissing()
  }

  #image({ ref, alt = '', objectFit }: ImageCell): Html {
    const shown = this.#context.resolveFile(ref)
    if (!shown) return this.#renderMissing(alt)
    const fit = objectFit === undefined ? undefined : `fit-${objectFit}`
    return markup`<img${attributes({ class: fit, src: shown.resizedUrl?.(480) ?? shown.url, alt, ...shown.dimensions, loading: 'lazy' })}>`
  }

  #person(user: string): Html {
    const target = this.#context.resolveLink({ kind: 'user', user })
    return target ? markup`<span class="user">${target.title}</span>` : this.#renderMissing()
  }

  #renderMissing(text = ''): Html {
    return markup`<span class="missing">${text || this.#context.texts.notShown}</span>`
  }

  /** Renders several values of a cell side by side. */
  #renderValues(value: CellValue, show: (one: string) => Html): Html {
    if (typeof value === 'string') return show(value)
    if (!isList(value)) return this.#renderByValueType(value)
    if (value.length === 0) return nothing
    return markup`<span class="tags">${value.map(show)}</span>`
  }
}

const isEmptyParagraph = (block: Block): boolean =>
  block.type === 'paragraph' &&
  block.nodes.every((node) => node.object === 'text' && node.leaves.every(({ text }) => text.trim() === ''))

const isList = (value: CellValue): value is readonly string[] => Array.isArray(value)

export function toContentRef(value: CellValue | undefined): ContentRef | undefined {
  return typeof value === 'object' && value !== null && 'kind' in value ? value : undefined
}

/** Returns the image of a cell: a file reference, an image block or a URL. */
export function toImageCell(value: CellValue | undefined): ImageCell | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (isList(value)) return value[0] === undefined ? undefined : { ref: { kind: 'file', file: value[0] } }
  if ('ref' in value) return value
  return value.kind === 'file' || value.kind === 'url' ? { ref: value } : undefined
}
