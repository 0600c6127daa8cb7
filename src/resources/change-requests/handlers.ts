import type { Conflict } from '../../contract/change-request.ts'
import { changeRequests } from '../../contract/change-requests.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import type { ReplyOf } from '../../contract/kit.ts'
import { AppError, conflict, notFound, unknownReference } from '../../kernel/errors.ts'
import { type Input, implement, prepared } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/page.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import type { Row } from '../../schema/tables.ts'
import { changesBetween } from '../content/changes.ts'
import { getMergeRules } from '../../domain/organizations/organization-store.ts'
import { getContent } from '../../domain/revisions/revisions.ts'
import { presentUser } from '../../domain/users/present-user.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import * as conflicts from './conflict-store.ts'
import { storedDescription } from './description.ts'
import { openChangeRequest } from '../../domain/change-requests/open-change-request.ts'
import { combinedIn, countStatus, mergeRequest, mustBeReviewed, previewMerge, updateRequest } from './merging.ts'
import { readOwnText } from './own-content.ts'
import { ancestorOf, presentForVisitor } from '../../domain/change-requests/present-change-request.ts'
import { presentConflicts, presentRows } from './present-conflicts.ts'
import {
  getChangeRequest,
  getEditable,
  lockEditable,
  loadPresenterOfSpaces,
  presentChangeRequestOf,
} from '../../domain/change-requests/change-request-queries.ts'
import { type Decision, reopenOne, resolveAll, resolveOne } from './resolving.ts'
import { findLatestReviews } from './review-store.ts'
import { isReviewRequired, getRulesFor, describeUnmetRules } from '../../domain/change-requests/merge-rules.ts'
import { revalidateChangeRequest } from '../../domain/revalidation/revalidate.ts'
import * as store from '../../domain/change-requests/change-request-store.ts'

type Deciding = Input<(typeof changeRequests)['resolveChangeRequestConflict']>

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
    const request = await openChangeRequest(context, {
      subject: body.subject,
      status: 'draft',
      baseRevision: space.revision_id,
    })
    return presentChangeRequestOf(context, request)
  },

  async getChangeRequestById(context, { params }) {
    const request = await getChangeRequest(context, params.changeRequestId)
    // Visitors can read only the change request that they preview.
    if (context.visitor && context.visitor.changeRequestId !== request.id) throw notFound('change request')
    const presented = await presentChangeRequestOf(context, request)
    return context.visitor ? presentForVisitor(presented) : presented
  },

  async updateChangeRequestById(context, { params, body }) {
    const { db, space, now } = context
    await lockSpace(db, space)
    const request = await getChangeRequest(context, params.changeRequestId)
    if (request.status === 'merged') throw conflict('The change request is already merged and cannot be changed')
    const updated = await store.updateChangeRequest(db, request, {
      ...(body.subject !== undefined && { subject: body.subject }),
      ...(body.status !== undefined && { status: body.status }),
      ...(body.description !== undefined && { description: storedDescription(body.description) }),
      ...(body.links !== undefined && { links: linksOf(context, request, body.links) }),
      updated_at: now(),
    })
    await countStatus(context, request.status, updated.status)
    await revalidateChangeRequest(context, request)
    return presentChangeRequestOf(context, updated)
  },

  async mergeChangeRequest(context, { params, query }) {
    const request = await lockEditable(context, params.changeRequestId)
    const rules = await rulesOf(context, request)
    if (query.dryRun) return tryMerge(context, request, rules)
    if (rules.unmet !== undefined) throw new AppError('conflict', rules.unmet)
    return mergeRequest(context, request, rules)
  },

  async updateChangeRequest(context, { params }) {
    return updateRequest(context, await lockEditable(context, params.changeRequestId))
  },

  async getChangeRequestChanges(context, { params, query }) {
    const { space } = context
    const request = await getChangeRequest(context, params.changeRequestId)
    const before = await getContent(context, space, ancestorOf(request))
    const after = await getContent(context, space, request.revision_id)
    return changesBetween(context, before.tree, after.tree, query.limit, combinedIn(request))
  },

  async listChangeRequestConflicts(context, { params, query }) {
    const { db } = context
    const request = await getChangeRequest(context, params.changeRequestId)
    const after = decodeCursor(query.page, 1)
    const rows = await conflicts.findConflicts(db, request, { status: query.status, after, limit: query.limit })
    const count = await conflicts.countConflicts(db, request, query.status)
    const presented = await presentRows(context, request, rows.slice(0, query.limit))
    const byId = new Map(presented.map((one) => [one.id, one]))
    return toPage(
      rows,
      query,
      count,
      (row) => [row.id],
      ({ id }) => byId.get(id) as Conflict,
    )
  },

  resolveChangeRequestConflict: prepared(
    async (context: SpaceContext, { params, body }: Deciding): Promise<Decision> => {
      await getEditable(context, params.changeRequestId)
      return 'document' in body ? { text: await readOwnText(body.document) } : body
    },
    async (context, { params }, decision) => {
      const request = await lockEditable(context, params.changeRequestId)
      const resolved = await resolveOne(context, request, params.conflictId, decision)
      return presentOneConflict(context, resolved)
    },
  ),

  async reopenChangeRequestConflict(context, { params }) {
    const request = await lockEditable(context, params.changeRequestId)
    return presentOneConflict(context, await reopenOne(context, request, params.conflictId))
  },

  async resolveChangeRequestConflicts(context, { params, body }) {
    const request = await lockEditable(context, params.changeRequestId)
    return presentChangeRequestOf(context, await resolveAll(context, request, body.side))
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

async function presentOneConflict(
  context: SpaceContext,
  { request, row }: { request: Row<'change_requests'>; row: Row<'change_request_conflicts'> },
): Promise<Conflict> {
  const [presented] = await presentRows(context, request, [row])
  return presented as Conflict
}

/** Maximum number of conflicts in a preview; serializing a larger reply would block other requests. */
const maxPreviewed = 200

/** Returns the result that a merge would have. */
async function tryMerge(
  context: SpaceContext,
  request: Row<'change_requests'>,
  { unmet, requiresReview }: RulesOf,
): Promise<ReplyOf<(typeof changeRequests)['mergeChangeRequest']>> {
  const found = await previewMerge(context, request)
  const listed = found.conflicts
    .slice(0, maxPreviewed)
    .map(({ id, conflict: one }) => ({ id, conflict: one, resolution: null }))
  const mustWait = requiresReview && found.combined.length > 0
  const message = unmet ?? (mustWait ? mustBeReviewed : undefined)
  return {
    revision: request.revision_id,
    result: listed.length > 0 || mustWait ? 'conflicts' : 'merge',
    conflicts: await presentConflicts(context, request, listed),
    conflictCount: found.conflicts.length,
    combined: found.combined,
    ...(message !== undefined && { message }),
  }
}

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
  const present = await loadPresenterOfSpaces(context, rows)
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

interface RulesOf {
  /** Reason why the change request cannot be merged now. */
  unmet: string | undefined
  requiresReview: boolean
}

/** Evaluates the merge rules of the space or the organization for a change request. */
async function rulesOf(context: SpaceContext, request: Row<'change_requests'>): Promise<RulesOf> {
  const { db, space, principal } = context
  const rules = getRulesFor(
    JSON.parse(space.merge_rules) as Parameters<typeof getRulesFor>[0],
    await getMergeRules(db, space.organization_id),
  )
  if (rules.length === 0) return { unmet: undefined, requiresReview: false }
  const judged = {
    request,
    spaceRevisionId: space.revision_id,
    reviews: await findLatestReviews(db, request),
    userId: principal.user.id,
  }
  const unmet = describeUnmetRules(rules, judged)
  return {
    unmet: unmet.length > 0 ? `The change request cannot be merged: ${unmet.join('; ')}` : undefined,
    requiresReview: isReviewRequired(rules, judged),
  }
}
