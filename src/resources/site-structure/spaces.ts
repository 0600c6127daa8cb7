import { type StoredItem, loadStructure } from '../../access/sites.ts'
import type { SiteSpace } from '../../contract/site.ts'
import { siteSpaces } from '../../contract/site-structure.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { flag } from '../../storage/tables.ts'
import { changeSite } from '../sites/change.ts'
import { addItem, checkPage, checkPath, freePath, getItem, getNamed, presentChanged, spaceForSite } from './items.ts'
import { listItems } from './lists.ts'
import { checkCondition, endOf, keyFor } from './places.ts'
import * as store from './store.ts'

export const siteSpaceRoutes = implement(siteSpaces, {
  async listSiteSpaces(context, { query }) {
    const structure = await loadStructure(context.db, context.site)
    const matching = structure.spaces.filter(
      (item) => query.default === undefined || structure.isDefault(item) === query.default,
    )
    return listItems(context, matching, query, (view, item) => view.space(item))
  },

  async addSpaceToSite(context, { body }) {
    const { db, site } = context
    const structure = await loadStructure(db, site)
    const section =
      body.sectionId === undefined
        ? structure.defaultSection
        : await getNamed(context, body.sectionId, 'section', 'body.sectionId')
    if (body.spaceId === null && body.pageId) throw invalid('body.pageId', 'must not be set for a new space')
    const space = await spaceForSite(context, body.spaceId, { title: body.title })
    await checkPage(context, space, body.pageId)
    const parentId = section?.id ?? null
    const title = body.title ?? space.title
    const id = await addItem(context, site, {
      kind: 'space',
      parent_id: parentId,
      position: await endOf(context, parentId),
      // A new space is called what was asked for, and may be called otherwise later.
      title: body.spaceId === null ? null : (body.title ?? null),
      path: await freePath(context, site, 'space', parentId, title),
      space_id: space.id,
      page_id: body.pageId ?? null,
      draft: flag(body.draft),
    })
    return presentSpace(context, id)
  },

  async updateSiteSpaceById(context, { params, body }) {
    const { db, site } = context
    const item = await getItem(context, params.siteSpaceId, 'space')
    checkCondition(body.condition)
    await checkPath(context, item, body.path)
    const space = body.spaceId === undefined ? undefined : await spaceForSite(context, body.spaceId)
    await checkHomePage(context, item, space?.id, body.pageId)
    await store.updateItem(db, site, item.id, {
      ...(body.path !== undefined && { path: body.path }),
      ...(body.title !== undefined && { title: body.title }),
      ...(body.localizedTitle !== undefined && { localized_title: JSON.stringify(body.localizedTitle) }),
      ...(body.condition !== undefined && { condition: body.condition }),
      // A page of the space before is none of the one that follows.
      ...(space && { space_id: space.id, page_id: null }),
      ...(body.pageId !== undefined && { page_id: body.pageId }),
      ...(body.hidden !== undefined && { hidden: flag(body.hidden) }),
      ...(body.draft !== undefined && { draft: flag(body.draft) }),
    })
    return presentSpace(context, item.id)
  },

  async deleteSiteSpaceById(context, { params }) {
    const { db, site } = context
    const item = (await loadStructure(db, site)).get(params.siteSpaceId, 'space')
    if (!item) return
    await store.deleteItem(db, site, item.id)
    await changeSite(context, site, site.default_item_id === item.id ? { default_item_id: null } : {})
  },

  async moveSiteSpace(context, { params, body }) {
    const { db, site } = context
    const item = await getItem(context, params.siteSpaceId, 'space')
    const position = { before: pointer(body.position.before), after: pointer(body.position.after) }
    await store.updateItem(db, site, item.id, { position: await keyFor(context, item, position) })
    return presentSpace(context, item.id)
  },
})

const pointer = (given: { siteSpace: string } | undefined) =>
  given && { type: 'site-space' as const, id: given.siteSpace }

const presentSpace = async (context: SiteContext, id: string) => (await presentChanged(context, id)) as SiteSpace

/** Fails unless the page is one of the space that the site space will show. */
async function checkHomePage(
  context: SiteContext,
  item: StoredItem,
  newSpaceId: string | undefined,
  pageId: string | null | undefined,
): Promise<void> {
  if (pageId === null || pageId === undefined) return
  const space = await context.db
    .selectFrom('spaces')
    .selectAll()
    .where('organization_id', '=', context.site.organization_id)
    .where('id', '=', newSpaceId ?? item.spaceId ?? '')
    .executeTakeFirstOrThrow()
  await checkPage(context, space, pageId)
}
