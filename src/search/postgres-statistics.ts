import { sql } from 'kysely'
import { minutes } from '../kernel/time.ts'
import type { Db } from '../schema/tables.ts'

/** Time for which statistics are reused; PostgreSQL updates them after a tenth of the rows has changed. */
const statisticsTtl = minutes(1)

/** Statistics that PostgreSQL has collected about the index, with shares from 0 to 1. */
interface Statistics {
  sections: number
  /** Shares of all sections by space, of the largest spaces. */
  spaces: ReadonlyMap<string, number>
  /** Shares of all sections that contain a word, of the most common words. */
  words: ReadonlyMap<string, number>
}

/** Statistics by the adapter of a database, which its transactions share. */
const statisticsByAdapter = new WeakMap<object, { readAt: number; statistics: Promise<Statistics> }>()

/** Minimum number of indexed sections; the plan of a statement that was prepared with them remains suitable for a larger index. */
const minPreparedSections = 5000

/**
 * Whether statements of searches are prepared. A plan for a small index reads all of it, and would be kept until PostgreSQL updates its
 * statistics, although many pages may have been added.
 */
export const isPreparingUseful = async (db: Db): Promise<boolean> =>
  (await getStatistics(db)).sections >= minPreparedSections

/** Returns the approximate share of all indexed sections that belong to some spaces. */
export async function estimateShare(db: Db, spaceIds: readonly string[]): Promise<number> {
  return sumShares(await getStatistics(db), spaceIds)
}

/** Returns a function that estimates the share of all sections with a word that begins with a prefix, as if words were independent. */
export async function createPrefixShareEstimate(db: Db): Promise<(prefix: string) => number> {
  const { words } = await getStatistics(db)
  return (prefix) => {
    let shareWithout = 1
    for (const [word, share] of words) if (word.startsWith(prefix)) shareWithout *= 1 - share
    return 1 - shareWithout
  }
}

/** Estimated number of sections with a word. */
export interface CountEstimate {
  /** As if all sections of other spaces contained the word. */
  min: number
  /** As if the word were as common in other spaces. */
  expected: number
}

/** Returns a function that estimates how many sections of some spaces contain a word. */
export async function createCountEstimate(
  db: Db,
  spaceIds: readonly string[],
): Promise<(word: string) => CountEstimate> {
  const statistics = await getStatistics(db)
  const share = sumShares(statistics, spaceIds)
  return (word) => {
    const wordShare = statistics.words.get(word) ?? 0
    return {
      min: Math.max(0, wordShare - (1 - share)) * statistics.sections,
      expected: wordShare * share * statistics.sections,
    }
  }
}

const sumShares = ({ spaces }: Statistics, spaceIds: readonly string[]): number =>
  spaceIds.reduce((sum, spaceId) => sum + (spaces.get(spaceId) ?? 0), 0)

function getStatistics(db: Db): Promise<Statistics> {
  const now = performance.now()
  const { adapter } = db.getExecutor()
  const cached = statisticsByAdapter.get(adapter)
  if (cached && now - cached.readAt <= statisticsTtl) return cached.statistics
  const statistics = readStatistics(db)
  statistics.catch(() => statisticsByAdapter.delete(adapter))
  statisticsByAdapter.set(adapter, { readAt: now, statistics })
  return statistics
}

async function readStatistics(db: Db): Promise<Statistics> {
  const { rows } = await sql<{ column: string; value: string; share: number; sections: number }>`
    select attname as column, common.value, common.share::float8 as share,
      (select reltuples::float8 from pg_class where oid = 'search_sections'::regclass) as sections
    from pg_stats cross join lateral unnest(
      coalesce(most_common_elems, most_common_vals)::text::text[],
      coalesce(most_common_elem_freqs, most_common_freqs)
    ) as common (value, share)
    where schemaname = current_schema() and tablename = 'search_sections' and attname in ('space_id', 'words')
      and common.value is not null`.execute(db)
  const select = (column: string) =>
    new Map(rows.filter((row) => row.column === column).map(({ value, share }) => [value, share]))
  return { sections: rows[0]?.sections ?? 0, spaces: select('space_id'), words: select('words') }
}
