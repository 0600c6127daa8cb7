/** Error of a run that cannot continue, with a message for people. */
export class TranslationError extends Error {}

/** Limit on the number of characters that a run may still send. */
export interface BudgetLimit {
  remaining: number
  /** Message when the limit is reached. */
  message: string
}

/** Limits the amount that a run sends. Characters are reserved before a request and released if it fails. */
export class Budget {
  readonly #limits: readonly BudgetLimit[]
  #reserved = 0

  constructor(limits: readonly BudgetLimit[]) {
    this.#limits = limits
  }

  /** Reserves characters; fails if a limit would be exceeded. */
  reserve(characters: number): void {
    const exceeded = this.#limits.find(({ remaining }) => this.#reserved + characters > remaining)
    if (exceeded) throw new TranslationError(exceeded.message)
    this.#reserved += characters
  }

  release(characters: number): void {
    this.#reserved -= characters
  }
}
