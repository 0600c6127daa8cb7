import { type StoredSiteItem, loadStructure } from '../../access/sites.ts'
import type { SiteExternalLink, SiteSectionGroup } from '../../contract/site.ts'
import { siteExternalLinks, siteSectionGroups } from '../../contract/site-structure.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { keyBetween } from '../../kernel/position.ts'
import { toFlag } from '../../schema/values.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import {
  addItem,
  toItemColumns,
  checkItemLimit,
  getItem,
  getReferencedItem,
  moveItem,
  updateSiteAndPresentItem,
  removeItem,
} from './items.ts'
import { listSiteItems } from './lists.ts'
import { checkItemCondition, getEndItemPosition } from './item-positions.ts'
import { type StructureChange, recordStructureChange } from './record-change.ts'
import { moveToGroup } from './sections.ts'
import * as store from './store.ts'

/** Maximum depth of nested groups, which menus can show. */
const maxDepth = 3

export const siteSectionGroupRoutes = implement(siteSectionGroups, {
  async listSiteSectionGroups(context, { query }) {
    const structure = await loadStructure(context.db, context.site)
    const groups = [...structure.walk()].filter(({ kind }) => kind === 'group')
    return listSiteItems(context, groups, query, (view, item) => view.presentGroup(item))
  },

  async addSectionGroupToSite(context, { body }) {
    await checkItemLimit(context)
    const { db, site } = context
    const parent =
      body.parent === undefined ? undefined : await getReferencedItem(context, body.parent, 'group', 'body.parent')
    await checkDepth(context, parent, 1, 'body.parent')
    const sections = new Set<string>()
    for (const [index, sectionId] of body.sections.entries()) {
      sections.add((await getReferencedItem(context, sectionId, 'section', `body.sections.${index}`)).id)
    }
    const id = await addItem(context, site, {
      kind: 'group',
      parent_id: parent?.id ?? null,
      position: await getEndItemPosition(context, parent?.id ?? null),
      title: body.title,
      icon: body.icon ?? null,
      draft: toFlag(body.draft),
    })
    let last: string | null = null
    for (const sectionId of sections) {
      last = keyBetween(last, null)
      await store.updateItem(db, site, sectionId, { parent_id: id, position: last })
    }
    return presentGroup(context, id, 'added')
  },

  async updateSiteSectionGroupById(context, { params, body }) {
    const { db, site } = context
    const item = await getItem(context, params.siteSectionGroupId, 'group')
    if (body.parentSectionGroupId !== undefined) await moveGroup(context, item, body.parentSectionGroupId)
    await store.updateItem(db, site, item.id, toItemColumns(body))
    return presentGroup(context, item.id, 'updated')
  },

  async deleteSiteSectionGroupById(context, { params }) {
    const { db, site } = context
    const structure = await loadStructure(db, site)
    const item = structure.get(params.siteSectionGroupId, 'group')
    if (!item) return
    // Its children take its place.
    const siblings = await store.findItemPositions(db, site, item.parentId)
    const next = siblings[siblings.findIndex(({ id }) => id === item.id) + 1]?.position ?? null
    let last = item.position
    for (const child of structure.childrenOf(item.id)) {
      last = keyBetween(last, next)
      await store.updateItem(db, site, child.id, { parent_id: item.parentId, position: last })
    }
    await store.deleteItem(db, site, item.id)
    await updateSite(context, site)
    await recordStructureChange(context, 'removed', item)
  },

  async addSectionToGroup(context, { params, body }) {
    const group = await getItem(context, params.siteSectionGroupId, 'group')
    const section = await getReferencedItem(context, body.sectionId, 'section', 'body.sectionId')
    await moveToGroup(context, section, group.id, 'body.sectionId')
    return presentGroup(context, group.id, 'updated')
  },

  async removeSectionFromGroup(context, { params }) {
    const { db, site } = context
    const section = (await loadStructure(db, site)).get(params.siteSectionId, 'section')
    if (section?.parentId !== params.siteSectionGroupId) return
    await moveToGroup(context, section, null, 'path.siteSectionId')
    await updateSite(context, site)
    await recordStructureChange(context, 'moved', section)
  },

  moveSiteSectionGroup: async (context, { params, body }) =>
    (await moveItem(context, params.siteSectionGroupId, 'group', body.position)) as SiteSectionGroup,
})

export const siteExternalLinkRoutes = implement(siteExternalLinks, {
  async addExternalLinkToSite(context, { body }) {
    await checkItemLimit(context)
    const { db, site } = context
    checkItemCondition(body.condition)
    const structure = await loadStructure(db, site)
    if (!structure.hasSections) throw invalid('path.siteId', 'must be a site with sections. Add a section first')
    const parent =
      body.parent === undefined ? undefined : await getReferencedItem(context, body.parent, 'group', 'body.parent')
    const parentId = parent?.id ?? null
    const id = await addItem(context, site, {
      kind: 'link',
      parent_id: parentId,
      position: await getEndItemPosition(context, parentId),
      ...toItemColumns(body),
      url: body.url,
    })
    return presentLink(context, id, 'added')
  },

  async updateSiteExternalLinkById(context, { params, body }) {
    const { db, site } = context
    const item = await getItem(context, params.siteExternalLinkId, 'link')
    checkItemCondition(body.condition)
    if (body.parent !== undefined) await moveToGroup(context, item, body.parent, 'body.parent')
    await store.updateItem(db, site, item.id, {
      ...toItemColumns(body),
      ...(body.url !== undefined && { url: body.url }),
    })
    return presentLink(context, item.id, 'updated')
  },

  deleteSiteExternalLinkById: (context, { params }) => removeItem(context, params.siteExternalLinkId, 'link'),
})

const presentGroup = async (context: SiteContext, id: string, change: StructureChange) =>
  (await updateSiteAndPresentItem(context, id, change)) as SiteSectionGroup

const presentLink = async (context: SiteContext, id: string, change: StructureChange) =>
  (await updateSiteAndPresentItem(context, id, change)) as SiteExternalLink

/** Moves a group into another group, or to the top of the site. */
async function moveGroup(context: SiteContext, group: StoredSiteItem, parentId: string | null): Promise<void> {
  const field = 'body.parentSectionGroupId'
  const structure = await loadStructure(context.db, context.site)
  const parent = parentId === null ? undefined : await getReferencedItem(context, parentId, 'group', field)
  if (parent && structure.ancestorsAndSelf(parent).includes(group))
    throw invalid(field, 'must not be the group itself or a group inside it')
  const height = (item: StoredSiteItem): number =>
    1 + Math.max(0, ...structure.childrenOf(item.id).map((child) => (child.kind === 'group' ? height(child) : 0)))
  await checkDepth(context, parent, height(group), field)
  await moveToGroup(context, group, parentId, field)
}

async function checkDepth(
  { db, site }: SiteContext,
  parent: StoredSiteItem | undefined,
  height: number,
  field: string,
): Promise<void> {
  const parentDepth = parent ? (await loadStructure(db, site)).ancestorsAndSelf(parent).length : 0
  if (parentDepth + height > maxDepth) throw invalid(field, `would nest groups deeper than ${maxDepth} levels`)
}
