import { useEffect } from 'preact/hooks'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { followOrganization } from '../../live.ts'
import { address } from '../../router.ts'
import { readLastOrganization } from '../../session.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Frame } from '../../ui/frame.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useAction } from '../../ui/use-action.ts'
import { NotificationRow, markAllRead } from './notification-row.tsx'
import { notificationTexts as texts } from './notification-texts.ts'

const unreadPath = '/notifications/unread'

/** Lists all notifications of the user, or only unread ones. */
export default function NotificationsScreen() {
  const unread = address.value.path === unreadPath
  const list = useList('GET /user/notifications', { query: { limit: 50, unread } })
  const { items, error, reload } = list
  const [markAll, isMarking] = useAction(() => markAllRead(items ?? []))
  useEffect(() => followOrganization(readLastOrganization()), [])
  return (
    <Frame crumbs={[{ title: texts.title }]}>
      <div class="screen-head">
        <h1 class="screen-title">{texts.title}</h1>
        <span class="toolbar">
          {items?.some(({ readAt }) => readAt === undefined) && (
            <Button icon="check" isBusy={isMarking} onClick={() => void markAll()}>
              {texts.markAllRead}
            </Button>
          )}
          <LinkButton kind="quiet" icon="gear" label={texts.settings} href={appHref('/account/notifications')} />
        </span>
      </div>
      <Tabs
        label={texts.title}
        tabs={[
          { title: texts.all, path: '/notifications' },
          { title: texts.unread, path: unreadPath },
        ]}
      />
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {items?.length === 0 && (
        <EmptyState icon="bell" title={unread ? texts.emptyUnread : texts.empty}>
          {texts.emptyHint}
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <ul class="notification-list">
          {items.map((notification) => (
            <li key={notification.id}>
              <NotificationRow notification={notification} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={list} />
    </Frame>
  )
}
