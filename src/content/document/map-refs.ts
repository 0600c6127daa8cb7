import type { CellValue, ColumnDefinition, ContentRef, FileRef, Table, TableRecord, Update } from './nodes.ts'

/** Returns the replacement of a reference; the same value if it does not change. */
export type RefMapper = (ref: ContentRef) => ContentRef

export const isFileRef = ({ kind }: ContentRef): boolean => kind === 'file' || kind === 'url'
export const isSpecRef = ({ kind }: ContentRef): boolean => kind === 'openapi'

/** Changes the reference in one field of `data`. Ignores a replacement that the field does not accept. */
export function mapRef<Name extends string, Data extends { readonly [N in Name]?: ContentRef }>(
  data: Data,
  name: Name,
  change: RefMapper,
  isAccepted: (ref: ContentRef) => boolean = () => true,
): Data {
  const ref = data[name]
  if (!ref) return data
  const next = change(ref)
  return next === ref || !isAccepted(next) ? data : { ...data, [name]: next }
}

/** Replaces the data of a node; returns the node itself if the data is the same value. */
export function replaceData<Node extends { data?: unknown }>(node: Node, data: Node['data']): Node {
  return data === node.data ? node : { ...node, data }
}

export function mapTagRefs(update: Update, change: RefMapper): Update {
  const tags = update.data?.tags
  if (!update.data || !tags) return update
  const changed = tags.map((tag) => {
    const next = change(tag)
    return next.kind === 'tag' ? next : tag
  })
  return isSameList(tags, changed) ? update : { ...update, data: { ...update.data, tags: changed } }
}

/** Changes the references in the cells of a table, except those in the blocks of cells. */
export function mapTableRefs(table: Table, change: RefMapper): Table {
  const { definition, records } = table.data
  const changed = mapValues(records, (record): TableRecord => {
    const values = mapValues(record.values, (value, column) => mapCellRefs(value, definition[column], change))
    return values === record.values ? record : { ...record, values }
  })
  return changed === records ? table : { ...table, data: { ...table.data, records: changed } }
}

function mapCellRefs(value: CellValue, column: ColumnDefinition | undefined, change: RefMapper): CellValue {
  if (typeof value !== 'object' || value === null) return value
  if (isStringList(value)) return column?.type === 'files' ? mapFileIds(value, change) : value
  return 'ref' in value ? mapRef(value, 'ref', change, isFileRef) : change(value)
}

const isStringList = (value: object): value is readonly string[] => Array.isArray(value)

/** Changes the references in a cell of files, which contains ids or URLs. */
function mapFileIds(files: readonly string[], change: RefMapper): readonly string[] {
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
