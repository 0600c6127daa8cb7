import type { DocumentConflict } from '../document/merge.ts'
import { resolveWith } from '../document/resolve.ts'
import { Draft, type PageBody } from './draft.ts'
import { type NamedEntry, type PageEntry, type TagDefinition, type Scalar, readObject } from './objects.ts'
import { type Tree, readPages } from './tree.ts'

export type Side = 'base' | 'ours' | 'theirs'
export type Sides<Value> = Record<Side, Value>

/** Where a page stands with all that is below it. */
export interface PageStand {
  entry: PageEntry
  parent: string | null
}

/**
 * What both sides changed, each in its own way. It stands beside the content: in the content itself ours is in place.
 * Where a thing is absent on a side, that side is null.
 */
export type Conflict =
  | ({ on: 'page'; page: string; about: 'existence' } & Sides<PageStand | null>)
  | ({ on: 'page'; page: string; about: 'place' } & Sides<string | null>)
  | ({ on: 'page'; page: string; about: 'field'; field: string } & Sides<unknown>)
  | { on: 'page'; page: string; about: 'block'; block: DocumentConflict }
  | ({ on: 'file'; file: string; about: 'existence' } & Sides<NamedEntry | null>)
  | ({ on: 'reusable-content'; reusableContent: string; about: 'existence' } & Sides<NamedEntry | null>)
  | ({ on: 'reusable-content'; reusableContent: string; about: 'field'; field: 'title' } & Sides<string>)
  | { on: 'reusable-content'; reusableContent: string; about: 'block'; block: DocumentConflict }
  | ({ on: 'variable'; name: string } & Sides<Scalar | null>)
  | ({ on: 'tag'; slug: string } & Sides<TagDefinition | null>)

/** What a conflict is about: two with the same name are about the same thing. */
export function nameOfConflict(conflict: Conflict): string {
  const aspect = (one: { about: string; field?: string; block?: DocumentConflict }) =>
    [one.about, one.field ?? one.block?.key].filter((part) => part !== undefined).join(':')
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

/** The tree with one side of a conflict put in place; returns the hash of its root. */
export async function resolveConflict(tree: Tree, conflict: Conflict, side: Side): Promise<string> {
  const draft = new Draft(tree, { maxDepth: Infinity })
  await apply(tree, draft, conflict, side)
  return draft.commit()
}

async function apply(tree: Tree, draft: Draft, conflict: Conflict, side: Side): Promise<void> {
  switch (conflict.on) {
    case 'page':
      return applyToPage(tree, draft, conflict, side)
    case 'file': {
      const entry = conflict[side]
      return draft.setFile(conflict.file, entry && (await readObject(tree.objects, 'file', entry.hash)))
    }
    case 'reusable-content':
      return applyToReusableContent(tree, draft, conflict, side)
    case 'variable':
      return draft.setVariables(withValue(draft.variables, conflict.name, conflict[side]))
    case 'tag':
      return draft.setTags(withValue(draft.tags, conflict.slug, conflict[side]))
  }
}

async function applyToPage(
  tree: Tree,
  draft: Draft,
  conflict: Extract<Conflict, { on: 'page' }>,
  side: Side,
): Promise<void> {
  const page = await draft.findPage(conflict.page)
  if (conflict.about === 'existence') {
    const stand = conflict[side]
    if (page) await draft.deletePage(conflict.page)
    if (stand) await insertSubtree(tree, draft, stand)
    return
  }
  if (!page) return
  switch (conflict.about) {
    case 'place': {
      const into = conflict[side]
      return draft.movePage(conflict.page, { into: into !== null && (await draft.findPage(into)) ? into : null })
    }
    case 'field': {
      const { field } = conflict
      const value = conflict[side]
      if (field === 'slug') {
        return draft.renamePage(page.id, await draft.freeSlug(page.parent, String(value), page.id))
      }
      return draft.updatePage(page.id, (body) => withField(body, field, value))
    }
    case 'block': {
      const { document } = page.body
      if (document === undefined) return
      const stored = await readObject(tree.objects, 'document', document)
      const resolved = resolveWith(stored.document, conflict.block, side)
      const hash = tree.objects.write({ kind: 'document', document: resolved })
      return draft.updatePage(page.id, (body) => ({ ...body, document: hash }))
    }
  }
}

async function applyToReusableContent(
  tree: Tree,
  draft: Draft,
  conflict: Extract<Conflict, { on: 'reusable-content' }>,
  side: Side,
): Promise<void> {
  const id = conflict.reusableContent
  if (conflict.about === 'existence') {
    const entry = conflict[side]
    return draft.setReusableContent(id, entry && (await readObject(tree.objects, 'reusable-content', entry.hash)))
  }
  const content = await draft.findReusableContent(id)
  if (!content) return
  if (conflict.about === 'field') return draft.setReusableContent(id, { ...content, title: conflict[side] })
  const stored = await readObject(tree.objects, 'document', content.document)
  const document = resolveWith(stored.document, conflict.block, side)
  draft.setReusableContent(id, { ...content, document: tree.objects.write({ kind: 'document', document }) })
}

/** Puts a page and those below it back, as they were; those that stand elsewhere by now stay there. */
export async function insertSubtree(tree: Tree, draft: Draft, { entry, parent }: PageStand): Promise<string[]> {
  const inserted: string[] = []
  const into = parent !== null && (await draft.findPage(parent)) ? parent : null
  const waiting = (await readPages(tree.objects, { level: 0, entries: [entry] })).map((node) => ({ node, into }))
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { id, type, slug } = next.node.entry
    if (!(await draft.findPage(id))) {
      const { kind: _, pages: __, ...body } = next.node.page
      await draft.insertPage({ id, type, slug, body }, { into: next.into })
      inserted.push(id)
    }
    waiting.push(...next.node.children.map((node) => ({ node, into: id })))
  }
  return inserted
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
  const others = Object.entries(record).filter(([other]) => other !== name)
  return Object.fromEntries(value === null ? others : [...others, [name, value]])
}
