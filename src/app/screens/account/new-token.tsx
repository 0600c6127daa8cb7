import { useState } from 'preact/hooks'
import type { TokenScope } from '../../../contract/roles.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { countText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useAction } from '../../ui/use-action.ts'
import { accountTexts as texts } from './account-texts.ts'

/** Lifetimes of tokens in days; 0 for no expiry. */
const lifetimes = [30, 90, 365, 0]
const dayLength = 24 * 3600 * 1000

/** All scopes; the type makes sure that none is missing. */
const scopeTable: Record<TokenScope, true> = {
  'user:read': true,
  'organization:read': true,
  'organization:write': true,
  'organization:members:read': true,
  'organization:members:write': true,
  'organization:ask': true,
  'organization:search': true,
  'space:read': true,
  'space:write': true,
  'space:permissions:read': true,
  'space:permissions:write': true,
  'change-request:merge': true,
  'site:read': true,
  'site:write': true,
  'site:publish': true,
  'site:permissions:read': true,
  'site:permissions:write': true,
  'site:auth:read': true,
  'site:auth:write': true,
  'site:insights:read': true,
  'site:ask': true,
  'site:search': true,
  'integration:read': true,
  'integration:installations:read': true,
  'integration:installations:write': true,
  'integration:publish': true,
  'integration:delete': true,
  'openapi:read': true,
  'openapi:write': true,
}
const allScopes = Object.keys(scopeTable) as TokenScope[]

/** Creates a token and shows it once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const [label, setLabel] = useState('')
  const [lifetime, setLifetime] = useState('90')
  const [isLimited, setLimited] = useState(false)
  const [scopes, setScopes] = useState<readonly TokenScope[]>([])
  const [token, setToken] = useState<string>()
  const [create, isCreating] = useAction(async () => {
    const count = Number(lifetime)
    const created = await request('POST /user/tokens', {
      body: {
        label: label.trim(),
        scopes: isLimited ? [...scopes] : null,
        ...(count > 0 && { expiresAt: new Date(Date.now() + count * dayLength).toISOString() }),
      },
    })
    invalidate('/user/tokens')
    setToken(created.token)
  })
  if (token !== undefined)
    return (
      <Dialog
        title={texts.newToken}
        onClose={onClose}
        onSubmit={onClose}
        actions={
          <Button kind="primary" type="submit">
            {texts.done}
          </Button>
        }
      >
        <CopyField label={texts.token} value={token} hint={texts.created} />
      </Dialog>
    )
  const isComplete = label.trim() !== '' && (!isLimited || scopes.length > 0)
  return (
    <FormDialog
      title={texts.newToken}
      onClose={onClose}
      onSubmit={() => isComplete && void create()}
      action={texts.create}
      isBusy={isCreating}
      isIncomplete={!isComplete}
    >
      <TextField
        label={texts.label}
        hint={texts.labelHint}
        value={label}
        onInput={setLabel}
        required
        autoFocus
        maxLength={50}
      />
      <SelectField
        label={texts.expires}
        value={lifetime}
        options={lifetimes.map((count) => ({
          value: String(count),
          title: count === 0 ? texts.never : countText(texts.afterDays, count),
        }))}
        onChange={setLifetime}
      />
      <SelectField
        label={texts.permissions}
        value={isLimited ? 'some' : 'all'}
        options={[
          { value: 'all', title: texts.allPermissions },
          { value: 'some', title: texts.somePermissions },
        ]}
        onChange={(value) => setLimited(value === 'some')}
      />
      {isLimited && (
        <div class="account-scopes">
          {allScopes.map((scope) => (
            <Checkbox
              key={scope}
              label={<code>{scope}</code>}
              checked={scopes.includes(scope)}
              onChange={(isOn) => setScopes(isOn ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
            />
          ))}
        </div>
      )}
    </FormDialog>
  )
}
