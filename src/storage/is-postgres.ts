import { PostgresAdapter } from 'kysely'
import type { Db } from '../schema/tables.ts'

/** Whether a database is PostgreSQL and not SQLite. */
export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter
