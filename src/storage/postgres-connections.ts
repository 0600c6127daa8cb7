import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { OutageError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { minutes, seconds } from '../kernel/time.ts'
import { asDatabaseOutage } from './outages.ts'
import { type PostgresHealth, connectTimeout, destroyConnection } from './postgres-health.ts'
import { preparedNameOf } from './prepared-statements.ts'

/** Time after which PostgreSQL ends a transaction whose process is idle, so that it does not hold its locks forever. */
const idleTransactionTimeout = minutes(5)

/**
 * Settings for searches in an index of a million sections. The bitmap of a common word does not fit into the default of 4 MB, and then
 * PostgreSQL compares all sections on many pages of the table again. Compiling a statement to machine code takes longer than running it.
 */
const searchSettings = `
  select set_config('work_mem', '16MB', false) from pg_settings where name = 'work_mem' and setting::int < 16384;
  set jit = off`

/** Time for which a full disk is remembered; only a write can show that there is free space again. */
const diskFullTtl = seconds(10)

/** Maximum time that closing waits for the database to close its connections. */
const closeTimeout = seconds(2)

/**
 * Client with its own connection timeout, because the timeout of the pool includes the time spent waiting for a free
 * connection.
 */
class TimedClient extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super({ ...options, connectionTimeoutMillis: connectTimeout })
  }
}

/** Connection pool for Kysely: errors are converted to outages, and nothing waits for a database that is down. */
export class PostgresConnections {
  readonly #pool: pg.Pool
  readonly #health: PostgresHealth
  readonly #clients = new Set<pg.PoolClient>()
  /** Current statement timeout of each connection. */
  readonly #statementTimeouts = new WeakMap<pg.PoolClient, number>()
  #diskFull: { error: OutageError; until: number } | undefined

  constructor(options: pg.ClientConfig, { size, health, log }: { size: number; health: PostgresHealth; log: Log }) {
    this.#health = health
    this.#pool = new pg.Pool({ ...options, max: size, Client: TimedClient })
    this.#pool.on('connect', (client) => {
      this.#clients.add(client)
      // An error of a connection in use is reported to its user; without a listener it would end the process.
      client.on('error', () => {})
    })
    this.#pool.on('remove', (client) => this.#clients.delete(client))
    // The pool replaces an idle connection that was lost.
    this.#pool.on('error', (error) => log.warn('An idle database connection was lost', { error: error.message }))
    health.onDown(() => this.#clients.forEach(destroyConnection))
  }

  /** Returns the pool with a statement timeout in milliseconds; 0 means no limit. */
  withStatementTimeout(statementTimeout: number): PostgresPool {
    const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()
    return {
      connect: async () => {
        const client = await this.#connect()
        try {
          await this.#setStatementTimeout(client, statementTimeout)
        } catch (error) {
          client.release(true)
          throw asDatabaseOutage(error)
        }
        let wrappedClient = wrapped.get(client)
        if (!wrappedClient) wrapped.set(client, (wrappedClient = this.#wrap(client)))
        return wrappedClient
      },
      end: async () => {},
    }
  }

  /** Fails for a while after a write has failed because the disk of the database is full. */
  assertDiskSpace(): void {
    if (this.#diskFull && performance.now() < this.#diskFull.until) throw this.#diskFull.error
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => this.#clients.forEach(destroyConnection), closeTimeout)
    await this.#pool.end()
    clearTimeout(timer)
  }

  /** Waits for a connection; fails as soon as the database is known to be down. */
  #connect(): Promise<pg.PoolClient> {
    return this.#health.run(
      () =>
        new Promise<pg.PoolClient>((resolve, reject) => {
          let isRejected = false
          const removeListener = this.#health.onDown((outage: OutageError) => {
            isRejected = true
            removeListener()
            reject(outage)
          })
          this.#pool.connect().then(
            (client) => {
              removeListener()
              if (isRejected) client.release()
              else resolve(client)
            },
            (error: unknown) => {
              removeListener()
              reject(asDatabaseOutage(error))
              this.#health.reportConnectError(error)
            },
          )
        }),
    )
  }

  async #setStatementTimeout(client: pg.PoolClient, statementTimeout: number): Promise<void> {
    const currentTimeout = this.#statementTimeouts.get(client)
    if (currentTimeout === statementTimeout) return
    const settings = [`set statement_timeout = ${statementTimeout}`]
    if (currentTimeout === undefined)
      settings.push(`set idle_in_transaction_session_timeout = ${idleTransactionTimeout}`, searchSettings)
    await this.#health.run(() => client.query(settings.join('; ')))
    this.#statementTimeouts.set(client, statementTimeout)
  }

  #wrap(client: pg.PoolClient): PostgresPoolClient {
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        const name = preparedNameOf(text)
        return await this.#health.run(() => client.query({ ...(name && { name }), text, values: values as unknown[] }))
      } catch (thrown) {
        const error = asDatabaseOutage(thrown)
        if (error instanceof OutageError && error.code === 'insufficientStorage') {
          this.#diskFull = { error, until: performance.now() + diskFullTtl }
        }
        throw error
      }
    }
    return { query, release: () => client.release() } as unknown as PostgresPoolClient
  }
}
