import { useSignal } from '@preact/signals'
import type { Translation } from '../../../contract/translation.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { SettingsFields, readSettings, toSettingsBody } from './settings-fields.tsx'
import { translationTexts as texts } from './translation-texts.ts'

interface SettingsDialogProps {
  organizationId: string
  translation: Translation
  onClose: () => void
}

/** Changes the settings of a translation: its result, instructions and budgets. */
export function SettingsDialog({ organizationId, translation, onClose }: SettingsDialogProps) {
  const settings = useSignal(readSettings(translation))
  const [save, isSaving] = useAction(async () => {
    await request('PUT /orgs/{organizationId}/translations/{translationId}', {
      params: { organizationId, translationId: translation.id },
      body: toSettingsBody(settings.value),
    })
    invalidate(`/orgs/${organizationId}/translations`)
    showToast(texts.saved)
    onClose()
  })
  return (
    <FormDialog
      title={texts.settings}
      onClose={onClose}
      onSubmit={() => void save()}
      action={texts.save}
      isBusy={isSaving}
    >
      <SettingsFields value={settings.value} onChange={(changed) => (settings.value = changed)} />
    </FormDialog>
  )
}
