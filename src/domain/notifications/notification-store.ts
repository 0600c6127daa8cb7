import type { Insertable } from 'kysely'
import type { NotificationKind } from '../../contract/notifications.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

/** Space in which a user has notifications. */
export type NotifiedSpace = Pick<Row<'notifications'>, 'organization_id' | 'space_id'>

/** Maximum number of notifications that are read for one mail. */
const maxMailed = 500

/** Maximum number of spaces whose notifications are listed, because their IDs are parameters of one statement. */
const maxNotifiedSpaces = 5000

/** Notification with the event that it is about. */
export type NotificationRow = Row<'notifications'> &
  Omit<Row<'notification_events'>, keyof Row<'notifications'> | 'id' | 'receivers'>

/** Adds notifications; those that users have already are left as they are. Returns the number of new ones. */
export async function insertNotifications(
  db: Db,
  rows: readonly Insertable<Tables['notifications']>[],
): Promise<number> {
  if (rows.length === 0) return 0
  const inserted = await db
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['user_id', 'event_id']).doNothing())
    .returning('user_id')
    .execute()
  return inserted.length
}

/** Whether a user was notified of an event in the app. */
export async function isNotified(db: Db, userId: string, eventId: string): Promise<boolean> {
  const row = await db
    .selectFrom('notifications')
    .select('event_id')
    .where('user_id', '=', userId)
    .where('event_id', '=', eventId)
    .where('in_app', '=', 1)
    .executeTakeFirst()
  return row !== undefined
}

const selectOfUser = (db: Db, userId: string) =>
  db.selectFrom('notifications').where('notifications.user_id', '=', userId)

const selectOwn = (db: Db, userId: string) => selectOfUser(db, userId).where('notifications.in_app', '=', 1)

/** Finds the spaces in which a user has notifications, those with the newest ones first. */
export function findNotifiedSpaces(db: Db, userId: string, { unread }: { unread: boolean }): Promise<NotifiedSpace[]> {
  return selectOwn(db, userId)
    .$if(unread, (query) => query.where('read_at', 'is', null))
    .select(['organization_id', 'space_id'])
    .groupBy(['organization_id', 'space_id'])
    .orderBy(({ fn }) => fn.max('event_id'), 'desc')
    .limit(maxNotifiedSpaces)
    .execute()
}

interface NotificationFilter {
  spaceIds: readonly string[]
  unread: boolean
  kinds: readonly NotificationKind[] | undefined
}

/** Finds notifications of a user in some spaces, newest first. */
export function findNotifications(
  db: Db,
  userId: string,
  { spaceIds, unread, kinds }: NotificationFilter,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<NotificationRow[]> {
  return withEvents(selectOwn(db, userId))
    .where('notifications.space_id', 'in', spaceIds)
    .$if(unread, (query) => query.where('read_at', 'is', null))
    .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds ?? []))
    .$if(after !== undefined, (query) => query.where('notifications.event_id', '<', after?.[0] as string))
    .orderBy('notifications.event_id', 'desc')
    .limit(limit + 1)
    .execute()
}

export function findNotification(db: Db, userId: string, id: string): Promise<NotificationRow | undefined> {
  return withEvents(selectOwn(db, userId)).where('notifications.event_id', '=', id).executeTakeFirst()
}

const withEvents = (query: ReturnType<typeof selectOfUser>) =>
  query
    .innerJoin('notification_events as events', (join) =>
      join
        .onRef('events.organization_id', '=', 'notifications.organization_id')
        .onRef('events.id', '=', 'notifications.event_id'),
    )
    .selectAll('notifications')
    .select([
      'events.cause',
      'events.change_request_id',
      'events.page_id',
      'events.comment_id',
      'events.actor_id',
      'events.details',
    ])

/** Counts unread notifications in some spaces, up to a limit. */
export async function countUnread(db: Db, userId: string, spaceIds: readonly string[], limit: number): Promise<number> {
  const rows = await selectOwn(db, userId)
    .where('read_at', 'is', null)
    .where('space_id', 'in', spaceIds)
    .select('event_id')
    .limit(limit)
    .execute()
  return rows.length
}

/** Marks a notification as read or unread. What was read is not mailed. */
export async function updateReadAt(db: Db, userId: string, id: string, readAt: string | null): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read_at: readAt, mail_due: 0 })
    .where('user_id', '=', userId)
    .where('event_id', '=', id)
    .execute()
}

/** Marks the notifications of a user as read, up to one of them; returns the organizations in which there were some. */
export async function markAllRead(
  db: Db,
  userId: string,
  { until, readAt }: { until: string | undefined; readAt: string },
): Promise<string[]> {
  const rows = await db
    .updateTable('notifications')
    .set({ read_at: readAt, mail_due: 0 })
    .where('user_id', '=', userId)
    .where('in_app', '=', 1)
    .where('read_at', 'is', null)
    .$if(until !== undefined, (query) => query.where('event_id', '<=', until as string))
    .returning('organization_id')
    .execute()
  return [...new Set(rows.map((row) => row.organization_id))]
}

/** Finds users with notifications that are to be mailed, in the order of their IDs. */
export async function findUsersToMail(
  db: Db,
  { from, until }: { from: string; until: string },
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('notifications')
    .select('user_id')
    .distinct()
    .where('mail_due', '=', 1)
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Marks the notifications of a user that are to be mailed as mailed and returns them; no other process gets them. */
export async function takeNotificationsToMail(db: Db, userId: string, from: string): Promise<NotificationRow[]> {
  const taken = await db
    .updateTable('notifications')
    .set({ mail_due: 0 })
    .where('user_id', '=', userId)
    .where('mail_due', '=', 1)
    .returning(['event_id', 'created_at'])
    .execute()
  const ids = taken.filter((row) => row.created_at >= from).map((row) => row.event_id)
  if (ids.length === 0) return []
  return withEvents(selectOfUser(db, userId))
    .where('notifications.event_id', 'in', ids.sort().slice(-maxMailed))
    .orderBy('notifications.event_id')
    .execute()
}
