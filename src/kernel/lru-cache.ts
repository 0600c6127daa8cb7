/** An entry is not moved when it is used while it is among this fraction of the entries that were moved last. */
const recentShare = 8

/** Value of a key, between the entries that were used before and after it. */
interface Entry<Value> {
  readonly key: string
  readonly value: Value
  readonly weight: number
  movedAt: number
  older: Entry<Value> | undefined
  newer: Entry<Value> | undefined
}

/** Cache with a maximum weight that removes the least recently used entries, in the approximate order of their last use. */
export class LruCache<Value> {
  readonly #limit: () => number
  readonly #weigh: (value: Value, key: string) => number
  // The order is not that of the map: finding its first entry takes time for each one that was deleted before.
  readonly #entries = new Map<string, Entry<Value>>()
  #oldest: Entry<Value> | undefined
  #newest: Entry<Value> | undefined
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
    // Entries among the most recent ones stay where they are: moving them takes most of the time of a lookup.
    if (this.#moves - entry.movedAt > this.#entries.size / recentShare) {
      this.#unlink(entry)
      this.#link(entry)
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
    const entry: Entry<Value> = { key, value, weight, movedAt: 0, older: undefined, newer: undefined }
    this.#entries.set(key, entry)
    this.#link(entry)
    this.#weight += weight
    const limit = this.#limit()
    while (this.#weight > limit && this.#oldest) this.delete(this.#oldest.key)
  }

  clear(): void {
    this.#entries.clear()
    this.#oldest = undefined
    this.#newest = undefined
    this.#weight = 0
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#weight -= entry.weight
    this.#entries.delete(key)
    this.#unlink(entry)
  }

  /** Adds an entry as the most recently used one. */
  #link(entry: Entry<Value>): void {
    entry.movedAt = ++this.#moves
    entry.older = this.#newest
    if (this.#newest) this.#newest.newer = entry
    else this.#oldest = entry
    this.#newest = entry
  }

  #unlink(entry: Entry<Value>): void {
    if (entry.older) entry.older.newer = entry.newer
    else this.#oldest = entry.newer
    if (entry.newer) entry.newer.older = entry.older
    else this.#newest = entry.older
    entry.older = undefined
    entry.newer = undefined
  }
}
