import { z } from 'zod'
import { Comment, CommentReply, Mention, TableCellTarget } from './comment.ts'
import { DocumentBody, DocumentFormat } from './document.ts'
import { Member } from './members.ts'
import { operation } from './operation.ts'
import { Id, ListQuery, SortOrder, paginated, queryList } from './shared.ts'

/** Maximum number of different emojis with which users can react to a comment or reply. */
export const maxReactionEmojis = 20

/** Maximum number of replies to a comment. */
export const maxReplies = 1000

/** Maximum number of users that a comment or reply can mention. */
export const maxMentions = 100

/** Maximum length of the Markdown of a comment in UTF-16 code units. */
export const maxCommentMarkdown = 16 * 1024

/** Maximum length of the stored document of a comment as JSON, so that a list of many comments remains small. */
export const maxCommentDocument = 128 * 1024

const FormatQuery = z.object({ format: DocumentFormat.optional().describe('Format of the body; Markdown by default') })

const CommentsQuery = ListQuery.extend({
  order: SortOrder,
  status: z.enum(['all', 'open', 'resolved']).default('all'),
  ...FormatQuery.shape,
  targetPage: Id.optional().describe('Only comments about this page'),
  authors: queryList(Id).optional().describe('Only comments of these users'),
})

const RepliesQuery = ListQuery.extend(FormatQuery.shape)

const Emoji = z
  .string()
  .min(1)
  .max(64)
  .refine((text) => !/[\s\p{Cc}]/u.test(text), 'must not contain spaces or control characters')

const reactionFields = {
  addedReactions: z.array(Emoji).max(maxReactionEmojis).optional().describe('Emojis with which the caller reacts'),
  removedReactions: z.array(Emoji).max(maxReactionEmojis).optional().describe('Reactions of the caller to remove'),
}

const PostCommentBody = z.object({
  body: DocumentBody,
  page: Id.optional().describe('ID of the page that the comment is about'),
  node: Id.optional().describe('Key of the block that the comment is about; requires `page`'),
  tableCell: TableCellTarget.optional().describe('The table cell that the comment is about; requires `page`'),
})
export type PostCommentBody = z.infer<typeof PostCommentBody>

const PostReplyBody = z.object({ body: DocumentBody })

const UpdateCommentBody = z.object({
  resolved: z.boolean().optional(),
  body: DocumentBody.optional(),
  ...reactionFields,
})

const UpdateReplyBody = z.object({ body: DocumentBody.optional(), ...reactionFields })

export const spaceComments = {
  listCommentsInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/comments',
    summary: 'List comments in a space',
    description: 'Comments of change requests are not included.',
    access: 'space:view',
    scope: 'space:read',
    query: CommentsQuery,
    reply: paginated(Comment),
  }),
  postCommentInSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/comments',
    summary: 'Post a comment in a space',
    access: 'space:comment',
    scope: 'space:write',
    body: PostCommentBody,
    status: 200,
    reply: Comment,
    errors: [404],
  }),
  getCommentInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/comments/{commentId}',
    summary: 'Get a comment in a space',
    access: 'space:view',
    scope: 'space:read',
    query: FormatQuery,
    reply: Comment,
  }),
  updateCommentInSpace: operation({
    method: 'PUT',
    path: '/spaces/{spaceId}/comments/{commentId}',
    summary: 'Update a comment in a space',
    description:
      'Edits the body, resolves or reopens the comment, and adds or removes reactions of the caller. Only the author can edit the body. The author and reviewers can resolve and reopen.',
    access: 'space:comment',
    scope: 'space:write',
    body: UpdateCommentBody,
    reply: Comment,
    errors: [404],
  }),
  deleteCommentInSpace: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/comments/{commentId}',
    summary: 'Delete a comment in a space',
    description: 'Deletes the replies, too. The author and reviewers can delete a comment.',
    access: 'space:comment',
    scope: 'space:write',
  }),
  listCommentRepliesInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/comments/{commentId}/replies',
    summary: 'List the replies to a comment in a space',
    description: 'Returns the oldest replies first.',
    access: 'space:view',
    scope: 'space:read',
    query: RepliesQuery,
    reply: paginated(CommentReply),
  }),
  postCommentReplyInSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/comments/{commentId}/replies',
    summary: 'Reply to a comment in a space',
    access: 'space:comment',
    scope: 'space:write',
    body: PostReplyBody,
    status: 200,
    reply: CommentReply,
    errors: [404, 409],
  }),
  getCommentReplyInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Get a reply in a space',
    access: 'space:view',
    scope: 'space:read',
    query: FormatQuery,
    reply: CommentReply,
  }),
  updateCommentReplyInSpace: operation({
    method: 'PUT',
    path: '/spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Update a reply in a space',
    description: 'Edits the body, and adds or removes reactions of the caller. Only the author can edit the body.',
    access: 'space:comment',
    scope: 'space:write',
    body: UpdateReplyBody,
    reply: CommentReply,
    errors: [404],
  }),
  deleteCommentReplyInSpace: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Delete a reply in a space',
    description: 'The author and reviewers can delete a reply.',
    access: 'space:comment',
    scope: 'space:write',
  }),
  listCommentersInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/commenters',
    summary: 'List the members who commented in a space',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery,
    reply: paginated(Member),
  }),
}

export const changeRequestComments = {
  listCommentsInChangeRequest: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/comments',
    summary: 'List comments in a change request',
    access: 'space:view',
    scope: 'space:read',
    query: CommentsQuery,
    reply: paginated(Comment),
  }),
  postCommentInChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/comments',
    summary: 'Post a comment in a change request',
    access: 'space:comment',
    scope: 'space:write',
    body: PostCommentBody,
    status: 200,
    reply: Comment,
    errors: [404, 409],
  }),
  getCommentInChangeRequest: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}',
    summary: 'Get a comment in a change request',
    access: 'space:view',
    scope: 'space:read',
    query: FormatQuery,
    reply: Comment,
  }),
  updateCommentInChangeRequest: operation({
    method: 'PUT',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}',
    summary: 'Update a comment in a change request',
    description:
      'Edits the body, resolves or reopens the comment, and adds or removes reactions of the caller. Only the author can edit the body. The author and reviewers can resolve and reopen.',
    access: 'space:comment',
    scope: 'space:write',
    body: UpdateCommentBody,
    reply: Comment,
    errors: [404, 409],
  }),
  deleteCommentInChangeRequest: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}',
    summary: 'Delete a comment in a change request',
    description: 'Deletes the replies, too. The author and reviewers can delete a comment.',
    access: 'space:comment',
    scope: 'space:write',
  }),
  listCommentRepliesInChangeRequest: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies',
    summary: 'List the replies to a comment in a change request',
    description: 'Returns the oldest replies first.',
    access: 'space:view',
    scope: 'space:read',
    query: RepliesQuery,
    reply: paginated(CommentReply),
  }),
  postCommentReplyInChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies',
    summary: 'Reply to a comment in a change request',
    access: 'space:comment',
    scope: 'space:write',
    query: FormatQuery,
    body: PostReplyBody,
    status: 200,
    reply: CommentReply,
    errors: [404, 409],
  }),
  getCommentReplyInChangeRequest: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Get a reply in a change request',
    access: 'space:view',
    scope: 'space:read',
    query: FormatQuery,
    reply: CommentReply,
  }),
  updateCommentReplyInChangeRequest: operation({
    method: 'PUT',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Update a reply in a change request',
    description: 'Edits the body, and adds or removes reactions of the caller. Only the author can edit the body.',
    access: 'space:comment',
    scope: 'space:write',
    body: UpdateReplyBody,
    reply: CommentReply,
    errors: [404, 409],
  }),
  deleteCommentReplyInChangeRequest: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}',
    summary: 'Delete a reply in a change request',
    description: 'The author and reviewers can delete a reply.',
    access: 'space:comment',
    scope: 'space:write',
  }),
  listCommentersInChangeRequest: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/commenters',
    summary: 'List the members who commented in a change request',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery,
    reply: paginated(Member),
  }),
}

export const mentions = {
  listMentionsForAuthenticatedUser: operation({
    method: 'GET',
    path: '/user/mentions',
    summary: 'List mentions of the current user',
    description: 'Returns the newest mentions first, in comments and replies of all spaces that the user can see.',
    access: 'user',
    scope: 'space:read',
    query: RepliesQuery,
    reply: paginated(Mention),
  }),
}
