import { type Draft, type DraftPlace, storeDraft } from './drafts.ts'

/**
 * Minimum delay in milliseconds between a change and storing the draft. Storing long texts is slow, so the delay grows with the
 * time that it takes.
 */
const minDelay = 200
const maxDelay = 2000
const maxShare = 1 / 50

/** Stores unsaved text in the browser. */
export class DraftKeeper {
  readonly #place: DraftPlace
  readonly #read: () => Draft | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #delay = minDelay
  #isStored = true

  constructor(place: DraftPlace, read: () => Draft | undefined) {
    this.#place = place
    this.#read = read
  }

  /** Whether the browser had space for the last draft. */
  get isStored(): boolean {
    return this.#isStored
  }

  /** Schedules a call of the function that stores the draft. */
  schedule(run: () => void): void {
    this.#timer ??= setTimeout(run, this.#delay)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Stores the draft; returns false if everything is saved. */
  keep(): boolean {
    this.stop()
    const started = performance.now()
    const draft = this.#read()
    if (!draft) return false
    this.#isStored = storeDraft(this.#place, draft)
    const pause = (performance.now() - started) / maxShare
    this.#delay = Math.min(Math.max(pause, minDelay), maxDelay)
    return true
  }
}
