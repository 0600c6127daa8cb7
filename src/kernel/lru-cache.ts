/** An entry is not moved when it is used while it is among this fraction of the entries that were moved last. */
const recentShare = 8

/** Cache with a maximum weight that removes the least recently used entries, in the approximate order of their last use. */
export class LruCache<Value> {
  readonly #limit: () => number
  readonly #weigh: (value: Value, key: string) => number
  /** Entries in the order of their last use. */
  readonly #entries = new Map<string, { value: Value; weight: number; movedAt: number }>()
  #weight = 0
  /** Number of entries that were added or moved to the end so far. */
  #moves = 0

  /** Without a `weigh` function, the limit is the number of entries. */
  constructor(limit: number | (() => number), weigh: (value: Value, key: string) => number = () => 1) {
    this.#limit = typeof limit === 'number' ? () => limit : limit
    this.#weigh = weigh
  }

  /** Total weight of all entries. */
  get weight(): number {
    return this.#weight
  }

  get size(): number {
    return this.#entries.size
  }

  /** Whether the cache contains a key, whose value may be `undefined`. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    // Entries among the most recent ones stay where they are: moving them takes most of the time of a lookup, and memory.
    if (this.#moves - entry.movedAt > this.#entries.size / recentShare) {
      entry.movedAt = ++this.#moves
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    return entry.value
  }

  /** Returns the value of a key; creates and stores it if it is missing. */
  getOrCreate(key: string, make: () => Value): Value {
    const cached = this.get(key)
    if (cached !== undefined) return cached
    const value = make()
    this.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.delete(key)
    const weight = this.#weigh(value, key)
    this.#entries.set(key, { value, weight, movedAt: ++this.#moves })
    this.#weight += weight
    const limit = this.#limit()
    for (const [oldest] of this.#entries) {
      if (this.#weight <= limit) break
      this.delete(oldest)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#weight -= entry.weight
    this.#entries.delete(key)
  }
}
