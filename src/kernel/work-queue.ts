import { BusyError } from './errors.ts'

export interface WorkLimits {
  /** Maximum number of running tasks, in total and for one caller. */
  maxRunning: number
  maxRunningPerCaller: number
  /** Maximum number of waiting tasks, in total and for one caller. */
  maxWaiting: number
  maxWaitingPerCaller: number
  /** Milliseconds after which a waiting task is rejected. */
  maxWait: number
}

interface WaitingTask {
  start: () => void
  reject: () => void
  queuedAt: number
}

interface Caller {
  running: number
  waiting: WaitingTask[]
}

/**
 * Limits the number of concurrent tasks, so that other requests are served between their steps. Tasks are started round-robin by
 * caller, so that a caller with many tasks does not delay the others.
 */
export class WorkQueue {
  readonly #limits: WorkLimits
  /** Callers with running or waiting tasks; the first one is next. */
  readonly #callers = new Map<string, Caller>()
  #running = 0
  #waiting = 0

  constructor(limits: WorkLimits) {
    this.#limits = limits
  }

  /**
   * Runs work when it is the caller's turn; throws a `BusyError` if too many tasks are waiting. `cannotBeRefused` is set for the
   * next part of a reply that is already being sent.
   */
  async run<T>(name: string, work: () => Promise<T>, { cannotBeRefused = false } = {}): Promise<T> {
    await this.#waitForTurn(name, cannotBeRefused)
    try {
      return await work()
    } finally {
      const caller = this.#callers.get(name)
      if (caller) caller.running--
      this.#running--
      this.#dispatch()
      if (caller) this.#deleteIfIdle(name, caller)
    }
  }

  /** Resolves when the work of a caller may start. */
  async #waitForTurn(name: string, cannotBeRefused: boolean): Promise<void> {
    const { maxRunning, maxRunningPerCaller, maxWaiting, maxWaitingPerCaller } = this.#limits
    let caller = this.#callers.get(name)
    if (!caller) this.#callers.set(name, (caller = { running: 0, waiting: [] }))
    if (this.#running < maxRunning && caller.running < maxRunningPerCaller) {
      this.#start(caller)
      return
    }
    if (!cannotBeRefused && caller.waiting.length >= maxWaitingPerCaller) {
      throw new BusyError('rateLimited', 'Too many pending requests from your address. Try again later', retryAfter)
    }
    if (!cannotBeRefused && this.#waiting >= maxWaiting) {
      this.#deleteIfIdle(name, caller)
      throw busyError()
    }
    this.#waiting++
    const { waiting: queue } = caller
    await new Promise<void>((resolve, reject) => {
      const queuedAt = cannotBeRefused ? Infinity : performance.now()
      queue.push({ start: resolve, reject: () => reject(busyError()), queuedAt })
    })
  }

  #start(caller: Caller): void {
    caller.running++
    this.#running++
  }

  /** Starts waiting tasks, one of each caller in turn. */
  #dispatch(): void {
    const { maxRunning, maxRunningPerCaller, maxWait } = this.#limits
    const cutoff = performance.now() - maxWait
    for (const [name, caller] of this.#callers) {
      if (this.#running >= maxRunning) return
      while (caller.waiting[0] && caller.waiting[0].queuedAt < cutoff) this.#dequeue(caller).reject()
      this.#deleteIfIdle(name, caller)
      if (caller.waiting.length === 0 || caller.running >= maxRunningPerCaller) continue
      // A caller that had a turn moves to the end of the order.
      this.#callers.delete(name)
      this.#callers.set(name, caller)
      this.#start(caller)
      this.#dequeue(caller).start()
    }
  }

  #deleteIfIdle(name: string, { running, waiting }: Caller): void {
    if (running === 0 && waiting.length === 0) this.#callers.delete(name)
  }

  #dequeue(caller: Caller): WaitingTask {
    this.#waiting--
    return caller.waiting.shift() as WaitingTask
  }
}

/** Seconds to wait before a retry. */
const retryAfter = 5

const busyError = () => new BusyError('unavailable', 'The server is busy. Try again later', retryAfter)
