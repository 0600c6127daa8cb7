/** Maximum time in milliseconds between two yields. */
const maxBlockedTime = 15

/** Returns a function for long work to call often: it yields to the event loop when due, and fails once the signal is aborted. */
export function createYielder(signal?: AbortSignal): () => Promise<void> {
  let last = Date.now()
  return async () => {
    if (Date.now() - last < maxBlockedTime) return
    await new Promise(setImmediate)
    signal?.throwIfAborted()
    last = Date.now()
  }
}
