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
import type { Db, Tables } from './tables.ts'

/** How long a transaction waits for another process that writes (a command-line tool; a second server is refused). */
const writeWait = seconds(10)

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

function open(file: string, { readonly = false } = {}): SqliteFile.Database {
  const connection = new SqliteFile(file)
  // FULL: a commit is on the disk before it is acknowledged, so it survives a power cut as well as a killed process.
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 0']) {
    connection.pragma(pragma)
  }
  if (readonly) connection.pragma('query_only = ON')
  return connection
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

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

class SqliteConnection implements DatabaseConnection {
  readonly #file: SqliteFile.Database
  readonly #statements = new Map<string, SqliteFile.Statement>()

  constructor(file: SqliteFile.Database) {
    this.#file = file
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(sql)
    if (statement.reader) return { rows: statement.all(...parameters) as R[] }
    const { changes } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  // eslint-disable-next-line require-yield -- the interface asks for a generator; nothing here streams from SQLite
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported')
  }

  #prepare(sql: string): SqliteFile.Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#file.prepare(sql)
    const [oldest] = this.#statements.keys()
    if (oldest !== undefined && this.#statements.size >= statementCacheSize) this.#statements.delete(oldest)
    this.#statements.set(sql, statement)
    return statement
  }
}
