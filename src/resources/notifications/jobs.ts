import { z } from 'zod'
import { enqueueMail } from '../../domain/mail/enqueue-mail.ts'
import type { MailServices } from '../../domain/mail/send-mail.ts'
import { deleteEventsBefore } from '../../domain/notifications/event-store.ts'
import { findUsersToMail, takeNotificationsToMail } from '../../domain/notifications/notification-store.ts'
import { createUnsubscribeUrl } from '../../domain/notifications/unsubscribe.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import { job } from '../../jobs/job.ts'
import type { JobContext } from '../../kernel/context.ts'
import { days, minutes, timestamp } from '../../kernel/time.ts'
import type { Db } from '../../schema/tables.ts'
import { composeDigest } from './digest-mail.ts'
import { presentNotifications } from './present.ts'
import { findVisibleSpaces } from './visible-spaces.ts'

/** Time for which users can read a notification in the app before it is mailed. */
const mailDelay = minutes(5)

/** Age after which a notification is no longer mailed, so that a server that gets SMTP settings does not mail old ones. */
const maxMailAge = days(1)

/** Maximum number of users that are read from the database together. */
const userPortion = 200

/** Time after which notifications are deleted. */
const retention = days(90)

/** Mails unread notifications to the users who want that, one message for each of them. */
export const mailDigests = ({ mailer }: MailServices) =>
  job({
    name: 'notifications.digest',
    attempts: 3,
    key: () => '',
    payload: z.object({}),
    async run(context) {
      if (!mailer) return
      const now = Date.parse(context.now())
      const period = { from: timestamp(now - maxMailAge), until: timestamp(now - mailDelay) }
      let after = ''
      for (;;) {
        const userIds = await findUsersToMail(context.db, period, after, userPortion)
        for (const userId of userIds) {
          context.signal.throwIfAborted()
          await context.transaction((db) => mailDigest({ ...context, db }, userId, period.from))
        }
        after = userIds.at(-1) ?? ''
        if (userIds.length < userPortion) return
      }
    },
  })

/** Mails the unread notifications of a user. The message is enqueued in the transaction that takes them, so it is sent once. */
async function mailDigest(context: JobContext, userId: string, from: string): Promise<void> {
  const { db, urls } = context
  const rows = await takeNotificationsToMail(db, userId, from)
  const spaces = await findVisibleSpaces(db, userId, rows)
  const visible = rows.filter((row) => spaces.has(row.space_id))
  if (visible.length === 0) return
  const notifications = await presentNotifications(context, visible, spaces)
  await enqueueMail(
    context,
    composeDigest({
      to: await findAddress(db, userId),
      notifications,
      appUrl: urls.app('/notifications'),
      settingsUrl: urls.app('/account/notifications'),
      unsubscribeUrl: createUnsubscribeUrl(context, userId),
    }),
    { expiresAt: timestamp(Date.parse(context.now()) + maxMailAge) },
  )
}

const findAddress = async (db: Db, userId: string): Promise<string> => (await loadUsers(db, [userId])).get(userId).email

/** Maximum number of events that are deleted in one transaction. */
const sweepPortion = 200

/** Deletes old notifications. */
export const sweepNotifications = job({
  name: 'notifications.sweep',
  attempts: 3,
  key: () => '',
  payload: z.object({}),
  async run({ transaction, now, signal }) {
    const cutoff = timestamp(Date.parse(now()) - retention)
    while (await transaction((db) => deleteEventsBefore(db, cutoff, sweepPortion))) signal.throwIfAborted()
  },
})
