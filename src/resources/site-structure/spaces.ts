import { type StoredItem, loadStructure } from '../../access/sites.ts'
import type { SiteSpace } from '../../contract/site.ts'
import { siteSpaces } from '../../contract/site-structure.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import type { Row } from '../../schema/tables.ts'
import { flag } from '../../schema/values.ts'
import { findLiveSpace } from '../../domain/spaces/space-queries.ts'
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

export const siteSpaceRoutes = implement(siteSpaces, {
  async listSiteSpaces(context, { query }) {
    const structure = await loadStructure(context.db, context.site)
    const matching = structure.spaces.filter(
      (item) => query.default === undefined || structure.isDefault(item) === query.default,
    )
    return listItems(context, matching, query, (view, item) => view.space(item))
  },

  async addSpaceToSite(context, { body }) {
    await demandRoom(context)
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
      // A new space is created with the title, so the site space needs no title of its own and follows later changes.
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
    if (body.pageId) await checkPage(context, space ?? (await getSpaceOf(context, item)), body.pageId)
    await store.updateItem(db, site, item.id, {
      ...columnsOf(body),
      // The landing page belongs to the previous space.
      ...(space && { space_id: space.id, page_id: null }),
      ...(body.pageId !== undefined && { page_id: body.pageId }),
      ...(body.hidden !== undefined && { hidden: flag(body.hidden) }),
    })
    return presentSpace(context, item.id)
  },

  deleteSiteSpaceById: (context, { params }) => removeItem(context, params.siteSpaceId, 'space'),

  async moveSiteSpace(context, { params, body }) {
    const position = { before: pointer(body.position.before), after: pointer(body.position.after) }
    return (await moveItem(context, params.siteSpaceId, 'space', position)) as SiteSpace
  },
})

const pointer = (given: { siteSpace: string } | undefined) =>
  given && { type: 'site-space' as const, id: given.siteSpace }

const presentSpace = async (context: SiteContext, id: string) => (await presentChanged(context, id)) as SiteSpace

/** Returns the space of a site space; structures do not contain deleted spaces. */
async function getSpaceOf({ db, site }: SiteContext, { id, spaceId }: StoredItem): Promise<Row<'spaces'>> {
  const space = await findLiveSpace(db, { organization_id: site.organization_id, id: spaceId ?? '' })
  if (!space) throw new Error(`The site space ${id} has no space`)
  return space
}
