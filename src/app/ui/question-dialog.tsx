import { useState } from 'preact/hooks'
import type { PendingQuestion } from './confirm.ts'
import { TextField } from './fields.tsx'
import { FormDialog } from './form-dialog.tsx'

/** Asks for confirmation before an action that cannot be undone easily. */
export function QuestionDialog({ title, text, action, isDangerous = false, typed, answer }: PendingQuestion) {
  const [input, setInput] = useState('')
  return (
    <FormDialog
      title={title}
      action={action}
      isDangerous={isDangerous}
      isIncomplete={typed !== undefined && input.trim() !== typed.text.trim()}
      onClose={() => answer(false)}
      onSubmit={() => answer(true)}
    >
      <p>{text}</p>
      {typed && (
        <TextField
          label={typed.label}
          autoFocus
          autocomplete="off"
          spellcheck={false}
          value={input}
          onInput={setInput}
        />
      )}
    </FormDialog>
  )
}
