import type { Block, CellValue, ColumnDefinition, Fragment, Table } from '../document/nodes.ts'
import { escapeAttribute, escapeHtml } from './html.ts'
import { type PrintContext, printHtmlInlines, printInlines } from './print-inlines.ts'

export function printTable(table: Table, context: PrintContext): string {
  return fitsPipes(table) ? printPipes(table, context) : printHtml(table, context)
}

/** The columns in the order in which they are written: those that are shown, then those that are not. */
function columnsOf({ data: { definition, view } }: Table): ColumnDefinition[] {
  const inOrder = Object.values(definition)
  const isWrittenOrder = view.columns.every(
    (id, index) => index === 0 || position(inOrder, view.columns[index - 1] as string) < position(inOrder, id),
  )
  if (isWrittenOrder) return inOrder
  const shown = view.columns.flatMap((id) => definition[id] ?? [])
  return [...shown, ...inOrder.filter(({ id }) => !view.columns.includes(id))]
}

function position(definitions: readonly ColumnDefinition[], id: string): number {
  return definitions.findIndex((definition) => definition.id === id)
}

function recordsOf({ data }: Table) {
  return Object.entries(data.records)
    .map(([id, { orderIndex, values }]) => ({ id, orderIndex, values }))
    .sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1))
}

function cellNodes({ fragments }: Table, value: CellValue | undefined): readonly Block[] {
  const found: Fragment | undefined = fragments.find(({ fragment }) => fragment === value)
  return found?.nodes ?? []
}

function fitsPipes(table: Table): boolean {
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
  if (view.hideHeader !== definitions.every(({ title }) => title === '')) return false
  if (definitions.some((definition) => definition.type !== 'text' || definition.verticalAlignment)) return false
  return table.fragments.every(
    ({ nodes }) =>
      nodes.length === 0 || (nodes.length === 1 && nodes[0]?.type === 'paragraph' && !nodes[0].data?.align),
  )
}

/** How many columns of an editor a text takes, near enough: one a character. */
const widthOf = (text: string) => Array.from(text).length

function printPipes(table: Table, context: PrintContext): string {
  const columns = columnsOf(table)
  const header = columns.map(({ title }) => title.replace(/[\\|]/g, '\\$&'))
  const rows = recordsOf(table).map(({ values }) =>
    columns.map(({ id }) => {
      const [block] = cellNodes(table, values[id])
      const text = block?.type === 'paragraph' ? printInlines(block.nodes, context).replace(/\\\n/g, '<br>') : ''
      return text
        .replace(/(\\*)\|/g, (_, slashes: string) => `${slashes.length % 2 === 0 ? `${slashes}\\` : slashes}|`)
        .trim()
    }),
  )
  const widths = columns.map((_, index) =>
    Math.max(3, ...[header, ...rows].map((row) => widthOf(row[index] as string))),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, index) => cell + ' '.repeat((widths[index] as number) - widthOf(cell))).join(' | ')} |`
  const rule = columns.map((column, index) => {
    const dashes = '-'.repeat(widths[index] as number)
    const alignment = column.type === 'text' ? column.textAlignment : undefined
    if (alignment === 'center') return `:${dashes.slice(2)}:`
    if (alignment === 'right') return `${dashes.slice(1)}:`
    return alignment === 'left' ? `:${dashes.slice(1)}` : dashes
  })
  return [line(header), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n')
}

function printHtml(table: Table, context: PrintContext): string {
  const columns = columnsOf(table)
  const heads = columns.map((column) => printHead(table, column)).join('')
  const rows = recordsOf(table).map(({ id, values }) => {
    const cells = columns.map((column) => printCell(table, column, values[column.id], id, context)).join('')
    return `<tr>${cells}</tr>`
  })
  return `<table${tableAttributes(table)}><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table>`
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

function printHead({ data: { view } }: Table, column: ColumnDefinition): string {
  const width = view.type === 'grid' ? view.columnWidths?.[column.id] : undefined
  const attributes = [
    width === undefined ? '' : ` width="${width}"`,
    column.type === 'text' && column.textAlignment ? ` align="${column.textAlignment}"` : '',
    column.type === 'text' && column.verticalAlignment ? ` valign="${column.verticalAlignment}"` : '',
    view.columns.includes(column.id) ? '' : ' data-hidden',
    view.type === 'cards' && view.targetDefinition === column.id ? ' data-card-target' : '',
    view.type === 'cards' && view.coverDefinition === column.id ? ' data-card-cover' : '',
    view.type === 'cards' && view.coverDefinitionDark === column.id ? ' data-card-cover-dark' : '',
    column.type === 'text' || column.type === 'select' ? '' : ` data-type="${column.type}"`,
    column.type === 'users' && column.multiple ? ' data-multiple' : '',
    column.type === 'rating' ? ` data-max="${column.max}"` : '',
  ].join('')
  return `<th${attributes}>${escapeHtml(column.title)}${column.type === 'select' ? printOptions(column) : ''}</th>`
}

function printOptions({ multiple, options }: Extract<ColumnDefinition, { type: 'select' }>): string {
  const written = options.map(
    ({ value, label, color }) =>
      `<option value="${escapeAttribute(value)}" label="${escapeAttribute(label)}"${color ? ` color="${escapeAttribute(color)}"` : ''}></option>`,
  )
  return `<select${multiple ? ' multiple' : ''}>${written.join('')}</select>`
}

function printCell(
  table: Table,
  column: ColumnDefinition,
  value: CellValue | undefined,
  record: string,
  context: PrintContext,
): string {
  const merge = table.data.cellMerges?.find(({ anchor }) => anchor.column === column.id && anchor.record === record)
  const spans = `${merge && merge.rowSpan > 1 ? ` rowspan="${merge.rowSpan}"` : ''}${merge && merge.colSpan > 1 ? ` colspan="${merge.colSpan}"` : ''}`
  const fit =
    typeof value === 'object' && value !== null && 'objectFit' in value && value.objectFit
      ? ` data-object-fit="${value.objectFit}"`
      : ''
  const align = column.type === 'text' && column.textAlignment ? ` align="${column.textAlignment}"` : ''
  const valign = column.type === 'text' && column.verticalAlignment ? ` valign="${column.verticalAlignment}"` : ''
  return `<td${spans}${align}${valign}${fit}>${printValue(table, column, value, context)}</td>`
}

const link = (destination: string) => `<a href="${escapeAttribute(destination)}">${escapeHtml(destination)}</a>`

function printValue(
  table: Table,
  column: ColumnDefinition,
  value: CellValue | undefined,
  context: PrintContext,
): string {
  if (column.type === 'text') return printHtmlBlocks(cellNodes(table, value), context)
  if (value === null || value === undefined) return ''
  if (column.type === 'select' && Array.isArray(value)) {
    return (value as string[])
      .map(
        (one) =>
          `<span data-option="${escapeAttribute(one)}">${escapeHtml(column.options.find((option) => option.value === one)?.label ?? one)}</span>`,
      )
      .join('')
  }
  if (Array.isArray(value)) return (value as string[]).map(link).join('')
  if (typeof value !== 'object') return escapeHtml(String(value))
  if ('ref' in value) {
    const source = context.references.write(value.ref)
    return value.alt ? `<img src="${escapeAttribute(source)}" alt="${escapeAttribute(value.alt)}">` : link(source)
  }
  return 'kind' in value ? link(context.references.write(value)) : ''
}

/** The blocks of a cell. A lone paragraph needs no element around it. */
function printHtmlBlocks(blocks: readonly Block[], context: PrintContext): string {
  const [only] = blocks
  if (blocks.length === 1 && only?.type === 'paragraph') return printHtmlInlines(only.nodes, context)
  return blocks.map((block) => printHtmlBlock(block, context)).join('')
}

function printHtmlBlock(block: Block, context: PrintContext): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${printHtmlInlines(block.nodes, context)}</p>`
    case 'heading-1':
    case 'heading-2':
    case 'heading-3': {
      const level = Number(block.type.slice(-1)) + 1
      return `<h${level}>${printHtmlInlines(block.nodes, context)}</h${level}>`
    }
    case 'list-unordered':
    case 'list-ordered': {
      const name = block.type === 'list-ordered' ? 'ol' : 'ul'
      return `<${name}>${block.nodes.map((item) => `<li>${printHtmlBlocks(item.nodes, context)}</li>`).join('')}</${name}>`
    }
    default:
      return ''
  }
}
