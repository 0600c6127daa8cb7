import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { uiTexts } from './ui-texts.ts'

interface FormDialogProps {
  title: string
  /** Title of the button that submits the form. */
  action: string
  isBusy?: boolean
  /** Whether the form cannot be submitted yet. */
  isIncomplete?: boolean
  /** Whether the action deletes something. */
  isDangerous?: boolean
  isWide?: boolean
  /** Buttons before the others. */
  otherActions?: ComponentChildren
  onSubmit: () => void
  onClose: () => void
  children: ComponentChildren
}

/** A dialog with a form that can be cancelled or submitted. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, isBusy = false, isIncomplete = false, otherActions, onSubmit, onClose } = props
  return (
    <Dialog
      title={title}
      isWide={props.isWide === true}
      onClose={onClose}
      onSubmit={() => !isIncomplete && onSubmit()}
      actions={
        <>
          {otherActions}
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" kind={props.isDangerous ? 'danger' : 'primary'} isBusy={isBusy} disabled={isIncomplete}>
            {action}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  )
}
