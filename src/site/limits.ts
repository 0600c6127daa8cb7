import { CallsPerMinute } from '../kernel/calls-per-minute.ts'
import { BusyError } from '../kernel/errors.ts'
import { seconds } from '../kernel/time.ts'
import { WorkQueue } from '../kernel/work-queue.ts'

export interface SiteLimitOptions {
  /**
   * Maximum number of pages, or work of equal cost, for one network address per minute, excluding cached replies; 0 for no limit.
   */
  rateLimit: number
  /** Maximum number of requests to APIs for one network address per minute, ten times as many for one organization; 0 for no limit. */
  apiRequestsPerMinute: number
  /** Maximum number of replies made concurrently; half of them for one network address. */
  concurrency: number
  /** Maximum number of event reports accepted from one network address per minute; 0 for no limit. */
  eventsPerMinute: number
  /** Current time in milliseconds. */
  now: () => number
}

/** Additional cost of a missing page, which searches for suggestions. */
export const notFoundCost = 2

/** Minimum cost of replies that use a separate queue, so that pages do not wait for them. */
const heavyCost = 3

/** Maximum number of streams sent to one network address at the same time. */
const maxStreams = 4

const half = (count: number): number => Math.max(1, Math.ceil(count / 2))

/** Limits the cost of replies of published sites, per network address and in total. Cached replies are not limited. */
export class SiteLimits {
  readonly #options: SiteLimitOptions
  readonly #calls = new CallsPerMinute()
  readonly #events = new CallsPerMinute()
  readonly #apiCalls = new CallsPerMinute()
  readonly #organizationApiCalls = new CallsPerMinute()
  readonly #light: WorkQueue
  readonly #heavy: WorkQueue
  readonly #apiRequests: WorkQueue
  readonly #organizationApiRequests: WorkQueue
  readonly #streams = new Map<string, number>()

  constructor(options: SiteLimitOptions) {
    this.#options = options
    const { concurrency } = options
    const queueLimits = { maxWaiting: 1000, maxWaitingPerCaller: 200, maxWait: seconds(10) }
    this.#light = new WorkQueue({ maxRunning: concurrency, maxRunningPerCaller: half(concurrency), ...queueLimits })
    this.#apiRequests = new WorkQueue({
      maxRunning: 64,
      maxRunningPerCaller: 4,
      ...queueLimits,
      maxWaitingPerCaller: 8,
    })
    this.#organizationApiRequests = new WorkQueue({ maxRunning: 64, maxRunningPerCaller: 16, ...queueLimits })
    // The limit is lower because each of these replies takes longer.
    const heavyConcurrency = half(concurrency)
    this.#heavy = new WorkQueue({
      maxRunning: heavyConcurrency,
      maxRunningPerCaller: half(heavyConcurrency),
      ...queueLimits,
      maxWaitingPerCaller: 50,
    })
  }

  /** Runs work when the queue allows it; throws a `BusyError` if too many callers are waiting. */
  runQueued<T>(caller: string, cost: number, work: () => Promise<T>): Promise<T> {
    return (cost < heavyCost ? this.#light : this.#heavy).run(caller, work)
  }

  /** Adds the cost of a reply; throws a `BusyError` if the caller exceeds the limit per minute. */
  charge(caller: string, cost: number): void {
    this.#count(this.#calls, this.#options.rateLimit, caller, cost)
  }

  /** Counts an event report; throws a `BusyError` if the caller exceeds the limit per minute. */
  countEvent(caller: string): void {
    this.#count(this.#events, this.#options.eventsPerMinute, caller, 1)
  }

  /**
   * Sends a request to an API when the queues allow it; throws a `BusyError` if the caller or the organization sends too many. These
   * requests have queues of their own, so that pages and searches do not wait for a slow API.
   */
  runApiRequest<T>(caller: string, organizationId: string, work: () => Promise<T>): Promise<T> {
    const { apiRequestsPerMinute } = this.#options
    this.#count(this.#apiCalls, apiRequestsPerMinute, caller, 1)
    this.#count(this.#organizationApiCalls, 10 * apiRequestsPerMinute, organizationId, 1)
    return this.#apiRequests.run(caller, () => this.#organizationApiRequests.run(organizationId, work))
  }

  #count(calls: CallsPerMinute, limit: number, caller: string, cost: number): void {
    if (limit === 0) return
    const now = this.#options.now()
    const { count, windowEnd } = calls.count(caller, now, cost)
    if (count <= limit) return
    const wait = Math.max(1, Math.ceil((windowEnd - now) / 1000))
    throw new BusyError('rateLimited', 'Too many requests from your address. Try again later', wait)
  }

  /** Throws a `BusyError` if the maximum number of streams is already being sent to the caller. */
  checkStreamLimit(caller: string): void {
    if ((this.#streams.get(caller) ?? 0) < maxStreams) return
    const message = `At most ${maxStreams} long replies are sent to one address at the same time. Try again later`
    throw new BusyError('rateLimited', message, 10)
  }

  /** Streams a text whose parts are queued one by one, so that a slow reader does not block others. */
  stream(caller: string, parts: AsyncIterator<string>): AsyncIterable<string> {
    return { [Symbol.asyncIterator]: () => this.#queueParts(caller, parts) }
  }

  async *#queueParts(caller: string, parts: AsyncIterator<string>): AsyncGenerator<string> {
    this.#streams.set(caller, (this.#streams.get(caller) ?? 0) + 1)
    try {
      for (;;) {
        const part = await this.#heavy.run(caller, () => parts.next(), { cannotBeRefused: true })
        if (part.done) return
        yield part.value
      }
    } finally {
      const remaining = (this.#streams.get(caller) ?? 1) - 1
      if (remaining > 0) this.#streams.set(caller, remaining)
      else this.#streams.delete(caller)
      await parts.return?.()
    }
  }
}
