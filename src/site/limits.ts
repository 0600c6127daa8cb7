import { CallsPerMinute } from '../kernel/calls-per-minute.ts'
import { BusyError } from '../kernel/errors.ts'
import { seconds } from '../kernel/time.ts'
import { WorkQueue } from './work-queue.ts'

export interface SiteLimitOptions {
  /** How many pages, or work of the same cost, an address may ask for in a minute beyond what is cached; 0: no limit. */
  rateLimit: number
  /** How many replies are made at once; half of them for one address. */
  concurrency: number
  /** How many messages about visits are accepted from an address in a minute; 0: no limit. */
  eventsPerMinute: number
  /** In milliseconds. */
  now: () => number
}

/** What a page that does not exist costs besides: pages are searched that may have been meant. */
export const absentCost = 2

/** Replies that cost at least this much have turns of their own, so that pages do not wait for them. */
const heavyCost = 3

/** Maximum number of long texts that are sent to one address at the same time. */
const maxStreams = 4

const half = (count: number): number => Math.max(1, Math.ceil(count / 2))

/** Limits what replies to published sites cost, for each address and in all. Cached replies are not limited. */
export class SiteLimits {
  readonly #options: SiteLimitOptions
  readonly #calls = new CallsPerMinute()
  readonly #events = new CallsPerMinute()
  readonly #light: WorkQueue
  readonly #heavy: WorkQueue
  readonly #streams = new Map<string, number>()

  constructor(options: SiteLimitOptions) {
    this.#options = options
    const { concurrency } = options
    const waiting = { waiting: 1000, waitingPerCaller: 200, maxWait: seconds(10) }
    this.#light = new WorkQueue({ running: concurrency, runningPerCaller: half(concurrency), ...waiting })
    // Fewer, as each takes longer; and pages do not wait for them.
    const heavy = half(concurrency)
    this.#heavy = new WorkQueue({ running: heavy, runningPerCaller: half(heavy), ...waiting, waitingPerCaller: 50 })
  }

  /** Makes a reply when it is the turn of its caller; fails with a `BusyError` when too many are waiting. */
  takeTurn<T>(caller: string, cost: number, work: () => Promise<T>): Promise<T> {
    return (cost < heavyCost ? this.#light : this.#heavy).run(caller, work)
  }

  /** Counts what a reply costs; fails with a `BusyError` when the caller has used up what is allowed in a minute. */
  charge(caller: string, cost: number): void {
    this.#count(this.#calls, this.#options.rateLimit, caller, cost)
  }

  /** Counts a message about a visit; fails with a `BusyError` when the caller has sent too many in a minute. */
  countEvent(caller: string): void {
    this.#count(this.#events, this.#options.eventsPerMinute, caller, 1)
  }

  #count(calls: CallsPerMinute, limit: number, caller: string, cost: number): void {
    if (limit === 0) return
    const now = this.#options.now()
    const { count, windowEnd } = calls.count(caller, now, cost)
    if (count <= limit) return
    const wait = Math.max(1, Math.ceil((windowEnd - now) / 1000))
    throw new BusyError('rateLimited', 'Too many requests from your address. Try again later', wait)
  }

  /** Fails with a `BusyError` when as many long texts are being sent to a caller as may be. */
  admitStream(caller: string): void {
    if ((this.#streams.get(caller) ?? 0) < maxStreams) return
    const message = `At most ${maxStreams} long replies are sent to one address at the same time. Try again later`
    throw new BusyError('rateLimited', message, 10)
  }

  /** A text that is made while it is sent: each part in a turn, so that a slow reader takes none from others. */
  stream(caller: string, parts: AsyncIterator<string>): AsyncIterable<string> {
    return { [Symbol.asyncIterator]: () => this.#turns(caller, parts) }
  }

  async *#turns(caller: string, parts: AsyncIterator<string>): AsyncGenerator<string> {
    this.#streams.set(caller, (this.#streams.get(caller) ?? 0) + 1)
    try {
      for (;;) {
        const part = await this.#heavy.run(caller, () => parts.next(), { cannotBeRefused: true })
        if (part.done) return
        yield part.value
      }
    } finally {
      const open = (this.#streams.get(caller) ?? 1) - 1
      if (open > 0) this.#streams.set(caller, open)
      else this.#streams.delete(caller)
      await parts.return?.()
    }
  }
}
