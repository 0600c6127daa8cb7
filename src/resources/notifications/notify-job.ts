import { z } from 'zod'
import { deleteEventWithoutReceivers, findEvent } from '../../domain/notifications/event-store.ts'
import { insertNotifications } from '../../domain/notifications/notification-store.ts'
import { notifyJob } from '../../domain/notifications/record-event.ts'
import { loadSettings } from '../../domain/notifications/settings-store.ts'
import { recordLiveEvent } from '../../domain/live/record-event.ts'
import { job } from '../../jobs/job.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { type Receivers, findReceivers } from './receivers.ts'

/** Notifies the receivers of an event, in portions. If it is repeated, those who were notified already are skipped. */
export const notifyReceivers = job({
  ...notifyJob,
  attempts: 5,
  payload: z.object({ organizationId: z.string(), eventId: z.string() }),
  async run(context, { organizationId, eventId }) {
    const event = await findEvent(context.db, organizationId, eventId)
    if (!event) return
    for await (const receivers of findReceivers(context, event))
      await context.transaction((db) => storePortion(db, event, receivers))
    await context.transaction(async (db) => {
      if (await deleteEventWithoutReceivers(db, event)) return
      await recordLiveEvent(
        { db, now: context.now },
        { kind: 'notification', organizationId, spaceId: event.space_id, notificationId: event.id },
      )
    })
  },
})

/** Adds notifications for users, except for the one who made the change and those who do not want them. */
async function storePortion(db: Db, event: Row<'notification_events'>, { userIds, kind }: Receivers): Promise<void> {
  // A space that was transferred or deleted in the meantime has no event of this organization.
  if (userIds.length === 0 || !(await findEvent(db, event.organization_id, event.id))) return
  const settingsOf = await loadSettings(db, userIds)
  const rows = userIds
    .filter((userId) => userId !== event.actor_id)
    .map((userId) => ({ userId, settings: settingsOf(userId)[kind] }))
    .filter(({ settings }) => settings.inApp || settings.email === 'digest')
    .map(({ userId, settings }) => ({
      user_id: userId,
      event_id: event.id,
      organization_id: event.organization_id,
      space_id: event.space_id,
      kind,
      in_app: toFlag(settings.inApp),
      mail_due: toFlag(settings.email === 'digest'),
      read_at: null,
      created_at: event.created_at,
    }))
  await insertNotifications(db, rows)
}
