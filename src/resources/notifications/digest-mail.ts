import type { Notification } from '../../contract/notifications.ts'
import { composeMail, toMailName } from '../../mail/compose-mail.ts'
import type { Mail } from '../../mail/mailer.ts'

/** Maximum number of notifications that a mail lists. */
const maxListed = 30

interface Digest {
  to: string
  notifications: readonly Notification[]
  appUrl: string
  settingsUrl: string
  unsubscribeUrl: string
}

/** Composes the mail about unread notifications. */
export function composeDigest({ to, notifications, appUrl, settingsUrl, unsubscribeUrl }: Digest): Omit<Mail, 'id'> {
  const [first] = notifications
  const more = notifications.length - maxListed
  const title = first && notifications.length === 1 ? describe(first) : `${notifications.length} new notifications`
  return composeMail(to, {
    subject: title,
    paragraphs: notifications.length === 1 ? [] : [`You have ${title}.`],
    entries: notifications.slice(0, maxListed).map((notification) => ({
      title: describe(notification),
      text: notification.text === undefined ? undefined : toMailText(notification.text),
      url: notification.urls.app,
    })),
    link: { label: more > 0 ? `All notifications (${more} more)` : 'All notifications', url: appUrl },
    note: `You get this message because of your settings for notifications: ${settingsUrl}`,
    unsubscribeUrl,
  })
}

/** Shortens a text that users wrote to one line. */
const toMailText = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

/** Describes a notification in one sentence without a full stop. */
function describe({ kind, by, space, changeRequest, review }: Notification): string {
  const name = toMailName(by?.displayName ?? 'Octavo')
  const request = changeRequest && `#${changeRequest.number} ${toMailName(changeRequest.subject)}`.trim()
  const where = request ?? toMailName(space.title)
  switch (kind) {
    case 'mention':
      return `${name} mentioned you in ${where}`
    case 'reply':
      return `${name} replied in ${where}`
    case 'review-request':
      return `${name} requested your review of ${where}`
    case 'review':
      return review === 'approved' ? `${name} approved ${where}` : `${name} requested changes in ${where}`
    case 'comment':
      return `${name} commented on ${where}`
    case 'merge':
      return `${name} merged ${where}`
    case 'git-failure':
      return `A Git operation of ${where} failed`
  }
}
