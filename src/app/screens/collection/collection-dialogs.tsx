import { useSignal } from '@preact/signals'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CollectionField } from '../new-space/collection-field.tsx'
import { collectionTexts as texts } from './collection-texts.ts'

interface NameDialogProps {
  title: string
  /** Title of the button. */
  action: string
  name: string
  /** Without it, the dialog has no field for a description. */
  description?: string
  onClose: () => void
  onSave: (fields: { title: string; description?: string }) => Promise<void>
}

/** Asks for a name, and for a description if the item has one. */
export function NameDialog({ title, action, name, description, onClose, onSave }: NameDialogProps) {
  const newName = useSignal(name)
  const newDescription = useSignal(description ?? '')
  const [save, isSaving] = useAction(async () => {
    await onSave({
      title: newName.value.trim(),
      ...(description !== undefined && { description: newDescription.value.trim() }),
    })
    onClose()
  })
  return (
    <FormDialog title={title} onClose={onClose} onSubmit={() => void save()} action={action} isBusy={isSaving}>
      <TextField
        label={texts.name}
        required
        autoFocus
        maxLength={50}
        value={newName.value}
        onInput={(value) => (newName.value = value)}
      />
      {description !== undefined && (
        <TextField
          label={texts.description}
          maxLength={100}
          value={newDescription.value}
          onInput={(value) => (newDescription.value = value)}
        />
      )}
    </FormDialog>
  )
}

interface MoveDialogProps {
  organizationId: string
  parent: string | undefined
  excluded: ReadonlySet<string>
  onClose: () => void
  onMove: (parent: string | null) => Promise<void>
}

/** Asks for the collection into which a collection is moved. */
export function MoveDialog({ organizationId, parent, excluded, onClose, onMove }: MoveDialogProps) {
  const target = useSignal(parent ?? '')
  const [move, isMoving] = useAction(async () => {
    await onMove(target.value || null)
    onClose()
  })
  return (
    <FormDialog
      title={texts.move}
      onClose={onClose}
      onSubmit={() => void move()}
      action={texts.move}
      isBusy={isMoving}
      isIncomplete={target.value === (parent ?? '')}
    >
      <CollectionField
        organizationId={organizationId}
        label={texts.moveTo}
        value={target.value}
        excluded={excluded}
        onChange={(id) => (target.value = id)}
      />
    </FormDialog>
  )
}
