import type { Comment, CommentReply } from '../../contract/comment.ts'
import { type PostCommentBody, maxReactionEmojis, maxReplies } from '../../contract/comments.ts'
import type { DocumentFormat } from '../../contract/document.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { AppError, conflict, invalid, notFound } from '../../kernel/errors.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { groupBy } from '../../kernel/group-by.ts'
import type { Row } from '../../schema/tables.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import { assertEditable, isClosed } from '../change-requests/change-request-queries.ts'
import * as changeRequestStore from '../change-requests/change-request-store.ts'
import { recordLiveEvent } from '../live/record-event.ts'
import { loadAuthors } from '../members/load-authors.ts'
import { findMemberUsers } from '../members/member-store.ts'
import { deleteEventsOfComments } from '../notifications/event-store.ts'
import { changeRequestTarget, followByTakingPart } from '../notifications/follow-store.ts'
import { recordNotificationEvent } from '../notifications/record-event.ts'
import { getComputedContent } from '../revisions/revisions.ts'
import * as spaceStore from '../spaces/space-store.ts'
import type { CommentBody } from './comment-body.ts'
import { addCommentCounts } from './comment-counts.ts'
import * as store from './comment-store.ts'
import { type TargetColumns, findTargetStates, noTarget, resolveTarget } from './comment-target.ts'
import { deleteMentions, replaceMentions } from './mention-store.ts'
import {
  type CommentCaller,
  type CommentDetails,
  mayDelete,
  mayEdit,
  mayResolve,
  presentComment,
  presentReply,
} from './present-comment.ts'

type CommentRow = Row<'comments'>

/** The change request whose comments are meant; undefined for the comments of the space in the context. */
type OptionalRequest = Row<'change_requests'> | undefined

export const scopeOf = ({ space }: Pick<SpaceContext, 'space'>, request: OptionalRequest): store.CommentScope => ({
  organizationId: space.organization_id,
  spaceId: space.id,
  changeRequestId: request?.id ?? null,
})

export async function getComment(context: SpaceContext, request: OptionalRequest, id: string): Promise<CommentRow> {
  const comment = await store.findComment(context.db, scopeOf(context, request), id)
  if (!comment) throw notFound('comment')
  return comment
}

export async function getReply({ db }: SpaceContext, comment: CommentRow, id: string): Promise<CommentRow> {
  const reply = await store.findReply(db, comment, id)
  if (!reply) throw notFound('reply')
  return reply
}

interface NewComment {
  body: CommentBody
  /** Page, block or table cell that the comment is about. */
  target?: Pick<PostCommentBody, 'page' | 'node' | 'tableCell'>
  /** ID of the review that contains the comment. */
  reviewId?: string
}

/** Stores a new comment; fails if the change request is merged or archived, or if the target does not exist. */
export async function postComment(
  context: SpaceContext,
  request: OptionalRequest,
  { body, target = {}, reviewId }: NewComment,
): Promise<CommentRow> {
  const { db, space } = context
  await lockSpace(db, space)
  const revisionId = currentRevisionId(context, request)
  const hasTarget = target.page !== undefined || target.node !== undefined || target.tableCell !== undefined
  const columns = hasTarget
    ? await resolveTarget((await getComputedContent(context, space, revisionId)).tree, target)
    : noTarget
  const comment = await insertPost(context, request, body, {
    ...columns,
    revision_id: revisionId,
    review_id: reviewId ?? null,
    parent_id: null,
  })
  await addOpenCount(context, request, 1)
  return comment
}

/** Stores a reply to a comment; fails if the change request is merged or archived. */
export async function postReply(
  context: SpaceContext,
  request: OptionalRequest,
  commentId: string,
  body: CommentBody,
): Promise<CommentRow> {
  const { db, space } = context
  await lockSpace(db, space)
  const comment = await getComment(context, request, commentId)
  if (comment.reply_count >= maxReplies) throw conflict(`The comment has ${maxReplies} replies, which is the maximum`)
  const reply = await insertPost(context, request, body, {
    ...noTarget,
    revision_id: comment.revision_id,
    review_id: null,
    parent_id: comment.id,
  })
  await store.addReplyCount(db, comment, 1)
  return reply
}

/** Returns the id of the revision that contains the targets of comments. */
const currentRevisionId = ({ space }: SpaceContext, request: OptionalRequest): string =>
  request?.revision_id ?? space.revision_id

async function insertPost(
  context: SpaceContext,
  request: OptionalRequest,
  body: CommentBody,
  columns: TargetColumns & Pick<CommentRow, 'revision_id' | 'review_id' | 'parent_id'>,
): Promise<CommentRow> {
  const { db, space, principal, newId, now } = context
  if (request) assertEditable(request)
  const post = await store.insertComment(db, {
    ...columns,
    organization_id: space.organization_id,
    id: newId(),
    space_id: space.id,
    change_request_id: request?.id ?? null,
    body: body.json,
    status: 'open',
    resolved_by: null,
    resolved_at: null,
    reply_count: 0,
    author_id: principal.user.id,
    created_at: now(),
    edited_at: null,
  })
  await addCommentCounts(db, [{ post, by: 1 }])
  const mentionedIds = await storeMentions(context, post, body)
  // Reviews are listed separately from contributions.
  if (request && post.review_id === null) {
    await changeRequestStore.addContribution(db, request, principal.user.id, 'comment', now())
  }
  if (request) await followByTakingPart(context, changeRequestTarget(request), [principal.user.id])
  await recordCommentEvent(context, post)
  await recordCommentNotification(context, post, 'comment', mentionedIds)
  return post
}

/**
 * Stores which members a body mentions; users who are not members of the organization are ignored. Returns those who were not
 * mentioned before.
 */
async function storeMentions({ db, now }: SpaceContext, post: CommentRow, { userIds }: CommentBody): Promise<string[]> {
  const members = userIds.length === 0 ? [] : await findMemberUsers(db, post.organization_id, userIds)
  return replaceMentions(
    db,
    post,
    members.map(({ id }) => ({
      organization_id: post.organization_id,
      comment_id: post.id,
      user_id: id,
      space_id: post.space_id,
      created_at: now(),
    })),
  )
}

/** Adds to the number of open comments of the change request or the space. */
async function addOpenCount({ db, space }: SpaceContext, request: OptionalRequest, added: number): Promise<void> {
  if (request) await changeRequestStore.addOpenCommentCount(db, request, added)
  else await spaceStore.addOpenCommentCount(db, space, added)
}

export interface CommentUpdate {
  body?: CommentBody | undefined
  resolved?: boolean | undefined
  addedReactions?: readonly string[] | undefined
  removedReactions?: readonly string[] | undefined
}

export async function updateComment(
  context: SpaceContext,
  request: OptionalRequest,
  commentId: string,
  update: CommentUpdate,
): Promise<CommentRow> {
  await lockSpace(context.db, context.space)
  const comment = await getComment(context, request, commentId)
  const { resolved } = update
  if (resolved !== undefined && !mayResolve(comment, toCaller(context, request))) {
    throw new AppError('forbidden', 'Only the author and reviewers can resolve or reopen a comment')
  }
  const updated = await updatePost(context, request, comment, update)
  return resolved === undefined ? updated : setResolved(context, request, updated, resolved)
}

/** Resolves or reopens a comment. One that is resolved already keeps the time and user of its resolution. */
async function setResolved(
  context: SpaceContext,
  request: OptionalRequest,
  comment: CommentRow,
  isResolved: boolean,
): Promise<CommentRow> {
  const { db, principal, now } = context
  if ((comment.status === 'resolved') === isResolved) return comment
  await addOpenCount(context, request, isResolved ? -1 : 1)
  const updated = await store.updateComment(
    db,
    comment,
    isResolved
      ? { status: 'resolved', resolved_by: principal.user.id, resolved_at: now() }
      : { status: 'open', resolved_by: null, resolved_at: null },
  )
  await addCommentCounts(db, [
    { post: comment, by: -1 },
    { post: updated, by: 1 },
  ])
  await recordCommentEvent(context, updated)
  return updated
}

export async function updateReply(
  context: SpaceContext,
  request: OptionalRequest,
  commentId: string,
  replyId: string,
  update: Omit<CommentUpdate, 'resolved'>,
): Promise<CommentRow> {
  await lockSpace(context.db, context.space)
  const comment = await getComment(context, request, commentId)
  return updatePost(context, request, await getReply(context, comment, replyId), update)
}

/** Updates the body and the caller's reactions of a comment or reply. */
async function updatePost(
  context: SpaceContext,
  request: OptionalRequest,
  post: CommentRow,
  { body, addedReactions = [], removedReactions = [] }: CommentUpdate,
): Promise<CommentRow> {
  const { db, now } = context
  if (body && !mayEdit(post, toCaller(context, request))) {
    throw new AppError('forbidden', 'Only the author can edit the text')
  }
  const hasReactions = addedReactions.length > 0 || removedReactions.length > 0
  if (request && (body || hasReactions)) assertEditable(request)
  if (hasReactions) await updateReactions(context, post, addedReactions, removedReactions)
  if (body || hasReactions) await recordCommentEvent(context, post)
  if (!body) return post
  const mentionedIds = await storeMentions(context, post, body)
  if (mentionedIds.length > 0) await recordCommentNotification(context, post, 'mention', mentionedIds)
  return store.updateComment(db, post, { body: body.json, edited_at: now() })
}

async function updateReactions(
  { db, principal, now }: SpaceContext,
  post: CommentRow,
  added: readonly string[],
  removed: readonly string[],
): Promise<void> {
  await store.deleteReactions(db, post, principal.user.id, removed)
  if (added.length === 0) return
  const emojis = new Set([...(await store.findReactionEmojis(db, post)), ...added])
  if (emojis.size > maxReactionEmojis) {
    throw invalid('body.addedReactions', `must not result in more than ${maxReactionEmojis} different emojis`)
  }
  const reactions = [...new Set(added)].map((emoji) => ({
    organization_id: post.organization_id,
    comment_id: post.id,
    emoji,
    user_id: principal.user.id,
    created_at: now(),
  }))
  await store.insertReactions(db, reactions)
}

/** Deletes a comment with its replies, if it exists. */
export async function deleteComment(context: SpaceContext, request: OptionalRequest, commentId: string): Promise<void> {
  const { db, space } = context
  await lockSpace(db, space)
  const comment = await store.findComment(db, scopeOf(context, request), commentId)
  if (!comment) return
  assertMayDelete(context, request, comment)
  await deletePosts(context, comment)
  if (comment.status === 'open') await addOpenCount(context, request, -1)
}

/** Deletes a reply, if it exists. */
export async function deleteReply(
  context: SpaceContext,
  request: OptionalRequest,
  commentId: string,
  replyId: string,
): Promise<void> {
  const { db, space } = context
  await lockSpace(db, space)
  const comment = await store.findComment(db, scopeOf(context, request), commentId)
  const reply = comment && (await store.findReply(db, comment, replyId))
  if (!reply) return
  assertMayDelete(context, request, reply)
  await deletePosts(context, reply)
  await store.addReplyCount(db, comment, -1)
}

/** Deletes a comment with its replies, or a reply, and updates the stored counts. */
async function deletePosts(context: SpaceContext, post: CommentRow): Promise<void> {
  const { db } = context
  await deleteMentions(db, post)
  const deleted = await store.deletePosts(db, post)
  await deleteEventsOfComments(
    db,
    post.organization_id,
    deleted.map(({ id }) => id),
  )
  await addCommentCounts(
    db,
    deleted.map((counted) => ({ post: counted, by: -1 })),
  )
  await recordCommentEvent(context, post)
}

/** Records a change of a comment or of one of its replies. */
function recordCommentEvent(context: SpaceContext, post: CommentRow): Promise<void> {
  return recordLiveEvent(context, {
    kind: 'comment',
    organizationId: post.organization_id,
    spaceId: post.space_id,
    changeRequestId: post.change_request_id,
    pageId: post.page_id,
    commentId: post.parent_id ?? post.id,
  })
}

/** Records a new comment or reply, or new mentions in it, for those who are notified. */
function recordCommentNotification(
  context: SpaceContext,
  post: CommentRow,
  cause: 'comment' | 'mention',
  mentionedIds: readonly string[],
): Promise<void> {
  return recordNotificationEvent(context, {
    organization_id: post.organization_id,
    space_id: post.space_id,
    cause,
    changeRequestId: post.change_request_id,
    pageId: post.page_id,
    commentId: post.id,
    receivers: mentionedIds,
  })
}

function assertMayDelete(context: SpaceContext, request: OptionalRequest, post: CommentRow): void {
  if (mayDelete(post, toCaller(context, request))) return
  throw new AppError('forbidden', 'Only the author and reviewers can delete a comment')
}

const toCaller = ({ principal, role }: SpaceContext, request: OptionalRequest): CommentCaller => ({
  userId: principal.user.id,
  role,
  isClosed: request !== undefined && isClosed(request),
})

interface PresentOptions {
  format: DocumentFormat | undefined
}

export async function presentComments(
  context: SpaceContext,
  request: OptionalRequest,
  comments: readonly CommentRow[],
  options: PresentOptions,
): Promise<Comment[]> {
  const { db, space } = context
  const ids = comments.map(({ id }) => id)
  const repliedIds = comments.flatMap(({ id, reply_count: count }) => (count > 0 ? [id] : []))
  const repliers = await store.findRepliers(db, space.organization_id, repliedIds)
  const targets = comments.some((comment) => comment.page_id !== null)
    ? await findTargetStates(
        (await getComputedContent(context, space, currentRevisionId(context, request))).tree,
        comments,
      )
    : undefined
  const detailsOf = await loadDetails(context, request, ids, options, [
    ...comments.flatMap((comment) => [comment.author_id, comment.resolved_by]),
    ...repliers.map((replier) => replier.author_id),
  ])
  const repliersById = groupBy(repliers, (replier) => replier.comment_id)
  return presentEach(comments, (comment) =>
    presentComment(comment, {
      ...detailsOf(comment.id),
      repliers: repliersById.get(comment.id) ?? [],
      target: targets?.get(comment.id),
    }),
  )
}

export async function presentReplies(
  context: SpaceContext,
  request: OptionalRequest,
  replies: readonly CommentRow[],
  options: PresentOptions,
): Promise<CommentReply[]> {
  const ids = replies.map(({ id }) => id)
  const detailsOf = await loadDetails(
    context,
    request,
    ids,
    options,
    replies.map((reply) => reply.author_id),
  )
  return presentEach(replies, (reply) => presentReply(reply, detailsOf(reply.id)))
}

/** Loads the reactions to comments and replies and all users that their replies contain. */
async function loadDetails(
  context: SpaceContext,
  request: OptionalRequest,
  ids: readonly string[],
  { format }: PresentOptions,
  userIds: readonly (string | null)[],
): Promise<(id: string) => CommentDetails> {
  const { db, space, urls } = context
  const reactions = await store.findReactions(db, space.organization_id, ids)
  const presentAuthor = await loadAuthors(context, space.organization_id, [
    ...userIds,
    ...reactions.map((reaction) => reaction.user_id),
  ])
  const caller = toCaller(context, request)
  const byId = groupBy(reactions, (reaction) => reaction.comment_id)
  return (id) => ({ urls, caller, format, presentAuthor, reactions: byId.get(id) ?? [] })
}

/** Presents items one by one and yields to the event loop in between, because printing many bodies takes long. */
async function presentEach<Item, Presented>(
  items: readonly Item[],
  present: (item: Item) => Presented,
): Promise<Presented[]> {
  const yieldIfDue = createYielder()
  const presented: Presented[] = []
  for (const item of items) {
    presented.push(present(item))
    await yieldIfDue()
  }
  return presented
}
