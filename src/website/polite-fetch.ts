import { setTimeout } from 'node:timers/promises'
import type { Fetch, FetchResponse } from '../fetch/fetch.ts'
import { seconds } from '../kernel/time.ts'

export interface CrawlClock {
  now(): number
  /** Resolves after these milliseconds; rejects when the signal is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

export const systemClock: CrawlClock = {
  now: Date.now,
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
}

interface PoliteFetchOptions {
  fetch: Fetch
  clock: CrawlClock
  signal: AbortSignal
  /** Minimum milliseconds between requests. */
  delay: number
}

const requestTimeout = seconds(30)
const busyStatuses = new Set([429, 503])
const defaultRetryDelay = seconds(2)
const maxRetryDelay = seconds(30)

/** Sends requests to a host with the delay that it requires, and retries once if the host is busy. */
export class PoliteFetch {
  readonly #options: PoliteFetchOptions
  #delay: number
  #nextAt = 0

  constructor(options: PoliteFetchOptions) {
    this.#options = options
    this.#delay = options.delay
  }

  /** Sets the minimum milliseconds between requests. */
  setDelay(delay: number): void {
    this.#delay = delay
    this.#nextAt = Math.max(this.#nextAt, this.#options.clock.now() + delay)
  }

  async get(address: string, maxBytes: number): Promise<FetchResponse> {
    const reply = await this.#getOnce(address, maxBytes)
    if (!busyStatuses.has(reply.status)) return reply
    reply.discard()
    const now = this.#options.clock.now()
    this.#nextAt = Math.max(this.#nextAt, now + parseRetryAfter(reply.retryAfter, now))
    return this.#getOnce(address, maxBytes)
  }

  async #getOnce(address: string, maxBytes: number): Promise<FetchResponse> {
    const { fetch, signal } = this.#options
    await this.#waitForTurn()
    return fetch.get(address, { maxBytes, timeout: requestTimeout, signal })
  }

  async #waitForTurn(): Promise<void> {
    const { clock, signal } = this.#options
    const now = clock.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + this.#delay
    if (at > now) await clock.wait(at - now, signal)
    signal.throwIfAborted()
  }
}

function parseRetryAfter(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return defaultRetryDelay
  const delay = /^\d+$/.test(retryAfter) ? seconds(Number(retryAfter)) : Date.parse(retryAfter) - now
  return Number.isNaN(delay) ? defaultRetryDelay : Math.min(Math.max(delay, 0), maxRetryDelay)
}
