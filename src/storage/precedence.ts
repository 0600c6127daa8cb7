/** Lets one go on alone whom others got in the way of again and again: whoever comes meanwhile waits. */
export class Precedence {
  #taken: Promise<void> | undefined

  /** Waits while somebody has precedence. */
  async yield(): Promise<void> {
    while (this.#taken) await this.#taken
  }

  /** Takes precedence once nobody else has it; what is returned gives it back. */
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
