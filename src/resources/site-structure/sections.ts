import { type StoredSiteItem, loadStructure } from '../../access/sites.ts'
import type { SiteSection } from '../../contract/site.ts'
import { siteSections } from '../../contract/site-structure.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { invalid, unknownReference } from '../../kernel/errors.ts'
import { type OperationInput, implement, withPreparation } from '../../kernel/implement.ts'
import type { Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
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

export const siteSectionRoutes = (services: TemplateServices) =>
  implement(siteSections, {
    async listSiteSections(context, { query }) {
      const { sections } = await loadStructure(context.db, context.site)
      return listSiteItems(context, sections, query, (view, item) => view.presentSection(item))
    },

    addSectionToSite: withPreparation(
      async ({ organization }: SiteContext, { body }: OperationInput<(typeof siteSections)['addSectionToSite']>) =>
        body.template && prepareTemplate(services, organization.id, body.template),
      async (originalContext, { body }, template) => {
        await checkItemLimit(originalContext)
        const group =
          body.siteSectionGroupId === undefined
            ? undefined
            : await getReferencedItem(originalContext, body.siteSectionGroupId, 'group', 'body.siteSectionGroupId')
        if (body.spaceId === null && body.pageId !== undefined)
          throw invalid('body.pageId', 'must not be set for a new space')
        const space = await getOrCreateSpaceForSite(originalContext, body.spaceId, { title: body.title, template })
        await checkLandingPage(originalContext, space, body.pageId)
        const context = await ensureSections(originalContext)
        const id = await addSection(context, space, {
          title: body.title ?? undefined,
          icon: body.icon ?? null,
          groupId: group?.id ?? null,
          pageId: body.pageId ?? null,
          isDraft: body.draft,
        })
        return presentSection(context, id, 'added')
      },
    ),

    async updateSiteSectionById(context, { params, body }) {
      const { db, site } = context
      const item = await getItem(context, params.siteSectionId, 'section')
      checkItemCondition(body.condition)
      await checkItemPath(context, item, body.path)
      if (body.defaultSiteSpace !== undefined) await checkDefaultSiteSpace(context, item, body.defaultSiteSpace)
      if (body.siteSectionGroupId !== undefined) {
        await moveToGroup(context, item, body.siteSectionGroupId, 'body.siteSectionGroupId')
      }
      await store.updateItem(db, site, item.id, {
        ...toItemColumns(body),
        ...(body.defaultSiteSpace !== undefined && { default_item_id: body.defaultSiteSpace }),
      })
      return presentSection(context, item.id, 'updated')
    },

    deleteSiteSectionById: (context, { params }) => removeItem(context, params.siteSectionId, 'section'),

    async moveSiteSection(context, { params, body }) {
      const position = { before: toItemPointer(body.position.before), after: toItemPointer(body.position.after) }
      return (await moveItem(context, params.siteSectionId, 'section', position)) as SiteSection
    },
  })

interface NewSection {
  /** Title of the section; by default that of the space. */
  title?: string | undefined
  icon: string | null
  groupId?: string | null
  pageId?: string | null
  isDraft?: boolean
}

/** Adds a section with one space to a site that has sections or no spaces; returns its id. */
export async function addSection(
  context: SiteContext,
  space: Row<'spaces'>,
  { title = toSectionTitle(space.title), icon, groupId = null, pageId = null, isDraft = false }: NewSection,
): Promise<string> {
  const { db, site } = context
  const structure = await loadStructure(db, site)
  const id = await addItem(context, site, {
    kind: 'section',
    parent_id: groupId,
    position: await getEndItemPosition(context, groupId),
    title,
    icon,
    path: await findFreePath(context, site, 'section', null, title),
    draft: toFlag(isDraft),
  })
  // A site without sections can only contain deleted spaces here, which become variants of the section when restored.
  if (!structure.hasSections) await store.moveSpacesToSection(db, site, id)
  await addItem(context, site, {
    kind: 'space',
    parent_id: id,
    position: await getEndItemPosition(context, id),
    path: await findFreePath(context, site, 'space', id, space.title),
    space_id: space.id,
    page_id: pageId,
  })
  return id
}

const toItemPointer = (sibling: { siteSection: string } | undefined) =>
  sibling && { type: 'site-section' as const, id: sibling.siteSection }

const presentSection = async (context: SiteContext, id: string, change: StructureChange) =>
  (await updateSiteAndPresentItem(context, id, change)) as SiteSection

/** Moves an item to the end of a group, or of the top level of the site (null). */
export async function moveToGroup(
  context: SiteContext,
  item: StoredSiteItem,
  groupId: string | null,
  field: string,
): Promise<void> {
  if (groupId === item.parentId) return
  if (groupId !== null) await getReferencedItem(context, groupId, 'group', field)
  const position = await getEndItemPosition(context, groupId)
  await store.updateItem(context.db, context.site, item.id, { parent_id: groupId, position })
}

/** Converts a site to sections: its site spaces are moved into a new section, which becomes the default. */
async function ensureSections(context: SiteContext): Promise<SiteContext> {
  const { db, site } = context
  const structure = await loadStructure(db, site)
  const space = structure.defaultSpaceIn(undefined)
  if (structure.hasSections || !space) return context
  const title = toSectionTitle(space.title)
  const id = await addItem(context, site, {
    kind: 'section',
    position: await getEndItemPosition(context, null),
    title,
    path: await findFreePath(context, site, 'section', null, title),
    default_item_id: space.id,
  })
  await store.moveSpacesToSection(db, site, id)
  return { ...context, site: await updateSite(context, site, { default_item_id: id }) }
}

async function checkDefaultSiteSpace(
  context: SiteContext,
  section: StoredSiteItem,
  siteSpaceId: string,
): Promise<void> {
  const item = await getReferencedItem(context, siteSpaceId, 'space', 'body.defaultSiteSpace')
  if (item.parentId !== section.id) throw unknownReference('body.defaultSiteSpace', 'site space of this section')
}

/** Returns a title for a section, which requires at least two characters, unlike that of a space. */
const toSectionTitle = (title: string): string => (title.length < 2 ? 'Docs' : title)
