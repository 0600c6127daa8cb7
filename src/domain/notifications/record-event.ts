import type { BaseContext, JobDescriptor, Principal } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { insertEvent } from './event-store.ts'

type EventRow = Row<'notification_events'>

/** What recording an event needs: the transaction of the change, and who makes it. */
export interface NotificationContext extends Pick<BaseContext, 'db' | 'now' | 'newId' | 'enqueue'> {
  principal?: Principal | undefined
}

/** Parts of an event besides IDs. */
export interface NotificationDetails {
  review?: 'approved' | 'changes-requested'
  /** Revision of the space that a merge created. */
  revision?: string
  /** Why a Git operation failed. */
  error?: string
}

interface NewNotificationEvent extends Pick<EventRow, 'organization_id' | 'space_id' | 'cause'> {
  changeRequestId?: string | null
  pageId?: string | null
  commentId?: string
  /** Users who are notified in addition to followers. */
  receivers?: readonly string[]
  details?: NotificationDetails
}

/** Job that notifies the receivers of an event. */
export const notifyJob: JobDescriptor<{ organizationId: string; eventId: string }> = {
  name: 'notifications.notify',
  key: ({ eventId }) => eventId,
}

/** Records what users are notified of, in the transaction of the change. A job finds the receivers, because there may be many. */
export async function recordNotificationEvent(
  { db, now, newId, enqueue, principal }: NotificationContext,
  event: NewNotificationEvent,
): Promise<void> {
  const id = newId()
  await insertEvent(db, {
    organization_id: event.organization_id,
    id,
    space_id: event.space_id,
    cause: event.cause,
    change_request_id: event.changeRequestId ?? null,
    page_id: event.pageId ?? null,
    comment_id: event.commentId ?? null,
    actor_id: principal?.user.id ?? null,
    receivers: JSON.stringify(event.receivers ?? []),
    details: JSON.stringify(event.details ?? {}),
    created_at: now(),
  })
  await enqueue(db, notifyJob, { organizationId: event.organization_id, eventId: id })
}
