import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useAction } from '../../ui/use-action.ts'
import type { AccessTarget } from './access-target.ts'
import { accessTexts as texts } from './access-texts.ts'

type AccessDialogType = ComponentType<{ target: AccessTarget; onClose: () => void }>

/** Opens the list of users with access; the dialog is loaded when it is opened. */
export function AccessButton({ target, inSidebar = false }: { target: AccessTarget; inSidebar?: boolean }) {
  const [dialog, setDialog] = useState<{ Component: AccessDialogType } | undefined>(undefined)
  const [open, isLoading] = useAction(async () => {
    const { AccessDialog } = await import('./access-dialog.tsx')
    setDialog({ Component: AccessDialog })
  })
  return (
    <>
      {inSidebar ? (
        <button type="button" class="sidebar-link" aria-haspopup="dialog" onClick={() => void open()}>
          <Icon name="users" />
          <span>{texts.title}</span>
        </button>
      ) : (
        <Button icon="users" isBusy={isLoading} aria-haspopup="dialog" onClick={() => void open()}>
          {texts.title}
        </Button>
      )}
      {dialog && <dialog.Component target={target} onClose={() => setDialog(undefined)} />}
    </>
  )
}
