import type { AuthorizedApp } from '../../../contract/users.ts'
import { request } from '../../api.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { Icon } from '../../ui/icon.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { formatAge } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AccountFrame } from './account-frame.tsx'
import { accountTexts as texts } from './account-texts.ts'

/** Lists the apps that may use the account. */
export default function AppsScreen() {
  const { data, error, reload } = useQuery('GET /user/apps')
  return (
    <AccountFrame title={texts.apps} hint={texts.appsHint}>
      {!data && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {data?.items.length === 0 && (
        <EmptyState icon="apps" title={texts.noApps}>
          {texts.noAppsHint}
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ul class="rows section">
          {data.items.map((app) => (
            <li key={app.id}>
              <AppRow app={app} />
            </li>
          ))}
        </ul>
      )}
    </AccountFrame>
  )
}

function AppRow({ app }: { app: AuthorizedApp }) {
  const { id, name, scopes, createdAt } = app
  const [withdraw, isWithdrawing] = useAction(async () => {
    const isConfirmed = await confirmAction({
      title: fillText(texts.withdrawTitle, { name }),
      text: texts.withdrawText,
      action: texts.withdraw,
      isDangerous: true,
    })
    if (!isConfirmed) return
    await request('DELETE /user/apps/{grantId}', { params: { grantId: id } })
    invalidate('/user/apps')
    showToast(texts.withdrawn)
  })
  return (
    <div class="row">
      <Icon name="apps" />
      <span class="row-title row-title-with-text">
        {name}
        <span class="account-wrapped">{scopes.join(', ')}</span>
        <span class="account-wrapped">{fillText(texts.allowedAt, { time: formatAge(createdAt) })}</span>
      </span>
      <Button isBusy={isWithdrawing} onClick={() => void withdraw()}>
        {texts.withdraw}
      </Button>
    </div>
  )
}
