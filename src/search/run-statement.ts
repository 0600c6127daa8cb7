import type { CompiledQuery, QueryResult } from 'kysely'
import type { Db } from '../schema/tables.ts'
import { isPostgres } from '../storage/is-postgres.ts'
import { executePrepared } from '../storage/prepared-statements.ts'
import { isPreparingUseful } from './postgres-statistics.ts'

/** Runs a statement of a search, which PostgreSQL plans once for each connection if the index is large. */
export const runStatement = async <Row>(db: Db, query: CompiledQuery): Promise<QueryResult<Row>> =>
  isPostgres(db) && (await isPreparingUseful(db)) ? executePrepared<Row>(db, query) : db.executeQuery<Row>(query)
