import { requireRole, findViewer, getContainer, resolveViewer } from '../../access/authorize.ts'
import { requireReach } from '../../access/sso.ts'
import { requireSignIn } from '../../access/sign-in-rules.ts'
import { loadContentRole, resolveRoleInRow } from '../../access/content-roles.ts'
import { spaces } from '../../contract/spaces.ts'
import type { ContainerContext, SpaceContext, Viewer } from '../../kernel/context.ts'
import { conflict, invalid, notFound, unknownReference } from '../../kernel/errors.ts'
import { type OperationInput, implement, withPreparation } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { timestamp } from '../../kernel/time.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { checkMergeRules } from '../../domain/change-requests/merge-rules.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { recordAccessEventForAll, recordSpaceEvent } from '../../domain/live/record-event.ts'
import { presentDefaultLevel, resolveLevelInCollection, toStoredLevel } from '../../domain/spaces/default-level.ts'
import { getEndPosition, resolvePosition } from '../../domain/spaces/sibling-positions.ts'
import { findParentCollection } from '../../domain/spaces/collection-tree.ts'
import { invalidateSitesOfSpaces } from '../../domain/sites/update-site.ts'
import { findPublishedSpaceUrl } from '../../domain/sites/published-space-url.ts'
import { type TemplateServices, prepareTemplate } from '../templates/apply-template.ts'
import { copySpace } from './copy-space.ts'
import { createSpace, createSpaceFromTemplate } from './create-space.ts'
import { presentSpaceForVisitor, presentSpace } from '../../domain/spaces/present-space.ts'
import * as store from '../../domain/spaces/space-store.ts'
import { invalidateDerivedRows } from '../../derived/derivation-states.ts'
import { searchIndexJob } from '../../derived/jobs.ts'
import { recordTransfer, transferContent } from './transfer.ts'
import { deletedSpaceRetention, isRestorable, presentDeletedSpace } from './trash.ts'

const maxTitleLength = 50

export const spaceRoutes = (services: TemplateServices) =>
  implement(spaces, {
    async listSpacesInOrganizationById({ db, viewer, urls }, { query }) {
      const after = decodeCursor(query.page, 1)
      const rows = await store.findSpaces(db, viewer, { after, limit: query.limit })
      return toPage(
        rows,
        query,
        await store.countSpaces(db, viewer),
        (row) => [row.id],
        (row) => presentSpace(row, resolveRoleInRow(viewer, row), urls),
      )
    },

    async listDeletedSpaces({ db, organization, role, urls, now }, { query }) {
      const after = decodeCursor(query.page, 2)
      const since = timestamp(Date.parse(now()) - deletedSpaceRetention)
      const rows = await store.findDeletedSpaces(db, organization.id, since, { after, limit: query.limit })
      return toPage(
        rows,
        query,
        await store.countDeletedSpaces(db, organization.id, since),
        (row) => [row.deleted_at as string, row.id],
        (row) => presentDeletedSpace(presentSpace(row, role, urls), row.deleted_at as string),
      )
    },

    createSpace: withPreparation(
      async ({ organization }: ContainerContext, { body }: OperationInput<(typeof spaces)['createSpace']>) =>
        body.template && prepareTemplate(services, organization.id, body.template),
      async (context, { body }, template) => {
        const { organization, container, containerRole, urls, principal } = context
        const newSpace = { organizationId: organization.id, container, createdBy: principal.user.id, ...body }
        const space = template
          ? await createSpaceFromTemplate(context, newSpace, template)
          : await createSpace(context.db, context, newSpace)
        return presentSpace(space, containerRole, urls)
      },
    ),

    async getSpaceById(context, { query }) {
      const { space, role, urls, visitor } = context
      const presented = visitor ? presentSpaceForVisitor(space, urls) : presentSpace(space, role, urls)
      const published = await findPublishedSpaceUrl(context, query.shareKey)
      return published === undefined ? presented : { ...presented, urls: { ...presented.urls, published } }
    },

    async updateSpaceById(context, { body }) {
      const { db, space, now } = context
      if (body.visibility === 'in-collection' && space.parent_id === null) {
        throw invalid('body.visibility', 'must not be `in-collection`, because the space is not in a collection')
      }
      await checkMergeRules(db, space.organization_id, body.mergeRules)
      const level = body.defaultLevel === undefined ? space.default_level : toStoredLevel(body.defaultLevel)
      const updated = await store.updateSpace(db, space, {
        ...(body.title !== undefined && { title: body.title }),
        ...(body.emoji !== undefined && { emoji: body.emoji ?? '' }),
        ...(body.icon !== undefined && { icon: body.icon }),
        // A space has either an emoji or an icon.
        ...(body.emoji && { icon: null }),
        ...(body.icon && { emoji: '' }),
        ...(body.visibility !== undefined && { visibility: body.visibility }),
        ...(body.editMode !== undefined && { edit_mode: body.editMode }),
        ...(body.language !== undefined && { language: body.language }),
        ...(body.mergeRules !== undefined && { merge_rules: JSON.stringify(body.mergeRules) }),
        default_level: level,
        resolved_level: resolveLevelInCollection(await findParentCollection(db, space), level),
        updated_at: now(),
      })
      // The search index contains stems in the language of the space.
      if (updated.language !== space.language) {
        await invalidateDerivedRows(db, 'search_states', space.organization_id, [space.id])
        await context.enqueue(db, searchIndexJob, { spaceId: space.id })
      }
      await invalidateSitesOfSpaces(context, space.organization_id, [space.id])
      await recordEventAbout(context, 'space', updated, 'space.update', {
        before: toAuditedSettings(space),
        after: toAuditedSettings(updated),
      })
      await recordSpaceEvent(context, space)
      if (updated.resolved_level !== space.resolved_level) await recordAccessEventForAll(context, space.organization_id)
      return present(context, updated)
    },

    async deleteSpaceById(context) {
      const { db, space, now } = context
      await store.updateSpace(db, space, { deleted_at: now() })
      await recordEventAbout(context, 'space', space, 'space.delete')
      await recordSpaceEvent(context, space)
      await invalidateSitesOfSpaces(context, space.organization_id, [space.id])
    },

    async duplicateSpace(context) {
      const { space } = context
      const copy = await copySpace(context, { fields: { title: titleOfCopy(space) }, reason: { copyOf: space.id } })
      return present(context, copy)
    },

    async restoreSpace(context) {
      const { db, space, now } = context
      if (space.deleted_at === null) throw conflict('The space is not deleted')
      if (!isRestorable(space, now())) throw notFound('space')
      const { organization_id: organizationId, parent_id: parentId } = space
      const restored = await store.updateSpace(db, space, {
        deleted_at: null,
        updated_at: now(),
        position: await getEndPosition(db, { organizationId, parentId }),
        resolved_level: resolveLevelInCollection(await findParentCollection(db, space), space.default_level),
      })
      await invalidateSitesOfSpaces(context, organizationId, [space.id])
      await recordEventAbout(context, 'space', restored, 'space.restore')
      await recordSpaceEvent(context, space)
      return present(context, restored)
    },

    async moveSpace(context, { body }) {
      const parentId = body.parent === undefined ? context.space.parent_id : body.parent
      return present(context, await moveWithinOrganization(context, parentId, body.position ?? {}))
    },

    async transferSpace(context, { body }) {
      const { db, principal, viewer, space, now } = context
      const source = space.organization_id
      const target = body.organization
      const targetViewer = await findViewer(db, target, viewer.userId)
      if (!targetViewer) throw unknownReference('body.organization', 'organization')
      await requireReach(context, target)
      await requireSignIn(db, principal, target)
      if (target === source) {
        const parentId = body.parent === undefined ? space.parent_id : body.parent
        if (parentId === space.parent_id) throw conflict('The space is already in the target location')
        return present(context, await moveWithinOrganization(context, parentId, {}))
      }
      const parentId = body.parent ?? null
      const parent = await requireCreateIn(db, targetViewer, parentId)
      const position = await getEndPosition(db, { organizationId: target, parentId })
      const transferred = await transferContent(
        context,
        { source, target, collectionIds: [], spaceIds: [space.id] },
        () =>
          store.updateSpace(db, space, {
            organization_id: target,
            parent_id: parentId,
            position,
            visibility: visibilityAfterMove(parentId, space),
            resolved_level: resolveLevelInCollection(parent, space.default_level),
            updated_at: now(),
          }),
      )
      await recordTransfer(context, 'space', space, transferred)
      return present(context, transferred)
    },
  })

async function moveWithinOrganization(
  context: SpaceContext,
  parentId: string | null,
  requestedPosition: Parameters<typeof resolvePosition>[2],
): Promise<Row<'spaces'>> {
  const { db, viewer, space, now } = context
  const { organization_id: organizationId } = space
  const parent =
    parentId === space.parent_id ? await findParentCollection(db, space) : await requireCreateIn(db, viewer, parentId)
  await invalidateSitesOfSpaces(context, organizationId, [space.id])
  const position = await resolvePosition(db, { organizationId, parentId }, requestedPosition, space)
  await recordEventAbout(context, 'space', space, 'space.move', {
    before: { parent: space.parent_id, position: space.position },
    after: { parent: parentId, position },
  })
  await recordSpaceEvent(context, space)
  return store.updateSpace(db, space, {
    parent_id: parentId,
    position,
    visibility: visibilityAfterMove(parentId, space),
    resolved_level: resolveLevelInCollection(parent, space.default_level),
    updated_at: now(),
  })
}

/** Fails unless the viewer may create content in the collection that the body names as parent, or at the top; returns the collection. */
async function requireCreateIn(db: Db, viewer: Viewer, parentId: string | null) {
  if (parentId !== null) return (await getContainer(db, viewer, parentId, 'body.parent')).collection
  requireRole('organization', 'createContent', viewer.role)
  return undefined
}

/** Returns the settings of a space that the audit log compares. */
const toAuditedSettings = (space: Row<'spaces'>) => ({
  title: space.title,
  emoji: space.emoji,
  icon: space.icon,
  visibility: space.visibility,
  editMode: space.edit_mode,
  language: space.language,
  defaultLevel: presentDefaultLevel(space.default_level),
  mergeRules: JSON.parse(space.merge_rules) as unknown,
})

/** Returns the title of a copy, truncated to the maximum length without splitting a surrogate pair. */
function titleOfCopy({ title }: Row<'spaces'>): string {
  return `Copy of ${title}`.slice(0, maxTitleLength).replace(/[\uD800-\uDBFF]$/, '')
}

/** Returns the visibility of a space after a move: outside of a collection, `in-collection` becomes `private`. */
function visibilityAfterMove(parentId: string | null, { visibility }: Row<'spaces'>) {
  return parentId === null && visibility === 'in-collection' ? 'private' : visibility
}

/** Presents a space after a change, which may have changed the caller's role. */
async function present(context: SpaceContext, space: Row<'spaces'>) {
  const viewer = await resolveViewer(context, space)
  return presentSpace(space, await loadContentRole(context.db, viewer, space), context.urls)
}
