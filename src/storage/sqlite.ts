import { setTimeout as sleep } from 'node:timers/promises'
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
import { seconds } from '../kernel/time.ts'
import type { Database } from './database.ts'
import { isLookUp } from './look-up.ts'
import type { Db, Tables } from './tables.ts'

/** How long a transaction waits for another process that writes (a command-line tool; a second server is refused). */
const writeWait = seconds(10)

/** How long opening waits for others who open or close the database at the same moment, which the engine does alone. */
const openWait = seconds(5)
const pause = new Int32Array(new SharedArrayBuffer(4))

/** Statements kept compiled; the house has fewer distinct ones, so this only bounds generated `in (...)` lists. */
const statementCacheSize = 500

/**
 * Opens the embedded database: one connection that writes, one that only reads. The engine runs inside this
 * process and answers at once, so more readers would gain nothing; but a reader never waits for an open transaction.
 */
export function openSqlite(file: string): Database {
  const writer = open(file)
  const reader = new Kysely<Tables>({ dialect: dialect(open(file, { readonly: true })) })
  const writing = new Kysely<Tables>({ dialect: dialect(writer) })
  return {
    engine: 'sqlite',
    reader,
    transaction: (work) => writing.transaction().execute((transaction) => work(transaction as Db)),
    async close() {
      await reader.destroy()
      await writing.destroy()
    },
  }
}

function open(file: string, options: { readonly?: boolean } = {}): SqliteFile.Database {
  for (const deadline = Date.now() + openWait; ; Atomics.wait(pause, 0, 0, 10)) {
    const connection = new SqliteFile(file)
    try {
      configure(connection, options)
      return connection
    } catch (error) {
      connection.close()
      if (!isBusy(error) || Date.now() > deadline) throw error
    }
  }
}

function configure(connection: SqliteFile.Database, { readonly = false }: { readonly?: boolean }): void {
  // FULL: a commit is on the disk before it is acknowledged, so it survives a power cut as well as a killed process.
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 0']) {
    connection.pragma(pragma)
  }
  if (readonly) connection.pragma('query_only = ON')
}

function dialect(connection: SqliteFile.Database): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class SqliteDriver implements Driver {
  readonly #file: SqliteFile.Database
  readonly #connection: SqliteConnection
  /** Resolves when the transaction before the next one has ended. */
  #turn: Promise<void> = Promise.resolve()
  #endTurn: () => void = () => {}

  constructor(file: SqliteFile.Database) {
    this.#file = file
    this.#connection = new SqliteConnection(file)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    const before = this.#turn
    const { promise, resolve } = withResolvers()
    this.#turn = promise
    await before
    this.#endTurn = resolve
    try {
      await this.#begin()
    } catch (error) {
      resolve()
      throw error
    }
  }

  async commitTransaction(): Promise<void> {
    this.#file.exec('COMMIT')
    this.#endTurn()
  }

  async rollbackTransaction(): Promise<void> {
    // The engine has rolled back by itself after some errors (a full disk, for one).
    if (this.#file.inTransaction) this.#file.exec('ROLLBACK')
    this.#endTurn()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#file.close()
  }

  /** Waits without blocking the process, which the engine's own busy timeout would do. */
  async #begin(): Promise<void> {
    for (const deadline = Date.now() + writeWait; ; await sleep(5)) {
      try {
        this.#file.exec('BEGIN IMMEDIATE')
        return
      } catch (error) {
        if (!isBusy(error)) throw error
        if (Date.now() > deadline)
          throw new AppError('unavailable', 'The database is busy with another process; try again')
      }
    }
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: (() => void) | undefined
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve: resolve as unknown as () => void }
}

/** Whether an error says that somebody else has the database at the moment. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

/** Whether an error says that the file is not, or no longer, a database that can be read. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code))
}

/** A compiled statement, with the names of its columns unless it returns no rows. */
interface Prepared {
  statement: SqliteFile.Statement
  columns: string[] | undefined
}

class SqliteConnection implements DatabaseConnection {
  readonly #file: SqliteFile.Database
  readonly #statements = new Map<string, Prepared>()

  constructor(file: SqliteFile.Database) {
    this.#file = file
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    const { statement, columns } = this.#prepare(sql)
    // As one list: a single null or buffer would be taken for an object of named parameters, and end the process.
    if (!columns) return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
    if (!isLookUp(query)) return { rows: toRows(statement.all(parameters) as unknown[][], columns) }
    const first = statement.get(parameters) as unknown[] | undefined
    return { rows: first ? toRows([first], columns) : [] }
  }

  // eslint-disable-next-line require-yield -- the interface asks for a generator; nothing here streams from SQLite
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported')
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#file.prepare(sql)
    // Rows as arrays: naming their columns here takes half the time that the engine's binding takes.
    const columns = statement.reader
      ? statement
          .raw()
          .columns()
          .map(({ name }) => name)
      : undefined
    const [oldest] = this.#statements.keys()
    if (oldest !== undefined && this.#statements.size >= statementCacheSize) this.#statements.delete(oldest)
    const prepared = { statement, columns }
    this.#statements.set(sql, prepared)
    return prepared
  }
}

function toRows<R>(rows: unknown[][], columns: string[]): R[] {
  return rows.map((values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++) row[columns[index] as string] = values[index]
    return row as R
  })
}
