import type { Block, CellValue, ColumnDefinition, Fragment, Table, TableData } from '../document/nodes.ts'
import { positionalHeaderName } from '../document/tables.ts'
import { textOfBlocks } from '../document/text.ts'
import { type CellSpan, isPlausibleTableSize, maxCellsFor, findCellColumns } from './cell-columns.ts'
import { type HtmlElement, type HtmlNode, extractHtmlText } from './html.ts'
import { type MdTable, type PhrasingContent, type TableRow, endOffset, startOffset } from './mdast.ts'
import { literalParagraph, readInteger, readLength } from './make-blocks.ts'
import { type References, resolveFileCell, resolveFileRef, resolveUserCell } from './references.ts'

// Markdown has no ids for rows, columns and cells. Ids are derived from positions, so that equal tables are equal values.
const columnId = (index: number) => `c${index + 1}`
const recordId = (index: number) => `r${index + 1}`
const cellFragment = (record: number, column: number) => `${recordId(record)}${columnId(column)}`
const orderIndex = (index: number) => String(index + 1).padStart(6, '0')

interface Header {
  title: string
  fragment?: Fragment
}

/** Returns a header; a fragment if it is more than plain text. */
function createHeader(nodes: readonly Block[], column: number): Header {
  const [only] = nodes
  const isPlain =
    nodes.length === 0 ||
    (nodes.length === 1 &&
      only?.type === 'paragraph' &&
      !only.data?.align &&
      only.nodes.every((node) => node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0)))
  if (isPlain) return { title: textOfBlocks(nodes, ' ').trim() }
  return { title: '', fragment: { fragment: positionalHeaderName(columnId(column)), nodes, object: 'fragment' } }
}

const headerFields = ({ title, fragment }: Header) => ({
  title,
  ...(fragment?.fragment !== undefined && { header: fragment.fragment }),
})

const isEmptyHeader = ({ title, fragment }: Header) => title === '' && !fragment

interface Cell {
  value: CellValue
  fragment?: Fragment
}

function textCell(record: number, column: number, nodes: readonly Block[]): Cell {
  const name = cellFragment(record, column)
  return { value: name, fragment: { fragment: name, nodes, object: 'fragment' } }
}

function buildTable(
  definitions: readonly ColumnDefinition[],
  headers: readonly Header[],
  rows: readonly (readonly Cell[])[],
  data: Omit<TableData, 'records' | 'definition'>,
): Table {
  return {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: {
      ...data,
      definition: Object.fromEntries(definitions.map((definition) => [definition.id, definition])),
      records: Object.fromEntries(
        rows.map((cells, row) => [
          recordId(row),
          {
            orderIndex: orderIndex(row),
            values: Object.fromEntries(cells.map((cell, column) => [columnId(column), cell.value])),
          },
        ]),
      ),
    },
    fragments: [...headers, ...rows.flat()].flatMap(({ fragment }) => fragment ?? []),
  }
}

/** Builds a table of text columns from titles and rows of cells. */
export function createTextTable(titles: readonly string[], rows: readonly (readonly (readonly Block[])[])[]): Table {
  const definitions = titles.map((title, index): ColumnDefinition => ({ id: columnId(index), title, type: 'text' }))
  const cells = rows.map((row, record) => row.map((nodes, column) => textCell(record, column, nodes)))
  return buildTable(definitions, [], cells, {
    view: { type: 'grid', columns: definitions.map(({ id }) => id), hideHeader: false },
  })
}

/** Parses the content of a cell of a pipe table. */
type ParseCell = (nodes: readonly PhrasingContent[]) => readonly Block[]

/** Parses a pipe table; undefined if too few of its cells are written. */
export function parsePipeTable({ align, children }: MdTable, source: string, parseCell: ParseCell): Table | undefined {
  const [header, ...rows] = children
  const headerWidth = header?.children.length ?? 0
  const writtenCount = children.reduce((sum, row) => sum + row.children.length, 0)
  if (!isPlausibleTableSize(headerWidth * children.length, writtenCount)) return undefined
  const width = countColumns(children, headerWidth, writtenCount)
  const headers = Array.from({ length: width }, (_, column) =>
    createHeader(parseCell(header?.children[column]?.children ?? []), column),
  )
  const definitions = headers.map((head, index): ColumnDefinition => {
    const alignment = align?.[index]
    return { id: columnId(index), ...headerFields(head), type: 'text', ...(alignment && { textAlignment: alignment }) }
  })
  const cells = rows.map((row, record) =>
    definitions.map((_, column) => {
      const hasMore = column === width - 1 && row.children.slice(width).some((cell) => cell.children.length > 0)
      const nodes = hasMore ? readRestOfRow(row, width - 1, source) : parseCell(row.children[column]?.children ?? [])
      return textCell(record, column, nodes)
    }),
  )
  const columns = definitions.map(({ id }) => id)
  return buildTable(definitions, headers, cells, {
    view: { type: 'grid', columns, hideHeader: headers.every(isEmptyHeader) },
  })
}

/** Returns the number of columns of a table: that of its widest row, unless it would create far more cells than are written. */
function countColumns(rows: readonly TableRow[], headerWidth: number, writtenCount: number): number {
  const widest = rows.reduce((most, row) => {
    const last = row.children.findLastIndex((cell) => cell.children.length > 0)
    return Math.max(most, last + 1)
  }, headerWidth)
  return Math.max(headerWidth, Math.min(widest, Math.floor(maxCellsFor(writtenCount) / rows.length)))
}

/** Returns the cells of a row from a column on, as written. */
function readRestOfRow(row: TableRow, column: number, source: string): Block[] {
  const first = row.children[column]?.children[0]
  const start = first ? startOffset(first) : startOffset(row.children[column] ?? row) + 1
  const text = source.slice(start, endOffset(row)).trim().replace(/\|$/, '').trimEnd()
  return [literalParagraph(text.replaceAll('\\|', '|'))]
}

/** Parses the blocks of a cell. */
type ReadBlocks = (nodes: readonly HtmlNode[]) => readonly Block[]

/** Parses an HTML table as exporters write it if it contains more than text; undefined if it is another kind of HTML table. */
export function parseHtmlTable(table: HtmlElement, references: References, readBlocks: ReadBlocks): Table | undefined {
  const written = findRows(table) ?? []
  // A table without a row of titles has a hidden one.
  const hasHeader = written[0] !== undefined && elements(written[0].children).every(({ name }) => name === 'th')
  const header = hasHeader ? written[0] : undefined
  const body = hasHeader ? written.slice(1) : written
  const heads = header ? elements(header.children) : []
  if (hasHeader ? heads.length === 0 : !body.some((row) => elements(row.children).length > 0)) return undefined
  const rows = body.map((row) => elements(row.children))
  if (rows.some((cells) => cells.some(({ name }) => name !== 'td' && name !== 'th'))) return undefined

  const headerWidth = heads.reduce((sum, head) => sum + readSpan(head).colSpan, 0)
  // Cells after the last header are in a column without a title.
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), headerWidth)
  const writtenCount = rows.reduce((sum, cells) => sum + cells.length, heads.length)
  if (!isPlausibleTableSize(width * (1 + rows.length), writtenCount)) return undefined

  const cellColumns = findCellColumns(
    rows.map((cells) => cells.map(readSpan)),
    headerWidth,
  )
  const headByColumn = heads.flatMap((head) => [
    head,
    ...Array.from({ length: readSpan(head).colSpan - 1 }, () => undefined),
  ])
  const headers = Array.from({ length: width }, (_, index) =>
    createHeader(readBlocks(headByColumn[index]?.children.filter((node) => !isSelect(node)) ?? []), index),
  )
  const definitions = headers.map((content, index) => readDefinition(headByColumn[index], headerFields(content), index))
  const merges: NonNullable<TableData['cellMerges']>[number][] = []
  const cells = rows.map((row, record) => {
    const cellByColumn = new Map(row.map((cell, index) => [cellColumns ? cellColumns[record]?.[index] : index, cell]))
    return definitions.map((definition, column) => {
      const cell = cellByColumn.get(column)
      if (!cell) return emptyCell(definition, record, column)
      const span = readSpan(cell)
      if (span.rowSpan > 1 || span.colSpan > 1)
        merges.push({ anchor: { record: recordId(record), column: columnId(column) }, ...span })
      return readCell(definition, cell, record, column, references, readBlocks)
    })
  })
  const { attributes } = table
  return buildTable(definitions, headers, cells, {
    view: readView(hasHeader ? attributes : { ...attributes, 'data-header-hidden': '' }, headByColumn, definitions),
    ...(merges.length > 0 && { cellMerges: merges }),
    ...(attributes['data-full-width'] === 'true' && { fullWidth: true }),
    ...(attributes['data-search'] !== undefined && { search: attributes['data-search'] !== 'false' }),
  })
}

const maxSpan = 50

const readSpan = ({ attributes }: HtmlElement): CellSpan => ({
  rowSpan: readInteger(attributes['rowspan'], 1, maxSpan) ?? 1,
  colSpan: readInteger(attributes['colspan'], 1, maxSpan) ?? 1,
})

/** Elements of a table besides its rows. The caption is not part of the block. */
const otherElements = new Set(['caption', 'colgroup', 'col'])

/** Returns the rows of a table; undefined if there is other content outside of them. */
function findRows(table: HtmlElement): HtmlElement[] | undefined {
  const rows: HtmlElement[] = []
  const waiting = table.children.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'raw') continue
    if (node.type === 'text') {
      if (node.value.trim() !== '') return undefined
    } else if (node.name === 'tr') {
      if (node.children.some((inner) => inner.type === 'text' && inner.value.trim() !== '')) return undefined
      rows.push(node)
    } else if (node.name === 'thead' || node.name === 'tbody' || node.name === 'tfoot') {
      for (const child of node.children.toReversed()) waiting.push(child)
    } else if (!otherElements.has(node.name)) return undefined
  }
  return rows
}

function elements(nodes: readonly HtmlNode[], name?: string): HtmlElement[] {
  return nodes.filter(
    (node): node is HtmlElement => node.type === 'element' && (name === undefined || node.name === name),
  )
}

const isSelect = (node: HtmlNode) => node.type === 'element' && node.name === 'select'

function readDefinition(
  head: HtmlElement | undefined,
  header: Pick<ColumnDefinition, 'title' | 'header'>,
  index: number,
): ColumnDefinition {
  const id = columnId(index)
  if (!head) return { id, title: '', type: 'text' }
  const { attributes } = head
  const [select] = elements(head.children, 'select')
  const multiple = attributes['data-multiple'] !== undefined ? { multiple: true } : {}
  if (select) {
    const options = elements(select.children, 'option').map((option) => {
      const { value = '', label, color } = option.attributes
      return { value, label: label ?? extractHtmlText(option.children), ...(color && { color }) }
    })
    return {
      id,
      ...header,
      type: 'select',
      ...(select.attributes['multiple'] !== undefined && { multiple: true }),
      options,
    }
  }
  switch (attributes['data-type']) {
    case 'number':
    case 'checkbox':
    case 'files':
    case 'content-ref':
    case 'image':
      return { id, ...header, type: attributes['data-type'] }
    case 'users':
      return { id, ...header, type: 'users', ...multiple }
    case 'rating':
      return { id, ...header, type: 'rating', max: readInteger(attributes['data-max'], 1, 100) ?? 5 }
    default: {
      const { align, valign } = attributes
      return {
        id,
        ...header,
        type: 'text',
        ...((align === 'left' || align === 'center' || align === 'right') && { textAlignment: align }),
        ...((valign === 'top' || valign === 'middle' || valign === 'bottom') && { verticalAlignment: valign }),
      }
    }
  }
}

function readView(
  attributes: Readonly<Record<string, string>>,
  heads: readonly (HtmlElement | undefined)[],
  definitions: readonly ColumnDefinition[],
): TableData['view'] {
  const shown = definitions
    .filter((_, index) => heads[index]?.attributes['data-hidden'] === undefined)
    .map(({ id }) => id)
  const marked = (name: string) => definitions[heads.findIndex((head) => head?.attributes[name] !== undefined)]?.id
  if (attributes['data-view'] === 'cards') {
    const [target, cover, dark] = [
      marked('data-card-target'),
      marked('data-card-cover'),
      marked('data-card-cover-dark'),
    ]
    return {
      type: 'cards',
      cardSize: attributes['data-card-size'] === 'large' ? 'large' : 'medium',
      columns: shown,
      ...(target && { targetDefinition: target }),
      ...(cover && { coverDefinition: cover }),
      ...(dark && { coverDefinitionDark: dark }),
      ...(attributes['data-column-title-hidden'] !== undefined && { hideColumnTitle: true }),
      ...(attributes['data-card-wrap'] !== undefined && { wrap: attributes['data-card-wrap'] !== 'false' }),
    }
  }
  const widths = heads.flatMap((head, index) => {
    const width = readLength(head?.attributes['width'])
    return typeof width === 'number' ? [[columnId(index), width] as const] : []
  })
  return {
    type: 'grid',
    columns: shown,
    ...(widths.length > 0 && { columnWidths: Object.fromEntries(widths) }),
    hideHeader: attributes['data-header-hidden'] !== undefined,
    ...(attributes['data-header-sticky'] !== undefined && { stickyHeader: true }),
  }
}

function readCell(
  definition: ColumnDefinition,
  cell: HtmlElement,
  record: number,
  column: number,
  references: References,
  readBlocks: ReadBlocks,
): Cell {
  if (definition.type === 'text') return textCell(record, column, readBlocks(cell.children))
  const text = extractHtmlText(cell.children).trim()
  const links = elements(cell.children, 'a').flatMap((link) => link.attributes['href'] ?? [])
  const [href] = links
  switch (definition.type) {
    case 'number':
    case 'rating':
      return { value: text === '' || !Number.isFinite(Number(text)) ? null : Number(text) }
    case 'checkbox':
      return { value: text === 'true' }
    case 'content-ref':
      return { value: href === undefined ? null : references.resolve(href) }
    case 'files':
      return { value: links.map((link) => resolveFileCell(references, link)) }
    case 'users':
      return { value: links.map((link) => resolveUserCell(references, link)) }
    case 'select':
      return { value: elements(cell.children, 'span').flatMap((span) => span.attributes['data-option'] ?? []) }
    case 'image': {
      const [img] = elements(cell.children, 'img')
      const src = img?.attributes['src'] ?? href
      if (src === undefined) return { value: null }
      const fit = cell.attributes['data-object-fit']
      const alt = img?.attributes['alt']
      return {
        value: {
          ref: resolveFileRef(references, src),
          ...((fit === 'contain' || fit === 'fill' || fit === 'cover') && { objectFit: fit }),
          ...(alt && { alt }),
        },
      }
    }
  }
}

function emptyCell(definition: ColumnDefinition, record: number, column: number): Cell {
  return definition.type === 'text' ? textCell(record, column, []) : { value: null }
}
