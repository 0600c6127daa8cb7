import { useState } from 'preact/hooks'
import type { ScimToken } from '../../../contract/scim-tokens.ts'
import { request } from '../../api.ts'
import { useList } from '../../data/list.ts'
import { invalidate } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { formatAge } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ssoTexts as texts } from './sso-texts.ts'

/** Lists the tokens with which an identity provider manages members and teams. */
export function ScimTokens({ organizationId }: { organizationId: string }) {
  const [isCreating, setCreating] = useState(false)
  const { items, error, reload } = useList('GET /orgs/{organizationId}/scim-tokens', {
    params: { organizationId },
    query: { limit: 100 },
  })
  return (
    <section class="section">
      <div class="section-head">
        <h2>{texts.scim}</h2>
        <Button icon="plus" onClick={() => setCreating(true)}>
          {texts.newToken}
        </Button>
      </div>
      <p class="quiet org-note">{texts.scimHint}</p>
      {!items && error && <ErrorState error={error} onRetry={() => void reload()} />}
      {items && items.length > 0 && (
        <ul class="rows">
          {items.map((token) => (
            <li key={token.id}>
              <TokenRow organizationId={organizationId} token={token} />
            </li>
          ))}
        </ul>
      )}
      {isCreating && <NewTokenDialog organizationId={organizationId} onClose={() => setCreating(false)} />}
    </section>
  )
}

function TokenRow({ organizationId, token }: { organizationId: string; token: ScimToken }) {
  const { id, label, lastUsedAt, urls } = token
  const [revoke] = useAction(async () => {
    const isConfirmed = await confirmAction({
      title: fillText(texts.revokeTitle, { label }),
      text: texts.revokeText,
      action: texts.revoke,
      isDangerous: true,
    })
    if (!isConfirmed) return
    await request('DELETE /orgs/{organizationId}/scim-tokens/{scimTokenId}', {
      params: { organizationId, scimTokenId: id },
    })
    invalidate(`/orgs/${organizationId}/scim-tokens`)
  })
  return (
    <div class="row">
      <Icon name="refresh" />
      <span class="row-title row-title-with-text">
        {label}
        <span class="row-text">{urls.scim}</span>
      </span>
      <span class="row-facts">
        {lastUsedAt === undefined ? texts.neverUsed : fillText(texts.lastUsed, { time: formatAge(lastUsedAt) })}
      </span>
      <Button onClick={() => void revoke()}>{texts.revoke}</Button>
    </div>
  )
}

function NewTokenDialog({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const [label, setLabel] = useState('')
  const [created, setCreated] = useState<{ token: string; url: string } | undefined>(undefined)
  const [create, isCreating] = useAction(async () => {
    const { token, urls } = await request('POST /orgs/{organizationId}/scim-tokens', {
      params: { organizationId },
      body: { label: label.trim() },
    })
    invalidate(`/orgs/${organizationId}/scim-tokens`)
    setCreated({ token, url: urls.scim })
  })
  if (created)
    return (
      <Dialog
        title={texts.newToken}
        onClose={onClose}
        onSubmit={onClose}
        actions={
          <Button type="submit" kind="primary">
            {texts.done}
          </Button>
        }
      >
        <p class="org-note">{texts.tokenCreated}</p>
        <CopyField label={texts.scimUrl} value={created.url} />
        <CopyField label={texts.token} value={created.token} />
      </Dialog>
    )
  return (
    <FormDialog
      title={texts.newToken}
      onClose={onClose}
      onSubmit={() => void create()}
      action={texts.create}
      isBusy={isCreating}
      isIncomplete={label.trim() === ''}
    >
      <TextField label={texts.tokenLabel} required autoFocus maxLength={50} value={label} onInput={setLabel} />
    </FormDialog>
  )
}
