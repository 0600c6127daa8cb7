import { useSignal } from '@preact/signals'
import { ApiError } from '../api.ts'
import { describeError } from './states.tsx'
import { useAction } from './use-action.ts'

export interface FormAction {
  run: () => Promise<void>
  isRunning: boolean
  /** Why the server did not accept the entered values. */
  problem: string | undefined
  clearProblem: () => void
}

/** Runs the action of a form; if the server refuses the values, the form shows the reason instead of a message. */
export function useFormAction(action: () => Promise<void>): FormAction {
  const problem = useSignal<string | undefined>(undefined)
  const [run, isRunning] = useAction(async () => {
    problem.value = undefined
    try {
      await action()
    } catch (error) {
      if (!(error instanceof ApiError) || ![400, 404, 409].includes(error.status)) throw error
      problem.value = describeRefusal(error)
    }
  })
  return { run, isRunning, problem: problem.value, clearProblem: () => (problem.value = undefined) }
}

/** Returns the reason without the generic sentence before it, because its position in the form shows the context. */
function describeRefusal(error: ApiError): string {
  const [detail] = error.details
  if (detail) return detail.message.charAt(0).toUpperCase() + detail.message.slice(1)
  return error.status === 404 ? error.message : describeError(error)
}
