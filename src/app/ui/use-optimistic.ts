import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { showError } from './toasts.tsx'

/** A change that is shown before the server has accepted it. */
export interface OptimisticChange<Value> {
  /** Returns the value with the change. The value may already contain the change. */
  apply: (value: Value) => Value
  send: () => Promise<unknown>
}

/**
 * Returns the value to show, and a function that changes it. A change is shown immediately, and sent when earlier changes are
 * answered. If the server refuses it, it is reverted with a message, and the function returns false.
 */
export function useOptimistic<Value>(
  stored: Value,
  refresh: () => Promise<void>,
): [Value, (change: OptimisticChange<Value>) => Promise<boolean>] {
  const pending = useSignal<readonly OptimisticChange<Value>[]>([])
  const lastSent = useRef<Promise<unknown>>(Promise.resolve())
  const run = async (change: OptimisticChange<Value>): Promise<boolean> => {
    pending.value = [...pending.value, change]
    const sent = lastSent.current.then(() => change.send())
    lastSent.current = sent.catch(() => undefined)
    const remove = () => (pending.value = pending.value.filter((one) => one !== change))
    try {
      await sent
    } catch (error) {
      remove()
      showError(error)
      // The server may have accepted a part of it.
      void refresh()
      return false
    }
    await refresh()
    remove()
    return true
  }
  return [pending.value.reduce((value, { apply }) => apply(value), stored), run]
}
