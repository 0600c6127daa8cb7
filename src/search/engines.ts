import { PostgresAdapter } from 'kysely'
import type { Db } from '../schema/tables.ts'
import type { SearchEngine } from './engine.ts'
import { postgresEngine } from './postgres.ts'
import { sqliteEngine } from './sqlite.ts'

export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter

export const searchEngineOf = (db: Db): SearchEngine => (isPostgres(db) ? postgresEngine : sqliteEngine)
