import { setTimeout } from 'node:timers/promises'
import type { Fetch, Fetched } from '../fetch/fetch.ts'
import { seconds } from '../kernel/time.ts'

export interface CrawlClock {
  now(): number
  /** Resolves after these milliseconds; rejects when the signal is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

export const realClock: CrawlClock = {
  now: Date.now,
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
}

interface HostOptions {
  fetch: Fetch
  clock: CrawlClock
  signal: AbortSignal
  /** Minimum milliseconds between requests. */
  delay: number
}

const requestTimeout = seconds(30)
const busy = new Set([429, 503])
const usualPause = seconds(2)
const longestPause = seconds(30)

/** Sends requests to a host with the delay that it requires, and retries once if the host is busy. */
export class PoliteFetch {
  readonly #options: HostOptions
  #delay: number
  #nextAt = 0

  constructor(options: HostOptions) {
    this.#options = options
    this.#delay = options.delay
  }

  /** Sets the minimum milliseconds between requests. */
  pauseBy(delay: number): void {
    this.#delay = delay
    this.#nextAt = Math.max(this.#nextAt, this.#options.clock.now() + delay)
  }

  async get(address: string, maxBytes: number): Promise<Fetched> {
    const reply = await this.#getOnce(address, maxBytes)
    if (!busy.has(reply.status)) return reply
    reply.discard()
    const now = this.#options.clock.now()
    this.#nextAt = Math.max(this.#nextAt, now + pauseOf(reply.retryAfter, now))
    return this.#getOnce(address, maxBytes)
  }

  async #getOnce(address: string, maxBytes: number): Promise<Fetched> {
    const { fetch, signal } = this.#options
    await this.#turn()
    return fetch.get(address, { maxBytes, timeout: requestTimeout, signal })
  }

  async #turn(): Promise<void> {
    const { clock, signal } = this.#options
    const now = clock.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + this.#delay
    if (at > now) await clock.wait(at - now, signal)
    signal.throwIfAborted()
  }
}

function pauseOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return usualPause
  const pause = /^\d+$/.test(retryAfter) ? seconds(Number(retryAfter)) : Date.parse(retryAfter) - now
  return Number.isNaN(pause) ? usualPause : Math.min(Math.max(pause, 0), longestPause)
}
