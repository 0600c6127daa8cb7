import type { CompiledQuery, QueryResult } from 'kysely'
import type { Db } from '../schema/tables.ts'
import { isPostgres } from './is-postgres.ts'

/** Maximum number of prepared statements, because every connection keeps their plans. */
const maxStatements = 80

/** Names of prepared statements by their text. */
const names = new Map<string, string>()

/**
 * Runs a query that PostgreSQL plans once for each connection and not for each run, because planning it takes longer than running
 * it. Its text must have few variants: lists are passed as one parameter. SQLite keeps all compiled statements automatically.
 */
export function executePrepared<Row>(db: Db, query: CompiledQuery): Promise<QueryResult<Row>> {
  const { sql } = query
  if (isPostgres(db) && !names.has(sql) && names.size < maxStatements) names.set(sql, `prepared_${names.size}`)
  return db.executeQuery<Row>(query)
}

/** Returns the name under which connections prepare a statement; undefined for other statements. */
export const preparedNameOf = (text: string): string | undefined => names.get(text)
