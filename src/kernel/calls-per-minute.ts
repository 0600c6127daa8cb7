import { minutes } from './time.ts'

const window = minutes(1)

/** Counts what each caller asks for, from one minute to the next, in this process. */
export class CallsPerMinute {
  #windowEnd = 0
  readonly #counts = new Map<string, number>()

  /** Counts a call of some weight; returns the total of the caller in this minute, and when the next one begins. */
  count(caller: string, now: number, weight = 1): { count: number; windowEnd: number } {
    // A clock that was set back would otherwise let a minute last for longer.
    if (now >= this.#windowEnd || now < this.#windowEnd - window) {
      this.#windowEnd = now + window
      this.#counts.clear()
    }
    const count = (this.#counts.get(caller) ?? 0) + weight
    this.#counts.set(caller, count)
    return { count, windowEnd: this.#windowEnd }
  }
}
