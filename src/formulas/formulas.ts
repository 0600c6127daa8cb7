import { hash } from 'node:crypto'
import { createYielder } from '../kernel/event-loop.ts'
import { Cache } from '../kernel/cache.ts'
import { stringSize } from '../kernel/heap-size.ts'
import type { DocumentFormula } from '../render/formulas.ts'
import { maxFormulaLength, renderFormula } from '../render/math.ts'
import { ThreadError, ThreadPool } from '../threads/pool.ts'
import { waitUntilSettled } from '../threads/wait-until-settled.ts'

export interface RenderedFormulas {
  /** The HTML of a formula; undefined when it cannot be rendered, or is not rendered yet. */
  rendered: (formula: string, isBlock: boolean) => string | undefined
  /** Whether every formula has been rendered, or cannot be. */
  isComplete: boolean
}

/** Formulas up to this length are rendered at once, in a few milliseconds at most; longer ones in a worker thread. */
const maxInlineLength = 100

/** Maximum total length of the formulas of a page that are rendered, in characters. */
const maxSourcePerPage = 50_000

/** Renders formulas and caches them by their source; those that may take long are rendered in a worker thread. */
export class FormulaRenderer {
  /** `undefined` for a formula that cannot be rendered. */
  readonly #cache = new Cache<string | undefined>('formulas', (html) => (html === undefined ? 0 : stringSize(html)))
  readonly #running = new Map<string, Promise<void>>()
  readonly #pool = new ThreadPool<DocumentFormula, string | undefined>({
    file: 'formula-worker',
    threads: 1,
    // Formulas beyond this limit are shown as source until a later request renders them.
    maxWaiting: 1000,
    loadTimeout: 20_000,
    taskTimeout: 3000,
    idleTimeout: 60_000,
    memory: 128,
  })

  /** Returns the formulas that are rendered within `budget` milliseconds; the others are cached when they are done. */
  async render(formulas: Iterable<DocumentFormula>, budget: number): Promise<RenderedFormulas> {
    const yieldIfDue = createYielder()
    const found = new Map<string, string | undefined>()
    const running = new Map<string, Promise<void>>()
    let remainingLength = maxSourcePerPage
    for (const { formula, isBlock } of formulas) {
      const key = keyOf(formula, isBlock)
      if (found.has(key) || running.has(key) || formula.length > maxFormulaLength) continue
      remainingLength -= formula.length
      if (remainingLength < 0) break
      if (!this.#cache.has(key) && formula.length <= maxInlineLength) {
        this.#cache.set(key, renderFormula(formula, isBlock))
        await yieldIfDue()
      }
      if (this.#cache.has(key)) found.set(key, this.#cache.get(key))
      else running.set(key, this.#start(key, { formula, isBlock }))
    }
    if (running.size > 0) await waitUntilSettled([...running.values()], budget)
    for (const key of running.keys()) if (this.#cache.has(key)) found.set(key, this.#cache.get(key))
    return {
      rendered: (formula, isBlock) => found.get(keyOf(formula, isBlock)),
      isComplete: [...running.keys()].every((key) => found.has(key)),
    }
  }

  /** Ends the thread; formulas that are still waiting are not rendered. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  #start(key: string, task: DocumentFormula): Promise<void> {
    const existing = this.#running.get(key)
    if (existing) return existing
    const running = this.#renderInThread(key, task).finally(() => this.#running.delete(key))
    this.#running.set(key, running)
    return running
  }

  async #renderInThread(key: string, task: DocumentFormula): Promise<void> {
    try {
      this.#cache.set(key, await this.#pool.run(task))
    } catch (error) {
      const mayWorkLater = error instanceof ThreadError && (error.code === 'closed' || error.code === 'overloaded')
      if (!mayWorkLater) this.#cache.set(key, undefined)
    }
  }
}

const keyOf = (formula: string, isBlock: boolean): string =>
  hash('sha256', `${isBlock ? 'block' : 'inline'}\n${formula}`, 'base64url')
