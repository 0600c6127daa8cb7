import type { Notification } from '../../../contract/notifications.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { joinClasses } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { showError } from '../../ui/toasts.tsx'
import { notificationTexts as texts } from './notification-texts.ts'

/** Shows a notification; selecting it opens its subject and marks it as read. */
export function NotificationRow({ notification, onOpen }: { notification: Notification; onOpen?: () => void }) {
  const { by, space, text, createdAt, readAt } = notification
  const isUnread = readAt === undefined
  const open = () => {
    if (isUnread) void markRead(notification, true).catch(showError)
    onOpen?.()
  }
  return (
    <div class={joinClasses('notification', isUnread && 'is-unread')}>
      <a class="notification-link" href={toHref(notification.urls.app)} onClick={open}>
        {by ? <Avatar person={by} /> : <Icon name="brand-git" size={24} />}
        <span class="notification-body">
          <span class="notification-title">
            {isUnread && <span class="sr-only">{texts.unread}: </span>}
            {describeNotification(notification)}
          </span>
          {text !== undefined && text !== '' && <span class="notification-text">{text}</span>}
          <span class="notification-facts">
            <span>{space.title}</span>
            <Time at={createdAt} />
          </span>
        </span>
      </a>
      <Button
        kind="quiet"
        icon={isUnread ? 'circle-check' : 'circle-dashed'}
        label={isUnread ? texts.markRead : texts.markUnread}
        onClick={() => void markRead(notification, isUnread).catch(showError)}
      />
    </div>
  )
}

/** Marks a notification as read or unread. */
async function markRead({ id }: Notification, read: boolean): Promise<void> {
  await request('PATCH /user/notifications/{notificationId}', { params: { notificationId: id }, body: { read } })
  invalidate('/user/notifications')
}

/** Marks the notifications up to the newest of a list as read; those that have arrived since remain unread. */
export async function markAllRead(items: readonly Notification[]): Promise<void> {
  const [newest] = items
  if (!newest) return
  await request('POST /user/notifications/read', { body: { until: newest.id } })
  invalidate('/user/notifications')
}

/** Returns the address on this host: the server may be reached under several. */
function toHref(url: string): string {
  const { pathname, search, hash } = new URL(url)
  return pathname + search + hash
}

function describeNotification({ kind, by, space, changeRequest, page, review }: Notification): string {
  const where = changeRequest
    ? `#${changeRequest.number} ${changeRequest.subject}`.trim()
    : (page?.title ?? space.title)
  const sentences = {
    mention: texts.mention,
    reply: texts.reply,
    'review-request': texts.reviewRequest,
    review: review === 'approved' ? texts.approved : texts.changesRequested,
    comment: texts.comment,
    merge: texts.merge,
    'git-failure': texts.gitFailure,
  }
  return fillText(sentences[kind], { name: by?.displayName ?? '', where })
}
