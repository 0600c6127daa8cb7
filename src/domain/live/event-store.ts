import { type Insertable, sql } from 'kysely'
import type { Database } from '../../storage/database.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

export type LiveEventRow = Pick<Row<'live_events'>, 'organization_id' | 'space_id' | 'user_id' | 'kind' | 'data'>

export async function insertLiveEvent(db: Db, event: Insertable<Tables['live_events']>): Promise<void> {
  await db.insertInto('live_events').values(event).execute()
}

/** Deletes events that were recorded before a time. */
export async function deleteLiveEventsBefore(db: Db, moment: string): Promise<void> {
  await db.deleteFrom('live_events').where('created_at', '<', moment).execute()
}

/**
 * Committed events up to a moment. In SQLite, where transactions commit one after the other, a position is the number of the
 * last event. In PostgreSQL, transactions commit in any order, and a position is a snapshot: a list of the committed ones.
 */
export type Position = string

export interface EventRange {
  after: Position
  until: Position
  organizationIds: readonly string[]
  limit: number
}

/** Reads positions and the events between them. */
export interface EventReader {
  readPosition(): Promise<Position>
  /** Whether a position that a client has sent can be compared with the current one. */
  isUsable(position: string, current: Position): boolean
  findEvents(range: EventRange): Promise<LiveEventRow[]>
}

export function createEventReader(database: Database): EventReader {
  return database.engine === 'postgres' ? createPostgresReader(database) : createSqliteReader(database.reader)
}

function createSqliteReader(db: Db): EventReader {
  return {
    async readPosition() {
      const { rows } = await sql<{
        seq: number
      }>`select seq from sqlite_sequence where name = 'live_events'`.execute(db)
      return String(rows[0]?.seq ?? 0)
    },
    isUsable: (position, current) => /^\d{1,15}$/.test(position) && Number(position) <= Number(current),
    findEvents: ({ after, until, organizationIds, limit }) =>
      selectEvents(db, organizationIds, limit)
        .where('number', '>', Number(after))
        .where('number', '<=', Number(until))
        .execute(),
  }
}

function createPostgresReader(database: Database): EventReader {
  const db = database.reader
  return {
    async readPosition() {
      return database.mark()
    },
    isUsable(position, current) {
      const snapshot = parseSnapshot(position)
      // A restored database counts its transactions from another number.
      return snapshot !== undefined && snapshot.end <= (parseSnapshot(current)?.end ?? 0n)
    },
    findEvents: ({ after, until, organizationIds, limit }) =>
      selectEvents(db, organizationIds, limit)
        .where(sql<boolean>`transaction_id >= pg_snapshot_xmin(${after}::pg_snapshot)`)
        .where(sql<boolean>`not pg_visible_in_snapshot(transaction_id, ${after}::pg_snapshot)`)
        .where(sql<boolean>`pg_visible_in_snapshot(transaction_id, ${until}::pg_snapshot)`)
        .execute(),
  }
}

function selectEvents(db: Db, organizationIds: readonly string[], limit: number) {
  return db
    .selectFrom('live_events')
    .select(['organization_id', 'space_id', 'user_id', 'kind', 'data'])
    .where('organization_id', 'in', organizationIds)
    .orderBy('number')
    .limit(limit)
}

/** Parses a snapshot `start:end:running,…`; returns undefined if PostgreSQL would refuse it. */
function parseSnapshot(text: string): { end: bigint } | undefined {
  const [, start, end, running] = /^([1-9]\d{0,17}):([1-9]\d{0,17}):((?:[1-9]\d{0,17}(?:,|$))*)$/.exec(text) ?? []
  if (start === undefined || end === undefined || running === undefined || running.endsWith(',')) return undefined
  const listed = [start, ...(running === '' ? [] : running.split(',')), end].map(BigInt)
  // The first running transaction may be the start; each of the others is later than the one before.
  const isOrdered = listed.every((value, index) => {
    const previous = listed[index - 1]
    return previous === undefined || (index === 1 ? previous <= value : previous < value)
  })
  return isOrdered ? { end: BigInt(end) } : undefined
}
