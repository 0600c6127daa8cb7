import { z } from 'zod'
import { job } from '../../jobs/job.ts'
import type { JobContext } from '../../kernel/context.ts'
import { days, timestamp } from '../../kernel/time.ts'
import * as store from './sweep-store.ts'

/** Retention of events, so that a month can be compared with the same month of the previous year. */
const retention = days(400)
/** Number of rows per transaction, so that other transactions do not wait long. */
const batchSize = 1000

/** Removes old events and feedback, and those of deleted sites. */
export const sweepInsights = job({
  name: 'insights.sweep',
  attempts: 5,
  key: () => '',
  payload: z.object({}).strict(),
  async run(context) {
    const oldest = timestamp(Date.parse(context.now()) - retention)
    for (const table of store.sweptTableNames)
      await repeatUntilDone(context, (db) => store.deleteRowsBefore(db, table, oldest, batchSize))
    let site: store.EventsOwner = { organization_id: '', site_id: '' }
    for (;;) {
      const next = await store.findNextSite(context.db, site)
      if (!next) return
      site = next
      if (next.is_there) continue
      for (const table of store.sweptTableNames)
        await repeatUntilDone(context, (db) => store.deleteRowsOfSite(db, table, next, batchSize))
    }
  },
})

/** Runs a step in transactions of its own until it has nothing more to do. */
async function repeatUntilDone({ transaction, signal }: JobContext, step: Parameters<typeof transaction<boolean>>[0]) {
  while (await transaction(step)) signal.throwIfAborted()
}
