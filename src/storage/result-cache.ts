import { Cache, cacheLimit } from '../kernel/cache.ts'
import { heapSizeOf } from '../kernel/heap-size.ts'

/** A larger result would push too many others out of the cache. */
const largestResult = () => cacheLimit('look-ups') / 8

interface Result {
  value: unknown
  size: number
}

/**
 * Results of look-ups and lists. They are used only while the mark of the database is the same, that is while nothing
 * was committed by any process, so a revoked token or a changed role counts at once.
 */
export class ResultCache {
  readonly #readMark: () => Promise<string> | string
  readonly #results = new Cache<Result>('look-ups', ({ size }) => size)
  /** The mark under which all results were read. */
  #mark = ''
  /** The mark that has just arrived. */
  #fresh: string | undefined

  constructor(readMark: () => Promise<string> | string) {
    this.#readMark = readMark
  }

  async getOr(key: string, run: () => unknown): Promise<unknown> {
    const asked = this.#fresh ?? this.#readMark()
    const mark = typeof asked === 'string' ? asked : await this.#arrival(asked)
    if (mark !== this.#mark) {
      this.#results.clear()
      this.#mark = mark
    }
    const known = this.#results.get(key)
    if (known) return known.value
    const value = await run()
    // What was read under an older mark may lack what was committed since.
    if (mark === this.#mark) this.#store(key, value)
    return value
  }

  /**
   * Waits for a mark. It also holds for all that goes on at once with its arrival: the next tick comes after that, and
   * before anything else is received, so no request uses a mark that is older than itself.
   */
  async #arrival(asked: Promise<string>): Promise<string> {
    const mark = await asked
    this.#fresh = mark
    process.nextTick(() => (this.#fresh = undefined))
    return mark
  }

  #store(key: string, value: unknown): void {
    const size = heapSizeOf(value)
    if (size > largestResult()) return
    // Several requests share it.
    if (Array.isArray(value)) value.forEach(Object.freeze)
    this.#results.set(key, { value: Object.freeze(value), size })
  }
}
