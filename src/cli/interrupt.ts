import { createYielder } from '../kernel/event-loop.ts'
import { AppError } from '../kernel/errors.ts'

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
  try {
    return await work(signal, createYielder(signal))
  } catch (error) {
    // Whatever ended because of that says so in words of its own.
    throw signal.aborted ? signal.reason : error
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
  }
}
