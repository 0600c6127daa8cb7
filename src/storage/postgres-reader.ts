import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import type { Log } from '../kernel/log.ts'
import { type LookUp, isLookUp } from './look-up.ts'

/** Reads that stand alone: look-ups over a connection that they share, others over any connection of the pool. */
export function readingDialect(pool: pg.Pool, options: pg.ClientConfig, log: Log): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new ReadDriver(pool, new LookUps(options, log)),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class ReadDriver implements Driver {
  readonly #lookUps: LookUps
  readonly #connection: DatabaseConnection

  constructor(pool: pg.Pool, lookUps: LookUps) {
    this.#lookUps = lookUps
    this.#connection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        if (isLookUp(query)) return { rows: await lookUps.run<R>(query) }
        const { rows } = await pool.query(query.sql, [...query.parameters])
        return { rows: rows as R[] }
      },
      // eslint-disable-next-line require-yield -- the interface asks for a generator; nothing here streams
      async *streamQuery(): AsyncIterableIterator<never> {
        throw new Error('Streaming is not supported')
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw new Error('Reads stand alone; a transaction is opened through the database')
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#lookUps.close()
  }
}

/**
 * Sends look-ups over one connection without waiting for the replies to those before, and those of one turn of the
 * event loop in one write: half of what a look-up costs this process are its system calls. Each finds its row by
 * an index, so none keeps the others waiting.
 */
class LookUps {
  readonly #options: pg.ClientConfig
  readonly #log: Log
  readonly #statements = new Map<string, { name: string; text: string }>()
  #client: Promise<pg.Client> | undefined
  #isHolding = false

  constructor(options: pg.ClientConfig, log: Log) {
    this.#options = options
    this.#log = log
  }

  async run<R>({ sql, parameters }: LookUp): Promise<R[]> {
    const client = await (this.#client ??= this.#connect())
    this.#holdWrites(client)
    const { rows } = await client.query<{ row: R }>({ ...this.#statementOf(sql), values: [...parameters] })
    return rows.map(({ row }) => row)
  }

  async close(): Promise<void> {
    const client = await this.#client
    await client?.end()
  }

  /** One column of JSON is read faster than many columns, and a statement that is prepared outlives changes of its tables. */
  #statementOf(sql: string): { name: string; text: string } {
    let statement = this.#statements.get(sql)
    if (!statement) {
      const name = `look_up_${this.#statements.size}`
      statement = { name, text: `select row_to_json(found) as row from (${sql}) as found limit 1` }
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #holdWrites({ connection }: pg.Client): void {
    if (this.#isHolding) return
    this.#isHolding = true
    connection.stream.cork()
    setImmediate(() => {
      this.#isHolding = false
      connection.stream.uncork()
    })
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#options, pipeline: true, keepAlive: true })
    const forget = () => (this.#client = undefined)
    client.on('error', (error) =>
      this.#log.warn('The database connection for look-ups was lost', { error: error.message }),
    )
    client.on('end', forget)
    try {
      return await client.connect()
    } catch (error) {
      forget()
      throw error
    }
  }
}
