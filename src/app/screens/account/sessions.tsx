import type { Session } from '../../../contract/users.ts'
import { request } from '../../api.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { formatAge } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AccountFrame } from './account-frame.tsx'
import { accountTexts as texts } from './account-texts.ts'

/** Lists the browsers in which the user is signed in. */
export default function SessionsScreen() {
  const { data, error, reload } = useQuery('GET /user/sessions')
  const others = data?.items.filter(({ current }) => !current) ?? []
  const [endOthers, isEnding] = useAction(async () => {
    for (const session of others) await endSession(session)
    showToast(texts.othersEnded)
  })
  return (
    <AccountFrame title={texts.sessions} hint={texts.sessionsHint}>
      {!data && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {data && (
        <ul class="rows section">
          {data.items.map((session) => (
            <li key={session.id}>
              <SessionRow session={session} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 1 && (
        <Button isBusy={isEnding} onClick={() => void endOthers()}>
          {texts.endOthers}
        </Button>
      )}
    </AccountFrame>
  )
}

async function endSession({ id }: Session): Promise<void> {
  await request('DELETE /user/sessions/{sessionId}', { params: { sessionId: id } })
  invalidate('/user/sessions')
}

function SessionRow({ session }: { session: Session }) {
  const { browser: name, clientAddress, lastUsedAt, current } = session
  const [end, isEnding] = useAction(async () => {
    await endSession(session)
    showToast(texts.sessionEnded)
  })
  return (
    <div class="row">
      <Icon name="device-desktop" />
      <span class="row-title row-title-with-text">
        {name}
        <span class="row-text">
          {clientAddress} · {fillText(texts.lastUsed, { time: formatAge(lastUsedAt) })}
        </span>
      </span>
      {current ? (
        <Badge>{texts.thisBrowser}</Badge>
      ) : (
        <Button isBusy={isEnding} onClick={() => void end()}>
          {texts.endSession}
        </Button>
      )}
    </div>
  )
}
