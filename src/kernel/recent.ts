/** What was used lately, up to a limit: what was not used for longest makes room. */
export class Recent<Value> {
  readonly #limit: number
  readonly #weigh: (value: Value, key: string) => number
  /** In the order of their last use. */
  readonly #entries = new Map<string, Value>()
  #weight = 0

  /** Without a way to weigh them, the limit is how many there may be. */
  constructor(limit: number, weigh: (value: Value, key: string) => number = () => 1) {
    this.#limit = limit
    this.#weigh = weigh
  }

  /** Whether something is kept under a key, which may be `undefined` itself. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined && !this.#entries.has(key)) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value as Value)
    return value
  }

  /** What is kept under a key, made when nothing is. */
  getOr(key: string, make: () => Value): Value {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = make()
    this.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.delete(key)
    this.#entries.set(key, value)
    this.#weight += this.#weigh(value, key)
    for (const [oldest] of this.#entries) {
      if (this.#weight <= this.#limit) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    if (!this.#entries.has(key)) return
    this.#weight -= this.#weigh(this.#entries.get(key) as Value, key)
    this.#entries.delete(key)
  }
}
