import { BusyError } from '../kernel/errors.ts'

/** Maximum number of bytes of request bodies that are held in memory at a time. */
export interface BodyBudgetLimits {
  perCaller: number
  total: number
}

/** Bodies up to this size are always read, so that many large ones do not block small requests. */
const exemptSize = 64 * 1024

/** Value of the Retry-After header, in seconds. */
const retryAfter = 5

/** Limits the bytes of request bodies in memory, per caller and in total. */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits
  readonly #held = new Map<string, number>()
  #total = 0

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits
  }

  /** Reserves memory for a body; `declared` is its Content-Length, or 0. */
  open(caller: string, declared: number): BodyShare {
    this.#assertRoom(caller, declared, declared)
    return new BodyShare((bytes, size) => this.#take(caller, bytes, size))
  }

  /** Fails unless a body that has `size` bytes so far may grow by `bytes`. */
  #assertRoom(caller: string, bytes: number, size: number): void {
    if (size <= exemptSize) return
    if ((this.#held.get(caller) ?? 0) + bytes > this.#limits.perCaller) {
      const message = `The requests from your address would exceed ${this.#limits.perCaller} bytes of request bodies at the same time. Send fewer requests at a time`
      throw new BusyError('rateLimited', message, retryAfter)
    }
    if (this.#total + bytes > this.#limits.total) {
      throw new BusyError(
        'unavailable',
        'The server is processing too many large requests. Try again later',
        retryAfter,
      )
    }
  }

  /** Adds to the bytes of a body; a negative number releases them. */
  #take(caller: string, bytes: number, size: number): void {
    if (bytes > 0) this.#assertRoom(caller, bytes, size)
    const held = (this.#held.get(caller) ?? 0) + bytes
    if (held > 0) this.#held.set(caller, held)
    else this.#held.delete(caller)
    this.#total += bytes
  }
}

/** The part of the budget that one body uses. */
export class BodyShare {
  readonly #take: (bytes: number, size: number) => void
  #size = 0

  constructor(take: (bytes: number, size: number) => void) {
    this.#take = take
  }

  add(bytes: number): void {
    this.#take(bytes, this.#size + bytes)
    this.#size += bytes
  }

  release(): void {
    this.#take(-this.#size, 0)
    this.#size = 0
  }
}
