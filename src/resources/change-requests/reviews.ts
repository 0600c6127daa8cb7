import { findViewer } from '../../access/authorize.ts'
import { loadContentRole } from '../../access/content-roles.ts'
import { changeRequestReviews } from '../../contract/change-requests.ts'
import type { RequestedReviewer, Review } from '../../contract/change-request.ts'
import type { DocumentFormat } from '../../contract/document.ts'
import { isActionAllowed } from '../../contract/roles.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { type OperationInput, implement, withPreparation } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import { parseCommentBody } from '../../domain/comments/comment-body.ts'
import { findCommentsOfReviews } from '../../domain/comments/comment-store.ts'
import { postComment, presentComments } from '../../domain/comments/comments.ts'
import { getMemberIds } from '../../domain/members/member-queries.ts'
import { presentUser } from '../../domain/users/present-user.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import { serializeDescription } from './description.ts'
import { updateStatusCounts } from './merging.ts'
import {
  getChangeRequest,
  getEditableChangeRequest,
  lockEditableChangeRequest,
} from '../../domain/change-requests/change-request-queries.ts'
import { revalidateChangeRequest } from '../../domain/revalidation/revalidate.ts'
import * as store from './review-store.ts'
import { updateChangeRequest } from '../../domain/change-requests/change-request-store.ts'
import { changeRequestTarget, followByTakingPart } from '../../domain/notifications/follow-store.ts'
import { recordNotificationEvent } from '../../domain/notifications/record-event.ts'
import { recordChangeRequestEvent } from '../../domain/live/record-event.ts'

type ChangeRequestRow = Row<'change_requests'>
type ReviewRow = Row<'change_request_reviews'>
type SubmitReviewInput = OperationInput<(typeof changeRequestReviews)['submitChangeRequestReview']>

export const changeRequestReviewRoutes = implement(changeRequestReviews, {
  async getReviewsByChangeRequestId(context, { params, query }) {
    const { db } = context
    const request = await getChangeRequest(context, params.changeRequestId)
    const after = decodeCursor(query.page, 1)
    const rows = await store.findReviews(db, request, { outdated: query.outdated, after, limit: query.limit })
    const present = await loadReviewPresenter(context, request, rows.slice(0, query.limit), query.format)
    const count = await store.countReviews(db, request, query.outdated)
    return toPage(rows, query, count, (row) => [row.id], present)
  },

  submitChangeRequestReview: withPreparation(
    async (context: SpaceContext, { params, body }: SubmitReviewInput) => {
      await getEditableChangeRequest(context, params.changeRequestId)
      return body.comment && parseCommentBody(body.comment, 'body.comment')
    },
    async (context, { params, body }, comment) => {
      const { db, principal, newId, now } = context
      const request = await lockEditableChangeRequest(context, params.changeRequestId)
      const review = await store.insertReview(db, {
        organization_id: request.organization_id,
        id: newId(),
        change_request_id: request.id,
        revision_id: request.revision_id,
        reviewer_id: principal.user.id,
        requested_by: (await store.deleteRequestedReviewer(db, request, principal.user.id)) ?? null,
        status: body.status,
        created_at: now(),
        updated_at: now(),
      })
      await recordChangeRequestEvent(context, request, 'review')
      await followByTakingPart(context, changeRequestTarget(request), [principal.user.id])
      await recordNotificationEvent(context, {
        ...toEventOwner(request),
        cause: 'review',
        details: { review: body.status },
      })
      if (comment && !comment.isEmpty) await postComment(context, request, { body: comment, reviewId: review.id })
      return presentOneReview(context, request, review, undefined)
    },
  ),

  async getChangeRequestReviewById(context, { params, query }) {
    const request = await getChangeRequest(context, params.changeRequestId)
    const review = await store.findReview(context.db, request, params.reviewId)
    if (!review) throw notFound('review')
    return presentOneReview(context, request, review, query.format)
  },

  async getRequestedReviewersByChangeRequestId(context, { params, query }) {
    const { db } = context
    const request = await getChangeRequest(context, params.changeRequestId)
    const after = decodeCursor(query.page, 1)
    const rows = await store.findRequestedReviewers(db, request, { after, limit: query.limit })
    const present = await loadReviewerPresenter(context, rows)
    const count = await store.countRequestedReviewers(db, request)
    return toPage(rows, query, count, (row) => [row.user_id], present)
  },

  async requestReviewersForChangeRequest(context, { params, body }) {
    const { db, principal, now } = context
    const request = await lockEditableChangeRequest(context, params.changeRequestId)
    const userIds = await getMemberIds(db, request.organization_id, body.users, 'body.users')
    for (const userId of userIds) await assertCanViewSpace(context, userId)
    const reviewers = userIds.map((userId) => ({
      organization_id: request.organization_id,
      change_request_id: request.id,
      user_id: userId,
      revision_id: request.revision_id,
      requested_by: principal.user.id,
      created_at: now(),
    }))
    await store.upsertRequestedReviewers(db, reviewers)
    // Requesting a review opens a draft.
    const updated = await updateChangeRequest(db, request, {
      status: request.status === 'draft' ? 'open' : request.status,
      ...(body.subject !== undefined && { subject: body.subject }),
      ...(body.description !== undefined && { description: serializeDescription(body.description) }),
      updated_at: now(),
    })
    await updateStatusCounts(context, request.status, updated.status)
    await recordChangeRequestEvent(context, updated)
    await followByTakingPart(context, changeRequestTarget(request), userIds)
    await recordNotificationEvent(context, { ...toEventOwner(request), cause: 'review-request', receivers: userIds })
    await revalidateChangeRequest(context, request)
    const present = await loadReviewerPresenter(context, reviewers)
    return { users: reviewers.map(present) }
  },

  async removeRequestedReviewerFromChangeRequest(context, { params }) {
    const request = await getChangeRequest(context, params.changeRequestId)
    const requestedBy = await store.deleteRequestedReviewer(context.db, request, params.userId)
    if (requestedBy !== undefined) await recordChangeRequestEvent(context, request)
  },
})

const toEventOwner = ({ organization_id, space_id, id }: ChangeRequestRow) => ({
  organization_id,
  space_id,
  changeRequestId: id,
})

/** Fails if a requested reviewer cannot view the space. */
async function assertCanViewSpace({ db, space }: SpaceContext, userId: string): Promise<void> {
  const viewer = await findViewer(db, space.organization_id, userId)
  const role = viewer ? await loadContentRole(db, viewer, space) : null
  if (!isActionAllowed('space', 'view', role)) throw invalid('body.users', `${userId} cannot see the space`)
}

async function presentOneReview(
  context: SpaceContext,
  request: ChangeRequestRow,
  row: ReviewRow,
  format: DocumentFormat | undefined,
): Promise<Review> {
  return (await loadReviewPresenter(context, request, [row], format))(row)
}

/** Loads the users and comments of reviews; returns a function that presents one of them. */
async function loadReviewPresenter(
  context: SpaceContext,
  request: ChangeRequestRow,
  rows: readonly ReviewRow[],
  format: DocumentFormat | undefined,
): Promise<(row: ReviewRow) => Review> {
  const { db, urls, space } = context
  const users = await loadUsers(
    db,
    rows.flatMap((row) => [row.reviewer_id, row.requested_by]),
  )
  const reviewIds = rows.map(({ id }) => id)
  const comments = await findCommentsOfReviews(db, request.organization_id, reviewIds)
  const presented = await presentComments(context, request, comments, { format })
  const commentByReview = new Map(presented.map((comment) => [comment.target.review, comment]))
  return (row) => {
    const comment = commentByReview.get(row.id)
    return {
      object: 'change-request-review',
      id: row.id,
      revision: row.revision_id,
      reviewer: presentUser(users.get(row.reviewer_id), urls),
      ...(row.requested_by !== null && { requestedBy: presentUser(users.get(row.requested_by), urls) }),
      status: row.status,
      outdated: row.revision_id !== request.revision_id,
      ...(comment && { comment }),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      urls: { location: urls.api(`/spaces/${space.id}/change-requests/${request.id}/reviews/${row.id}`) },
    }
  }
}

async function loadReviewerPresenter(
  { db, urls }: SpaceContext,
  rows: readonly Row<'change_request_reviewers'>[],
): Promise<(row: Row<'change_request_reviewers'>) => RequestedReviewer> {
  const users = await loadUsers(
    db,
    rows.flatMap((row) => [row.user_id, row.requested_by]),
  )
  return (row) => ({
    object: 'change-request-requested-reviewer',
    revision: row.revision_id,
    requestedBy: presentUser(users.get(row.requested_by), urls),
    createdAt: row.created_at,
    kind: 'user',
    user: presentUser(users.get(row.user_id), urls),
  })
}
