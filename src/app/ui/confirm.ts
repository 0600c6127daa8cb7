import { signal } from '@preact/signals'

export interface Question {
  title: string
  text: string
  /** Title of the button that agrees. */
  action: string
  isDangerous?: boolean
  /** A text that must be typed to confirm, for example the name of the item to delete. */
  typed?: { label: string; text: string }
}

export type PendingQuestion = Question & { answer: (isConfirmed: boolean) => void }

/** The question that is shown; there is at most one. */
export const pendingQuestion = signal<PendingQuestion | undefined>(undefined)

/** Asks the user for confirmation before an action that cannot be undone easily. */
export const confirmAction = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    pendingQuestion.value = {
      ...question,
      answer(isConfirmed) {
        pendingQuestion.value = undefined
        resolve(isConfirmed)
      },
    }
  })
