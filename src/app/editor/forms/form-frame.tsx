import type { ComponentChildren } from 'preact'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { editorTexts } from '../editor-texts.ts'
import { formTexts as texts } from './form-texts.ts'

interface FormFrameProps {
  title: string
  /** Whether the edited item is not part of the page yet. */
  isNew?: boolean
  isComplete?: boolean
  isBusy?: boolean
  isWide?: boolean
  /** Buttons before the others. */
  otherActions?: ComponentChildren
  onApply: () => void
  onClose: () => void
  children: ComponentChildren
}

/** A dialog with the buttons of all forms of the editor. */
export const FormFrame = ({ isNew = false, isComplete = true, onApply, ...props }: FormFrameProps) => (
  <FormDialog
    {...props}
    action={isNew ? texts.insert : editorTexts.apply}
    isIncomplete={!isComplete}
    onSubmit={onApply}
  />
)
