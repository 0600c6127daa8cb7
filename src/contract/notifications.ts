import { z } from 'zod'
import { operation } from './operation.ts'
import { Id, ListQuery, QueryBoolean, Timestamp, User, paginated, queryList } from './shared.ts'

/** Kinds of notifications, in the order in which settings are shown. */
export const notificationKinds = [
  'mention',
  'reply',
  'review-request',
  'review',
  'comment',
  'merge',
  'git-failure',
] as const
export const NotificationKind = z
  .enum(notificationKinds)
  .meta({ id: 'NotificationKind' })
  .describe(
    '`mention`: the user was mentioned in a comment. `reply`: a reply in a discussion of the user. `review-request`: a review by the user was requested. `review` (approval or requested changes), `comment`, `merge`: of a space, page or change request that the user follows. `git-failure`: a Git operation failed',
  )
export type NotificationKind = z.infer<typeof NotificationKind>

/** Maximum number up to which unread notifications are counted. */
export const maxUnreadCount = 1000

export const Notification = z
  .object({
    object: z.literal('notification'),
    id: Id,
    kind: NotificationKind,
    organization: Id,
    space: z.object({ id: Id, title: z.string() }),
    changeRequest: z.object({ id: Id, number: z.int(), subject: z.string() }).optional(),
    page: z.object({ id: Id, title: z.string().optional() }).optional(),
    comment: Id.optional().describe('ID of the comment; for a reply, of the comment that it replies to'),
    reply: Id.optional(),
    text: z.string().optional().describe('Beginning of the comment, or the error of the Git operation'),
    review: z.enum(['approved', 'changes-requested']).optional(),
    by: User.optional().describe('User who caused the notification; absent if the server did'),
    createdAt: Timestamp,
    readAt: Timestamp.optional(),
    urls: z.object({
      location: z.string(),
      app: z.string().describe('URL of the page of the web app about the event'),
    }),
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>

const KindSettings = z.object({
  inApp: z.boolean().describe('Whether notifications of this kind are listed'),
  email: z.enum(['off', 'digest']).describe('`digest` sends unread notifications together, at most every 15 minutes'),
})
export type KindSettings = z.infer<typeof KindSettings>

export const NotificationSettings = z
  .object({
    object: z.literal('notification-settings'),
    kinds: z.object(
      Object.fromEntries(notificationKinds.map((kind) => [kind, KindSettings])) as Record<
        NotificationKind,
        typeof KindSettings
      >,
    ),
    emailAvailable: z.boolean().describe('Whether this server sends email'),
  })
  .meta({ id: 'NotificationSettings' })
export type NotificationSettings = z.infer<typeof NotificationSettings>

/** Target of following in a space: the space itself, or one of its pages or change requests. */
const followTarget = {
  targetPage: Id.optional().describe('ID of a page; without it and `changeRequest`, the space itself'),
  changeRequest: Id.optional().describe('ID or number of a change request'),
}
const Follow = z.object({ object: z.literal('follow'), following: z.boolean() }).meta({ id: 'Follow' })

const own = { access: 'user', scope: 'unscoped' } as const

export const notifications = {
  listNotifications: operation({
    method: 'GET',
    path: '/user/notifications',
    summary: 'List notifications',
    description:
      'Returns the notifications of the current user, newest first. Notifications about content that the user can no longer see are omitted. Notifications are deleted after 90 days.',
    ...own,
    query: ListQuery.extend({
      unread: QueryBoolean.default(false).describe('Only unread notifications'),
      kinds: queryList(NotificationKind).optional().describe('Only notifications of these kinds'),
    }),
    reply: paginated(Notification).omit({ count: true }),
  }),
  countNotifications: operation({
    method: 'GET',
    path: '/user/notifications/count',
    summary: 'Count unread notifications',
    ...own,
    reply: z.object({ unread: z.int().max(maxUnreadCount).describe(`At most ${maxUnreadCount}`) }),
  }),
  updateNotification: operation({
    method: 'PATCH',
    path: '/user/notifications/{notificationId}',
    summary: 'Mark a notification as read or unread',
    ...own,
    body: z.object({ read: z.boolean() }),
    reply: Notification,
    errors: [404],
  }),
  markNotificationsAsRead: operation({
    method: 'POST',
    path: '/user/notifications/read',
    summary: 'Mark all notifications as read',
    ...own,
    body: z.object({
      until: Id.optional().describe('ID of the newest notification to mark; those after it remain unread'),
    }),
    status: 204,
  }),
  getNotificationSettings: operation({
    method: 'GET',
    path: '/user/notification-settings',
    summary: 'Get notification settings',
    ...own,
    reply: NotificationSettings,
  }),
  updateNotificationSettings: operation({
    method: 'PATCH',
    path: '/user/notification-settings',
    summary: 'Update notification settings',
    description: 'Changes only the kinds and fields that the request contains.',
    ...own,
    body: z.object({
      kinds: z
        .object(
          Object.fromEntries(notificationKinds.map((kind) => [kind, KindSettings.partial()])) as Record<
            NotificationKind,
            ReturnType<typeof KindSettings.partial>
          >,
        )
        .partial(),
    }),
    reply: NotificationSettings,
  }),
  getFollow: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/follow',
    summary: 'Get whether the caller follows a space, page or change request',
    access: 'space:view',
    scope: 'space:read',
    query: z.object(followTarget),
    reply: Follow,
    errors: [404],
  }),
  updateFollow: operation({
    method: 'PUT',
    path: '/spaces/{spaceId}/follow',
    summary: 'Follow or unfollow a space, page or change request',
    description:
      'Followers of a space are notified of merges and failed Git operations; followers of a page of comments and of merges that change it; followers of a change request of comments, reviews and the merge. Authors, reviewers and commenters follow a change request automatically.',
    access: 'space:view',
    scope: 'space:write',
    body: z.object({ ...followTarget, following: z.boolean() }),
    reply: Follow,
    errors: [404, 409],
  }),
}
