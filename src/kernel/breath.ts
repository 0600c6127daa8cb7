/** How long others wait at most, in milliseconds. */
const longest = 15

/** For work that takes long: lets others run now and then, and ends when it is told to, if it may be. */
export function breather(signal?: AbortSignal): () => Promise<void> {
  let last = Date.now()
  return async () => {
    if (Date.now() - last < longest) return
    await new Promise(setImmediate)
    signal?.throwIfAborted()
    last = Date.now()
  }
}
