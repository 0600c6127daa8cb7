import { useState } from 'preact/hooks'
import type { Conflict, ConflictDecision } from '../../../../contract/change-request.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { uiTexts } from '../../../ui/ui-texts.ts'
import { readEditableText } from './block-text.ts'
import { texts } from './texts.ts'

interface ConflictEditorProps {
  conflict: Conflict
  isBusy: boolean
  onSave: (decision: ConflictDecision) => void
  onClose: () => void
}

/** Resolves a conflict with a text that differs from both sides. */
export function ConflictEditor({ conflict, isBusy, onSave, onClose }: ConflictEditorProps) {
  const [text, setText] = useState(readEditableText(conflict) ?? '')
  const isBlock = conflict.type === 'block'
  return (
    <Form
      class="cr-conflict-editor"
      onSubmit={() => onSave(isBlock ? { document: { markdown: text } } : { value: text })}
    >
      <TextArea
        label={texts.ownText}
        {...(isBlock && { hint: texts.markdownHint })}
        rows={4}
        autoFocus
        value={text}
        onInput={setText}
      />
      <p class="toolbar">
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {texts.save}
        </Button>
        <Button onClick={onClose}>{uiTexts.cancel}</Button>
      </p>
    </Form>
  )
}
