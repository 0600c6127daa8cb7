import { useSignal } from '@preact/signals'
import type { GitSyncState } from '../../../contract/git-sync.ts'
import type { Space } from '../../../contract/space.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/fields.tsx'
import { useAction } from '../../ui/use-action.ts'
import { saveSettings } from './git-actions.ts'
import { gitTexts as texts } from './git-texts.ts'

/** Automatic synchronization: exports after merges, imports after pushes, and the webhook that reports pushes. */
export function AutomaticSync({ space, state }: { space: Space; state: GitSyncState }) {
  const secret = useSignal<string | undefined>(undefined)
  const [save, isSaving] = useAction((settings: Parameters<typeof saveSettings>[1]) => saveSettings(space.id, settings))
  const [create, isCreating] = useAction(async () => {
    const created = await createSecret(space.id, state.hasWebhook)
    if (created !== undefined) secret.value = created
  })
  const isReadOnly = !space.permissions.installIntegration || isSaving
  return (
    <section class="section">
      <h2>{texts.automatic}</h2>
      <div class="rule-list">
        <Checkbox
          label={texts.exportAfterMerge}
          checked={state.exportAfterMerge}
          disabled={isReadOnly}
          onChange={(exportAfterMerge) => void save({ exportAfterMerge })}
        />
        <Checkbox
          label={texts.importAfterPush}
          hint={texts.importAfterPushHint}
          checked={state.importAfterPush}
          disabled={isReadOnly}
          onChange={(importAfterPush) => void save({ importAfterPush })}
        />
      </div>
      {space.permissions.installIntegration && (
        <div class="webhook">
          <CopyField label={texts.webhook} hint={texts.webhookHint} value={`${space.urls.location}/git/webhook`} />
          <Button isBusy={isCreating} onClick={() => void create()}>
            {state.hasWebhook ? texts.replaceSecret : texts.createSecret}
          </Button>
        </div>
      )}
      {secret.value !== undefined && (
        <Dialog title={texts.secret} onClose={() => (secret.value = undefined)}>
          <CopyField label={texts.secret} hint={texts.secretHint} value={secret.value} />
        </Dialog>
      )}
    </section>
  )
}

/** Creates the secret of the webhook; returns undefined if the user does not want to replace the existing one. */
async function createSecret(spaceId: string, replaces: boolean): Promise<string | undefined> {
  const isConfirmed =
    !replaces ||
    (await confirmAction({ title: texts.replaceTitle, text: texts.replaceText, action: texts.replaceSecret }))
  if (!isConfirmed) return undefined
  const { secret } = await request('POST /spaces/{spaceId}/git/webhook/secret', { params: { spaceId } })
  invalidate(`/spaces/${spaceId}/git`)
  return secret
}
