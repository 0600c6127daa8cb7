import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './tables.ts'

/** Runs a compiled query and returns its first row, if there is one. */
export type LookUpRunner = (sql: string, parameters: readonly string[]) => unknown

/** How look-ups run on connections that only read; within transactions they run like any other query. */
const runners = new WeakMap<Db, LookUpRunner>()

export function runLookUps(db: Db, run: LookUpRunner): void {
  runners.set(db, run)
}

let turn: Promise<void> | undefined

/** Resolves when what has arrived by now was read from all sockets. */
function endOfTurn(): Promise<void> {
  return (turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  }))
}

/** Stands in a compiled query for a value that is given when it runs. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

interface Plan<Found> {
  query: CompiledQuery<Found>
  /** The names of the values, in the order of the query's parameters. */
  names: string[]
}

function plan<Found>(query: CompiledQuery<Found>): Plan<Found> {
  const names = query.parameters.map((value) => {
    if (!(value instanceof Placeholder)) throw new Error(`Constants in a look-up are literals: ${query.sql}`)
    return value.name
  })
  return { query, names }
}

/**
 * A look-up of one row, of texts and numbers, by an index. It is built once for each engine and then only run:
 * this is for what every request asks, because to build a query takes longer than SQLite takes to answer it.
 */
export function lookUp<Values extends Readonly<Record<string, string>>, Found>(
  build: (db: Db, values: Values) => Compilable<Found>,
): (db: Db, values: Values) => Promise<Found | undefined> {
  const plans = new WeakMap<object, Plan<Found>>()
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    let known = plans.get(adapter)
    if (!known) plans.set(adapter, (known = plan(build(db, placeholders as Values).compile())))
    const { query, names } = known
    const parameters = names.map((name) => values[name] as string)
    const run = runners.get(db)
    if (run) {
      // One after the other for all requests of a turn, look-ups find the engine's code in the processor's caches.
      await endOfTurn()
      return (await run(query.sql, parameters)) as Found | undefined
    }
    const { rows } = await db.executeQuery<Found>({ ...query, parameters })
    return rows[0]
  }
}
