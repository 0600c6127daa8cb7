import { setTimeout } from 'node:timers/promises'
import type { ImportedPage } from '../../contract/imports.ts'
import type { JobContext } from '../../kernel/context.ts'
import { seconds } from '../../kernel/time.ts'
import type { Row } from '../../schema/tables.ts'
import * as store from './store.ts'
import { updateRun } from './update-run.ts'

/** Error that stops the job of a run that was cancelled or deleted. */
export class RunEndedError extends Error {}

const updateInterval = seconds(1)

/** Stores the progress of a run, and detects when it is cancelled. */
export class RunMonitor {
  /** Aborts when the run has ended or the job must stop. */
  readonly signal: AbortSignal
  readonly #context: JobContext
  readonly #run: Row<'import_runs'>
  readonly #ended = new AbortController()
  readonly #stopped = new AbortController()
  readonly #watching: Promise<void>
  readonly #pages: ImportedPage[] = []
  #done = 0
  #total = 0
  #hasChanges = false

  constructor(context: JobContext, run: Row<'import_runs'>) {
    this.#context = context
    this.#run = run
    this.signal = AbortSignal.any([context.signal, this.#ended.signal])
    this.#watching = this.#watch()
  }

  setProgress(done: number, total: number): void {
    this.#done = done
    this.#total = total
    this.#hasChanges = true
  }

  /** Adds a page that was read but is not part of the target yet. */
  addPage(page: Pick<ImportedPage, 'sourceURL' | 'title'>): void {
    this.#pages.push({ ...page, type: 'page', status: 'pending' })
    this.#hasChanges = true
  }

  /** Stops watching; nothing is stored afterwards. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#watching
  }

  async #watch(): Promise<void> {
    for (;;) {
      // The longer the list of pages, the less often it is stored.
      const pause = updateInterval + this.#pages.length
      await setTimeout(pause, undefined, { signal: this.#stopped.signal }).catch(() => undefined)
      if (this.#stopped.signal.aborted) return
      try {
        if (!(await this.#storeProgress())) return this.#ended.abort(new RunEndedError())
      } catch (error) {
        this.#context.log.warn('The progress of an import could not be stored', { error })
      }
    }
  }

  /** Stores the progress; returns whether the run is still active. */
  async #storeProgress(): Promise<boolean> {
    const { db, transaction, now } = this.#context
    if (!this.#hasChanges) {
      const run = await store.findRun(db, this.#run.organization_id, this.#run.id)
      return run?.status === 'in-progress'
    }
    this.#hasChanges = false
    const progress = { done: this.#done, total: this.#total, pages: JSON.stringify(this.#pages), updated_at: now() }
    return (await transaction((tx) => updateRun({ db: tx, now }, this.#run, progress))) !== undefined
  }
}
