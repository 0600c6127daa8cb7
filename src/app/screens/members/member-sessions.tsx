import { request } from '../../api.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { formatAge } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { memberTexts as texts } from './member-texts.ts'

interface MemberSessionsProps {
  organizationId: string
  userId: string
}

/** Lists the sessions of a member that the organization manages, and ends them. */
export function MemberSessions({ organizationId, userId }: MemberSessionsProps) {
  const params = { organizationId, userId }
  const items = useQuery('GET /orgs/{organizationId}/members/{userId}/sessions', { params }).data?.items
  const invalidateSessions = () => invalidate(`/orgs/${organizationId}/members/${userId}/sessions`)
  const [endAll, isEnding] = useAction(async () => {
    await request('DELETE /orgs/{organizationId}/members/{userId}/sessions', { params })
    invalidateSessions()
  })
  const [end] = useAction(async (sessionId: string) => {
    await request('DELETE /orgs/{organizationId}/members/{userId}/sessions/{sessionId}', {
      params: { ...params, sessionId },
    })
    invalidateSessions()
    showToast(texts.ended)
  })
  if (!items) return null
  return (
    <section class="section">
      <div class="section-head">
        <h2>{texts.sessions}</h2>
        {items.length > 1 && (
          <Button isBusy={isEnding} onClick={() => void endAll()}>
            {texts.endAll}
          </Button>
        )}
      </div>
      <p class="quiet org-note">{texts.sessionsHint}</p>
      {items.length === 0 && <p class="quiet">{texts.noSessions}</p>}
      {items.length > 0 && (
        <ul class="rows">
          {items.map((session) => (
            <li key={session.id} class="row">
              <Icon name="device-desktop" />
              <span class="row-title row-title-with-text">
                {session.userAgent}
                <span class="row-text">
                  {fillText(texts.signedInWith, { time: formatAge(session.createdAt) })},{' '}
                  {fillText(texts.lastUsed, { time: formatAge(session.lastUsedAt) })}
                </span>
              </span>
              <Button onClick={() => void end(session.id)}>{texts.endSession}</Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
