import type {
  Block,
  CellValue,
  ColumnDefinition,
  ContentRef,
  Document,
  FileRef,
  InlineNode,
  Table,
  TableRecord,
  Update,
} from './nodes.ts'
import { childBlocks, everyInlineIn, mapNodes, withNodes } from './walk.ts'

type Change = (ref: ContentRef) => ContentRef

export interface Reference {
  ref: ContentRef
  /** Of the nearest block that has one. */
  key?: string
}

/** Everything that a document points at, in the order of reading. */
export function referencesIn(document: Document): Reference[] {
  const found: Reference[] = []
  const waiting: [block: Block, key: string | undefined][] = document.nodes
    .toReversed()
    .map((block) => [block, undefined])
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [block, outerKey] = next
    const key = block.key ?? outerKey
    const note: Change = (ref) => {
      found.push(key === undefined ? { ref } : { ref, key })
      return ref
    }
    changeBlock(block, note)
    for (const inline of everyInlineIn(block)) changeInline(inline, note)
    for (const child of childBlocks(block).toReversed()) waiting.push([child, key])
  }
  return found
}

/** Points a document at other things. What cannot stand in the place of a reference (a page, where a file is shown) changes nothing. */
export function mapReferences(document: Document, change: Change): Document {
  const nodes = mapNodes(
    document.nodes,
    (block) => changeBlock(block, change),
    (inline) => changeInline(inline, change),
  )
  return withNodes(document, nodes)
}

function changeInline(inline: InlineNode, change: Change): InlineNode {
  if (inline.object === 'text') return inline
  switch (inline.type) {
    case 'link':
    case 'mention':
    case 'button':
      return withData(inline, changedRef(inline.data, 'ref', change))
    case 'inline-image':
      return withData(inline, changedRef(changedRef(inline.data, 'ref', change, isFile), 'refDark', change, isFile))
    default:
      return inline
  }
}

function changeBlock(block: Block, change: Change): Block {
  switch (block.type) {
    case 'content-ref':
    case 'reusable-content':
      return withData(block, changedRef(block.data, 'ref', change))
    case 'image':
      return withData(block, changedRef(changedRef(block.data, 'ref', change, isFile), 'refDark', change, isFile))
    case 'file':
    case 'drawing':
    case 'swagger':
      return withData(block, changedRef(block.data, 'ref', change, isFile))
    case 'openapi-operation':
    case 'openapi-schemas':
    case 'openapi-webhook':
      return withData(block, changedRef(block.data, 'ref', change, isSpec))
    case 'update':
      return changeTags(block, change)
    case 'table':
      return changeTable(block, change)
    default:
      return block
  }
}

const isFile = ({ kind }: ContentRef) => kind === 'file' || kind === 'url'
const isSpec = ({ kind }: ContentRef) => kind === 'openapi'

function withData<Node extends { data?: unknown }>(node: Node, data: Node['data']): Node {
  return data === node.data ? node : { ...node, data }
}

function changedRef<Name extends string, Data extends { readonly [N in Name]?: ContentRef }>(
  data: Data,
  name: Name,
  change: Change,
  fits: (ref: ContentRef) => boolean = () => true,
): Data {
  const ref = data[name]
  if (!ref) return data
  const next = change(ref)
  return next === ref || !fits(next) ? data : { ...data, [name]: next }
}

function changeTags(update: Update, change: Change): Update {
  const tags = update.data?.tags
  if (!update.data || !tags) return update
  const changed = tags.map((tag) => {
    const next = change(tag)
    return next.kind === 'tag' ? next : tag
  })
  return isSameList(tags, changed) ? update : { ...update, data: { ...update.data, tags: changed } }
}

function changeTable(table: Table, change: Change): Table {
  const { definition, records } = table.data
  const changed = mapValues(records, (record): TableRecord => {
    const values = mapValues(record.values, (value, column) => changeCell(value, definition[column], change))
    return values === record.values ? record : { ...record, values }
  })
  return changed === records ? table : { ...table, data: { ...table.data, records: changed } }
}

function changeCell(value: CellValue, column: ColumnDefinition | undefined, change: Change): CellValue {
  if (typeof value !== 'object' || value === null) return value
  if (isTexts(value)) return column?.type === 'files' ? changeFiles(value, change) : value
  return 'ref' in value ? changedRef(value, 'ref', change, isFile) : change(value)
}

const isTexts = (value: object): value is readonly string[] => Array.isArray(value)

/** A cell of files holds their ids, or their addresses. */
function changeFiles(files: readonly string[], change: Change): readonly string[] {
  const changed = files.map((file) => {
    const ref: FileRef = /^[\w-]+$/.test(file) ? { kind: 'file', file } : { kind: 'url', url: file }
    const next = change(ref)
    if (next.kind === 'file' && next.space === undefined) return next.file
    return next.kind === 'url' ? next.url : file
  })
  return isSameList(files, changed) ? files : changed
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]) => a.every((one, index) => one === b[index])

function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Value,
): Readonly<Record<string, Value>> {
  const entries = Object.entries(values)
  const changed = entries.map(([name, value]): [string, Value] => [name, change(value, name)])
  return changed.every(([, value], index) => value === entries[index]?.[1]) ? values : Object.fromEntries(changed)
}
