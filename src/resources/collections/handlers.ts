import { requireRole, findViewer, getContainer, resolveViewer } from '../../access/authorize.ts'
import { requireReach } from '../../access/sso.ts'
import { requireSignIn } from '../../access/sign-in-rules.ts'
import { loadContentRole, resolveRoleInRow } from '../../access/content-roles.ts'
import { collections } from '../../contract/collections.ts'
import type { CollectionContext } from '../../kernel/context.ts'
import { conflict, invalid, unknownReference } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { recordAccessEventForAll, recordCollectionEvent, recordLiveEvent } from '../../domain/live/record-event.ts'
import { presentSpace } from '../../domain/spaces/present-space.ts'
import { listSpacesInCollection } from '../../domain/spaces/space-queries.ts'
import { recordTransfer, transferContent } from '../spaces/transfer.ts'
import { trashSpacesInCollections } from '../spaces/trash.ts'
import { presentDefaultLevel, resolveLevelInCollection, toStoredLevel } from '../../domain/spaces/default-level.ts'
import { presentCollection } from '../../domain/spaces/present-collection.ts'
import { getEndPosition, resolvePosition } from '../../domain/spaces/sibling-positions.ts'
import * as store from '../../domain/spaces/collection-store.ts'
import {
  requireRoleInSubtree,
  findParentCollection,
  propagateResolvedLevel,
  findCollectionSubtreeIds,
} from '../../domain/spaces/collection-tree.ts'

export const collectionRoutes = implement(collections, {
  async listCollectionsInOrganizationById({ db, viewer, urls }, { query }) {
    const after = decodeCursor(query.page, 2)
    const rows = await store.findCollections(db, viewer, query, { after, limit: query.limit })
    const count = await store.countCollections(db, viewer, query)
    return toPage(
      rows,
      query,
      count,
      (row) => [row.position, row.id],
      (row) => presentCollection(row, resolveRoleInRow(viewer, row), urls),
    )
  },

  async createCollection(context, { body }) {
    const { db, organization, container, containerRole, urls, newId, now } = context
    const parentId = container?.id ?? null
    const collection = await store.insertCollection(db, {
      organization_id: organization.id,
      id: newId(),
      parent_id: parentId,
      title: body.title ?? 'Untitled',
      description: null,
      default_level: 'inherit',
      resolved_level: resolveLevelInCollection(container, 'inherit'),
      position: await getEndPosition(db, { organizationId: organization.id, parentId }),
      created_at: now(),
      updated_at: now(),
    })
    await recordCollectionEvent(context, collection)
    await recordEventAbout(context, 'collection', collection, 'collection.create', { after: { parent: parentId } })
    return presentCollection(collection, containerRole, urls)
  },

  getCollectionById({ collection, role, urls }) {
    return presentCollection(collection, role, urls)
  },

  async updateCollectionById(context, { body }) {
    const { db, collection, now } = context
    const level = body.defaultLevel === undefined ? collection.default_level : toStoredLevel(body.defaultLevel)
    const parent = await findParentCollection(db, collection)
    const updated = await store.updateCollection(db, collection, {
      ...(body.title !== undefined && { title: body.title }),
      ...(body.description !== undefined && { description: body.description }),
      default_level: level,
      resolved_level: resolveLevelInCollection(parent, level),
      updated_at: now(),
    })
    if (updated.resolved_level !== collection.resolved_level) {
      await propagateResolvedLevel(db, updated)
      await recordAccessEventForAll(context, collection.organization_id)
    }
    await recordCollectionEvent(context, updated)
    await recordEventAbout(context, 'collection', updated, 'collection.update', {
      before: toAuditedSettings(collection),
      after: toAuditedSettings(updated),
    })
    return presentUpdated(context, updated)
  },

  async deleteCollectionById(context) {
    const { db, viewer, collection } = context
    const subtree = await findCollectionSubtreeIds(db, collection)
    await requireRoleInSubtree(db, viewer, subtree, 'delete')
    const spaceIds = await trashSpacesInCollections(context, collection.organization_id, subtree)
    await store.deleteCollection(db, collection)
    await recordLiveEvent(context, { kind: 'collection', organizationId: collection.organization_id })
    await recordEventAbout(context, 'collection', collection, 'collection.delete', {
      after: { collections: subtree.length - 1, spaces: spaceIds },
    })
  },

  async listSpacesInCollectionById({ db, viewer, collection, urls }, { query }) {
    const after = decodeCursor(query.page, 2)
    const { rows, count } = await listSpacesInCollection(db, viewer, collection.id, { after, limit: query.limit })
    return toPage(
      rows,
      query,
      count,
      ({ space }) => [space.position, space.id],
      ({ space, role }) => presentSpace(space, role, urls),
    )
  },

  async moveCollection(context, { body }) {
    const { db, collection, now } = context
    const parentId = body.parent === undefined ? collection.parent_id : body.parent
    const parent =
      parentId === collection.parent_id
        ? await findParentCollection(db, collection)
        : await assertCanMove(context, parentId)
    const location = { organizationId: collection.organization_id, parentId }
    const moved = await store.updateCollection(db, collection, {
      parent_id: parentId,
      position: await resolvePosition(db, location, body.position ?? {}, collection),
      resolved_level: resolveLevelInCollection(parent, collection.default_level),
      updated_at: now(),
    })
    if (moved.resolved_level !== collection.resolved_level) await propagateResolvedLevel(db, moved)
    await recordCollectionEvent(context, moved)
    await recordEventAbout(context, 'collection', moved, 'collection.move', {
      before: { parent: collection.parent_id, position: collection.position },
      after: { parent: moved.parent_id, position: moved.position },
    })
    return presentUpdated(context, moved)
  },

  async transferCollection(context, { body }) {
    const { db, principal, viewer, collection, now } = context
    const source = collection.organization_id
    const target = body.organization
    const targetViewer = await findViewer(db, target, viewer.userId)
    if (!targetViewer) throw unknownReference('body.organization', 'organization')
    await requireReach(context, target)
    await requireSignIn(db, principal, target)
    if (target === source) throw conflict('The collection already belongs to this organization')
    requireRole('organization', 'createContent', targetViewer.role)
    const subtree = await findCollectionSubtreeIds(db, collection)
    await requireRoleInSubtree(db, viewer, subtree, 'transfer')

    const position = await getEndPosition(db, { organizationId: target, parentId: null })
    const transferred = await transferContent(context, { source, target, collectionIds: subtree, spaceIds: [] }, () =>
      store.updateCollection(db, collection, {
        organization_id: target,
        parent_id: null,
        position,
        resolved_level: resolveLevelInCollection(undefined, collection.default_level),
        updated_at: now(),
      }),
    )
    await propagateResolvedLevel(db, transferred)
    await recordLiveEvent(context, { kind: 'collection', organizationId: source })
    await recordCollectionEvent(context, transferred)
    await recordTransfer(context, 'collection', collection, transferred)
    return presentUpdated(context, transferred)
  },
})

/**
 * Fails unless the caller may move the collection with all its content to the parent; returns the parent, undefined for
 * the top level.
 */
async function assertCanMove({ db, viewer, collection }: CollectionContext, parentId: string | null) {
  const subtree = await findCollectionSubtreeIds(db, collection)
  const parent = parentId === null ? undefined : (await getContainer(db, viewer, parentId, 'body.parent')).collection
  if (!parent) requireRole('organization', 'createContent', viewer.role)
  else if (subtree.includes(parent.id))
    throw invalid('body.parent', 'must not be the collection itself or a collection inside it')
  // The moved content inherits roles from the new parent, so the caller needs the required role in all of it.
  await requireRoleInSubtree(db, viewer, subtree, 'move')
  return parent
}

/** Returns the settings of a collection that the audit log compares. */
const toAuditedSettings = ({ title, description, default_level }: Row<'collections'>) => ({
  title,
  description,
  defaultLevel: presentDefaultLevel(default_level),
})

/** Presents a changed collection with the caller's role, which the change may have affected. */
async function presentUpdated(context: CollectionContext, collection: Row<'collections'>) {
  const viewer = await resolveViewer(context, collection)
  return presentCollection(collection, await loadContentRole(context.db, viewer, collection), context.urls)
}
