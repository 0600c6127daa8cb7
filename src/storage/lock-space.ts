import type { Db, Row } from '../schema/tables.ts'
import { isPostgres } from './is-postgres.ts'

/**
 * Locks a space until the end of the transaction, so that changes of its content run one after the other. Correctness
 * does not depend on the lock, because transactions are serializable. But without it a long transaction would
 * repeatedly conflict with short ones, and fail only at its end. SQLite has a single writer and needs no lock.
 */
export async function lockSpace(db: Db, space: Pick<Row<'spaces'>, 'organization_id' | 'id'>): Promise<void> {
  if (!isPostgres(db)) return
  await db
    .selectFrom('spaces')
    .select('id')
    .where('organization_id', '=', space.organization_id)
    .where('id', '=', space.id)
    .forNoKeyUpdate()
    .execute()
}
