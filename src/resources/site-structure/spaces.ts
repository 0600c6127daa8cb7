import { type StoredSiteItem, loadStructure } from '../../access/sites.ts'
import type { SiteSpace } from '../../contract/site.ts'
import { siteSpaces } from '../../contract/site-structure.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { type OperationInput, implement, withPreparation } from '../../kernel/implement.ts'
import type { Row } from '../../schema/tables.ts'
import { findTranslationOfResult } from '../../domain/translations/translation-store.ts'
import { toFlag } from '../../schema/values.ts'
import { findLiveSpace } from '../../domain/spaces/space-queries.ts'
import {
  addItem,
  checkLandingPage,
  checkItemPath,
  toItemColumns,
  checkItemLimit,
  findFreePath,
  getItem,
  getReferencedItem,
  moveItem,
  updateSiteAndPresentItem,
  removeItem,
  getOrCreateSpaceForSite,
} from './items.ts'
import { type TemplateServices, prepareTemplate } from '../templates/apply-template.ts'
import { listSiteItems } from './lists.ts'
import { checkItemCondition, getEndItemPosition } from './item-positions.ts'
import type { StructureChange } from './record-change.ts'
import * as store from './store.ts'

export const siteSpaceRoutes = (services: TemplateServices) =>
  implement(siteSpaces, {
    async listSiteSpaces(context, { query }) {
      const structure = await loadStructure(context.db, context.site)
      const matching = structure.spaces.filter(
        (item) => query.default === undefined || structure.isDefault(item) === query.default,
      )
      return listSiteItems(context, matching, query, (view, item) => view.presentSiteSpace(item))
    },

    addSpaceToSite: withPreparation(
      async ({ organization }: SiteContext, { body }: OperationInput<(typeof siteSpaces)['addSpaceToSite']>) =>
        body.template && prepareTemplate(services, organization.id, body.template),
      async (context, { body }, template) => {
        await checkItemLimit(context)
        const { db, site } = context
        const structure = await loadStructure(db, site)
        const section =
          body.sectionId === undefined
            ? structure.defaultSection
            : await getReferencedItem(context, body.sectionId, 'section', 'body.sectionId')
        if (body.spaceId === null && body.pageId) throw invalid('body.pageId', 'must not be set for a new space')
        const space = await getOrCreateSpaceForSite(context, body.spaceId, { title: body.title, template })
        await checkLandingPage(context, space, body.pageId)
        const parentId = section?.id ?? null
        // The path of a translation is its language, for example /fr/.
        const translation = await findTranslationOfResult(db, space)
        const pathName = body.title ?? translation?.language ?? space.title
        const id = await addItem(context, site, {
          kind: 'space',
          parent_id: parentId,
          position: await getEndItemPosition(context, parentId),
          // A new space without a template is created with the title, so the site space needs none and follows later changes.
          title: body.spaceId === null && !template ? null : (body.title ?? null),
          path: await findFreePath(context, site, 'space', parentId, pathName),
          space_id: space.id,
          page_id: body.pageId ?? null,
          draft: toFlag(body.draft),
        })
        return presentSiteSpace(context, id, 'added')
      },
    ),

    async updateSiteSpaceById(context, { params, body }) {
      const { db, site } = context
      const item = await getItem(context, params.siteSpaceId, 'space')
      checkItemCondition(body.condition)
      await checkItemPath(context, item, body.path)
      const space = body.spaceId === undefined ? undefined : await getOrCreateSpaceForSite(context, body.spaceId)
      if (body.pageId) await checkLandingPage(context, space ?? (await getSpaceOf(context, item)), body.pageId)
      await store.updateItem(db, site, item.id, {
        ...toItemColumns(body),
        // The landing page belongs to the previous space.
        ...(space && { space_id: space.id, page_id: null }),
        ...(body.pageId !== undefined && { page_id: body.pageId }),
        ...(body.hidden !== undefined && { hidden: toFlag(body.hidden) }),
      })
      return presentSiteSpace(context, item.id, 'updated')
    },

    deleteSiteSpaceById: (context, { params }) => removeItem(context, params.siteSpaceId, 'space'),

    async moveSiteSpace(context, { params, body }) {
      const position = { before: toItemPointer(body.position.before), after: toItemPointer(body.position.after) }
      return (await moveItem(context, params.siteSpaceId, 'space', position)) as SiteSpace
    },
  })

const toItemPointer = (sibling: { siteSpace: string } | undefined) =>
  sibling && { type: 'site-space' as const, id: sibling.siteSpace }

const presentSiteSpace = async (context: SiteContext, id: string, change: StructureChange) =>
  (await updateSiteAndPresentItem(context, id, change)) as SiteSpace

/** Returns the space of a site space; structures do not contain deleted spaces. */
async function getSpaceOf({ db, site }: SiteContext, { id, spaceId }: StoredSiteItem): Promise<Row<'spaces'>> {
  const space = await findLiveSpace(db, { organization_id: site.organization_id, id: spaceId ?? '' })
  if (!space) throw new Error(`The site space ${id} has no space`)
  return space
}
