import type { Comment, CommentReply } from '../../contract/comment.ts'
import { changeRequestComments, spaceComments } from '../../contract/comments.ts'
import type { DocumentBody, DocumentFormat } from '../../contract/document.ts'
import { type OperationInput, implement, withPreparation } from '../../kernel/implement.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import { getChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { type CommentBody, parseCommentBody } from '../../domain/comments/comment-body.ts'
import { countCommenters, findCommentCount, findCommenterIds } from '../../domain/comments/comment-counts.ts'
import * as store from '../../domain/comments/comment-store.ts'
import {
  deleteComment,
  deleteReply,
  getComment,
  getReply,
  postComment,
  postReply,
  presentComments,
  presentReplies,
  scopeOf,
  updateComment,
  updateReply,
} from '../../domain/comments/comments.ts'
import { loadMembers } from '../../domain/members/member-queries.ts'
import { presentMember } from '../../domain/members/present-member.ts'

type SpaceInput<Name extends keyof typeof spaceComments> = OperationInput<(typeof spaceComments)[Name]>
type RequestInput<Name extends keyof typeof changeRequestComments> = OperationInput<
  (typeof changeRequestComments)[Name]
>

// The operations on the comments of a change request differ from those of a space only by the change request in the path.

type OptionalRequest = Row<'change_requests'> | undefined

interface FormatQuery {
  format?: DocumentFormat | undefined
}

const findRequest = (context: SpaceContext, { params }: { params: { changeRequestId: string } }) =>
  getChangeRequest(context, params.changeRequestId)

/** Parses a body outside of the transaction. */
const prepareBody = async (_: SpaceContext, { body }: { body: { body: DocumentBody } }): Promise<CommentBody> =>
  parseCommentBody(body.body, 'body.body')

const prepareOptionalBody = async (
  _: SpaceContext,
  { body }: { body: { body?: DocumentBody | undefined } },
): Promise<CommentBody | undefined> => body.body && parseCommentBody(body.body, 'body.body')

async function presentOne(
  context: SpaceContext,
  request: OptionalRequest,
  comment: Row<'comments'>,
  { format }: FormatQuery = {},
): Promise<Comment> {
  const [presented] = await presentComments(context, request, [comment], { format })
  return presented as Comment
}

async function presentOneReply(
  context: SpaceContext,
  request: OptionalRequest,
  reply: Row<'comments'>,
  { format }: FormatQuery = {},
): Promise<CommentReply> {
  const [presented] = await presentReplies(context, request, [reply], { format })
  return presented as CommentReply
}

async function listComments(
  context: SpaceContext,
  request: OptionalRequest,
  query: SpaceInput<'listCommentsInSpace'>['query'],
) {
  const { db } = context
  const scope = scopeOf(context, request)
  const after = decodeCursor(query.page, 1)
  const rows = await store.findComments(db, scope, query, { after, limit: query.limit, order: query.order })
  const count = await findCommentCount(db, scope, query)
  const presented = await presentComments(context, request, rows.slice(0, query.limit), { format: query.format })
  const byId = new Map(presented.map((comment) => [comment.id, comment]))
  return toPage(
    rows,
    query,
    count,
    ({ id }) => [id],
    ({ id }) => byId.get(id) as Comment,
  )
}

async function listReplies(
  context: SpaceContext,
  request: OptionalRequest,
  commentId: string,
  query: SpaceInput<'listCommentRepliesInSpace'>['query'],
) {
  const after = decodeCursor(query.page, 1)
  const comment = await getComment(context, request, commentId)
  const rows = await store.findReplies(context.db, comment, { after, limit: query.limit })
  const presented = await presentReplies(context, request, rows.slice(0, query.limit), { format: query.format })
  const byId = new Map(presented.map((reply) => [reply.id, reply]))
  return toPage(
    rows,
    query,
    comment.reply_count,
    ({ id }) => [id],
    ({ id }) => byId.get(id) as CommentReply,
  )
}

async function listCommenters(
  context: SpaceContext,
  request: OptionalRequest,
  query: SpaceInput<'listCommentersInSpace'>['query'],
) {
  const { db, space, urls } = context
  const scope = scopeOf(context, request)
  const after = decodeCursor(query.page, 1)?.[0]
  const ids = await findCommenterIds(db, scope, { after, limit: query.limit })
  const members = await loadMembers(db, space.organization_id, ids.slice(0, query.limit))
  return toPage(
    ids,
    query,
    await countCommenters(db, scope),
    (id) => [id],
    (id) => presentMember(members.get(id), urls),
  )
}

async function readComment(
  context: SpaceContext,
  request: OptionalRequest,
  { params, query }: SpaceInput<'getCommentInSpace'>,
): Promise<Comment> {
  return presentOne(context, request, await getComment(context, request, params.commentId), query)
}

async function readReply(
  context: SpaceContext,
  request: OptionalRequest,
  { params, query }: SpaceInput<'getCommentReplyInSpace'>,
): Promise<CommentReply> {
  const comment = await getComment(context, request, params.commentId)
  return presentOneReply(context, request, await getReply(context, comment, params.commentReplyId), query)
}

export const spaceCommentRoutes = implement(spaceComments, {
  listCommentsInSpace: (context, { query }) => listComments(context, undefined, query),

  postCommentInSpace: withPreparation(
    prepareBody,
    async (context: SpaceContext, { body: target }: SpaceInput<'postCommentInSpace'>, body) =>
      presentOne(context, undefined, await postComment(context, undefined, { body, target })),
  ),

  getCommentInSpace: (context, input) => readComment(context, undefined, input),

  updateCommentInSpace: withPreparation(
    prepareOptionalBody,
    async (context: SpaceContext, input: SpaceInput<'updateCommentInSpace'>, body) => {
      const update = { ...input.body, body }
      return presentOne(context, undefined, await updateComment(context, undefined, input.params.commentId, update))
    },
  ),

  deleteCommentInSpace: (context, { params }) => deleteComment(context, undefined, params.commentId),

  listCommentRepliesInSpace: (context, { params, query }) => listReplies(context, undefined, params.commentId, query),

  postCommentReplyInSpace: withPreparation(
    prepareBody,
    async (context: SpaceContext, { params }: SpaceInput<'postCommentReplyInSpace'>, body) =>
      presentOneReply(context, undefined, await postReply(context, undefined, params.commentId, body)),
  ),

  getCommentReplyInSpace: (context, input) => readReply(context, undefined, input),

  updateCommentReplyInSpace: withPreparation(
    prepareOptionalBody,
    async (context: SpaceContext, { params, body: input }: SpaceInput<'updateCommentReplyInSpace'>, body) => {
      const update = { ...input, body }
      const reply = await updateReply(context, undefined, params.commentId, params.commentReplyId, update)
      return presentOneReply(context, undefined, reply)
    },
  ),

  deleteCommentReplyInSpace: (context, { params }) =>
    deleteReply(context, undefined, params.commentId, params.commentReplyId),

  listCommentersInSpace: (context, { query }) => listCommenters(context, undefined, query),
})

export const changeRequestCommentRoutes = implement(changeRequestComments, {
  async listCommentsInChangeRequest(context, input) {
    return listComments(context, await findRequest(context, input), input.query)
  },

  postCommentInChangeRequest: withPreparation(
    prepareBody,
    async (context: SpaceContext, input: RequestInput<'postCommentInChangeRequest'>, body) => {
      const request = await findRequest(context, input)
      return presentOne(context, request, await postComment(context, request, { body, target: input.body }))
    },
  ),

  async getCommentInChangeRequest(context, input) {
    return readComment(context, await findRequest(context, input), input)
  },

  updateCommentInChangeRequest: withPreparation(
    prepareOptionalBody,
    async (context: SpaceContext, input: RequestInput<'updateCommentInChangeRequest'>, body) => {
      const request = await findRequest(context, input)
      const update = { ...input.body, body }
      return presentOne(context, request, await updateComment(context, request, input.params.commentId, update))
    },
  ),

  async deleteCommentInChangeRequest(context, input) {
    await deleteComment(context, await findRequest(context, input), input.params.commentId)
  },

  async listCommentRepliesInChangeRequest(context, input) {
    return listReplies(context, await findRequest(context, input), input.params.commentId, input.query)
  },

  postCommentReplyInChangeRequest: withPreparation(
    prepareBody,
    async (context: SpaceContext, input: RequestInput<'postCommentReplyInChangeRequest'>, body) => {
      const request = await findRequest(context, input)
      const reply = await postReply(context, request, input.params.commentId, body)
      return presentOneReply(context, request, reply, input.query)
    },
  ),

  async getCommentReplyInChangeRequest(context, input) {
    return readReply(context, await findRequest(context, input), input)
  },

  updateCommentReplyInChangeRequest: withPreparation(
    prepareOptionalBody,
    async (context: SpaceContext, input: RequestInput<'updateCommentReplyInChangeRequest'>, body) => {
      const { params } = input
      const request = await findRequest(context, input)
      const update = { ...input.body, body }
      const reply = await updateReply(context, request, params.commentId, params.commentReplyId, update)
      return presentOneReply(context, request, reply)
    },
  ),

  async deleteCommentReplyInChangeRequest(context, input) {
    const { commentId, commentReplyId } = input.params
    await deleteReply(context, await findRequest(context, input), commentId, commentReplyId)
  },

  async listCommentersInChangeRequest(context, input) {
    return listCommenters(context, await findRequest(context, input), input.query)
  },
})
