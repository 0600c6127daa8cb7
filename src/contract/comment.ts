import { z } from 'zod'
import { documentContentFields } from './document.ts'
import { Count, Id, Timestamp, User } from './shared.ts'

export const Contribution = z.object({ user: User, count: Count, updatedAt: Timestamp })

export const CommentStatus = z.enum(['open', 'resolved'])
export type CommentStatus = z.infer<typeof CommentStatus>

export const TableCellTarget = z
  .object({ record: Id.describe('ID of the row'), definition: Id.describe('ID of the column') })
  .meta({ id: 'TableCellTarget' })

/** Maximum number of users that each reaction lists. */
export const maxListedReactors = 20

export const Reaction = z
  .object({
    emoji: z.string(),
    count: Count.describe('Number of users who reacted with this emoji'),
    users: z
      .array(z.object({ user: User, reactedAt: Timestamp }))
      .describe(`The first ${maxListedReactors} of these users`),
  })
  .meta({ id: 'EmojiReaction' })
export type Reaction = z.infer<typeof Reaction>

/** Maximum number of users that `repliers` lists. */
export const maxListedRepliers = 20

const CommentPermissions = z.object({
  view: z.boolean(),
  edit: z.boolean(),
  reply: z.boolean(),
  delete: z.boolean(),
})
export type CommentPermissions = z.infer<typeof CommentPermissions>

const postFields = {
  id: Id,
  postedBy: User.describe('The author. Authors who are no longer members have the name "Former member"'),
  postedAt: Timestamp,
  editedAt: Timestamp.optional(),
  reactions: z.array(Reaction),
  body: z.object(documentContentFields),
  urls: z.object({ location: z.string() }),
  permissions: CommentPermissions,
}

const commentFields = {
  object: z.literal('comment'),
  ...postFields,
  replies: Count,
  repliers: z.array(Contribution).describe(`The ${maxListedRepliers} users who replied last`),
  target: z.object({
    node: z
      .object({
        id: z.string().describe('Key of the block'),
        preview: z.string().optional().describe('Text of the block, or of the table cell, when the comment was posted'),
      })
      .optional(),
    tableCell: TableCellTarget.optional(),
    changeRequest: Id.optional(),
    review: Id.optional(),
    page: z
      .object({
        id: Id,
        title: z.string().optional(),
        emoji: z.string().optional(),
        icon: z.string().optional(),
        createdAt: Timestamp.optional(),
        updatedAt: Timestamp.optional(),
        path: z.string().optional(),
        outdated: z
          .boolean()
          .optional()
          .describe('Whether the page, block or table cell has been deleted since the comment was posted'),
      })
      .optional(),
    space: Id,
    revision: Id.describe('ID of the revision in which the comment was posted'),
  }),
}

export const Comment = z
  .discriminatedUnion('status', [
    z.object({ ...commentFields, status: z.literal('open') }),
    z.object({ ...commentFields, status: z.literal('resolved'), resolvedAt: Timestamp, resolvedBy: User }),
  ])
  .meta({ id: 'Comment' })
export type Comment = z.infer<typeof Comment>

export const CommentReply = z.object({ object: z.literal('comment-reply'), ...postFields }).meta({ id: 'CommentReply' })
export type CommentReply = z.infer<typeof CommentReply>

/** A mention of the caller in a comment or a reply. */
export const Mention = z
  .object({
    object: z.literal('mention'),
    mentionedBy: User,
    mentionedAt: Timestamp,
    organization: Id,
    space: Id,
    changeRequest: Id.optional(),
    comment: Id,
    reply: Id.optional().describe(
      'ID of the reply that contains the mention; absent if the comment itself contains it',
    ),
    body: z.object(documentContentFields),
    urls: z.object({ location: z.string().describe('URL of the comment or reply') }),
  })
  .meta({ id: 'Mention' })
export type Mention = z.infer<typeof Mention>
