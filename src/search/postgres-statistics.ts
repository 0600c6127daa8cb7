import { sql } from 'kysely'
import { minutes } from '../kernel/time.ts'
import type { Db } from '../schema/tables.ts'

/** Time for which statistics are reused; PostgreSQL updates them after a tenth of the rows has changed. */
const statisticsTtl = minutes(1)

interface Statistics {
  readAt: number
  shares: Promise<ReadonlyMap<string, number>>
}

/** Statistics by the adapter of a database, which its transactions share. */
const statisticsByAdapter = new WeakMap<object, Statistics>()

/** Returns the approximate share of all indexed sections that belong to some spaces, from 0 to 1. */
export async function estimateShare(db: Db, spaceIds: readonly string[]): Promise<number> {
  const now = performance.now()
  const { adapter } = db.getExecutor()
  let statistics = statisticsByAdapter.get(adapter)
  if (!statistics || now - statistics.readAt > statisticsTtl) {
    const shares = readShares(db)
    shares.catch(() => statisticsByAdapter.delete(adapter))
    statisticsByAdapter.set(adapter, (statistics = { readAt: now, shares }))
  }
  const shares = await statistics.shares
  return spaceIds.reduce((sum, spaceId) => sum + (shares.get(spaceId) ?? 0), 0)
}

/** Reads the share of each of the largest spaces from the statistics of the planner. */
async function readShares(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ space_id: string; share: number }>`
    select largest.space_id, largest.share::float8 as share
    from pg_stats cross join unnest(most_common_vals::text::text[], most_common_freqs) as largest (space_id, share)
    where schemaname = current_schema() and tablename = 'search_sections' and attname = 'space_id'`.execute(db)
  return new Map(rows.map(({ space_id, share }) => [space_id, share]))
}
