import { useState } from 'preact/hooks'
import { defineTexts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'

const texts = defineTexts('rename', {
  save: 'Save',
  required: 'Enter a name.',
})

interface NameDialogProps {
  title: string
  label: string
  hint?: string
  /** Title of the button that saves. */
  action?: string
  value?: string
  maxLength?: number
  onSave: (name: string) => Promise<void>
  onClose: () => void
}

/** Asks for the name of something new, or for another name. */
export function NameDialog(props: NameDialogProps) {
  const { title, label, hint, action = texts.save, value = '', maxLength = 256, onSave, onClose } = props
  const [name, setName] = useState(value)
  const isEmpty = name.trim() === ''
  const [save, isSaving] = useAction(async () => {
    if (name.trim() !== value) await onSave(name.trim())
    onClose()
  })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => !isEmpty && void save()}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isSaving} disabled={isEmpty}>
            {action}
          </Button>
        </>
      }
    >
      <TextField
        label={label}
        hint={hint}
        value={name}
        error={isEmpty && value !== '' ? texts.required : undefined}
        maxLength={maxLength}
        autoFocus
        onInput={setName}
      />
    </Dialog>
  )
}
