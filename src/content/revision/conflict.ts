import type { DocumentConflict } from '../document/merge.ts'
import { resolveAllWith } from '../document/resolve.ts'
import { Draft, type OpenPage, type PageBody } from './draft.ts'
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
 * Where a thing is absent on a side, that side is null. `elsewhere` are the pages below one that ours has and theirs removed
 * that theirs has at another place.
 */
export type Conflict =
  | ({ on: 'page'; page: string; about: 'existence'; elsewhere?: readonly string[] } & Sides<PageStand | null>)
  | ({ on: 'page'; page: string; about: 'place' } & Sides<string | null>)
  | ({ on: 'page'; page: string; about: 'field'; field: string } & Sides<unknown>)
  | { on: 'page'; page: string; about: 'block'; block: DocumentConflict }
  | ({ on: 'file'; file: string; about: 'existence' } & Sides<NamedEntry | null>)
  | ({ on: 'reusable-content'; reusableContent: string; about: 'existence' } & Sides<NamedEntry | null>)
  | ({ on: 'reusable-content'; reusableContent: string; about: 'field'; field: 'title' } & Sides<string>)
  | { on: 'reusable-content'; reusableContent: string; about: 'block'; block: DocumentConflict }
  | ({ on: 'variable'; name: string } & Sides<Scalar | null>)
  | ({ on: 'tag'; slug: string } & Sides<TagDefinition | null>)

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

/** The tree with one side of conflicts put in place; returns the hash of its root. */
export async function resolveConflicts(tree: Tree, conflicts: readonly Conflict[], side: Side): Promise<string> {
  const draft = new Draft(tree, { maxDepth: Infinity })
  const blocks = new Map<string, BlockConflict[]>()
  for (const conflict of conflicts) {
    if (!isAboutBlock(conflict)) await apply(tree, draft, conflict, side)
    else {
      const owner = conflict.on === 'page' ? conflict.page : conflict.reusableContent
      const inOwner = blocks.get(owner)
      if (inOwner) inOwner.push(conflict)
      else blocks.set(owner, [conflict])
    }
  }
  // A text is read and written once, however much of it is disputed; whether it exists is settled by now.
  for (const inOwner of blocks.values()) await applyToText(tree, draft, inOwner, side)
  return draft.commit()
}

type BlockConflict = Extract<Conflict, { about: 'block' }>

const isAboutBlock = (conflict: Conflict): conflict is BlockConflict =>
  'about' in conflict && conflict.about === 'block'

async function applyToText(tree: Tree, draft: Draft, conflicts: readonly BlockConflict[], side: Side): Promise<void> {
  const [first] = conflicts
  if (!first) return
  const blocks = conflicts.map(({ block }) => block)
  const resolved = async (hash: string) => {
    const { document } = await readObject(tree.objects, 'document', hash)
    return tree.objects.write({ kind: 'document', document: resolveAllWith(document, blocks, side) })
  }
  if (first.on === 'page') {
    const page = await draft.findPage(first.page)
    if (page?.body.document === undefined) return
    const document = await resolved(page.body.document)
    return draft.updatePage(page.id, (body) => (document === body.document ? body : { ...body, document }))
  }
  const content = await draft.reusableContents.find(first.reusableContent)
  if (!content) return
  draft.reusableContents.set(first.reusableContent, { ...content, document: await resolved(content.document) })
}

async function apply(tree: Tree, draft: Draft, conflict: Exclude<Conflict, BlockConflict>, side: Side): Promise<void> {
  switch (conflict.on) {
    case 'page':
      return applyToPage(tree, draft, conflict, side)
    case 'file': {
      const entry = conflict[side]
      return draft.files.set(conflict.file, entry && (await readObject(tree.objects, 'file', entry.hash)))
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
  conflict: Exclude<Extract<Conflict, { on: 'page' }>, BlockConflict>,
  side: Side,
): Promise<void> {
  const page = await draft.findPage(conflict.page)
  if (conflict.about === 'existence') {
    const stand = conflict[side]
    if (page) await removePage(draft, page, conflict.elsewhere ?? [])
    if (stand) await insertSubtree(tree, draft, stand)
    return
  }
  if (!page) return
  switch (conflict.about) {
    case 'place': {
      const wanted = conflict[side]
      const into = wanted !== null && (await draft.findPage(wanted)) ? wanted : null
      await makeWay(draft, page, into)
      return draft.movePage(page.id, { into })
    }
    case 'field': {
      const { field } = conflict
      const value = conflict[side]
      if (field === 'slug') {
        return draft.renamePage(page.id, await draft.freeSlug(page.parent, String(value), page.id))
      }
      return draft.updatePage(page.id, (body) => withField(body, field, value))
    }
  }
}

/** When a page is to go under one that stands below it, that branch first takes the place of the page. */
async function makeWay(draft: Draft, page: OpenPage, into: string | null): Promise<void> {
  for (let next = into; next !== null;) {
    const above: string | null = (await draft.findPage(next))?.parent ?? null
    if (above === page.id) return draft.movePage(next, { into: page.parent })
    next = above
  }
}

async function applyToReusableContent(
  tree: Tree,
  draft: Draft,
  conflict: Exclude<Extract<Conflict, { on: 'reusable-content' }>, BlockConflict>,
  side: Side,
): Promise<void> {
  const id = conflict.reusableContent
  if (conflict.about === 'existence') {
    const entry = conflict[side]
    return draft.reusableContents.set(id, entry && (await readObject(tree.objects, 'reusable-content', entry.hash)))
  }
  const content = await draft.reusableContents.find(id)
  if (!content) return
  draft.reusableContents.set(id, { ...content, title: conflict[side] })
}

/** Removes a page and those below it, except for some, which take its place. */
async function removePage(draft: Draft, { id, parent }: OpenPage, kept: readonly string[]): Promise<void> {
  for (const one of kept) if (await draft.isBelow(one, id)) await draft.movePage(one, { into: parent })
  await draft.deletePage(id)
}

export interface InsertedPages {
  inserted: string[]
  /** Pages below those that stand elsewhere by now. */
  elsewhere: string[]
}

/** Puts a page and those below it back, as they were; those that stand elsewhere by now stay there with all below them. */
export async function insertSubtree(tree: Tree, draft: Draft, { entry, parent }: PageStand): Promise<InsertedPages> {
  const pages: InsertedPages = { inserted: [], elsewhere: [] }
  const into = parent !== null && (await draft.findPage(parent)) ? parent : null
  const waiting = (await readPages(tree.objects, { level: 0, entries: [entry] })).map((node) => ({ node, into }))
  for (const { node, into: folder } of waiting) {
    const { id, type, slug } = node.entry
    if (await draft.findPage(id)) {
      pages.elsewhere.push(id)
      continue
    }
    const { kind: _, pages: __, ...body } = node.page
    await draft.insertPage({ id, type, slug, body }, { into: folder })
    pages.inserted.push(id)
    for (const child of node.children) waiting.push({ node: child, into: id })
  }
  return pages
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
