import pg from 'pg'
import type { Log } from '../kernel/log.ts'

/**
 * Sends look-ups over one connection without waiting for the replies to those before, and those of one turn of the
 * event loop in one write: most of what a look-up costs this process are its system calls. Each finds its row by
 * an index, so none keeps the others waiting.
 */
export class PostgresLookUps {
  readonly #options: pg.ClientConfig
  readonly #log: Log
  readonly #statements = new Map<string, { name: string; text: string }>()
  #client: Promise<pg.Client> | undefined
  #holdsWrites = false

  constructor(options: pg.ClientConfig, log: Log) {
    this.#options = options
    this.#log = log
  }

  async run(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    const client = await (this.#client ??= this.#connect())
    this.#holdWrites(client.connection.stream)
    const { rows } = await client.query<{ row: unknown }>({ ...this.#statementOf(sql), values: [...parameters] })
    return rows[0]?.row
  }

  async close(): Promise<void> {
    const client = await this.#client
    await client?.end()
  }

  /** One column of JSON is read faster than many, and lets a prepared statement outlive changes of its tables. */
  #statementOf(sql: string): { name: string; text: string } {
    let statement = this.#statements.get(sql)
    if (!statement) {
      const name = `look_up_${this.#statements.size}`
      statement = { name, text: `select row_to_json(found) as row from (${sql}) as found limit 1` }
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #holdWrites(stream: NodeJS.WritableStream & { cork(): void; uncork(): void }): void {
    if (this.#holdsWrites) return
    this.#holdsWrites = true
    stream.cork()
    process.nextTick(() => {
      this.#holdsWrites = false
      stream.uncork()
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
