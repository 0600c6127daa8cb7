import { signal } from '@preact/signals'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { uiTexts } from './ui-texts.ts'

interface Question {
  title: string
  text: string
  /** Title of the button that agrees. */
  action: string
  isDangerous?: boolean
}

const pending = signal<(Question & { answer: (isConfirmed: boolean) => void }) | undefined>(undefined)

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
export function DialogHost() {
  const question = pending.value
  if (!question) return null
  const { title, text, action, isDangerous = false, answer } = question
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      onSubmit={() => answer(true)}
      actions={
        <>
          <Button onClick={() => answer(false)}>{uiTexts.cancel}</Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
