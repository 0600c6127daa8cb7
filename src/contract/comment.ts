import { z } from 'zod'
import { documentContentFields } from './document.ts'
import { Count, Id, Timestamp, User } from './shared.ts'

export const Contribution = z.object({ user: User, count: Count, updatedAt: Timestamp })

export const CommentStatus = z.enum(['open', 'resolved'])
export type CommentStatus = z.infer<typeof CommentStatus>

export const Comment = z
  .object({
    object: z.literal('comment'),
    id: Id,
    postedBy: User,
    postedAt: Timestamp,
    editedAt: Timestamp.optional(),
    reactions: z.array(
      z.object({
        emoji: z.string(),
        count: Count,
        users: z.array(z.object({ user: User, reactedAt: Timestamp })),
      }),
    ),
    replies: Count,
    repliers: z.array(Contribution),
    body: z.object(documentContentFields),
    target: z.object({
      node: z.object({ id: z.string(), preview: z.string().optional() }).optional(),
      tableCell: z.object({ record: z.string(), definition: z.string() }).optional(),
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
          outdated: z.boolean().optional().describe('Whether the page has changed or was deleted since the comment'),
        })
        .optional(),
      space: Id,
      revision: Id,
    }),
    status: CommentStatus,
    resolvedAt: Timestamp.optional(),
    resolvedBy: User.optional(),
    urls: z.object({ location: z.string() }),
    permissions: z.object({ view: z.boolean(), edit: z.boolean(), reply: z.boolean(), delete: z.boolean() }),
  })
  .meta({ id: 'Comment' })
export type Comment = z.infer<typeof Comment>
