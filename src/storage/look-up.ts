import type { Compilable, CompiledQuery } from 'kysely'
import { ResultCache } from './result-cache.ts'
import type { Db } from '../schema/tables.ts'

/** Runs a compiled query for each list of parameters; returns the first row of each, or null if there is none. */
export type LookUpRunner = (sql: string, asked: readonly (readonly string[])[]) => Promise<unknown[]> | unknown[]

/** Runs a compiled query and returns all rows. */
export type ListRunner = (sql: string, parameters: readonly Parameter[]) => Promise<unknown[]> | unknown[]

type Parameter = string | number

interface Runners {
  one: LookUpRunner
  list: ListRunner
  /** See `Database.mark`. */
  mark: () => Promise<string> | string
}

/** Runners of lookups and lists for read connections; within transactions they run like any other query. */
const runners = new WeakMap<Db, { batches: Batches; list: ListRunner; results: ResultCache }>()

export function runLookUps(db: Db, { one, list, mark }: Runners): void {
  runners.set(db, { batches: new Batches(one), list, results: new ResultCache(mark) })
}

/**
 * Declares a lookup of one row of strings and integers by an index. The query is compiled once for each engine. It is
 * meant for the queries of every request, because compiling a query takes longer than SQLite takes to run it.
 */
export function lookUp<Values extends Readonly<Record<string, string>>, Found>(
  build: (db: Db, values: Values) => Compilable<Found>,
): (db: Db, values: Values) => Promise<Found | undefined> {
  const planFor = plansOf(build)
  return async (db, values) => {
    const plan = planFor(db)
    const runner = runners.get(db)
    if (!runner) return (await runAlone(db, plan, values))[0]
    const parameters = parametersOf(plan, values)
    const found = runner.results.getOr(keyOf(plan, parameters), () => runner.batches.add(plan.query.sql, parameters))
    return (await found) as Found | undefined
  }
}

/** Declares a lookup that is neither batched nor cached, because its result is large. */
export function lookUpAlone<Values extends Readonly<Record<string, string>>, Found>(
  build: (db: Db, values: Values) => Compilable<Found>,
): (db: Db, values: Values) => Promise<Found | undefined> {
  const planFor = plansOf(build)
  return async (db, values) => (await runAlone(db, planFor(db), values))[0]
}

/**
 * Declares a list query of rows with strings and integers. It is compiled once for each engine and each `shape`, which
 * is everything that the statement depends on besides its parameters, and must have few different values. Rows are read
 * as one JSON text, which takes a third of the time of reading them one by one.
 */
export function lookUpList<Values extends Readonly<Record<string, Parameter>>, Shape, Found>(
  build: (db: Db, values: Values, shape: Shape) => Compilable<Found>,
): (db: Db, values: Values, shape: Shape) => Promise<Found[]> {
  const planFor = plansOf(build)
  return async (db, values, shape) => {
    const plan = planFor(db, shape)
    const runner = runners.get(db)
    if (!runner) return runAlone(db, plan, values)
    const parameters = parametersOf(plan, values)
    const found = runner.results.getOr(keyOf(plan, parameters), () => runner.list(plan.query.sql, parameters))
    return (await found) as Found[]
  }
}

function plansOf<Found>(
  build: (db: Db, values: never, shape: never) => Compilable<Found>,
): (db: Db, shape?: unknown) => Plan<Found> {
  const plans = new WeakMap<object, Map<string, Plan<Found>>>()
  return (db, shape) => {
    const { adapter } = db.getExecutor()
    let known = plans.get(adapter)
    if (!known) plans.set(adapter, (known = new Map()))
    const key = shape === undefined ? '' : JSON.stringify(shape)
    let plan = known.get(key)
    if (!plan) known.set(key, (plan = planOf(build(db, placeholders as never, shape as never).compile())))
    return plan
  }
}

function parametersOf<Value extends Parameter>(
  { names }: Plan<unknown>,
  values: Readonly<Record<string, Value>>,
): Value[] {
  return names.map((name) => (name instanceof Constant ? (name.value as Value) : (values[name] as Value)))
}

function keyOf({ number }: Plan<unknown>, parameters: readonly Parameter[]): string {
  return `${number} ${JSON.stringify(parameters)}`
}

async function runAlone<Found>(
  db: Db,
  plan: Plan<Found>,
  values: Readonly<Record<string, Parameter>>,
): Promise<Found[]> {
  const { rows } = await db.executeQuery<Found>({ ...plan.query, parameters: parametersOf(plan, values) })
  return rows
}

interface Plan<Found> {
  /** Identifies the plan in the keys of cached results. */
  number: number
  query: CompiledQuery<Found>
  /** Names of the values, or constants, in the order of the query's parameters. */
  names: (string | Constant)[]
}

/** Placeholder in a compiled query for a value that is passed when it runs. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

/** Parameter of a compiled query that is the same in every run. */
class Constant {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

let planCount = 0

function planOf<Found>(query: CompiledQuery<Found>): Plan<Found> {
  const names = query.parameters.map((value) => (value instanceof Placeholder ? value.name : new Constant(value)))
  return { number: planCount++, query, names }
}

interface Waiting {
  parameters: readonly string[]
  resolve: (found: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Collects lookups until all received requests have been read from the sockets, and runs equal queries as one
 * statement. Under load this halves the CPU time of a request: one statement answers many requests, and code that runs
 * repeatedly stays in the CPU caches. A single request costs a tenth more.
 */
class Batches {
  readonly #run: LookUpRunner
  #waiting = new Map<string, Waiting[]>()

  constructor(run: LookUpRunner) {
    this.#run = run
  }

  add(sql: string, parameters: readonly string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#runAll())
      const batch = this.#waiting.get(sql)
      if (batch) batch.push({ parameters, resolve, reject })
      else this.#waiting.set(sql, [{ parameters, resolve, reject }])
    })
  }

  #runAll(): void {
    const batches = this.#waiting
    this.#waiting = new Map()
    for (const [sql, batch] of batches) void this.#runBatch(sql, batch)
  }

  async #runBatch(sql: string, batch: readonly Waiting[]): Promise<void> {
    try {
      const asked = batch.map(({ parameters }) => parameters)
      const found = await this.#run(sql, asked)
      for (const [index, { resolve }] of batch.entries()) resolve(found[index] ?? undefined)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
