import { hash } from 'node:crypto'
import { Cache } from '../kernel/cache.ts'
import { stringSize } from '../kernel/heap-size.ts'
import { type Html, trusted } from '../render/html.ts'
import { ThreadError, ThreadPool } from '../threads/pool.ts'
import { waitUntilSettled } from '../threads/wait-until-settled.ts'
import type { HighlightTask } from './highlight-worker.ts'
import { findLanguage } from './languages.ts'

export interface CodeWithSyntax {
  code: string
  syntax?: string | undefined
}

export interface HighlightResult {
  /** Returns the highlighted lines of a code block; undefined if it is not highlighted, or not yet. */
  highlighted: (code: string, syntax: string | undefined) => readonly Html[] | undefined
  /** Whether every code block is highlighted or cannot be. */
  isComplete: boolean
}

interface HighlighterLimits {
  /** Maximum time in milliseconds for one code block; one that exceeds it twice is not highlighted. */
  timeout: number
  /** Maximum number of characters of code that wait for a thread. */
  maxWaiting: number
  /** Maximum memory of the thread in megabytes. */
  memory: number
}

const defaultLimits: HighlighterLimits = {
  timeout: 5000,
  maxWaiting: 4 * 1024 * 1024,
  memory: 256,
}

/** Maximum number of characters of a code block that is highlighted. */
const maxCodeLength = 100 * 1024

/** Maximum number of code blocks of a background job that wait for the thread at once, so that requests are not delayed much. */
const batchSize = 10

/** Highlights code in a worker thread and caches the result. */
export class Highlighter {
  readonly #limits: HighlighterLimits
  readonly #pool: ThreadPool<HighlightTask, string>
  /** Highlighted HTML; `undefined` for code that could not be highlighted. */
  readonly #cache = new Cache<string | undefined>('code colours', (html) => (html === undefined ? 0 : stringSize(html)))
  readonly #running = new Map<string, Promise<void>>()
  #waitingSize = 0

  constructor(limits: Partial<HighlighterLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits }
    this.#pool = new ThreadPool({
      file: 'highlight-worker',
      threads: 1,
      maxWaiting: Infinity,
      loadTimeout: 20_000,
      taskTimeout: this.#limits.timeout,
      // Most code is highlighted in advance, so a thread is rarely needed again soon.
      idleTimeout: 20_000,
      memory: this.#limits.memory,
    })
  }

  /**
   * Returns the highlighted code that is already stored or available within `budget` milliseconds; the rest is cached
   * when it is finished.
   */
  async highlight(
    codes: readonly CodeWithSyntax[],
    budget: number,
    stored: ReadonlyMap<string, string | null> = new Map(),
  ): Promise<HighlightResult> {
    const keys = codes.flatMap(({ code, syntax }) => this.#start(code, findLanguage(syntax), stored) ?? [])
    const running = keys.flatMap((key) => this.#running.get(key) ?? [])
    if (running.length > 0 && budget > 0) await waitUntilSettled(running, budget)
    const found = new Map(keys.map((key) => [key, this.#cache.get(key)]))
    return {
      highlighted(code, syntax) {
        const key = keyOf(code, findLanguage(syntax))
        return (stored.get(key) ?? found.get(key))?.split('\n').map(trusted)
      },
      isComplete: keys.every((key) => this.#cache.has(key)),
    }
  }

  /** Highlights all code blocks without a time limit; null for those that cannot be highlighted. */
  async highlightAll(codes: readonly CodeWithSyntax[], signal?: AbortSignal): Promise<Map<string, string | null>> {
    const htmlByKey = new Map<string, string | null>()
    for (let start = 0; start < codes.length; start += batchSize) {
      const keys = codes
        .slice(start, start + batchSize)
        .flatMap(({ code, syntax }) => this.#start(code, findLanguage(syntax)) ?? [])
      await waitUnlessAborted(Promise.all(keys.flatMap((key) => this.#running.get(key) ?? [])), signal)
      for (const key of keys) if (this.#cache.has(key)) htmlByKey.set(key, this.#cache.get(key) ?? null)
    }
    return htmlByKey
  }

  /** Ends the thread; code that is still waiting is not highlighted. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  /**
   * Starts highlighting a code block unless that is done or running; returns its key unless it is stored or cannot be
   * highlighted.
   */
  #start(code: string, language: string | undefined, stored?: ReadonlyMap<string, string | null>): string | undefined {
    if (language === undefined || code.length > maxCodeLength || code.trim() === '') return undefined
    const key = keyOf(code, language)
    if (stored?.has(key)) return undefined
    if (this.#cache.has(key) || this.#running.has(key) || this.#waitingSize > this.#limits.maxWaiting) return key
    this.#waitingSize += code.length
    const running = this.#highlight(key, { code, language }).finally(() => {
      this.#waitingSize -= code.length
      this.#running.delete(key)
    })
    this.#running.set(key, running)
    return key
  }

  async #highlight(key: string, task: HighlightTask): Promise<void> {
    try {
      this.#cache.set(key, await this.#runWithRetry(task))
    } catch (error) {
      if (error instanceof ThreadError && error.code === 'closed') return
      this.#cache.set(key, undefined)
    }
  }

  /**
   * Runs a task and retries it once after the waiting ones, because a thread may fail due to an earlier task or a busy machine.
   */
  async #runWithRetry(task: HighlightTask): Promise<string> {
    try {
      return await this.#pool.run(task)
    } catch (error) {
      if (error instanceof ThreadError && (error.code === 'timeout' || error.code === 'crashed')) {
        return this.#pool.run(task)
      }
      throw error
    }
  }
}

const keyOf = (code: string, language: string | undefined): string =>
  hash('sha256', `${language}\n${code}`, 'base64url')

async function waitUnlessAborted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  let onAbort: (() => void) | undefined
  const aborted = new Promise<void>((_, reject) => {
    onAbort = () => reject(signal?.reason as Error)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
  try {
    await Promise.race([work, aborted])
  } finally {
    if (onAbort) signal?.removeEventListener('abort', onAbort)
  }
}
