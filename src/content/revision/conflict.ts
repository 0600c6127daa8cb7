import type { DocumentConflict } from '../document/merge.ts'
import type { Side } from '../document/merge-fields.ts'
import type { PageBody } from './draft.ts'
import type { NamedEntry, Scalar, TagDefinition } from './objects.ts'
import type { PlacedPage } from './subtree.ts'

export type { Side }
export type Sides<Value> = Record<Side, Value>

/** What is known of a conflict besides its sides. */
interface Circumstances {
  /** The revision that has what both sides began with. */
  baseRevision?: string
  /** Why there is a conflict although both sides could be combined. */
  message?: string
  /** The keys of further blocks that a decision with a text of its own has added. */
  addedBlocks?: readonly string[]
}

/**
 * What both sides changed, each in its own way. It is stored beside the content: in the content itself ours is in place.
 * Where a thing is absent on a side, that side is null. When the sides differ only in the order of pages, `after` is the page
 * before the disputed one on each side, null at the start.
 */
export type Conflict = Circumstances &
  (
    | ({ on: 'page'; page: string; about: 'existence' } & Sides<PlacedPage | null>)
    | ({ on: 'page'; page: string; about: 'place'; after?: Sides<string | null> } & Sides<string | null>)
    | ({ on: 'page'; page: string; about: 'field'; field: string } & Sides<unknown>)
    | { on: 'page'; page: string; about: 'block'; block: DocumentConflict }
    | ({ on: 'file'; file: string; about: 'existence' } & Sides<NamedEntry | null>)
    | ({ on: 'reusable-content'; reusableContent: string; about: 'existence' } & Sides<NamedEntry | null>)
    | ({
        on: 'reusable-content'
        reusableContent: string
        about: 'field'
        field: 'title' | 'document'
      } & Sides<string | null>)
    | { on: 'reusable-content'; reusableContent: string; about: 'block'; block: DocumentConflict }
    | ({ on: 'variable'; name: string } & Sides<Scalar | null>)
    | ({ on: 'tag'; slug: string } & Sides<TagDefinition | null>)
  )

export type BlockConflict = Extract<Conflict, { about: 'block' }>

export const isAboutBlock = (conflict: Conflict): conflict is BlockConflict =>
  'about' in conflict && conflict.about === 'block'

const aspect = (one: { about: string; field?: string; block?: DocumentConflict }): string =>
  [one.about, one.field ?? one.block?.key, one.block?.part].filter((part) => part !== undefined).join(':')

/** What a conflict is about: two with the same name are about the same thing. */
export function nameOfConflict(conflict: Conflict): string {
  switch (conflict.on) {
    case 'page':
      return `page:${conflict.page}:${aspect(conflict)}`
    case 'file':
      return `file:${conflict.file}`
    case 'reusable-content':
      return `reusable-content:${conflict.reusableContent}:${aspect(conflict)}`
    case 'variable':
      return `variable:${conflict.name}`
    case 'tag':
      return `tag:${conflict.slug}`
  }
}

export function withField(body: PageBody, field: string, value: unknown): PageBody {
  const { [field as keyof PageBody]: _, ...others } = body
  return (value === undefined || value === null ? others : { ...others, [field]: value }) as PageBody
}

export function withValue<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
  value: Value | null,
): Readonly<Record<string, Value>> {
  return withValues(record, new Map([[name, value]]))
}

/** The record with some values set, and others (null) removed. */
export function withValues<Value>(
  record: Readonly<Record<string, Value>>,
  values: ReadonlyMap<string, Value | null>,
): Readonly<Record<string, Value>> {
  const others = Object.entries(record).filter(([name]) => !values.has(name))
  const set = [...values].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return Object.fromEntries([...others, ...set])
}
