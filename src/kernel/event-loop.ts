/** Maximum time in milliseconds between two yields. Each turn of the event loop accepts only one new connection. */
const maxBlockedTime = 5

/** Functions that resume tasks which yielded, in the order in which they are resumed. */
const waiting: (() => void)[] = []

/** Returns a function for long work to call often: it yields to the event loop when due, and fails once the signal is aborted. */
export function createYielder(signal?: AbortSignal): () => Promise<void> {
  let last = Date.now()
  return async () => {
    if (Date.now() - last < maxBlockedTime) return
    await waitForTurn()
    signal?.throwIfAborted()
    last = Date.now()
  }
}

/**
 * Waits for a turn of the event loop in which no other waiting task continues. Called before expensive work, so that requests that
 * arrive together do not start it in the same turn.
 */
export function waitForTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(resumeNext)
  })
}

/** Resumes one task in each turn of the event loop, so that the time between two turns does not grow with their number. */
function resumeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeNext)
}
