import { CallsPerMinute } from '../kernel/calls-per-minute.ts'
import { AppError } from '../kernel/errors.ts'
import type { Clock } from '../kernel/time.ts'

/** Limits the requests of each caller per minute, in this process. */
export class RateLimit {
  readonly #limit: number
  readonly #clock: Clock
  readonly #calls = new CallsPerMinute()

  constructor(limit: number, clock: Clock) {
    this.#limit = limit
    this.#clock = clock
  }

  /** Counts one request and sets the rate limit headers; fails when the limit is exceeded. */
  count(caller: string, headers: Record<string, string>): void {
    if (this.#limit === 0) return
    const now = this.#clock()
    const { count, windowEnd } = this.#calls.count(caller, now)
    headers['x-ratelimit-limit'] = String(this.#limit)
    headers['x-ratelimit-remaining'] = String(Math.max(0, this.#limit - count))
    headers['x-ratelimit-reset'] = String(Math.ceil(windowEnd / 1000))
    if (count <= this.#limit) return
    headers['retry-after'] = String(Math.ceil((windowEnd - now) / 1000))
    throw new AppError('rateLimited', `The limit of ${this.#limit} requests per minute is exceeded. Try again later`)
  }
}
