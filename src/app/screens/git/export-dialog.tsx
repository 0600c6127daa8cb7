import { useSignal } from '@preact/signals'
import type { GitSyncState } from '../../../contract/git-sync.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
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
    <Dialog
      title={texts.exportNow}
      onClose={onClose}
      onSubmit={() => void start()}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isStarting}>
            {texts.exportTitle}
          </Button>
        </>
      }
    >
      <TextField
        label={texts.message}
        required
        autoFocus
        maxLength={4096}
        value={message.value}
        onInput={(value) => (message.value = value)}
      />
    </Dialog>
  )
}
