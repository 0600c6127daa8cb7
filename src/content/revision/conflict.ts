import type { DocumentConflict } from '../document/merge.ts'
import type { Side } from '../document/merge-fields.ts'
import type { PageBody } from './draft.ts'
import type { ItemEntry, VariableValue, TagDefinition } from './objects.ts'
import type { PageLocation } from './subtree.ts'

export type { Side }
export type Sides<Value> = Record<Side, Value>

/** Additional information about a conflict. */
interface ConflictDetails {
  /** Id of the revision that contains the common base of both sides. */
  baseRevision?: string
  /** Reason for a conflict whose sides could otherwise be combined. */
  message?: string
  /** Keys of the additional blocks that were inserted when the conflict was resolved with custom content. */
  addedBlocks?: readonly string[]
}

/**
 * Conflicting changes of both sides. It is stored separately: the content itself contains ours. A side on which the item is
 * absent is null. If the sides differ only in the order of pages, `after` is the page that precedes the conflicting one on each
 * side, null at the start.
 */
export type Conflict = ConflictDetails &
  (
    | ({ on: 'page'; page: string; about: 'existence' } & Sides<PageLocation | null>)
    | ({ on: 'page'; page: string; about: 'place'; after?: Sides<string | null> } & Sides<string | null>)
    | ({ on: 'page'; page: string; about: 'field'; field: string } & Sides<unknown>)
    | { on: 'page'; page: string; about: 'block'; block: DocumentConflict }
    | ({ on: 'file'; file: string; about: 'existence' } & Sides<ItemEntry | null>)
    | ({ on: 'reusable-content'; reusableContent: string; about: 'existence' } & Sides<ItemEntry | null>)
    | ({
        on: 'reusable-content'
        reusableContent: string
        about: 'field'
        field: 'title' | 'document'
      } & Sides<string | null>)
    | { on: 'reusable-content'; reusableContent: string; about: 'block'; block: DocumentConflict }
    | ({ on: 'variable'; name: string } & Sides<VariableValue | null>)
    | ({ on: 'tag'; slug: string } & Sides<TagDefinition | null>)
  )

export type ConflictAboutBlock = Extract<Conflict, { about: 'block' }>

export const isConflictAboutBlock = (conflict: Conflict): conflict is ConflictAboutBlock =>
  'about' in conflict && conflict.about === 'block'

const aspectNameOf = (subject: { about: string; field?: string; block?: DocumentConflict }): string =>
  [subject.about, subject.field ?? subject.block?.key, subject.block?.part]
    .filter((part) => part !== undefined)
    .join(':')

/** Returns a string that identifies the subject of a conflict: conflicts with equal strings are about the same thing. */
export function nameOfConflict(conflict: Conflict): string {
  switch (conflict.on) {
    case 'page':
      return `page:${conflict.page}:${aspectNameOf(conflict)}`
    case 'file':
      return `file:${conflict.file}`
    case 'reusable-content':
      return `reusable-content:${conflict.reusableContent}:${aspectNameOf(conflict)}`
    case 'variable':
      return `variable:${conflict.name}`
    case 'tag':
      return `tag:${conflict.slug}`
  }
}

export function withPageField(body: PageBody, field: string, value: unknown): PageBody {
  const { [field as keyof PageBody]: _, ...others } = body
  return (value === undefined || value === null ? others : { ...others, [field]: value }) as PageBody
}

export function withRecordValue<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
  value: Value | null,
): Readonly<Record<string, Value>> {
  return withRecordValues(record, new Map([[name, value]]))
}

/** Returns a record with some values set and others (null) removed. */
export function withRecordValues<Value>(
  record: Readonly<Record<string, Value>>,
  values: ReadonlyMap<string, Value | null>,
): Readonly<Record<string, Value>> {
  const others = Object.entries(record).filter(([name]) => !values.has(name))
  const set = [...values].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return Object.fromEntries([...others, ...set])
}
