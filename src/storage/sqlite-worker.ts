import SqliteFile from 'libsql'
import { serveTasks } from '../threads/serve.ts'

/** Read-only statement. */
export interface SqliteQuery {
  file: string
  sql: string
  parameters: readonly unknown[]
}

let connection: SqliteFile.Database | undefined

function open(file: string): SqliteFile.Database {
  const opened = new SqliteFile(file)
  opened.pragma('busy_timeout = 1000')
  opened.pragma('query_only = ON')
  return opened
}

serveTasks<SqliteQuery, unknown[]>({
  run: ({ file, sql, parameters }) => (connection ??= open(file)).prepare(sql).all(parameters),
})
