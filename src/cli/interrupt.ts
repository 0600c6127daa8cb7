import { AppError } from '../kernel/errors.ts'

/** Lets work end in order when somebody presses Ctrl-C; a second time ends the process at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const stop = () => controller.abort(new AppError('unavailable', 'was interrupted'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  try {
    return await work(controller.signal)
  } catch (error) {
    // Whatever ended because of that says so in words of its own.
    throw controller.signal.aborted ? controller.signal.reason : error
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  }
}
