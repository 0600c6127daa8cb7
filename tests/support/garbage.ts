import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Frees all memory that is no longer referenced. */
export const collectGarbage = runInNewContext('gc') as () => void

/** Whether an object is collected after a few turns of the event loop, in which handles are closed and weak references released. */
export async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  for (let turns = 0; turns < 10 && reference.deref() !== undefined; turns++) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  return reference.deref() === undefined
}
