import { minutes } from './time.ts'

const windowLength = minutes(1)

/** Counts the calls of each caller in windows of one minute, in this process only. */
export class CallsPerMinute {
  #windowEnd = 0
  readonly #counts = new Map<string, number>()

  /** Adds the weight of a call; returns the caller's total in the current window and the time at which the window ends. */
  count(caller: string, now: number, weight = 1): { count: number; windowEnd: number } {
    // Without the second condition, a clock that was set back would extend the window.
    if (now >= this.#windowEnd || now < this.#windowEnd - windowLength) {
      this.#windowEnd = now + windowLength
      this.#counts.clear()
    }
    const count = (this.#counts.get(caller) ?? 0) + weight
    this.#counts.set(caller, count)
    return { count, windowEnd: this.#windowEnd }
  }
}
