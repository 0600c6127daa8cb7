import { useState } from 'preact/hooks'
import type { KindSettings, NotificationKind, NotificationSettings } from '../../../contract/notifications.ts'
import { request } from '../../api.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { showError } from '../../ui/toasts.tsx'
import { AccountFrame } from './account-frame.tsx'
import { accountTexts as texts } from './account-texts.ts'

/** Sets which notifications the user gets in the app and by email. */
export default function NotificationSettingsScreen() {
  const { data, error, reload } = useQuery('GET /user/notification-settings')
  return (
    <AccountFrame title={texts.notifications} hint={texts.notificationsHint}>
      {!data && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {data && <SettingsTable settings={data} />}
    </AccountFrame>
  )
}

function SettingsTable({ settings }: { settings: NotificationSettings }) {
  const titles: Record<NotificationKind, string> = {
    mention: texts.mention,
    reply: texts.reply,
    'review-request': texts.reviewRequest,
    review: texts.review,
    comment: texts.comment,
    merge: texts.merge,
    'git-failure': texts.gitFailure,
  }
  const { emailAvailable } = settings
  const [kinds, setKinds] = useState(settings.kinds)
  const update = (kind: NotificationKind, change: Partial<KindSettings>): void => {
    const set = (values: Partial<KindSettings>) =>
      setKinds((current) => ({ ...current, [kind]: { ...current[kind], ...values } }))
    set(change)
    request('PATCH /user/notification-settings', { body: { kinds: { [kind]: change } } }).then(
      () => invalidate('/user/notification-settings'),
      (error: unknown) => {
        set(kinds[kind])
        showError(error)
      },
    )
  }
  return (
    <section class="section">
      <table class="notification-settings">
        <thead>
          <tr>
            <th scope="col">{texts.kind}</th>
            <th scope="col">{texts.inApp}</th>
            <th scope="col">{texts.digest}</th>
          </tr>
        </thead>
        <tbody>
          {(Object.keys(titles) as NotificationKind[]).map((kind) => (
            <tr key={kind}>
              <th scope="row">{titles[kind]}</th>
              <td>
                <input
                  type="checkbox"
                  aria-label={`${titles[kind]}: ${texts.inApp}`}
                  checked={kinds[kind].inApp}
                  onChange={(event) => update(kind, { inApp: event.currentTarget.checked })}
                />
              </td>
              <td>
                <input
                  type="checkbox"
                  aria-label={`${titles[kind]}: ${texts.digest}`}
                  disabled={!emailAvailable}
                  checked={emailAvailable && kinds[kind].email === 'digest'}
                  onChange={(event) => update(kind, { email: event.currentTarget.checked ? 'digest' : 'off' })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">{emailAvailable ? texts.digestHint : texts.noMail}</p>
    </section>
  )
}
