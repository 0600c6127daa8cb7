import SqliteFile from 'libsql'
import { serveTasks } from '../threads/serve.ts'

/** Read-only statement. */
export interface SqliteQuery {
  file: string
  sql: string
  parameters: readonly unknown[]
}

let connection: SqliteFile.Database | undefined

function openReadOnly(file: string): SqliteFile.Database {
  const database = new SqliteFile(file)
  database.pragma('busy_timeout = 1000')
  database.pragma('query_only = ON')
  return database
}

serveTasks<SqliteQuery, unknown[]>({
  run: ({ file, sql, parameters }) => (connection ??= openReadOnly(file)).prepare(sql).all(parameters),
})
