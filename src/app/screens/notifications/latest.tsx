import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { NotificationRow, markAllRead } from './notification-row.tsx'
import { notificationTexts as texts } from './notification-texts.ts'

/** Number of notifications that the bell shows. */
const shownCount = 10

/** Shows the latest notifications below the bell. */
export function LatestNotifications({ onClose }: { onClose: () => void }) {
  const { items, error, reload } = useList('GET /user/notifications', { query: { limit: shownCount } })
  const [markAll, isMarking] = useAction(() => markAllRead(items ?? []))
  return (
    <>
      <div class="bell-head">
        <h2>{texts.title}</h2>
        {items?.some(({ readAt }) => readAt === undefined) && (
          <Button
            kind="quiet"
            icon="check"
            label={texts.markAllRead}
            isBusy={isMarking}
            onClick={() => void markAll()}
          />
        )}
        <LinkButton kind="quiet" icon="gear" label={texts.settings} href={appHref('/account/notifications')} />
      </div>
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {items?.length === 0 && (
        <EmptyState icon="bell" title={texts.empty}>
          {texts.emptyHint}
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <ul class="bell-list">
          {items.map((notification) => (
            <li key={notification.id}>
              <NotificationRow notification={notification} onOpen={onClose} />
            </li>
          ))}
        </ul>
      )}
      <p class="bell-foot">
        <a href={appHref('/notifications')} onClick={onClose}>
          {texts.showAll}
        </a>
      </p>
    </>
  )
}
