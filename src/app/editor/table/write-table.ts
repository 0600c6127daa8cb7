import type { Node } from 'prosemirror-model'
import { paragraph } from '../../../content/document/build.ts'
import type {
  Block,
  CellValue,
  ColumnDefinition,
  Fragment,
  InlineNode,
  Table,
  TableRecord,
} from '../../../content/document/nodes.ts'
import { orderIndexAt, sortFragments } from '../../../content/document/tables.ts'
import { headerText } from '../../../content/document/text.ts'
import { readPlainText } from '../plain-text.ts'
import { mergesOf, rowIds, sortMerges } from './merged-cells.ts'
import { columnIds, dataOfTable } from './table-model.ts'

/** Functions that convert the contents of a table. */
export interface TableWriter {
  toBlocks: (parent: Node) => readonly Block[]
  toInlines: (parent: Node) => readonly InlineNode[]
  toParagraph: (nodes: readonly InlineNode[], attributes: unknown) => Block
  /** Whether the table was edited; otherwise it is converted exactly. */
  isEdited: boolean
}

/** Converts the rows of a table to records and fragments. */
export function writeTable(node: Node, writer: TableWriter): Pick<Table, 'data' | 'fragments'> {
  const { definition, ...rest } = dataOfTable(node)
  const names = new Names()
  const fragments: Fragment[] = []
  const columns: Record<string, ColumnDefinition> = { ...(definition as Record<string, ColumnDefinition>) }
  const [head, ...rows] = node.children
  for (const header of head?.children ?? []) {
    const id = header.attrs['column'] as string
    const { fields, fragment } = writeHeader(header, names, writer)
    if (fragment) fragments.push(fragment)
    columns[id] = { ...(columns[id] as ColumnDefinition), ...fields }
  }
  const orderIndexes = orderRows(rows)
  const records = rows.map((row, index): [string, TableRecord] => {
    const { id, hidden, rest: others } = row.attrs as { id: string; hidden: object | null; rest: object | null }
    const values: Record<string, CellValue> = { ...hidden }
    for (const cell of row.children) {
      const { value, fragment } = writeCell(cell, id, names, writer)
      if (fragment) fragments.push(fragment)
      if (value !== undefined) values[cell.attrs['column'] as string] = value
    }
    return [id, { ...others, orderIndex: orderIndexes[index] ?? orderIndexAt(index), values }]
  })
  const merges = writer.isEdited ? sortMerges(mergesOf(node), rowIds(node), columnIds(node)) : mergesOf(node)
  const data = {
    ...rest,
    ...((merges.length > 0 || (node.attrs['merges'] !== null && !writer.isEdited)) && { cellMerges: merges }),
    definition: columns,
    records: Object.fromEntries(records),
  }
  const loose = (node.attrs['loose'] ?? []) as readonly Fragment[]
  const kept = writer.isEdited ? loose.filter(({ fragment }) => isReferenced(fragment, data)) : loose
  const table: Table = { object: 'block', type: 'table', isVoid: true, data, fragments: [...fragments, ...kept] }
  return { data, fragments: sortFragments(table).fragments }
}

function isReferenced(
  name: string | undefined,
  { definition, records }: Pick<Table['data'], 'definition' | 'records'>,
) {
  return (
    Object.values(definition).some(({ header }) => header === name) ||
    Object.values(records).some(({ values }) => Object.values(values).includes(name ?? null))
  )
}

/** The names of fragments that are in use. */
class Names {
  readonly #used = new Set<string>()

  /** Returns the name of a cell, or a new one if another cell has the same. */
  take(name: string): string {
    let unique = name
    for (let count = 2; this.#used.has(unique); count++) unique = `${name}-${count}`
    this.#used.add(unique)
    return unique
  }
}

interface WrittenHeader {
  fields: Pick<ColumnDefinition, 'title' | 'header'>
  fragment?: Fragment
}

function writeHeader(header: Node, names: Names, writer: TableWriter): WrittenHeader {
  const {
    column,
    title,
    rest,
    paragraph: attributes,
  } = header.attrs as {
    column: string
    title: string | null
    rest: Omit<Fragment, 'nodes'> | null
    paragraph: { data?: { align?: string } | null } | null
  }
  const nodes = writer.toInlines(header)
  const plain = readPlainText(nodes)
  const needsFragment = (rest !== null && !writer.isEdited) || attributes?.data?.align !== undefined
  if (plain !== undefined && !needsFragment) return { fields: { title: plain } }
  const name = names.take(rest?.fragment ?? `h-${column}`)
  const fragment: Fragment = {
    object: 'fragment',
    ...rest,
    fragment: name,
    nodes: [attributes ? writer.toParagraph(nodes, attributes) : paragraph(nodes)],
  }
  // The title is empty in stored documents, and the text of the header in replies.
  const text = title === '' ? '' : headerText({ title: '', header: name }, new Map([[name, fragment.nodes]]))
  return { fields: { title: text, header: name }, fragment }
}

function writeCell(
  cell: Node,
  row: string,
  names: Names,
  writer: TableWriter,
): { value: CellValue | undefined; fragment?: Fragment } {
  if (cell.type.name === 'table_value') return { value: cell.attrs['value'] as CellValue | undefined }
  const { column, name, rest } = cell.attrs as { column: string; name: string | null; rest: object | null }
  const nodes = writer.toBlocks(cell)
  if (rest === null && nodes.length === 0 && !writer.isEdited) return { value: name ?? undefined }
  const unique = names.take(name ?? `${row}_${column}`)
  return { value: unique, fragment: { object: 'fragment', ...rest, fragment: unique, nodes } }
}

/** Maximum number of digits that are added to find an index between two rows. */
const maxDigits = 12

/** Returns the order indexes of rows. New and moved rows get an index between those of their neighbors; the others keep theirs. */
function orderRows(rows: readonly Node[]): readonly string[] {
  const known = rows.map((row) => row.attrs['orderIndex'] as string | null)
  const ordered: string[] = []
  for (const [index, own] of known.entries()) {
    const before = ordered.at(-1)
    const between = own ?? findBetween(before ?? '', known.find((one, at) => at > index && one !== null) ?? undefined)
    if (between === undefined || (before !== undefined && between < before))
      return rows.map((_, at) => orderIndexAt(at))
    ordered.push(between)
  }
  return ordered
}

/** Returns a text between two others in their order. */
function findBetween(before: string, after: string | undefined): string | undefined {
  for (let digits = 0; digits < maxDigits; digits++) {
    const text = `${before}${'0'.repeat(digits)}5`
    if (after === undefined || text < after) return text
  }
  return undefined
}
