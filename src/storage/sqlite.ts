import { dirname } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import SqliteFile from 'libsql'
import { AppError } from '../kernel/errors.ts'
import { LruCache } from '../kernel/lru-cache.ts'
import { seconds } from '../kernel/time.ts'
import type { DatabaseAccess, Database } from './database.ts'
import { assertWritable } from './disk.ts'
import { type ListRunner, type LookupRunner, registerLookupRunners } from './lookup.ts'
import { asDatabaseOutage } from './outages.ts'
import { registerSlowReader } from './slow-reader.ts'
import { openSqliteInThreads } from './sqlite-threads.ts'
import type { Db, Tables } from '../schema/tables.ts'

/** Maximum time that a transaction waits for another writing process (a command-line tool; a second server is refused). */
const writeTimeout = seconds(10)

/** Maximum time that opening waits for other processes that open or close the database, which SQLite does exclusively. */
const openTimeout = seconds(5)
const sleepBuffer = new Int32Array(new SharedArrayBuffer(4))

/**
 * Maximum number of cached compiled statements. The code has fewer distinct ones; this only limits generated `in (...)` lists.
 */
const statementCacheSize = 500

/**
 * Opens the SQLite database with one connection that writes and one that only reads. SQLite runs inside this process
 * and replies synchronously, so more readers would not help; but a reader never waits for an open transaction.
 */
export function openSqlite(file: string): Database {
  const writeConnection = openConnection(file)
  const readConnection = openConnection(file, { readonly: true })
  const reader = new Kysely<Tables>({ dialect: createDialect(readConnection) })
  const marks = new MarkReader(readConnection)
  registerLookupRunners(reader, {
    runLookup: createLookupRunner(readConnection),
    runList: createListRunner(readConnection),
    mark: () => marks.readBatched(),
  })
  const threadReader = openSqliteInThreads(file)
  registerSlowReader(reader, threadReader)
  const writer = new Kysely<Tables>({ dialect: createDialect(writeConnection, () => marks.invalidate()) })
  const access: DatabaseAccess = {
    reader,
    transaction: (work) => writer.transaction().execute((transaction) => work(transaction as Db)),
  }
  return {
    engine: 'sqlite',
    ...access,
    unlimited: access,
    mark: () => marks.read(),
    async check() {
      await reader.executeQuery(CompiledQuery.raw('select 1'))
      try {
        await assertWritable(dirname(file))
      } catch (error) {
        throw asDatabaseOutage(error)
      }
    },
    async close() {
      await threadReader.destroy()
      await reader.destroy()
      await writer.destroy()
    },
  }
}

/**
 * Reads the data version, which changes whenever another connection in any process has committed. It is read once for
 * all requests that arrived together; a request that was sent after its client learned of a commit is never among them.
 */
class MarkReader {
  readonly #versionStatement: SqliteFile.Statement
  #cachedMark: string | undefined
  #batchedRead: Promise<string> | undefined

  constructor(file: SqliteFile.Database) {
    this.#versionStatement = file.prepare('PRAGMA data_version').raw()
  }

  read(): string {
    if (this.#cachedMark === undefined) {
      this.#cachedMark = rethrowAsOutage(() => String((this.#versionStatement.get([]) as unknown[])[0]))
      setImmediate(() => this.invalidate())
    }
    return this.#cachedMark
  }

  /** Waits until all received requests were read: requests that continue together take half the CPU time. */
  readBatched(): Promise<string> {
    return (this.#batchedRead ??= nextTurn().then(() => {
      this.#batchedRead = undefined
      return this.read()
    }))
  }

  /** Discards the mark after a commit, because the caller may read again before the next requests arrive. */
  invalidate(): void {
    this.#cachedMark = undefined
  }
}

function openConnection(file: string, options: { readonly?: boolean } = {}): SqliteFile.Database {
  for (const deadline = Date.now() + openTimeout; ; Atomics.wait(sleepBuffer, 0, 0, 10)) {
    const connection = new SqliteFile(file)
    try {
      configureConnection(connection, options)
      return connection
    } catch (error) {
      connection.close()
      if (!isSqliteBusy(error) || Date.now() > deadline) throw error
    }
  }
}

function configureConnection(connection: SqliteFile.Database, { readonly = false }: { readonly?: boolean }): void {
  // With FULL, a commit is on the disk before it is acknowledged, so it survives a power failure and a killed process.
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 0']) {
    connection.pragma(pragma)
  }
  if (readonly) connection.pragma('query_only = ON')
}

function createDialect(connection: SqliteFile.Database, onCommit: () => void = () => {}): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(connection, onCommit),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class SqliteDriver implements Driver {
  readonly #file: SqliteFile.Database
  readonly #connection: SqliteConnection
  readonly #onCommit: () => void
  /** Resolves when the previous transaction has ended. */
  #lastTransaction: Promise<void> = Promise.resolve()
  #endTransaction: () => void = () => {}

  constructor(file: SqliteFile.Database, onCommit: () => void) {
    this.#file = file
    this.#onCommit = onCommit
    this.#connection = new SqliteConnection(file)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    const previous = this.#lastTransaction
    const { promise, resolve } = withResolvers()
    this.#lastTransaction = promise
    await previous
    this.#endTransaction = resolve
    try {
      await this.#begin()
    } catch (error) {
      resolve()
      throw error
    }
  }

  async commitTransaction(): Promise<void> {
    rethrowAsOutage(() => this.#file.exec('COMMIT'))
    this.#onCommit()
    this.#endTransaction()
  }

  async rollbackTransaction(): Promise<void> {
    // SQLite rolls back automatically after some errors, for example when the disk is full.
    if (this.#file.inTransaction) this.#file.exec('ROLLBACK')
    this.#endTransaction()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#file.close()
  }

  /** Begins a transaction; waits without blocking the process, unlike the busy timeout of SQLite. */
  async #begin(): Promise<void> {
    for (const deadline = Date.now() + writeTimeout; ; await sleep(5)) {
      try {
        this.#file.exec('BEGIN IMMEDIATE')
        return
      } catch (error) {
        if (!isSqliteBusy(error)) throw asDatabaseOutage(error)
        if (Date.now() > deadline)
          throw new AppError('unavailable', 'The database is locked by another process. Try again')
      }
    }
  }
}

function rethrowAsOutage<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asDatabaseOutage(error)
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: (() => void) | undefined
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve: resolve as unknown as () => void }
}

/** Whether an error means that another connection has locked the database. */
export function isSqliteBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

/** Whether an error means that the file is damaged or not a database. */
export function isSqliteCorrupt(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code))
}

/** Compiled statement with the shape of its rows, if it returns any. */
interface PreparedStatement {
  statement: SqliteFile.Statement
  shape: RowShape | undefined
}

/** Column names, and a row without values. */
interface RowShape {
  columns: string[]
  emptyRow: Record<string, unknown>
}

class SqliteConnection implements DatabaseConnection {
  readonly #file: SqliteFile.Database
  readonly #statements = new LruCache<PreparedStatement>(statementCacheSize)

  constructor(file: SqliteFile.Database) {
    this.#file = file
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return rethrowAsOutage(() => this.#execute<R>(sql, parameters))
  }

  #execute<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const prepared = this.#prepare(sql)
    const { statement } = prepared
    // Parameters are passed as one list: a single null or buffer would be taken for an object of named parameters and
    // crash the process.
    if (!prepared.shape) return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
    const rows = statement.all(parameters) as unknown[][]
    // SQLite automatically recompiles `select *` when its table has a new column.
    if (rows[0] && rows[0].length !== prepared.shape.columns.length) prepared.shape = readRowShape(statement)
    const { shape } = prepared
    return { rows: rows.map((values) => toRow(values, shape)) as R[] }
  }

  // eslint-disable-next-line require-yield -- the interface asks for a generator; nothing here streams from SQLite
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported')
  }

  #prepare(sql: string): PreparedStatement {
    return this.#statements.getOrCreate(sql, () => {
      const statement = this.#file.prepare(sql)
      return { statement, shape: statement.reader ? readRowShape(statement.raw()) : undefined }
    })
  }
}

function createLookupRunner(file: SqliteFile.Database): LookupRunner {
  const statements = new Map<string, SqliteFile.Statement>()
  return (sql, parameterLists) => {
    let statement = statements.get(sql)
    if (!statement) statements.set(sql, (statement = prepareLookup(file, sql)))
    const prepared = statement
    const [json] = rethrowAsOutage(() => prepared.get([JSON.stringify(parameterLists)])) as [string]
    return JSON.parse(json) as unknown[]
  }
}

function createListRunner(file: SqliteFile.Database): ListRunner {
  const statements = new Map<string, SqliteFile.Statement>()
  return (sql, parameters) => {
    let statement = statements.get(sql)
    if (!statement) {
      const fields = jsonFields(file, sql)
      statement = file.prepare(`select json_group_array(json_object(${fields})) from (${sql})`).raw()
      statements.set(sql, statement)
    }
    const [json] = statement.get(parameters) as [string]
    return JSON.parse(json) as unknown[]
  }
}

/** Returns the columns of a statement as arguments of `json_object`. */
function jsonFields(file: SqliteFile.Database, sql: string): string {
  const columns = file.prepare(sql).columns()
  return columns.map(({ name }) => `'${name}', "${name}"`).join(', ')
}

/** Compiles a lookup for a list of parameters; as JSON, all parameters and results cross the native binding in one call. */
function prepareLookup(file: SqliteFile.Database, sql: string): SqliteFile.Statement {
  const fields = jsonFields(file, sql)
  let index = 0
  const query = sql.replaceAll('?', () => `(asked.value ->> ${index++})`)
  return file
    .prepare(
      `select json_group_array(json((select json_object(${fields}) from (${query})))) from json_each(?) as asked`,
    )
    .raw()
}

function readRowShape(statement: SqliteFile.Statement): RowShape {
  const columns = statement.columns().map(({ name }) => name)
  return { columns, emptyRow: Object.fromEntries(columns.map((name) => [name, null])) }
}

/**
 * Converts the values of a row to an object, in half the time that the native binding takes. A copy of a blank row has
 * its final shape from the start: rows that grow by one column at a time are several times slower, also to read.
 */
function toRow(values: unknown[], { columns, emptyRow }: RowShape): Record<string, unknown> {
  const row = { ...emptyRow }
  for (let index = 0; index < columns.length; index++) row[columns[index] as string] = values[index]
  return row
}
