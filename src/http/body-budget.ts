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
  readonly #bytesByCaller = new Map<string, number>()
  #total = 0

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits
  }

  /** Reserves memory for a body; `declared` is its Content-Length, or 0. */
  reserve(caller: string, declared: number): BodyReservation {
    this.#assertAvailable(caller, declared, declared)
    return new BodyReservation((bytes, size) => this.#adjust(caller, bytes, size))
  }

  /** Fails unless a body that has `size` bytes so far may grow by `bytes`. */
  #assertAvailable(caller: string, bytes: number, size: number): void {
    if (size <= exemptSize) return
    if ((this.#bytesByCaller.get(caller) ?? 0) + bytes > this.#limits.perCaller) {
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
  #adjust(caller: string, bytes: number, size: number): void {
    if (bytes > 0) this.#assertAvailable(caller, bytes, size)
    const held = (this.#bytesByCaller.get(caller) ?? 0) + bytes
    if (held > 0) this.#bytesByCaller.set(caller, held)
    else this.#bytesByCaller.delete(caller)
    this.#total += bytes
  }
}

/** The part of the budget that one body uses. */
export class BodyReservation {
  readonly #adjust: (bytes: number, size: number) => void
  #size = 0

  constructor(adjust: (bytes: number, size: number) => void) {
    this.#adjust = adjust
  }

  add(bytes: number): void {
    this.#adjust(bytes, this.#size + bytes)
    this.#size += bytes
  }

  release(): void {
    this.#adjust(-this.#size, 0)
    this.#size = 0
  }
}
