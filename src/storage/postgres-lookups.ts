import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../kernel/log.ts'
import { seconds } from '../kernel/time.ts'
import { asDatabaseOutage } from './outages.ts'
import { type PostgresHealth, connectTimeout, destroyConnection } from './postgres-health.ts'

const snapshotStatement = { name: 'snapshot', text: 'select pg_current_snapshot()::text as snapshot' }

const noResult = () => undefined

/** Maximum time that closing waits for the database to close the connection. */
const closeTimeout = seconds(2)

interface LookupOptions {
  /** Statement timeout in milliseconds; 0 means no limit. */
  statementTimeout: number
  health: PostgresHealth
  log: Log
}

/** Runs lookups over a separate pipelined connection, on which a statement does not wait for the reply to the previous one. */
export class PostgresLookups {
  readonly #options: pg.ClientConfig
  readonly #log: Log
  readonly #statements = new Map<string, { name: string; text: string }>()
  readonly #health: PostgresHealth
  readonly #statementTimeout: number
  #client: Promise<pg.Client> | undefined
  #openClient: pg.Client | undefined
  /** Result of the next snapshot statement, which was not sent yet. */
  #nextSnapshot: Promise<string> | undefined
  /** Resolves when the last sent snapshot statement has succeeded or failed. */
  #lastSnapshotEnd: Promise<void> = Promise.resolve()

  constructor(options: pg.ClientConfig, { statementTimeout, health, log }: LookupOptions) {
    this.#options = options
    this.#statementTimeout = statementTimeout
    this.#health = health
    this.#log = log
    health.onDown(() => {
      if (this.#openClient) destroyConnection(this.#openClient)
    })
  }

  async run(sql: string, parameterLists: readonly (readonly string[])[]): Promise<unknown[]> {
    const parameterCount = parameterLists[0]?.length ?? 0
    const rows = await this.#query<{ found: unknown }>({
      ...this.#getStatement(sql, parameterCount),
      values: Array.from({ length: parameterCount }, (_, index) =>
        parameterLists.map((parameters) => parameters[index]),
      ),
    })
    return rows.map(({ found }) => found)
  }

  /**
   * Returns the current snapshot of visible transactions. While a snapshot statement is running, all callers share the
   * next one: under load, a statement in each turn of the event loop would take a tenth of the CPU time.
   */
  snapshot(): Promise<string> {
    return (this.#nextSnapshot ??= this.#lastSnapshotEnd.then(nextTurn).then(() => {
      this.#nextSnapshot = undefined
      const snapshot = this.#query<{ snapshot: string }>(snapshotStatement).then((rows) => rows[0]?.snapshot ?? '')
      this.#lastSnapshotEnd = snapshot.then(noResult, noResult)
      return snapshot
    }))
  }

  async close(): Promise<void> {
    const client = this.#openClient
    if (!client) return
    const timer = setTimeout(() => destroyConnection(client), closeTimeout)
    await client.end()
    clearTimeout(timer)
  }

  async #query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<Row[]> {
    try {
      return await this.#health.run(async () => {
        const client = await (this.#client ??= this.#connect())
        return (await client.query<Row>(statement)).rows
      })
    } catch (error) {
      throw asDatabaseOutage(error)
    }
  }

  /**
   * Returns a statement that runs a lookup for each row of a list of parameters. Its result is one column of JSON,
   * which is read faster than many columns, and keeps the prepared statement valid when its tables change.
   */
  #getStatement(sql: string, parameterCount: number): { name: string; text: string } {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    const columns = Array.from({ length: parameterCount }, (_, index) => index + 1)
    const lists = columns.map((column) => `$${column}::text[]`).join(', ')
    const names = columns.map((column) => `p${column}`).join(', ')
    const text = `select (
        select row_to_json(row) from (${sql.replace(/\$(\d+)/g, 'asked.p$1')}) as row limit 1
      ) as found from unnest(${lists}) with ordinality as asked (${names}, place) order by place`
    const statement = { name: `look_up_${this.#statements.size}`, text }
    this.#statements.set(sql, statement)
    return statement
  }

  async #initialize(client: pg.Client): Promise<pg.Client> {
    await client.connect()
    await client.query(`set statement_timeout = ${this.#statementTimeout}`)
    return client
  }

  #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.#options,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: connectTimeout,
    })
    this.#openClient = client
    const connected = this.#initialize(client)
    const clearClient = () => {
      if (this.#client === connected) this.#client = undefined
      if (this.#openClient === client) this.#openClient = undefined
    }
    client.on('error', (error) => {
      this.#log.warn('The database connection for look-ups was lost', { error: error.message })
      clearClient()
    })
    client.on('end', clearClient)
    connected.catch((error: unknown) => {
      clearClient()
      this.#health.reportConnectError(error)
    })
    return connected
  }
}
