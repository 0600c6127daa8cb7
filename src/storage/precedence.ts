/** Gives precedence to one transaction that conflicted repeatedly: transactions that start later wait for it. */
export class Precedence {
  #taken: Promise<void> | undefined

  /** Waits while a transaction has precedence. */
  async yield(): Promise<void> {
    while (this.#taken) await this.#taken
  }

  /** Takes precedence when no other transaction has it; returns a function that releases it. */
  async take(): Promise<() => void> {
    while (this.#taken) await this.#taken
    return new Promise((granted) => {
      this.#taken = new Promise((resolve) => {
        granted(() => {
          this.#taken = undefined
          resolve()
        })
      })
    })
  }
}
