import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../kernel/errors.ts'

/** How long a process that works without a pause does not hear of signals, in milliseconds. */
const breath = 50

/**
 * Lets work end in order when somebody presses Ctrl-C; a second time ends the process at once. Work that computes for long
 * calls `breathe` now and then, which fails when it is to end.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal, breathe: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  const stop = () => controller.abort(new AppError('unavailable', 'was interrupted'))
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  let last = Date.now()
  const breathe = async () => {
    if (Date.now() - last < breath) return
    await nextTurn()
    signal.throwIfAborted()
    last = Date.now()
  }
  try {
    return await work(signal, breathe)
  } catch (error) {
    // Whatever ended because of that says so in words of its own.
    throw signal.aborted ? signal.reason : error
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
  }
}
