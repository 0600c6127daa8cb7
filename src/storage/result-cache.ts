import { Cache, cacheLimit } from '../kernel/cache.ts'
import { estimateHeapSize } from '../kernel/heap-size.ts'

/** Maximum size of a cached result; a larger one would evict too many others. */
const maxResultSize = () => cacheLimit('look-ups') / 8

interface CachedResult {
  value: unknown
  size: number
}

/**
 * Cache of the results of lookups and lists. They are used only while the mark of the database is unchanged, which
 * means that no process has committed anything, so a revoked token or a changed role takes effect immediately.
 */
export class ResultCache {
  readonly #readMark: () => Promise<string> | string
  readonly #results = new Cache<CachedResult>('look-ups', ({ size }) => size)
  /** Mark under which all results were read. */
  #mark = ''
  /** Mark that was received in the current turn of the event loop. */
  #currentMark: string | undefined

  constructor(readMark: () => Promise<string> | string) {
    this.#readMark = readMark
  }

  async getOr(key: string, run: () => unknown): Promise<unknown> {
    const currentMark = this.#currentMark ?? this.#readMark()
    const mark = typeof currentMark === 'string' ? currentMark : await this.#awaitMark(currentMark)
    if (mark !== this.#mark) {
      this.#results.clear()
      this.#mark = mark
    }
    const cached = this.#results.get(key)
    if (cached) return cached.value
    const value = await run()
    // A result that was read under an older mark may be outdated.
    if (mark === this.#mark) this.#store(key, value)
    return value
  }

  /**
   * Waits for a mark. The mark is also used by everything that continues in the same turn: it is cleared on the next
   * tick, before anything else is received, so no request uses a mark that is older than the request.
   */
  async #awaitMark(reading: Promise<string>): Promise<string> {
    const mark = await reading
    this.#currentMark = mark
    process.nextTick(() => (this.#currentMark = undefined))
    return mark
  }

  #store(key: string, value: unknown): void {
    const size = estimateHeapSize(value)
    if (size > maxResultSize()) return
    // Values are frozen because several requests share them.
    if (Array.isArray(value)) value.forEach(Object.freeze)
    this.#results.set(key, { value: Object.freeze(value), size })
  }
}
