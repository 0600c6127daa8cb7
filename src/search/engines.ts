import { PostgresAdapter } from 'kysely'
import type { Db } from '../schema/tables.ts'
import type { SearchEngine } from './engine.ts'
import { postgresEngine } from './postgres.ts'
import { sqliteEngine } from './sqlite.ts'

export function searchEngineOf(db: Db): SearchEngine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? postgresEngine : sqliteEngine
}
