import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { TextField } from './fields.tsx'
import { FormDialog } from './form-dialog.tsx'

export interface Question {
  title: string
  text: string
  /** Title of the button that agrees. */
  action: string
  isDangerous?: boolean
  /** A text that must be typed before, for example the name of what is deleted. */
  typed?: { label: string; text: string }
}

type PendingQuestion = Question & { answer: (isConfirmed: boolean) => void }

const pending = signal<PendingQuestion | undefined>(undefined)

/** Asks the user before something is done that cannot be undone easily. */
export const confirmAction = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    pending.value = {
      ...question,
      answer(isConfirmed) {
        pending.value = undefined
        resolve(isConfirmed)
      },
    }
  })

/** Place of the question; there is one in the app. */
export const DialogHost = () => pending.value && <QuestionDialog {...pending.value} />

function QuestionDialog({ title, text, action, isDangerous = false, typed, answer }: PendingQuestion) {
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
