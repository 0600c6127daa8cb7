import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import type { OutageError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { seconds } from '../kernel/time.ts'
import { databaseDown, isDatabaseStopped } from './outages.ts'

/** Maximum time to establish a connection. */
export const connectTimeout = seconds(4)

/**
 * Maximum time that a probe waits for its reply. Together with the next two constants it limits how long a request
 * waits for a database that hangs.
 */
const probeTimeout = seconds(2.25)

/** Duration of a statement after which the server probes whether the database still responds. */
const slowStatementThreshold = seconds(1)
const checkInterval = 250
/** Milliseconds between probes while the database is down. */
const recoveryInterval = 250

/**
 * Circuit breaker for the database. It opens when no connection can be made, or when a probe during a slow statement
 * gets no reply: all pending and later operations then fail immediately, until a probe succeeds. A slow statement on a
 * database that responds is not interrupted.
 */
export class PostgresHealth {
  readonly #options: pg.ClientConfig
  readonly #log: Log
  /** Start times of the running operations, oldest first. */
  readonly #operations = new Set<{ startedAt: number }>()
  readonly #downListeners = new Set<(outage: OutageError) => void>()
  readonly #checkTimer: NodeJS.Timeout
  #probeClient: pg.Client | undefined
  #isProbing = false
  #wasUp = false
  #isDown = false
  #isClosed = false

  constructor(options: pg.ClientConfig, log: Log) {
    this.#options = options
    this.#log = log
    this.#checkTimer = setInterval(() => void this.#check(), checkInterval).unref()
  }

  get isDown(): boolean {
    return this.#isDown
  }

  /** Calls the listener each time the database goes down; returns a function that removes the listener. */
  onDown(listener: (outage: OutageError) => void): () => void {
    this.#downListeners.add(listener)
    return () => this.#downListeners.delete(listener)
  }

  /** Runs an operation on the database; fails immediately if the database is known to be down. */
  async run<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#isDown) throw databaseDown()
    const entry = { startedAt: performance.now() }
    this.#operations.add(entry)
    try {
      const result = await operation()
      this.#wasUp = true
      return result
    } finally {
      this.#operations.delete(entry)
    }
  }

  /** Reports a failed connection: if the server is not running, the circuit opens, so that other operations do not try. */
  reportConnectError(error: unknown): void {
    if (isDatabaseStopped(error)) this.#goDown(error)
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#checkTimer)
    this.#destroyProbe()
  }

  async #check(): Promise<void> {
    const [oldest] = this.#operations
    if (!oldest || this.#isDown || this.#isProbing || performance.now() - oldest.startedAt < slowStatementThreshold)
      return
    try {
      await this.#probe()
    } catch (error) {
      this.#goDown(error)
    }
  }

  #goDown(cause: unknown): void {
    if (this.#isDown || this.#isClosed) return
    this.#isDown = true
    // A process that never reached the database exits with its own error message.
    if (this.#wasUp) this.#log.error('The database cannot be reached', { error: cause })
    for (const listener of this.#downListeners) listener(databaseDown(cause))
    this.#recoverLater()
  }

  #recoverLater(): void {
    setTimeout(() => void this.#recover(), recoveryInterval).unref()
  }

  async #recover(): Promise<void> {
    if (this.#isClosed) return
    try {
      await this.#probe()
      this.#isDown = false
      this.#log.info('The database can be reached again')
    } catch {
      this.#recoverLater()
    }
  }

  /** Fails unless the database replies on a separate connection, on which no other statement is pending. */
  async #probe(): Promise<void> {
    this.#isProbing = true
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // A reply may have arrived while this process was busy, so sockets are read before the probe fails.
        void nextTurn()
          .then(() => nextTurn())
          .then(() => reject(new Error(`The database gave no reply within ${probeTimeout} ms`)))
      }, probeTimeout)
    })
    try {
      await Promise.race([this.#queryProbe(), timeout])
    } catch (error) {
      this.#destroyProbe()
      // A database that refuses, for example because of too many connections or a wrong password, is running.
      if (isServerReply(error)) return
      throw error
    } finally {
      clearTimeout(timer)
      this.#isProbing = false
    }
  }

  async #queryProbe(): Promise<void> {
    if (!this.#probeClient) {
      const client = new pg.Client({ ...this.#options, keepAlive: true })
      this.#probeClient = client
      const clearProbe = () => {
        if (this.#probeClient === client) this.#probeClient = undefined
      }
      client.on('error', clearProbe)
      client.on('end', clearProbe)
      await client.connect()
    }
    await this.#probeClient?.query('select 1')
  }

  #destroyProbe(): void {
    const client = this.#probeClient
    this.#probeClient = undefined
    if (client) destroyConnection(client)
  }
}

/** Whether an error was sent by a database that is running and accepts connections. */
function isServerReply(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return (
    typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|57P0)/.test(code) && !/^E[A-Z]{4}$/.test(code)
  )
}

/** Closes the socket of a connection; all pending statements on it fail. */
export function destroyConnection(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  client.on('error', () => {})
  connection.stream.destroy()
}
