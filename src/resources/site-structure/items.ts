import type { Insertable } from 'kysely'
import { requireRole, findSpace } from '../../access/authorize.ts'
import { type StoredSiteItem, loadStructure } from '../../access/sites.ts'
import { uniqueSlug } from '../../content/markdown/slug.ts'
import { findPage } from '../../content/revision/tree.ts'
import type { OrganizationContext, SiteContext } from '../../kernel/context.ts'
import { conflict, invalid, notFound, unknownReference } from '../../kernel/errors.ts'
import { toUrlSegment } from '../../publishing/site-urls.ts'
import type { ItemKind } from '../../publishing/structure.ts'
import type { Row, SiteKey, Tables } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { getComputedContent } from '../../domain/revisions/revisions.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import { createSpace, createSpaceFromTemplate } from '../spaces/create-space.ts'
import type { RequestedTemplate } from '../templates/apply-template.ts'
import { type ItemPosition, getItemPositionFor, itemKindLabels } from './item-positions.ts'
import { type StructureChange, recordStructureChange } from './record-change.ts'
import * as store from './store.ts'
import { StructureView } from './structure-view.ts'

/** Default values of a new item. */
const newItemDefaults = {
  parent_id: null,
  title: null,
  localized_title: null,
  description: null,
  localized_description: null,
  icon: null,
  path: null,
  condition: null,
  draft: 0,
  hidden: 0,
  space_id: null,
  page_id: null,
  url: null,
  default_item_id: null,
  customization: null,
} as const

type NewItem = Partial<Insertable<Tables['site_items']>> & Pick<Insertable<Tables['site_items']>, 'kind' | 'position'>

/** Adds an item to a site; returns its id. */
export async function addItem({ db, newId, now }: OrganizationContext, site: SiteKey, item: NewItem): Promise<string> {
  const id = newId()
  const key = { organization_id: site.organization_id, site_id: site.id, id }
  await store.insertItem(db, { ...newItemDefaults, created_at: now(), ...item, ...key })
  return id
}

interface ItemFields {
  title?: string | null | undefined
  localizedTitle?: object | null | undefined
  description?: string | null | undefined
  localizedDescription?: object | null | undefined
  icon?: string | null | undefined
  path?: string | undefined
  condition?: string | null | undefined
  draft?: boolean | undefined
}

/** Converts the fields of a request body to columns; missing fields remain unchanged. */
export const toItemColumns = (body: ItemFields) => ({
  ...(body.title !== undefined && { title: body.title }),
  ...(body.localizedTitle !== undefined && {
    localized_title: body.localizedTitle && JSON.stringify(body.localizedTitle),
  }),
  ...(body.description !== undefined && { description: body.description }),
  ...(body.localizedDescription !== undefined && {
    localized_description: body.localizedDescription && JSON.stringify(body.localizedDescription),
  }),
  ...(body.icon !== undefined && { icon: body.icon }),
  ...(body.path !== undefined && { path: body.path }),
  ...(body.condition !== undefined && { condition: body.condition }),
  ...(body.draft !== undefined && { draft: toFlag(body.draft) }),
})

/** Returns the item that the path of a request names. */
export async function getItem({ db, site }: SiteContext, id: string, kind: ItemKind): Promise<StoredSiteItem> {
  const item = (await loadStructure(db, site)).get(id, kind)
  if (!item) throw notFound(itemKindLabels[kind])
  return item
}

/** Returns the item that the body of a request names. */
export async function getReferencedItem(
  { db, site }: SiteContext,
  id: string,
  kind: ItemKind,
  field: string,
): Promise<StoredSiteItem> {
  const item = (await loadStructure(db, site)).get(id, kind)
  if (!item) throw unknownReference(field, itemKindLabels[kind])
  return item
}

/** Presents an item after a change, which is recorded and gives the site a new version. */
export async function updateSiteAndPresentItem(context: SiteContext, id: string, change: StructureChange) {
  const site = await updateSite(context, context.site)
  const item = (await loadStructure(context.db, site)).items.get(id)
  if (!item) throw new Error(`Nothing on the site ${site.id} has the id ${id}`)
  await recordStructureChange(context, change, item)
  const view = await StructureView.open({ ...context, site }, { only: [item] })
  return view.present(item)
}

interface SpaceForSiteOptions {
  /** Title of a new space without a template. */
  title?: string | null | undefined
  template?: RequestedTemplate | undefined
  field?: string
}

/** Returns the space for a new site space: one that the caller may publish, or a new one. */
export async function getOrCreateSpaceForSite(
  context: OrganizationContext,
  spaceId: string | null,
  { title, template, field = 'body.spaceId' }: SpaceForSiteOptions = {},
): Promise<Row<'spaces'>> {
  const { db, principal, organization, role } = context
  if (spaceId === null) {
    requireRole('organization', 'createContent', role)
    const owner = { organizationId: organization.id, container: undefined, createdBy: principal.user.id }
    if (template) return createSpaceFromTemplate(context, owner, template)
    const titleOption = title ? { title: title.slice(0, 50).toWellFormed() } : {}
    return createSpace(db, context, { ...owner, ...titleOption })
  }
  if (template) throw invalid(template.field, 'must not be set for an existing space')
  const found = await findSpace(db, principal.user.id, spaceId)
  if (found?.space.organization_id !== organization.id) throw unknownReference(field, 'space')
  requireRole('space', 'create', found.role)
  return found.space
}

/** Fails unless the landing page of a site space is a document of its space. */
export async function checkLandingPage(
  context: OrganizationContext,
  space: Row<'spaces'>,
  pageId: string | null | undefined,
): Promise<void> {
  if (pageId === null || pageId === undefined) return
  const { tree } = await getComputedContent(context, space, space.revision_id)
  const located = await findPage(tree, pageId)
  if (!located) throw unknownReference('body.pageId', 'page')
  if (located.entry.type !== 'document') throw invalid('body.pageId', 'must reference a page that can be shown')
}

/** Returns an unused path for a new item, made from its title. */
export async function findFreePath(
  { db }: OrganizationContext,
  site: SiteKey,
  kind: 'section' | 'space',
  sectionId: string | null,
  title: string,
): Promise<string> {
  const taken = await store.findItemIdsByPath(db, site, kind, sectionId)
  return uniquePathFromTitle(title, kind, (path) => taken.has(path))
}

/** Returns an unused path made from a title. */
export function uniquePathFromTitle(
  title: string,
  kind: 'section' | 'space',
  isTaken: (path: string) => boolean,
): string {
  // URLs of variants may have the segment `v` before the path.
  return uniqueSlug(toUrlSegment(title, kind), (path) => path === 'v' || isTaken(path))
}

/** Maximum number of items of a site, which are loaded together and shown in one menu. */
const maxItems = 5000

/** Fails when a site has the maximum number of items. */
export async function checkItemLimit({ db, site }: SiteContext): Promise<void> {
  const { items } = await loadStructure(db, site)
  if (items.size >= maxItems) throw conflict(`A site can have at most ${maxItems} sections, groups, links and spaces`)
}

/** Fails when another item has the path. */
export async function checkItemPath(
  { db, site }: SiteContext,
  item: StoredSiteItem,
  path: string | undefined,
): Promise<void> {
  if (path === undefined) return
  if (path === 'v') throw invalid('body.path', 'must not be `v`, which is reserved for variants')
  const kind = item.kind as 'section' | 'space'
  const owner = (await store.findItemIdsByPath(db, site, kind, item.parentId)).get(path)
  if (owner !== undefined && owner !== item.id) throw conflict(`The path ${path} is already in use`)
}

/** Makes a site space the default of its section. */
export function setDefaultSiteSpace(
  { db, site }: SiteContext,
  section: StoredSiteItem,
  space: StoredSiteItem,
): Promise<void> {
  return store.updateItem(db, site, section.id, { default_item_id: space.id })
}

/** Removes an item with everything in it from the site; does nothing if it does not exist. */
export async function removeItem(context: SiteContext, id: string, kind: ItemKind): Promise<void> {
  const { db, site } = context
  const item = (await loadStructure(db, site)).get(id, kind)
  if (!item) return
  await store.deleteItem(db, site, id)
  await recordStructureChange(context, 'removed', item)
  await updateSite(context, site, site.default_item_id === id ? { default_item_id: null } : {})
}

/** Moves an item among its siblings. */
export async function moveItem(context: SiteContext, id: string, kind: ItemKind, position: ItemPosition) {
  const item = await getItem(context, id, kind)
  await store.updateItem(context.db, context.site, id, { position: await getItemPositionFor(context, item, position) })
  return updateSiteAndPresentItem(context, id, 'moved')
}
