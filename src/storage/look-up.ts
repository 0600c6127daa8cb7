import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './tables.ts'

/** A compiled query of which the first row is wanted. There are few of them, so connections may keep them prepared. */
export interface LookUp extends CompiledQuery {
  readonly wantsFirst: true
}

export function isLookUp(query: CompiledQuery): query is LookUp {
  return 'wantsFirst' in query
}

/** Stands in a compiled query for a value that is given when it runs. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

/**
 * A look-up of one row that is built once for each engine and then only run: for what every request asks,
 * because to build a query takes longer than SQLite takes to answer it.
 */
export function lookUp<Values extends Readonly<Record<string, string>>, Found>(
  build: (db: Db, values: Values) => Compilable<Found>,
): (db: Db, values: Values) => Promise<Found | undefined> {
  const compiled = new WeakMap<object, CompiledQuery<Found>>()
  return async (db, values) => {
    const executor = db.getExecutor()
    let query = compiled.get(executor.adapter)
    if (!query) compiled.set(executor.adapter, (query = build(db, placeholders as Values).compile()))
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value))
    const run: LookUp = { query: query.query, queryId: query.queryId, sql: query.sql, parameters, wantsFirst: true }
    const { rows } = await executor.executeQuery<Found>(run)
    return rows[0]
  }
}
