import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { showError } from './toasts.tsx'

/** A change that is shown before the server has accepted it. */
export interface OptimisticChange<Value> {
  /** Returns the value with the change. The value may contain the change already. */
  apply: (value: Value) => Value
  send: () => Promise<unknown>
}

/**
 * Returns the value to show, and a function that changes it. A change is shown at once and sent when those before it are answered.
 * If the server refuses it, it is taken back with a message, and the function returns false.
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
      // A part of it may have been accepted.
      void refresh()
      return false
    }
    await refresh()
    remove()
    return true
  }
  return [pending.value.reduce((value, { apply }) => apply(value), stored), run]
}
