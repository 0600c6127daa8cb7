import { days, timestamp } from '../../kernel/time.ts'
import type { Db } from '../../schema/tables.ts'
import { importRun } from './start.ts'
import * as store from './store.ts'
import { recordRunEvent } from './update-run.ts'

/** Time for which ended imports are kept. */
const runRetention = days(90)

/** Deletes imports that ended long ago, and ends those whose job was given up. */
export async function sweepRuns(db: Db, time: number): Promise<void> {
  const reason = 'The import was interrupted too many times'
  const now = timestamp(time)
  const lost = await store.failLostRuns(db, importRun.name, { reason, updated_at: now })
  for (const run of lost) await recordRunEvent({ db, now: () => now }, run)
  await store.deleteRunsEndedBefore(db, timestamp(time - runRetention))
}
