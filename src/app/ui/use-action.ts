import { useSignal } from '@preact/signals'
import { showError } from './toasts.tsx'

/**
 * Returns a function that runs an action and shows why it failed, and whether it is running; it runs only once at a time: `const
 * [merge, isMerging] = useAction(async () => { … })`.
 */
export function useAction<Parameters extends readonly unknown[]>(
  action: (...parameters: Parameters) => Promise<void>,
): [(...parameters: Parameters) => Promise<void>, boolean] {
  const isRunning = useSignal(false)
  const run = async (...parameters: Parameters): Promise<void> => {
    if (isRunning.value) return
    isRunning.value = true
    try {
      await action(...parameters)
    } catch (error) {
      showError(error)
    } finally {
      isRunning.value = false
    }
  }
  return [run, isRunning.value]
}
