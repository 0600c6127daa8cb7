import { changeRequests } from '../../contract/change-requests.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { AppError, conflict, notFound, unknownReference } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/page.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import type { Row } from '../../storage/tables.ts'
import { changesBetween } from '../content/changes.ts'
import { getMergeRules } from '../organizations/reads.ts'
import { getContent } from '../revisions/revisions.ts'
import { presentUser } from '../users/present.ts'
import { loadUsers } from '../users/reads.ts'
import * as conflicts from './conflict-store.ts'
import { storedDescription } from './description.ts'
import { openRequest } from './open.ts'
import { countStatus, mergeRequest, updateRequest } from './merging.ts'
import { ancestorOf, forVisitor, presentConflict } from './present.ts'
import { getChangeRequest, takeEditable, presentMany, presentOne } from './reads.ts'
import { resolveAll, resolveOne } from './resolving.ts'
import { findLatestReviews } from './review-store.ts'
import { rulesFor, unmetRules } from './rules.ts'
import { revalidateChangeRequest } from '../revalidation/revalidate.ts'
import * as store from './store.ts'

const sortColumn = { updatedAt: 'updated_at', createdAt: 'created_at' } as const

export const changeRequestRoutes = implement(changeRequests, {
  async listChangeRequestsForOrganization(context, { query }) {
    return list(context, { ...query, onlySpace: query.space })
  },

  async listChangeRequestsForSpace(context, { query }) {
    return list(context, { ...query, status: [query.status], onlySpace: context.space.id })
  },

  async createChangeRequest(context, { body }) {
    const { db, space } = context
    await lockSpace(db, space)
    if (body.template) throw unknownReference('body.template.id', 'template')
    const request = await openRequest(context, { subject: body.subject, status: 'draft', beginsAt: space.revision_id })
    return presentOne(context, request)
  },

  async getChangeRequestById(context, { params }) {
    const request = await getChangeRequest(context, params.changeRequestId)
    // Visitors see the one that was chosen for them to preview.
    if (context.visitor && context.visitor.changeRequestId !== request.id) throw notFound('change request')
    const presented = await presentOne(context, request)
    return context.visitor ? forVisitor(presented) : presented
  },

  async updateChangeRequestById(context, { params, body }) {
    const { db, space, now } = context
    await lockSpace(db, space)
    const request = await getChangeRequest(context, params.changeRequestId)
    if (request.status === 'merged') throw conflict('The change request is merged and can no longer be changed')
    const updated = await store.updateChangeRequest(db, request, {
      ...(body.subject !== undefined && { subject: body.subject }),
      ...(body.status !== undefined && { status: body.status }),
      ...(body.description !== undefined && { description: storedDescription(body.description) }),
      ...(body.links !== undefined && { links: linksOf(context, request, body.links) }),
      updated_at: now(),
    })
    await countStatus(context, request.status, updated.status)
    await revalidateChangeRequest(context, request)
    return presentOne(context, updated)
  },

  async mergeChangeRequest(context, { params }) {
    const request = await takeEditable(context, params.changeRequestId)
    await demandRules(context, request)
    return mergeRequest(context, request)
  },

  async updateChangeRequest(context, { params }) {
    return updateRequest(context, await takeEditable(context, params.changeRequestId))
  },

  async getChangeRequestChanges(context, { params, query }) {
    const { space } = context
    const request = await getChangeRequest(context, params.changeRequestId)
    const before = await getContent(context, space, ancestorOf(request))
    const after = await getContent(context, space, request.revision_id)
    return changesBetween(context, before.tree, after.tree, query.limit)
  },

  async listChangeRequestConflicts(context, { params, query }) {
    const { db } = context
    const request = await getChangeRequest(context, params.changeRequestId)
    const after = decodeCursor(query.page, 1)
    const rows = await conflicts.findConflicts(db, request, { status: query.status, after, limit: query.limit })
    const count = await conflicts.countConflicts(db, request, query.status)
    return toPage(rows, query, count, (row) => [row.id], presentConflict)
  },

  async resolveChangeRequestConflict(context, { params, body }) {
    const request = await takeEditable(context, params.changeRequestId)
    return presentConflict(await resolveOne(context, request, params.conflictId, body.side))
  },

  async resolveChangeRequestConflicts(context, { params, body }) {
    const request = await takeEditable(context, params.changeRequestId)
    return presentOne(context, await resolveAll(context, request, body.side))
  },

  async getContributorsByChangeRequestId(context, { params, query }) {
    const { db, urls } = context
    const request = await getChangeRequest(context, params.changeRequestId)
    const after = decodeCursor(query.page, 2)
    const rows = await store.findContributors(db, request, { after, limit: query.limit })
    const users = await loadUsers(
      db,
      rows.map((row) => row.user_id),
    )
    return toPage(
      rows,
      query,
      await store.countContributors(db, request),
      (row) => [row.user_id, row.action],
      (row) => ({
        user: presentUser(users.get(row.user_id), urls),
        count: row.count,
        updatedAt: row.updated_at,
        actionType: row.action,
      }),
    )
  },
})

interface ListOf extends Omit<store.ChangeRequestFilter, 'space'> {
  onlySpace: string | undefined
  orderBy: keyof typeof sortColumn
  page?: string | undefined
  limit: number
}

async function list(context: Pick<SpaceContext, 'db' | 'viewer' | 'urls'>, { onlySpace, ...query }: ListOf) {
  const { db, viewer } = context
  const filter = { ...query, space: onlySpace }
  const after = decodeCursor(query.page, 2)
  const orderBy = sortColumn[query.orderBy]
  const rows = await store.findChangeRequests(db, viewer, filter, { orderBy, after, limit: query.limit })
  const present = await presentMany(context, rows)
  const count = await store.countChangeRequests(db, viewer, filter)
  return toPage(rows, query, count, (row) => [row[orderBy], row.id], present)
}

function linksOf(
  { newId }: SpaceContext,
  request: Row<'change_requests'>,
  links: readonly { id?: string | undefined; ref: object; title?: string | undefined }[],
): string {
  const known = new Set((JSON.parse(request.links) as { id: string }[]).map(({ id }) => id))
  const kept = links.map(({ id, ...link }) => ({ id: id !== undefined && known.delete(id) ? id : newId(), ...link }))
  return JSON.stringify(kept)
}

/** Fails when the rules of the space or of the organization keep the change request from being merged. */
async function demandRules(context: SpaceContext, request: Row<'change_requests'>): Promise<void> {
  const { db, space, principal } = context
  const rules = rulesFor(
    JSON.parse(space.merge_rules) as Parameters<typeof rulesFor>[0],
    await getMergeRules(db, space.organization_id),
  )
  if (rules.length === 0) return
  const unmet = unmetRules(rules, {
    request,
    spaceRevisionId: space.revision_id,
    reviews: await findLatestReviews(db, request),
    userId: principal.user.id,
  })
  if (unmet.length > 0) throw new AppError('conflict', `The change request cannot be merged: ${unmet.join('; ')}`)
}
