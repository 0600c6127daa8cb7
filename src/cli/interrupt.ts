import { createYielder } from '../kernel/event-loop.ts'
import { AppError } from '../kernel/errors.ts'

/**
 * Runs work that Ctrl-C aborts in an orderly way; a second Ctrl-C ends the process at once. Work that computes for long
 * calls `yieldIfDue` regularly, which throws when the work is aborted.
 */
export async function runInterruptible<T>(
  work: (signal: AbortSignal, yieldIfDue: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  const stop = () => controller.abort(new AppError('unavailable', 'was interrupted'))
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  try {
    return await work(signal, createYielder(signal))
  } catch (error) {
    // Aborted work fails with various errors; the user only needs to see that it was interrupted.
    throw signal.aborted ? signal.reason : error
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
  }
}
