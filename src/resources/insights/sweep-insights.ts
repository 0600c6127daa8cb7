import { z } from 'zod'
import { job } from '../../jobs/job.ts'
import type { JobContext } from '../../kernel/context.ts'
import { days, timestamp } from '../../kernel/time.ts'
import { sql } from 'kysely'
import type { Db, Row } from '../../schema/tables.ts'

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
    for (const table of sweptTableNames)
      await repeatUntilDone(context, (db) => deleteRowsBefore(db, table, oldest, batchSize))
    let site: EventsOwner = { organization_id: '', site_id: '' }
    for (;;) {
      const next = await findNextSite(context.db, site)
      if (!next) return
      site = next
      if (next.is_there) continue
      for (const table of sweptTableNames)
        await repeatUntilDone(context, (db) => deleteRowsOfSite(db, table, next, batchSize))
    }
  },
})

/** Repeats a step, each time in a separate transaction, until it has nothing more to do. */
async function repeatUntilDone({ transaction, signal }: JobContext, step: Parameters<typeof transaction<boolean>>[0]) {
  while (await transaction(step)) signal.throwIfAborted()
}

/** Tables with a retention period: the column of the time, and the key of a row within its site. */
const sweptTables = {
  // Before the events: all feedback has events, so a site without events has no feedback left either.
  site_feedback: { time: 'created_at', key: ['id'] },
  site_events: { time: 'occurred_at', key: ['portion', 'occurred_at', 'id'] },
} as const
type SweptTable = keyof typeof sweptTables
const sweptTableNames = Object.keys(sweptTables) as SweptTable[]

/** Deletes about `count` of the oldest rows before a time; returns false if there were none. */
async function deleteRowsBefore(db: Db, table: SweptTable, moment: string, count: number): Promise<boolean> {
  const time = sql.ref(sweptTables[table].time)
  const { rows } = await sql<{ time: string }>`
    select ${time} as time from ${sql.table(table)} where ${time} < ${moment} order by ${time} limit ${count}`.execute(
    db,
  )
  const last = rows.at(-1)
  if (last) await sql`delete from ${sql.table(table)} where ${time} <= ${last.time}`.execute(db)
  return last !== undefined
}

type EventsOwner = Pick<Row<'site_events'>, 'organization_id' | 'site_id'>

/** Finds the next site with events in key order, and whether the site still exists. */
async function findNextSite(db: Db, { organization_id, site_id }: EventsOwner) {
  const { rows } = await sql<EventsOwner & { is_there: boolean | number }>`
    select organization_id, site_id, exists (
      select 1 from sites where sites.organization_id = site_events.organization_id and sites.id = site_events.site_id
    ) as is_there
    from site_events where (organization_id, site_id) > (${organization_id}, ${site_id})
    order by organization_id, site_id limit 1`.execute(db)
  return rows[0]
}

/** Deletes up to `count` rows of a site; returns false if there were none. */
async function deleteRowsOfSite(db: Db, table: SweptTable, { organization_id, site_id }: EventsOwner, count: number) {
  const key = sql.join(['organization_id', 'site_id', ...sweptTables[table].key].map((column) => sql.ref(column)))
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where (${key}) in (
      select ${key} from ${sql.table(table)}
      where organization_id = ${organization_id} and site_id = ${site_id} limit ${count}
    )`.execute(db)
  return numAffectedRows > 0n
}
