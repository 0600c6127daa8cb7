import { useState } from 'preact/hooks'
import { defineTexts } from '../../texts.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
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

/** Asks for the name of a new item, or for a new name of an existing one. */
export function NameDialog(props: NameDialogProps) {
  const { title, label, hint, action = texts.save, value = '', maxLength = 256, onSave, onClose } = props
  const [name, setName] = useState(value)
  const isEmpty = name.trim() === ''
  const [save, isSaving] = useAction(async () => {
    if (name.trim() !== value) await onSave(name.trim())
    onClose()
  })
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={() => !isEmpty && void save()}
      action={action}
      isBusy={isSaving}
      isIncomplete={isEmpty}
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
    </FormDialog>
  )
}
