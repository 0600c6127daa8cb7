import { demand, findCollection, findMembership, getContainer } from '../../access/authorize.ts'
import { roleInContent, roleInRow, roleOf } from '../../access/content.ts'
import { spaces } from '../../contract/spaces.ts'
import type { SpaceContext, UserContext } from '../../kernel/context.ts'
import { AppError, conflict, invalid, notFound, unknownReference } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/page.ts'
import type { Row } from '../../storage/tables.ts'
import { storedLevel } from '../collections/present.ts'
import { endOf, keyFor } from '../collections/siblings.ts'
import { levelIn } from '../collections/tree.ts'
import { demandMembersIn } from '../members/reads.ts'
import { createSpace } from './create.ts'
import { presentSpace } from './present.ts'
import { insertCopiedRevision } from './revisions.ts'
import * as store from './store.ts'
import { moveContentTo } from './transfer.ts'
import { isRestorable } from './trash.ts'

const titleLength = 50

export const spaceRoutes = implement(spaces, {
  async listSpacesInOrganizationById({ db, organization, principal, role, urls }, { query }) {
    const viewer = { organizationId: organization.id, userId: principal.user.id, role }
    const after = decodeCursor(query.page, 1)
    const rows = await store.findSpaces(db, viewer, { after, limit: query.limit })
    return toPage(
      rows,
      query,
      await store.countSpaces(db, viewer),
      (row) => [row.id],
      (row) => presentSpace(row, roleInRow(viewer, row), urls),
    )
  },

  async createSpace(context, { body }) {
    const { organization, container, containerRole, urls, principal } = context
    const space = await createSpace(context.db, context, {
      organizationId: organization.id,
      container,
      createdBy: principal.user.id,
      ...body,
    })
    return presentSpace(space, containerRole, urls)
  },

  getSpaceById({ space, role, urls }) {
    return presentSpace(space, role, urls)
  },

  async updateSpaceById(context, { body }) {
    const { db, space, now } = context
    if (body.visibility === 'in-collection' && space.parent_id === null) {
      throw invalid('body.visibility', 'must not be in-collection: the space is in no collection')
    }
    await demandMembersIn(db, space.organization_id, body.mergeRules)
    const level = body.defaultLevel === undefined ? space.default_level : storedLevel(body.defaultLevel)
    const updated = await store.updateSpace(db, space, {
      ...(body.title !== undefined && { title: body.title }),
      ...(body.emoji !== undefined && { emoji: body.emoji ?? '' }),
      ...(body.icon !== undefined && { icon: body.icon }),
      // A space shows one of the two.
      ...(body.emoji && { icon: null }),
      ...(body.icon && { emoji: '' }),
      ...(body.visibility !== undefined && { visibility: body.visibility }),
      ...(body.editMode !== undefined && { edit_mode: body.editMode }),
      ...(body.language !== undefined && { language: body.language }),
      ...(body.mergeRules !== undefined && { merge_rules: JSON.stringify(body.mergeRules) }),
      default_level: level,
      resolved_level: levelIn(await findParent(context), level),
      updated_at: now(),
    })
    return present(context, updated)
  },

  async deleteSpaceById({ db, space, now }) {
    await store.updateSpace(db, space, { deleted_at: now() })
  },

  async duplicateSpace(context) {
    const { db, space, principal, now, newId } = context
    const { organization_id: organizationId, parent_id: parentId } = space
    await demandCreateBeside(context)
    const revisionId = newId()
    const copy = await store.insertSpace(db, {
      ...space,
      id: newId(),
      title: titleOfCopy(space),
      position: await keyFor(
        db,
        { organizationId, parentId },
        { after: { type: 'space', space: space.id } },
        {
          id: '',
          parent_id: null,
          position: '',
        },
      ),
      revision_id: revisionId,
      comments_open: 0,
      change_requests: 0,
      change_requests_open: 0,
      change_requests_draft: 0,
      created_at: now(),
      updated_at: now(),
    })
    const revision = { id: revisionId, space: copy, createdBy: principal.user.id, createdAt: now() }
    await insertCopiedRevision(db, revision, space.revision_id)
    await store.copyGrants(db, space, copy.id, now())
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
      position: await endOf(db, { organizationId, parentId }),
      resolved_level: levelIn(await findParent(context), space.default_level),
    })
    return present(context, restored)
  },

  async moveSpace(context, { body }) {
    const parentId = body.parent === undefined ? context.space.parent_id : body.parent
    return present(context, await moveWithin(context, parentId, body.position ?? {}))
  },

  async transferSpace(context, { body }) {
    const { db, space, principal, now } = context
    const source = space.organization_id
    const target = body.organization
    const membership = await findMembership(db, target, principal.user.id)
    if (!membership) throw unknownReference('body.organization', 'organization')
    if (target === source) {
      const parentId = body.parent === undefined ? space.parent_id : body.parent
      if (parentId === space.parent_id) throw conflict('The space is there already')
      return present(context, await moveWithin(context, parentId, {}))
    }
    const parentId = body.parent ?? null
    const parent = await demandCreateIn(context, target, parentId, 'body.parent')
    const position = await endOf(db, { organizationId: target, parentId })
    const transferred = await moveContentTo(db, { source, target, collectionIds: [], spaceIds: [space.id] }, () =>
      store.updateSpace(db, space, {
        organization_id: target,
        parent_id: parentId,
        position,
        visibility: visibilityIn(parentId, space),
        resolved_level: levelIn(parent, space.default_level),
        updated_at: now(),
      }),
    )
    return present(context, transferred)
  },
})

async function moveWithin(
  context: SpaceContext,
  parentId: string | null,
  position: Parameters<typeof keyFor>[2],
): Promise<Row<'spaces'>> {
  const { db, space, now } = context
  const { organization_id: organizationId } = space
  const parent =
    parentId === space.parent_id
      ? await findParent(context)
      : await demandCreateIn(context, organizationId, parentId, 'body.parent')
  return store.updateSpace(db, space, {
    parent_id: parentId,
    position: await keyFor(db, { organizationId, parentId }, position, space),
    visibility: visibilityIn(parentId, space),
    resolved_level: levelIn(parent, space.default_level),
    updated_at: now(),
  })
}

/** Fails unless the caller may create content there; returns the collection, if it is one. */
async function demandCreateIn(
  { db, principal }: UserContext,
  organizationId: string,
  parentId: string | null,
  field: string,
) {
  if (parentId !== null) return (await getContainer(db, principal.user.id, organizationId, parentId, field)).collection
  const membership = await findMembership(db, organizationId, principal.user.id)
  if (!membership) throw new AppError('forbidden', 'Only members of the organization may create content in it')
  demand('organization', 'createContent', roleOf(membership.role))
  return undefined
}

/** Fails unless the caller, who sees the space but perhaps not the collection it is in, may create content there. */
async function demandCreateBeside(context: SpaceContext): Promise<void> {
  const { db, principal, space } = context
  if (space.parent_id === null) {
    await demandCreateIn(context, space.organization_id, null, 'path.spaceId')
    return
  }
  const found = await findCollection(db, principal.user.id, space.parent_id)
  demand('collection', 'create', found?.role ?? null)
}

/** Cut to what a title may be, and never between the two halves of one character. */
function titleOfCopy({ title }: Row<'spaces'>): string {
  return `Copy of ${title}`.slice(0, titleLength).replace(/[\uD800-\uDBFF]$/, '')
}

/** Outside a collection nobody could see a space that is visible to whoever sees its collection. */
function visibilityIn(parentId: string | null, { visibility }: Row<'spaces'>) {
  return parentId === null && visibility === 'in-collection' ? 'private' : visibility
}

async function findParent({ db, space }: SpaceContext) {
  if (space.parent_id === null) return undefined
  return db
    .selectFrom('collections')
    .select('resolved_level')
    .where('organization_id', '=', space.organization_id)
    .where('id', '=', space.parent_id)
    .executeTakeFirstOrThrow()
}

/** The reply after a change, which may have changed the caller's own role too. */
async function present({ db, principal, urls }: SpaceContext, space: Row<'spaces'>) {
  const membership = await findMembership(db, space.organization_id, principal.user.id)
  const viewer = {
    organizationId: space.organization_id,
    userId: principal.user.id,
    role: membership ? roleOf(membership.role) : null,
  }
  return presentSpace(space, await roleInContent(db, viewer, space), urls)
}
