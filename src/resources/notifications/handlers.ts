import { findPage } from '../../content/revision/tree.ts'
import {
  type KindSettings,
  type Notification,
  type NotificationKind,
  type NotificationSettings,
  maxUnreadCount,
  notifications,
} from '../../contract/notifications.ts'
import { getChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { recordLiveEvent } from '../../domain/live/record-event.ts'
import * as follows from '../../domain/notifications/follow-store.ts'
import * as store from '../../domain/notifications/notification-store.ts'
import { type KindSettingsTable, loadSettings, storeSettings } from '../../domain/notifications/settings-store.ts'
import { getComputedContent } from '../../domain/revisions/revisions.ts'
import type { SpaceContext, UserContext } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toUncountedPage } from '../../kernel/pagination.ts'
import type { MailServices } from '../../domain/mail/send-mail.ts'
import { presentNotifications } from './present.ts'
import { findVisibleSpacesOfCaller } from './visible-spaces.ts'

/** Maximum number of spaces, pages and change requests that a user has decided to follow or not to follow. */
const maxFollows = 10_000

export const notificationRoutes = ({ mailer }: MailServices) =>
  implement(notifications, {
    async listNotifications(context, { query }) {
      const { db, principal } = context
      const after = decodeCursor(query.page, 1)
      const spaces = await findVisibleSpacesOfCaller(context, query)
      if (spaces.size === 0) return { items: [] }
      const filter = { ...query, kinds: query.kinds, spaceIds: [...spaces.keys()] }
      const rows = await store.findNotifications(db, principal.user.id, filter, { after, limit: query.limit })
      const presented = await presentNotifications(context, rows.slice(0, query.limit), spaces)
      const byId = new Map(presented.map((one) => [one.id, one]))
      return toUncountedPage(
        rows,
        query,
        (row) => [row.event_id],
        (row) => byId.get(row.event_id) as Notification,
      )
    },

    async countNotifications(context) {
      const spaceIds = [...(await findVisibleSpacesOfCaller(context, { unread: true })).keys()]
      if (spaceIds.length === 0) return { unread: 0 }
      return { unread: await store.countUnread(context.db, context.principal.user.id, spaceIds, maxUnreadCount) }
    },

    async updateNotification(context, { params, body }) {
      const { db, principal, now } = context
      const row = await store.findNotification(db, principal.user.id, params.notificationId)
      const spaces = await findVisibleSpacesOfCaller(context, { unread: false })
      if (!row || !spaces.has(row.space_id)) throw notFound('notification')
      const readAt = body.read ? (row.read_at ?? now()) : null
      await store.updateReadAt(db, principal.user.id, row.event_id, readAt)
      await recordReadEvent(context, row.organization_id)
      const [presented] = await presentNotifications(context, [{ ...row, read_at: readAt }], spaces)
      return presented as Notification
    },

    async markNotificationsAsRead(context, { body }) {
      const { db, principal, now } = context
      const organizationIds = await store.markAllRead(db, principal.user.id, { until: body.until, readAt: now() })
      for (const organizationId of organizationIds) await recordReadEvent(context, organizationId)
    },

    getNotificationSettings: (context) => presentSettings(context, mailer !== undefined),

    async updateNotificationSettings(context, { body }) {
      const { db, principal } = context
      const settings = (await loadSettings(db, [principal.user.id]))(principal.user.id)
      const changed = Object.entries(body.kinds).map(([kind, values]): [string, KindSettings] => {
        const { inApp, email } = settings[kind as NotificationKind]
        return [kind, { inApp: values.inApp ?? inApp, email: values.email ?? email }]
      })
      await storeSettings(db, principal.user.id, Object.fromEntries(changed) as Partial<KindSettingsTable>)
      return presentSettings(context, mailer !== undefined)
    },

    async getFollow(context, { query }) {
      const target = await resolveTarget(context, query, 'query')
      return presentFollow((await follows.findFollow(context.db, target, context.principal.user.id)) ?? false)
    },

    async updateFollow(context, { body }) {
      const { db, principal } = context
      const target = await resolveTarget(context, body, 'body')
      const isStored = (await follows.findFollow(db, target, principal.user.id)) !== undefined
      if (!isStored && (await follows.countFollows(db, principal.user.id, maxFollows)) === maxFollows)
        throw conflict(`You follow ${maxFollows} spaces, pages and change requests, which is the maximum`)
      await follows.storeFollow(context, target, principal.user.id, body.following)
      return presentFollow(body.following)
    },
  })

/** Notifies other tabs of the user that notifications were marked. */
const recordReadEvent = (context: UserContext, organizationId: string): Promise<void> =>
  recordLiveEvent(context, { kind: 'notification', organizationId, receiverId: context.principal.user.id })

async function presentSettings({ db, principal }: UserContext, emailAvailable: boolean): Promise<NotificationSettings> {
  const kinds = (await loadSettings(db, [principal.user.id]))(principal.user.id)
  return { object: 'notification-settings', kinds, emailAvailable }
}

const presentFollow = (following: boolean) => ({ object: 'follow' as const, following })

/** Returns the target in a request; fails if it does not exist. */
async function resolveTarget(
  context: SpaceContext,
  { targetPage, changeRequest }: { targetPage?: string | undefined; changeRequest?: string | undefined },
  source: 'query' | 'body',
): Promise<follows.FollowTarget> {
  const { space } = context
  if (targetPage !== undefined && changeRequest !== undefined)
    throw invalid(`${source}.changeRequest`, 'cannot be combined with `targetPage`')
  if (changeRequest !== undefined) return follows.changeRequestTarget(await getChangeRequest(context, changeRequest))
  if (targetPage === undefined) return follows.spaceTarget(space)
  const { tree } = await getComputedContent(context, space, space.revision_id)
  if (!(await findPage(tree, targetPage))) throw notFound('page')
  return { organization_id: space.organization_id, space_id: space.id, target: 'page', target_id: targetPage }
}
