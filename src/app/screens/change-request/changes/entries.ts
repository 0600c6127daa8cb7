import type { SemanticChange } from '../../../../contract/semantic-changes.ts'

type ChangeOf<Type extends SemanticChange['type']> = Extract<SemanticChange, { type: Type }>
type ChangedPage = ChangeOf<'page_created'>['page']

/** Values of a field before and after the change. */
export interface FieldChange {
  field: string
  before: unknown
  after: unknown
}

export type EntryKind = 'added' | 'edited' | 'deleted' | 'moved'

/** One changed item in the list: all changes of the same page are one entry. */
export interface ChangeEntry {
  /** Unique in the list, and part of the address of the screen. */
  key: string
  subject: 'page' | 'file' | 'reusable-content' | 'variables' | 'tag'
  kind: EntryKind
  id: string
  title: string
  /** Title before the change, if it differs. */
  oldTitle?: string
  path?: string
  /** Whether the page has content that can be compared; groups and links have only fields. */
  hasContent: boolean
  added: number
  removed: number
  fields: readonly FieldChange[]
  /** Pages above the moved page; undefined is the top level of the space. */
  move?: { from: ChangedPage | undefined; to: ChangedPage | undefined }
  file?: ChangeOf<'file_created'>['file']
}

/** Fields that are shown as changed content. */
const contentFields = new Set(['document'])

const toFields = (attributes: Readonly<Record<string, { before?: unknown; after?: unknown }>>): FieldChange[] =>
  Object.entries(attributes)
    .filter(([field]) => !contentFields.has(field))
    .map(([field, { before, after }]) => ({ field, before, after }))

/** Returns the entries of a list of changes, in its order. */
export function toEntries(changes: readonly SemanticChange[]): ChangeEntry[] {
  const entries = new Map<string, ChangeEntry>()
  for (const change of changes) {
    const entry = toEntry(change)
    const other = entries.get(entry.key)
    entries.set(entry.key, other ? combine(other, entry) : entry)
  }
  return [...entries.values()]
}

function combine(one: ChangeEntry, other: ChangeEntry): ChangeEntry {
  const [moved, edited] = one.kind === 'moved' ? [one, other] : [other, one]
  return { ...moved, ...edited, ...(moved.move && { move: moved.move }) }
}

const kindOf = (type: SemanticChange['type']): EntryKind =>
  type.endsWith('_created')
    ? 'added'
    : type.endsWith('_deleted')
      ? 'deleted'
      : type === 'page_moved'
        ? 'moved'
        : 'edited'

function toEntry(change: SemanticChange): ChangeEntry {
  const kind = kindOf(change.type)
  const stats = 'stats' in change ? change.stats : { added: 0, removed: 0 }
  const fields = 'attributes' in change ? toFields(change.attributes) : []
  const common = { kind, ...stats, fields, hasContent: false }
  if ('page' in change) {
    const { id, title, path, type } = change.page
    return {
      ...common,
      key: `page:${id}`,
      subject: 'page',
      id,
      title,
      ...findOldTitle(fields),
      ...(path !== undefined && { path }),
      hasContent: type === 'document' || type === 'computed',
      ...('parent' in change && { move: { from: change.parent.before, to: change.parent.after } }),
    }
  }
  if ('file' in change) {
    const { id, name } = change.file
    return { ...common, key: `file:${id}`, subject: 'file', id, title: name, file: change.file }
  }
  if ('reusableContent' in change) {
    const { id, title } = change.reusableContent
    return { ...common, key: `reusable:${id}`, subject: 'reusable-content', id, title, hasContent: true }
  }
  if ('tag' in change) {
    const { slug, label } = change.tag
    return { ...common, key: `tag:${slug}`, subject: 'tag', id: slug, title: label }
  }
  return {
    ...common,
    key: 'variables',
    subject: 'variables',
    id: 'variables',
    title: '',
    fields: toFields(change.variables),
  }
}

function findOldTitle(fields: readonly FieldChange[]): { oldTitle?: string } {
  const before = fields.find(({ field }) => field === 'title')?.before
  return typeof before === 'string' ? { oldTitle: before } : {}
}
