import { type StoredItem, loadStructure } from '../../access/sites.ts'
import type { SiteSection } from '../../contract/site.ts'
import { siteSections } from '../../contract/site-structure.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { invalid, unknownReference } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { flag } from '../../schema/values.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import {
  addItem,
  checkPage,
  checkPath,
  columnsOf,
  demandRoom,
  freePath,
  getItem,
  getNamed,
  moveItem,
  presentChanged,
  removeItem,
  spaceForSite,
} from './items.ts'
import { listItems } from './lists.ts'
import { checkCondition, endOf } from './places.ts'
import * as store from './store.ts'

export const siteSectionRoutes = implement(siteSections, {
  async listSiteSections(context, { query }) {
    const { sections } = await loadStructure(context.db, context.site)
    return listItems(context, sections, query, (view, item) => view.section(item))
  },

  async addSectionToSite(given, { body }) {
    await demandRoom(given)
    const group =
      body.siteSectionGroupId === undefined
        ? undefined
        : await getNamed(given, body.siteSectionGroupId, 'group', 'body.siteSectionGroupId')
    if (body.spaceId === null && body.pageId !== undefined)
      throw invalid('body.pageId', 'must not be set for a new space')
    const space = await spaceForSite(given, body.spaceId, { title: body.title })
    await checkPage(given, space, body.pageId)
    const context = await sectioned(given)
    const { db, site } = context
    const title = body.title ?? titleOfSection(space.title)
    const structure = await loadStructure(db, site)
    const id = await addItem(context, site, {
      kind: 'section',
      parent_id: group?.id ?? null,
      position: await endOf(context, group?.id ?? null),
      title,
      icon: body.icon ?? null,
      path: await freePath(context, site, 'section', null, title),
      draft: flag(body.draft),
    })
    // A site without sections can only contain deleted spaces here, which become variants of the section when restored.
    if (!structure.isSectioned) await store.moveSpacesInto(db, site, id)
    await addItem(context, site, {
      kind: 'space',
      parent_id: id,
      position: await endOf(context, id),
      path: await freePath(context, site, 'space', id, space.title),
      space_id: space.id,
      page_id: body.pageId ?? null,
    })
    return presentSection(context, id)
  },

  async updateSiteSectionById(context, { params, body }) {
    const { db, site } = context
    const item = await getItem(context, params.siteSectionId, 'section')
    checkCondition(body.condition)
    await checkPath(context, item, body.path)
    if (body.defaultSiteSpace !== undefined) await checkInside(context, item, body.defaultSiteSpace)
    if (body.siteSectionGroupId !== undefined) {
      await regroup(context, item, body.siteSectionGroupId, 'body.siteSectionGroupId')
    }
    await store.updateItem(db, site, item.id, {
      ...columnsOf(body),
      ...(body.defaultSiteSpace !== undefined && { default_item_id: body.defaultSiteSpace }),
    })
    return presentSection(context, item.id)
  },

  deleteSiteSectionById: (context, { params }) => removeItem(context, params.siteSectionId, 'section'),

  async moveSiteSection(context, { params, body }) {
    const position = { before: pointer(body.position.before), after: pointer(body.position.after) }
    return (await moveItem(context, params.siteSectionId, 'section', position)) as SiteSection
  },
})

const pointer = (given: { siteSection: string } | undefined) =>
  given && { type: 'site-section' as const, id: given.siteSection }

const presentSection = async (context: SiteContext, id: string) => (await presentChanged(context, id)) as SiteSection

/** Moves an item to the end of a group, or of the top level of the site (null). */
export async function regroup(
  context: SiteContext,
  item: StoredItem,
  groupId: string | null,
  field: string,
): Promise<void> {
  if (groupId === item.parentId) return
  if (groupId !== null) await getNamed(context, groupId, 'group', field)
  const position = await endOf(context, groupId)
  await store.updateItem(context.db, context.site, item.id, { parent_id: groupId, position })
}

/** Converts a site to sections: its site spaces are moved into a new section, which becomes the default. */
async function sectioned(context: SiteContext): Promise<SiteContext> {
  const { db, site } = context
  const structure = await loadStructure(db, site)
  const space = structure.defaultSpaceIn(undefined)
  if (structure.isSectioned || !space) return context
  const title = titleOfSection(space.title)
  const id = await addItem(context, site, {
    kind: 'section',
    position: await endOf(context, null),
    title,
    path: await freePath(context, site, 'section', null, title),
    default_item_id: space.id,
  })
  await store.moveSpacesInto(db, site, id)
  return { ...context, site: await updateSite(context, site, { default_item_id: id }) }
}

async function checkInside(context: SiteContext, section: StoredItem, siteSpaceId: string): Promise<void> {
  const item = await getNamed(context, siteSpaceId, 'space', 'body.defaultSiteSpace')
  if (item.parentId !== section.id) throw unknownReference('body.defaultSiteSpace', 'site space of this section')
}

/** Returns a title for a section, which requires at least two characters, unlike that of a space. */
const titleOfSection = (title: string): string => (title.length < 2 ? 'Docs' : title)
