import { setTimeout } from 'node:timers/promises'
import * as store from '../../domain/translations/translation-store.ts'
import type { JobContext } from '../../kernel/context.ts'
import { seconds } from '../../kernel/time.ts'

/** Error that stops the job of a run that was cancelled or deleted. */
export class RunEndedError extends Error {}

const interval = seconds(1)

/** Watches a run; the signal is aborted when the run was cancelled or deleted, or when the job must stop. */
export function watchRun(
  { db, log, signal }: JobContext,
  run: store.TranslationRunRow,
): { signal: AbortSignal; stop(): Promise<void> } {
  const ended = new AbortController()
  const stopped = new AbortController()
  const watch = async () => {
    for (;;) {
      await setTimeout(interval, undefined, { signal: stopped.signal }).catch(() => undefined)
      if (stopped.signal.aborted) return
      try {
        const current = await store.findRun(
          db,
          { organization_id: run.organization_id, id: run.translation_id },
          run.id,
        )
        if (current?.status !== 'running') return ended.abort(new RunEndedError())
      } catch (error) {
        log.warn('The state of a translation could not be read', { error })
      }
    }
  }
  const watching = watch()
  return {
    signal: AbortSignal.any([signal, ended.signal]),
    async stop() {
      stopped.abort()
      await watching
    },
  }
}
