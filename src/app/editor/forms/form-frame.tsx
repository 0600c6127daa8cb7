import type { ComponentChildren } from 'preact'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { editorTexts } from '../editor-texts.ts'
import { formTexts as texts } from './form-texts.ts'

interface FormFrameProps {
  title: string
  /** Whether what is edited is not in the page yet. */
  isNew?: boolean
  isComplete?: boolean
  isWide?: boolean
  onApply: () => void
  onClose: () => void
  children: ComponentChildren
}

/** A dialog with the buttons of all forms of the editor. */
export function FormFrame({
  title,
  isNew = false,
  isComplete = true,
  isWide,
  onApply,
  onClose,
  children,
}: FormFrameProps) {
  return (
    <Dialog
      title={title}
      isWide={isWide ?? false}
      onClose={onClose}
      onSubmit={() => isComplete && onApply()}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" kind="primary" disabled={!isComplete}>
            {isNew ? texts.insert : editorTexts.apply}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
