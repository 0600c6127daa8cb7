import type { Db } from '../schema/tables.ts'
import { isPostgres } from '../storage/is-postgres.ts'
import type { SearchEngine } from './engine.ts'
import { postgresEngine } from './postgres.ts'
import { sqliteEngine } from './sqlite.ts'

export const searchEngineOf = (db: Db): SearchEngine => (isPostgres(db) ? postgresEngine : sqliteEngine)
