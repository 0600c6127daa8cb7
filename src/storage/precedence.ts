/** Gives precedence to one transaction that conflicted repeatedly: transactions that start later wait for it. */
export class Precedence {
  #current: Promise<void> | undefined

  /** Waits while a transaction has precedence. */
  async waitForTurn(): Promise<void> {
    while (this.#current) await this.#current
  }

  /** Takes precedence when no other transaction has it; returns a function that releases it. */
  async acquire(): Promise<() => void> {
    while (this.#current) await this.#current
    return new Promise((granted) => {
      this.#current = new Promise((resolve) => {
        granted(() => {
          this.#current = undefined
          resolve()
        })
      })
    })
  }
}
