import { useState } from 'preact/hooks'
import type { ApiToken } from '../../../contract/users.ts'
import { request } from '../../api.ts'
import { useList } from '../../data/list.ts'
import { invalidate } from '../../data/query.ts'
import { fillText, language } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { formatAge } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AccountFrame } from './account-frame.tsx'
import { accountTexts as texts } from './account-texts.ts'
import { NewTokenDialog } from './new-token.tsx'

/** Lists the API tokens of the user. */
export default function TokensScreen() {
  const { items, error, reload, ...more } = useList('GET /user/tokens', { query: { limit: 50 } })
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {texts.newToken}
    </Button>
  )
  return (
    <AccountFrame title={texts.tokens} hint={texts.tokensHint}>
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {items?.length === 0 && <EmptyState icon="key" title={texts.noTokens} actions={create} />}
      {items && items.length > 0 && (
        <>
          <p class="section">{create}</p>
          <ul class="rows section">
            {items.map((token) => (
              <li key={token.id}>
                <TokenRow token={token} />
              </li>
            ))}
          </ul>
        </>
      )}
      <LoadMore list={more} />
      {isCreating && <NewTokenDialog onClose={() => setCreating(false)} />}
    </AccountFrame>
  )
}

function TokenRow({ token }: { token: ApiToken }) {
  const { label, scopes, createdAt, lastUsedAt, expiresAt } = token
  const [revoke, isRevoking] = useAction(async () => {
    const isConfirmed = await confirmAction({
      title: fillText(texts.revokeTitle, { label }),
      text: texts.revokeText,
      action: texts.revoke,
      isDangerous: true,
    })
    if (!isConfirmed) return
    await request('DELETE /user/tokens/{tokenId}', { params: { tokenId: token.id } })
    invalidate('/user/tokens')
    showToast(texts.revoked)
  })
  const facts = [
    fillText(texts.createdAt, { time: formatAge(createdAt) }),
    lastUsedAt === undefined ? texts.neverUsed : fillText(texts.lastUsed, { time: formatAge(lastUsedAt) }),
    expiresAt === undefined ? texts.noExpiry : fillText(texts.expiresAt, { date: formatDate(expiresAt) }),
  ]
  return (
    <div class="row">
      <Icon name="key" />
      <span class="row-title row-title-with-text">
        {label}
        <span class="account-wrapped">{scopes === null ? texts.allPermissions : scopes.join(', ')}</span>
        <span class="account-wrapped">{facts.join(' · ')}</span>
      </span>
      <Button isBusy={isRevoking} onClick={() => void revoke()}>
        {texts.revoke}
      </Button>
    </div>
  )
}

const formatDate = (time: string): string =>
  new Date(time).toLocaleDateString(language.value, { year: 'numeric', month: 'short', day: 'numeric' })
