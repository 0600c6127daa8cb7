import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { DatabaseAccess, Database } from './database.ts'
import { type ListRunner, type LookupRunner, registerLookupRunners } from './lookup.ts'
import { PostgresConnections } from './postgres-connections.ts'
import { PostgresHealth } from './postgres-health.ts'
import { PostgresLookups } from './postgres-lookups.ts'
import type { Db, Tables } from '../schema/tables.ts'
import pg from 'pg'

/** Maximum number of attempts for a transaction that conflicts with others. */
const maxAttempts = 10

/** Number of attempts after which a transaction gets precedence over all others of this process. */
const attemptsBeforePrecedence = 3

const serializationFailure = '40001'
const deadlockDetected = '40P01'
const uniqueViolation = '23505'

// The driver returns int8 as strings, because values may exceed 2^53; the counts and sizes in these tables never do.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

interface PostgresOptions {
  /** Maximum number of open connections; one more is opened to probe a slow database. */
  poolSize: number
  /** Statement timeout in milliseconds; 0 means no limit. */
  statementTimeout?: number
  log: Log
}

/** Opens a PostgreSQL database. Transactions are serializable, like those of SQLite with its single writer. */
export function openPostgres(url: string, { poolSize, statementTimeout = 0, log }: PostgresOptions): Database {
  const options = { connectionString: url, application_name: 'octavo' }
  const health = new PostgresHealth(options, log)
  // The connection for lookups counts toward the pool size.
  const connections = new PostgresConnections(options, { size: Math.max(1, poolSize - 1), health, log })
  const lookups = new PostgresLookups(options, { statementTimeout, health, log })
  const runLookup: LookupRunner = (text, parameterLists) => lookups.run(text, parameterLists)
  const precedence = new Precedence()
  const openAccess = (timeout: number): DatabaseAccess => {
    const pool = connections.withStatementTimeout(timeout)
    const reader = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    registerLookupRunners(reader, { runLookup, runList: createListRunner(reader), mark: () => lookups.snapshot() })
    return { reader, transaction: (work) => runInTransaction(db, precedence, work) }
  }
  return {
    engine: 'postgres',
    ...openAccess(statementTimeout),
    unlimited: openAccess(0),
    mark: () => lookups.snapshot(),
    async check() {
      connections.assertDiskSpace()
      await lookups.snapshot()
    },
    async close() {
      health.close()
      await lookups.close()
      await connections.close()
    },
  }
}

async function runInTransaction<T>(
  db: Kysely<Tables>,
  precedence: Precedence,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  let releasePrecedence: (() => void) | undefined
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        if (!releasePrecedence) await precedence.waitForTurn()
        return await db.transaction().setIsolationLevel('serializable').execute(work)
      } catch (error) {
        if (!isRetryable(error, attempt)) throw error
        if (attempt === maxAttempts)
          throw new AppError('unavailable', 'Too many concurrent writes to the same data. Try again')
        if (attempt === attemptsBeforePrecedence) releasePrecedence = await precedence.acquire()
        await sleep(Math.random() * 2 ** attempt)
      }
    }
  } finally {
    releasePrecedence?.()
  }
}

/** Runs lists as statements that return one column of JSON. */
function createListRunner(reader: Db): ListRunner {
  return async (text, parameters) => {
    const asJson = `select coalesce(json_agg(row_to_json(row)), '[]') as found from (${text}) as row`
    const { rows } = await reader.executeQuery<{ found: unknown[] }>(CompiledQuery.raw(asJson, [...parameters]))
    return rows[0]?.found ?? []
  }
}

/**
 * Whether the next attempt may succeed. A transaction that conflicts with a concurrent insert of the same unique key
 * may fail with a unique violation instead of a serialization failure; the next attempt sees the inserted row.
 */
function isRetryable(error: unknown, attempt: number): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === serializationFailure || code === deadlockDetected || (code === uniqueViolation && attempt === 1)
}

const minVersion = 15

/** Returns the major version of the server; fails if it is older than the oldest supported version. */
export async function assertPostgresVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ number: string }>`select current_setting('server_version_num') as number`.execute(db)
  const version = Math.floor(Number(rows[0]?.number) / 10000)
  if (version < minVersion)
    throw new AppError(
      'unavailable',
      `PostgreSQL ${version} is not supported. Octavo requires version ${minVersion} or newer`,
    )
  return version
}

/** Gives precedence to one transaction that conflicted repeatedly: transactions that start later wait for it. */
export class Precedence {
  #current: Promise<void> | undefined

  /** Waits while a transaction has precedence. */
  async waitForTurn(): Promise<void> {
    while (this.#current) await this.#current
  }

  /** Takes precedence when no other transaction has it; returns a function that releases it. */
  async acquire(): Promise<() => void> {
    while (this.#current) await this.#current
    return new Promise((granted) => {
      this.#current = new Promise((resolve) => {
        granted(() => {
          this.#current = undefined
          resolve()
        })
      })
    })
  }
}
