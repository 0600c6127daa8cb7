import { slugOf } from '../../../content/markdown/slug.ts'
import { sameValue } from '../../../content/revision/diff.ts'
import { type OpenPage, type PageBody, type PagePosition, TreeError } from '../../../content/revision/draft.ts'
import type { PageFields, PageType } from '../../../content/revision/objects.ts'
import type { WrittenDocument } from '../../../domain/documents/written-document.ts'
import type { Batch, ChangeOf } from './batch.ts'
import { cleaned, fieldsOf } from './fields.ts'
import { resolveMetadata } from './links.ts'

const defaultTitle = 'Untitled'

interface Where {
  into?: string | null | undefined
  at?: number | undefined
}

export async function insertPage(batch: Batch, change: ChangeOf<'insert_page'>): Promise<void> {
  const written = batch.readText(change.document)
  const title = written.metadata.title ?? change.title ?? defaultTitle
  const fields = fieldsOf(written.metadata, change, batch.field)
  const id = await insert(batch, 'document', change, title, placeOf(batch, change), fields)
  batch.wait(id, () => putDocument(batch, id, written, change))
}

export async function insertGroup(batch: Batch, change: ChangeOf<'insert_group'>): Promise<void> {
  await insert(batch, 'group', change, change.title, { into: null, at: change.at }, fieldsOf({}, change, batch.field))
}

export async function insertLink(batch: Batch, change: ChangeOf<'insert_link'>): Promise<void> {
  const fields = { ...fieldsOf({}, change, batch.field), target: change.target }
  await insert(batch, 'link', change, change.title, placeOf(batch, change), fields)
}

async function insert(
  batch: Batch,
  type: PageType,
  { slug, ref }: { slug?: string | undefined; ref?: string | undefined },
  title: string,
  place: PagePosition,
  fields: Partial<PageFields>,
): Promise<string> {
  const { draft, applying } = batch
  const id = batch.newId()
  const body = cleaned({ ...fields, title, createdAt: applying.now, updatedAt: applying.now })
  const wanted = slugOf(slug || title)
  if (place.into !== null) await draft.getPage(place.into, 'into')
  if (slug && (await draft.isSlugTaken(place.into, wanted))) throw slugTaken(wanted)
  await draft.insertPage({ id, type, slug: wanted, body }, place)
  batch.note(id, { object: 'created_page', ...(ref !== undefined && { ref }), page: batch.presentPage(id) })
  return id
}

export async function updatePage(batch: Batch, change: ChangeOf<'update_page'>): Promise<void> {
  const page = await getOfType(batch, change.page, 'document')
  const written = change.document && batch.readText(change.document)
  const metadata = written?.metadata ?? {}
  const title = metadata.title ?? change.title
  const fields = fieldsOf(metadata, change, batch.field, page.body)
  await setFields(batch, page, { ...fields, ...(title !== undefined && { title }) })
  if (written) batch.wait(page.id, () => putDocument(batch, page.id, written, change))
  await relocate(batch, page, change)
  noteUpdated(batch, page.id)
}

export async function updateGroup(batch: Batch, change: ChangeOf<'update_group'>): Promise<void> {
  const page = await getOfType(batch, change.page, 'group')
  const title = change.title !== undefined && { title: change.title }
  await setFields(batch, page, { ...fieldsOf({}, change, batch.field, page.body), ...title })
  await relocate(batch, page, { at: change.at, slug: change.slug })
  noteUpdated(batch, page.id)
}

export async function updateLink(batch: Batch, change: ChangeOf<'update_link'>): Promise<void> {
  const page = await getOfType(batch, change.page, 'link')
  const own = {
    ...(change.title !== undefined && { title: change.title }),
    ...(change.target !== undefined && { target: change.target }),
  }
  await setFields(batch, page, { ...fieldsOf({}, change, batch.field, page.body), ...own })
  await relocate(batch, page, { into: change.into, at: change.at })
  noteUpdated(batch, page.id)
}

export async function deletePage(batch: Batch, { page }: Pick<ChangeOf<'delete_page'>, 'page'>): Promise<void> {
  for (const id of await batch.draft.deletePage(batch.pageId(page))) {
    batch.forgetWritten(id)
    batch.noteDeleted(id, { object: 'deleted_page', page: id })
  }
}

export function noteUpdated(batch: Batch, id: string): void {
  batch.noteUpdated(id, { object: 'updated_page', page: batch.presentPage(id) })
}

async function getOfType(batch: Batch, id: string, type: PageType): Promise<OpenPage> {
  const page = await batch.draft.getPage(batch.pageId(id))
  if (page.type !== type) throw new TreeError('page', `The page is a ${page.type}, not a ${type}`)
  return page
}

async function setFields({ draft, applying }: Batch, page: OpenPage, fields: Partial<PageBody>): Promise<void> {
  await draft.updatePage(page.id, (body) => {
    const changed = cleaned({ ...body, ...fields })
    return sameValue(changed, body) ? body : { ...changed, updatedAt: applying.now }
  })
}

/** Stores the text of a page and the references in its front matter. */
async function putDocument(
  batch: Batch,
  id: string,
  written: WrittenDocument,
  change: ChangeOf<'insert_page' | 'update_page'>,
): Promise<void> {
  const page = await batch.draft.findPage(id)
  // A later change may have deleted it.
  if (!page) return
  const document = await batch.writeDocument(page.body.document, written, id)
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
  page: OpenPage,
  { into, at, slug }: Where & { slug?: string | undefined },
): Promise<void> {
  const { draft } = batch
  const parent = into === undefined ? page.parent : parentOf(batch, into)
  const wanted = slug === undefined ? page.slug : slugOf(slug === '' ? page.body.title : slug)
  const changesAddress = parent !== page.parent || wanted !== page.slug
  if (parent !== page.parent || at !== undefined) await draft.movePage(page.id, { into: parent, at })
  if (!changesAddress) return
  if (await draft.isSlugTaken(parent, wanted, page.id)) throw slugTaken(wanted)
  await draft.renamePage(page.id, wanted)
}

const placeOf = (batch: Batch, { into, at }: Where): PagePosition => ({ into: parentOf(batch, into ?? null), at })

/** Returns the id of a parent, which can be given by its ref in the list. */
const parentOf = (batch: Batch, into: string | null) => (into === null ? null : batch.pageId(into))

const slugTaken = (slug: string) => new TreeError('slug', `The slug ${slug} is already used by a sibling page`)
