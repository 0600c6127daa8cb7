import { useSignal } from '@preact/signals'
import type { GitSyncState } from '../../../contract/git-sync.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useAction } from '../../ui/use-action.ts'
import { startExport } from './git-actions.ts'
import { gitTexts as texts } from './git-texts.ts'

interface ExportDialogProps {
  spaceId: string
  state: GitSyncState
  onClose: () => void
}

/** Asks for the message of the commit and starts an export. */
export function ExportDialog({ spaceId, state, onClose }: ExportDialogProps) {
  const message = useSignal(texts.defaultMessage)
  const [start, isStarting] = useAction(async () => {
    await startExport(spaceId, state, message.value)
    onClose()
  })
  return (
    <FormDialog
      title={texts.exportNow}
      onClose={onClose}
      onSubmit={() => void start()}
      action={texts.exportTitle}
      isBusy={isStarting}
    >
      <TextField
        label={texts.message}
        required
        autoFocus
        maxLength={4096}
        value={message.value}
        onInput={(value) => (message.value = value)}
      />
    </FormDialog>
  )
}
