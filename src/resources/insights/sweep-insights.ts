import { z } from 'zod'
import { job } from '../../jobs/job.ts'
import type { JobContext } from '../../kernel/context.ts'
import { days, timestamp } from '../../kernel/time.ts'
import * as store from './sweep-store.ts'

/** A month of every year can be compared with the same month of the year before. */
const retention = days(400)
/** So few that nobody waits long for the transaction that removes them. */
const portion = 1000

/** Removes old events and feedback, and those of sites that are gone. */
export const sweepInsights = job({
  name: 'insights.sweep',
  attempts: 5,
  key: () => '',
  payload: z.object({}).strict(),
  async run(context) {
    const oldest = timestamp(Date.parse(context.now()) - retention)
    for (const table of store.allKept) await repeat(context, (db) => store.deleteBefore(db, table, oldest, portion))
    let site: store.EventsOwner = { organization_id: '', site_id: '' }
    for (;;) {
      const next = await store.findNextSite(context.db, site)
      if (!next) return
      site = next
      if (next.is_there) continue
      for (const table of store.allKept) await repeat(context, (db) => store.deleteOf(db, table, next, portion))
    }
  },
})

/** In transactions of their own, until there is nothing more to do. */
async function repeat({ transaction, signal }: JobContext, step: Parameters<typeof transaction<boolean>>[0]) {
  while (await transaction(step)) signal.throwIfAborted()
}
