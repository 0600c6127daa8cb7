import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { BusyError } from '../kernel/errors.ts'
import { ThreadError, ThreadPool } from '../threads/pool.ts'
import type { SqliteQuery } from './sqlite-worker.ts'
import type { Tables } from '../schema/tables.ts'

/** Opens the SQLite database for slow statements, which run in worker threads that only read. */
export function openSqliteInThreads(file: string): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new ThreadDriver(file),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

class ThreadDriver implements Driver {
  readonly #connection: ThreadConnection

  constructor(file: string) {
    this.#connection = new ThreadConnection(file)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction(): Promise<void> {
    return Promise.reject(new Error('Threads only read'))
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  destroy(): Promise<void> {
    return this.#connection.close()
  }
}

class ThreadConnection implements DatabaseConnection {
  readonly #file: string
  readonly #pool = new ThreadPool<SqliteQuery, unknown[]>({
    file: 'sqlite-worker',
    threads: 2,
    maxWaiting: 200,
    loadTimeout: 10_000,
    taskTimeout: 10_000,
    idleTimeout: 60_000,
    memory: 128,
  })

  constructor(file: string) {
    this.#file = file
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return { rows: (await this.#pool.run({ file: this.#file, sql, parameters })) as R[] }
    } catch (error) {
      const isOverloaded = error instanceof ThreadError && (error.code === 'overloaded' || error.code === 'timeout')
      throw isOverloaded ? new BusyError('unavailable', 'The server is busy. Try again later', 5) : error
    }
  }

  // eslint-disable-next-line require-yield -- the interface asks for a generator; nothing here streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported')
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
