import SqliteFile from 'libsql'
import { LruCache } from '../kernel/lru-cache.ts'
import { serveTasks } from '../threads/serve.ts'

/** Read-only statement. */
export interface SqliteQuery {
  file: string
  sql: string
  parameters: readonly unknown[]
}

/** Size of the page cache in kibibytes. With the default of 2 MiB, a search reads most pages from the file again. */
const pageCacheSize = 16 * 1024

/** Maximum number of cached compiled statements; compiling a search takes as long as running it. */
const statementCacheSize = 100

let connection: SqliteFile.Database | undefined
const statements = new LruCache<SqliteFile.Statement>(statementCacheSize)

function openReadOnly(file: string): SqliteFile.Database {
  const database = new SqliteFile(file)
  database.pragma('busy_timeout = 1000')
  database.pragma('query_only = ON')
  database.pragma(`cache_size = -${pageCacheSize}`)
  return database
}

function prepare(file: string, sql: string): SqliteFile.Statement {
  const database = (connection ??= openReadOnly(file))
  return statements.getOrCreate(sql, () => database.prepare(sql))
}

serveTasks<SqliteQuery, unknown[]>({
  run: ({ file, sql, parameters }) => prepare(file, sql).all(parameters),
})
