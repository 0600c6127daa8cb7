import pg from 'pg'
import type { Log } from '../kernel/log.ts'

interface Asked {
  parameters: readonly string[]
  resolve: (found: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Runs the same look-ups of several requests as one query: most of what a query costs this process is its way to the
 * server and back. They share one connection, on which a query need not wait for the reply to the one before.
 */
export class PostgresLookUps {
  readonly #options: pg.ClientConfig
  readonly #log: Log
  readonly #statements = new Map<string, { name: string; text: string }>()
  #unsent = new Map<string, Asked[]>()
  #client: Promise<pg.Client> | undefined

  constructor(options: pg.ClientConfig, log: Log) {
    this.#options = options
    this.#log = log
  }

  run(sql: string, parameters: readonly string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#unsent.size === 0) process.nextTick(() => this.#send())
      const asked = this.#unsent.get(sql)
      if (asked) asked.push({ parameters, resolve, reject })
      else this.#unsent.set(sql, [{ parameters, resolve, reject }])
    })
  }

  async close(): Promise<void> {
    const client = await this.#client
    await client?.end()
  }

  #send(): void {
    for (const [sql, asked] of this.#unsent) void this.#ask(sql, asked)
    this.#unsent = new Map()
  }

  async #ask(sql: string, asked: readonly Asked[]): Promise<void> {
    try {
      const client = await (this.#client ??= this.#connect())
      const width = (asked[0] as Asked).parameters.length
      const { rows } = await client.query<{ found: unknown }>({
        ...this.#statementOf(sql, width),
        values: Array.from({ length: width }, (_, column) => asked.map(({ parameters }) => parameters[column])),
      })
      for (const [index, { resolve }] of asked.entries()) resolve(rows[index]?.found ?? undefined)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  /**
   * The look-up for each row of a list of parameters. What it finds is one column of JSON, which is read faster than
   * many columns, and with which a prepared statement outlives changes of its tables.
   */
  #statementOf(sql: string, width: number): { name: string; text: string } {
    const known = this.#statements.get(sql)
    if (known) return known
    const columns = Array.from({ length: width }, (_, index) => index + 1)
    const lists = columns.map((column) => `$${column}::text[]`).join(', ')
    const names = columns.map((column) => `p${column}`).join(', ')
    const text = `select (
        select row_to_json(row) from (${sql.replace(/\$(\d+)/g, 'asked.p$1')}) as row limit 1
      ) as found from unnest(${lists}) with ordinality as asked (${names}, place) order by place`
    const statement = { name: `look_up_${this.#statements.size}`, text }
    this.#statements.set(sql, statement)
    return statement
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
