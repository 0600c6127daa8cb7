import type { Insertable } from 'kysely'
import type { Db, Row, Tables } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'

type EventRow = Row<'notification_events'>

export async function insertEvent(db: Db, event: Insertable<Tables['notification_events']>): Promise<void> {
  await db.insertInto('notification_events').values(event).execute()
}

export function findEvent(db: Db, organizationId: string, id: string): Promise<EventRow | undefined> {
  return db
    .selectFrom('notification_events')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Deletes an event if nobody was notified of it; returns whether it was deleted. */
export async function deleteEventWithoutReceivers(db: Db, { organization_id, id }: EventRow): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notification_events')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notifications')
            .select('notifications.event_id')
            .where('notifications.organization_id', '=', organization_id)
            .where('notifications.event_id', '=', id),
        ),
      ),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes the events about comments and replies, with their notifications. */
export async function deleteEventsOfComments(
  db: Db,
  organizationId: string,
  commentIds: readonly string[],
): Promise<void> {
  for (const batch of toBatches(commentIds)) {
    await db
      .deleteFrom('notification_events')
      .where('organization_id', '=', organizationId)
      .where('comment_id', 'in', batch)
      .execute()
  }
}

/** Deletes events that were recorded before a time, with their notifications; returns whether there may be more. */
export async function deleteEventsBefore(db: Db, moment: string, limit: number): Promise<boolean> {
  const old = await db
    .selectFrom('notification_events')
    .select(['organization_id', 'id'])
    .where('created_at', '<', moment)
    .limit(limit)
    .execute()
  for (const { organization_id, id } of old) {
    await db
      .deleteFrom('notification_events')
      .where('organization_id', '=', organization_id)
      .where('id', '=', id)
      .execute()
  }
  return old.length === limit
}
