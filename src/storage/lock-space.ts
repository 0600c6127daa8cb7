import { PostgresAdapter } from 'kysely'
import type { Db, Row } from '../schema/tables.ts'

/**
 * Lets those who change what a space contains come one after the other, for the rest of the transaction. Nothing rests on it:
 * transactions are serializable anyway. But without it a long one is overtaken by short ones again and again, and learns
 * of it only at its end. The embedded engine has a single writer.
 */
export async function lockSpace(db: Db, space: Pick<Row<'spaces'>, 'organization_id' | 'id'>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  await db
    .selectFrom('spaces')
    .select('id')
    .where('organization_id', '=', space.organization_id)
    .where('id', '=', space.id)
    .forNoKeyUpdate()
    .execute()
}
