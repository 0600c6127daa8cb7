import { toSlug } from '../../../content/markdown/slug.ts'
import { isSameValue } from '../../../content/revision/diff.ts'
import type { DraftPage, PageBody, PagePosition } from '../../../content/revision/draft.ts'
import { TreeError } from '../../../content/revision/tree-error.ts'
import type { PageFields, PageType } from '../../../content/revision/objects.ts'
import type { ParsedDocumentBody } from '../../../domain/documents/document-body.ts'
import type { Batch, ChangeOf } from './batch.ts'
import { withoutEmptyFields, toPageFields } from './fields.ts'
import { resolveMetadata } from './links.ts'
import { type BaseDocument, openBase, writeOverBase } from './write-over-base.ts'

const defaultTitle = 'Untitled'

interface PositionInput {
  into?: string | null | undefined
  at?: number | undefined
}

export async function insertPage(batch: Batch, change: ChangeOf<'insert_page'>): Promise<void> {
  if (change.type === 'computed') return insertComputedPage(batch, change)
  if (!change.document) throw new TreeError('document', 'A document is required')
  const written = batch.readText(change.document)
  const title = written.metadata.title ?? change.title ?? defaultTitle
  const fields = toPageFields(written.metadata, change, batch.field)
  const id = await insertPageOfType(batch, 'document', change, title, toPosition(batch, change), fields)
  batch.defer(id, () => storeDocument(batch, id, written, change))
}

async function insertComputedPage(batch: Batch, change: ChangeOf<'insert_page'>): Promise<void> {
  const { computed, document } = change
  if (!computed || 'doc' in computed.props)
    throw new TreeError('computed', 'A computed page requires a source of pages, without `props.doc`')
  if (document) throw new TreeError('document', 'A computed page has no document')
  const fields = toPageFields({}, change, batch.field)
  await insertPageOfType(batch, 'computed', change, change.title ?? 'API', toPosition(batch, change), fields)
}

export async function insertGroup(batch: Batch, change: ChangeOf<'insert_group'>): Promise<void> {
  await insertPageOfType(
    batch,
    'group',
    change,
    change.title,
    { into: null, at: change.at },
    toPageFields({}, change, batch.field),
  )
}

export async function insertLink(batch: Batch, change: ChangeOf<'insert_link'>): Promise<void> {
  const fields = { ...toPageFields({}, change, batch.field), target: change.target }
  await insertPageOfType(batch, 'link', change, change.title, toPosition(batch, change), fields)
}

async function insertPageOfType(
  batch: Batch,
  type: PageType,
  { slug, ref }: { slug?: string | undefined; ref?: string | undefined },
  title: string,
  position: PagePosition,
  fields: Partial<PageFields>,
): Promise<string> {
  const { draft, options } = batch
  const id = batch.newId()
  const body = withoutEmptyFields({ ...fields, title, createdAt: options.now, updatedAt: options.now })
  const newSlug = toSlug(slug || title)
  if (position.into !== null) await draft.getPage(position.into, 'into')
  if (slug && (await draft.isSlugTaken(position.into, newSlug))) throw slugTaken(newSlug)
  await draft.insertPage({ id, type, slug: newSlug, body }, position)
  batch.record(id, { object: 'created_page', ...(ref !== undefined && { ref }), page: batch.presentPage(id) })
  return id
}

export async function updatePage(batch: Batch, change: ChangeOf<'update_page'>): Promise<void> {
  const page = await batch.draft.getPage(batch.pageId(change.page))
  if (page.type === 'computed') assertComputedUpdate(change)
  else assertType(page, 'document')
  const written = change.document && batch.readText(change.document)
  const base = change.base === undefined ? undefined : await openBase(batch, page.id, change.base)
  const metadata = written?.metadata ?? {}
  // Markdown contains the title as it was read; it must not undo a rename since then.
  const writtenTitle = metadata.title === base?.title ? undefined : metadata.title
  const title = writtenTitle ?? change.title
  const fields = toPageFields(metadata, change, batch.field, page.body)
  await setFields(batch, page, { ...fields, ...(title !== undefined && { title }) })
  if (written) batch.defer(page.id, () => storeDocument(batch, page.id, written, change, base))
  await relocate(batch, page, change)
  recordPageUpdated(batch, page.id)
}

export async function updateGroup(batch: Batch, change: ChangeOf<'update_group'>): Promise<void> {
  const page = await getPageOfType(batch, change.page, 'group')
  const title = change.title !== undefined && { title: change.title }
  await setFields(batch, page, { ...toPageFields({}, change, batch.field, page.body), ...title })
  await relocate(batch, page, { at: change.at, slug: change.slug })
  recordPageUpdated(batch, page.id)
}

export async function updateLink(batch: Batch, change: ChangeOf<'update_link'>): Promise<void> {
  const page = await getPageOfType(batch, change.page, 'link')
  const own = {
    ...(change.title !== undefined && { title: change.title }),
    ...(change.target !== undefined && { target: change.target }),
  }
  await setFields(batch, page, { ...toPageFields({}, change, batch.field, page.body), ...own })
  await relocate(batch, page, { into: change.into, at: change.at })
  recordPageUpdated(batch, page.id)
}

export async function deletePage(batch: Batch, { page }: Pick<ChangeOf<'delete_page'>, 'page'>): Promise<void> {
  for (const id of await batch.draft.deletePage(batch.pageId(page))) {
    batch.discardDeferred(id)
    batch.recordDeleted(id, { object: 'deleted_page', page: id })
  }
}

export function recordPageUpdated(batch: Batch, id: string): void {
  batch.recordUpdated(id, { object: 'updated_page', page: batch.presentPage(id) })
}

async function getPageOfType(batch: Batch, id: string, type: PageType): Promise<DraftPage> {
  const page = await batch.draft.getPage(batch.pageId(id))
  assertType(page, type)
  return page
}

function assertType(page: DraftPage, type: PageType): void {
  if (page.type !== type) throw new TreeError('page', `The page is a ${page.type}, not a ${type}`)
}

function assertComputedUpdate({ document, computed }: ChangeOf<'update_page'>): void {
  if (document) throw new TreeError('document', 'A computed page has no document')
  if (computed === null || (computed && 'doc' in computed.props))
    throw new TreeError('computed', 'A computed page requires a source of pages, without `props.doc`')
}

async function setFields({ draft, options }: Batch, page: DraftPage, fields: Partial<PageBody>): Promise<void> {
  await draft.updatePage(page.id, (body) => {
    const changed = withoutEmptyFields({ ...body, ...fields })
    return isSameValue(changed, body) ? body : { ...changed, updatedAt: options.now }
  })
}

/** Stores the text of a page and the references in its front matter. */
async function storeDocument(
  batch: Batch,
  id: string,
  written: ParsedDocumentBody,
  change: ChangeOf<'insert_page' | 'update_page'>,
  base?: BaseDocument,
): Promise<void> {
  const page = await batch.draft.findPage(id)
  // A later change may have deleted it.
  if (!page) return
  const document = base
    ? await writeOverBase(batch, base, written, { id, pageId: id, current: page.body.document })
    : await batch.writeDocument(page.body.document, written, id)
  const linked = await resolveMetadata(batch.draft, written.metadata, id, batch.refs)
  await setFields(batch, page, {
    document,
    ...(linked.cover && change.cover === undefined && { cover: linked.cover }),
    ...(linked.metaLinks && change.metaLinks === undefined && { metaLinks: linked.metaLinks }),
  })
}

/** Moves a page, changes its slug, or both; fails if a sibling at the new position has the slug. */
async function relocate(
  batch: Batch,
  page: DraftPage,
  { into, at, slug }: PositionInput & { slug?: string | undefined },
): Promise<void> {
  const { draft } = batch
  const parent = into === undefined ? page.parent : resolveParentId(batch, into)
  const newSlug = slug === undefined ? page.slug : toSlug(slug === '' ? page.body.title : slug)
  const changesPath = parent !== page.parent || newSlug !== page.slug
  if (parent !== page.parent || at !== undefined) await draft.movePage(page.id, { into: parent, at })
  if (!changesPath) return
  if (await draft.isSlugTaken(parent, newSlug, page.id)) throw slugTaken(newSlug)
  await draft.renamePage(page.id, newSlug)
}

const toPosition = (batch: Batch, { into, at }: PositionInput): PagePosition => ({
  into: resolveParentId(batch, into ?? null),
  at,
})

/** Returns the id of a parent, which can be given by its ref in the list. */
const resolveParentId = (batch: Batch, into: string | null) => (into === null ? null : batch.pageId(into))

const slugTaken = (slug: string) => new TreeError('slug', `The slug ${slug} is already used by a sibling page`)
