import { sql } from 'kysely'
import type { Db, Row } from '../../schema/tables.ts'

/** What is kept of sites for a while, by what its rows are known and how old they are. */
const kept = {
  // Before the events: who said something also did something, so no feedback is left of a site without events.
  site_feedback: { time: 'created_at', key: ['id'] },
  site_events: { time: 'occurred_at', key: ['portion', 'occurred_at', 'id'] },
} as const
export type Kept = keyof typeof kept
export const allKept = Object.keys(kept) as Kept[]

/** Removes about `count` of the oldest before a moment; false when there were none. */
export async function deleteBefore(db: Db, table: Kept, moment: string, count: number): Promise<boolean> {
  const time = sql.ref(kept[table].time)
  const { rows } = await sql<{ time: string }>`
    select ${time} as time from ${sql.table(table)} where ${time} < ${moment} order by ${time} limit ${count}`.execute(
    db,
  )
  const last = rows.at(-1)
  if (last) await sql`delete from ${sql.table(table)} where ${time} <= ${last.time}`.execute(db)
  return last !== undefined
}

export type EventsOwner = Pick<Row<'site_events'>, 'organization_id' | 'site_id'>

/** The site with events that follows in order, and whether it is still there. */
export async function findNextSite(db: Db, { organization_id, site_id }: EventsOwner) {
  const { rows } = await sql<EventsOwner & { is_there: boolean | number }>`
    select organization_id, site_id, exists (
      select 1 from sites where sites.organization_id = site_events.organization_id and sites.id = site_events.site_id
    ) as is_there
    from site_events where (organization_id, site_id) > (${organization_id}, ${site_id})
    order by organization_id, site_id limit 1`.execute(db)
  return rows[0]
}

/** Removes up to `count` of a site; false when there were none. */
export async function deleteOf(db: Db, table: Kept, { organization_id, site_id }: EventsOwner, count: number) {
  const key = sql.join(['organization_id', 'site_id', ...kept[table].key].map((column) => sql.ref(column)))
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where (${key}) in (
      select ${key} from ${sql.table(table)}
      where organization_id = ${organization_id} and site_id = ${site_id} limit ${count}
    )`.execute(db)
  return numAffectedRows > 0n
}
