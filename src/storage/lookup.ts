import type { Compilable, CompiledQuery } from 'kysely'
import { ResultCache } from './result-cache.ts'
import type { Db } from '../schema/tables.ts'

/** Runs a compiled query for each list of parameters; returns the first row of each, or null if there is none. */
export type LookupRunner = (
  sql: string,
  parameterLists: readonly (readonly string[])[],
) => Promise<unknown[]> | unknown[]

/** Runs a compiled query and returns all rows. */
export type ListRunner = (sql: string, parameters: readonly Parameter[]) => Promise<unknown[]> | unknown[]

type Parameter = string | number

interface LookupRunners {
  runLookup: LookupRunner
  runList: ListRunner
  /** See `Database.mark`. */
  mark: () => Promise<string> | string
}

/** Runners of lookups and lists for read connections; within transactions they run like any other query. */
const runners = new WeakMap<Db, { batcher: LookupBatcher; runList: ListRunner; cache: ResultCache }>()

export function registerLookupRunners(db: Db, { runLookup, runList, mark }: LookupRunners): void {
  runners.set(db, { batcher: new LookupBatcher(runLookup), runList, cache: new ResultCache(mark) })
}

/**
 * Declares a lookup of one row of strings and integers by an index. The query is compiled once for each engine. It is
 * meant for the queries of every request, because compiling a query takes longer than SQLite takes to run it.
 */
export function defineLookup<Values extends Readonly<Record<string, string>>, ResultRow>(
  build: (db: Db, values: Values) => Compilable<ResultRow>,
): (db: Db, values: Values) => Promise<ResultRow | undefined> {
  const getPlan = createPlanCache(build)
  return async (db, values) => {
    const plan = getPlan(db)
    const runner = runners.get(db)
    if (!runner) return (await runDirectly(db, plan, values))[0]
    const parameters = toParameters(plan, values)
    const row = runner.cache.getOr(toCacheKey(plan, parameters), () => runner.batcher.add(plan.query.sql, parameters))
    return (await row) as ResultRow | undefined
  }
}

/** Declares a lookup that is neither batched nor cached, because its result is large. */
export function defineUncachedLookup<Values extends Readonly<Record<string, string>>, ResultRow>(
  build: (db: Db, values: Values) => Compilable<ResultRow>,
): (db: Db, values: Values) => Promise<ResultRow | undefined> {
  const getPlan = createPlanCache(build)
  return async (db, values) => (await runDirectly(db, getPlan(db), values))[0]
}

/**
 * Declares a list query of rows with strings and integers. It is compiled once for each engine and each `shape`, which
 * is everything that the statement depends on besides its parameters, and must have few different values. Rows are read
 * as one JSON text, which takes a third of the time of reading them one by one.
 */
export function defineListQuery<Values extends Readonly<Record<string, Parameter>>, Shape, ResultRow>(
  build: (db: Db, values: Values, shape: Shape) => Compilable<ResultRow>,
): (db: Db, values: Values, shape: Shape) => Promise<ResultRow[]> {
  const getPlan = createPlanCache(build)
  return async (db, values, shape) => {
    const plan = getPlan(db, shape)
    const runner = runners.get(db)
    if (!runner) return runDirectly(db, plan, values)
    const parameters = toParameters(plan, values)
    const rows = runner.cache.getOr(toCacheKey(plan, parameters), () => runner.runList(plan.query.sql, parameters))
    return (await rows) as ResultRow[]
  }
}

function createPlanCache<ResultRow>(
  build: (db: Db, values: never, shape: never) => Compilable<ResultRow>,
): (db: Db, shape?: unknown) => Plan<ResultRow> {
  const plans = new WeakMap<object, Map<string, Plan<ResultRow>>>()
  return (db, shape) => {
    const { adapter } = db.getExecutor()
    let cached = plans.get(adapter)
    if (!cached) plans.set(adapter, (cached = new Map()))
    const key = shape === undefined ? '' : JSON.stringify(shape)
    let plan = cached.get(key)
    if (!plan) cached.set(key, (plan = createPlan(build(db, placeholders as never, shape as never).compile())))
    return plan
  }
}

function toParameters<Value extends Parameter>(
  { names }: Plan<unknown>,
  values: Readonly<Record<string, Value>>,
): Value[] {
  return names.map((name) => (name instanceof Constant ? (name.value as Value) : (values[name] as Value)))
}

function toCacheKey({ number }: Plan<unknown>, parameters: readonly Parameter[]): string {
  return `${number} ${JSON.stringify(parameters)}`
}

async function runDirectly<ResultRow>(
  db: Db,
  plan: Plan<ResultRow>,
  values: Readonly<Record<string, Parameter>>,
): Promise<ResultRow[]> {
  const { rows } = await db.executeQuery<ResultRow>({ ...plan.query, parameters: toParameters(plan, values) })
  return rows
}

interface Plan<ResultRow> {
  /** Identifies the plan in the keys of cached results. */
  number: number
  query: CompiledQuery<ResultRow>
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

function createPlan<ResultRow>(query: CompiledQuery<ResultRow>): Plan<ResultRow> {
  const names = query.parameters.map((value) => (value instanceof Placeholder ? value.name : new Constant(value)))
  return { number: planCount++, query, names }
}

interface PendingLookup {
  parameters: readonly string[]
  resolve: (found: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Collects lookups until all received requests have been read from the sockets, and runs equal queries as one
 * statement. Under load this halves the CPU time of a request: one statement answers many requests, and code that runs
 * repeatedly stays in the CPU caches. A single request costs a tenth more.
 */
class LookupBatcher {
  readonly #run: LookupRunner
  #pending = new Map<string, PendingLookup[]>()

  constructor(run: LookupRunner) {
    this.#run = run
  }

  add(sql: string, parameters: readonly string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#pending.size === 0) setImmediate(() => this.#runAll())
      const batch = this.#pending.get(sql)
      if (batch) batch.push({ parameters, resolve, reject })
      else this.#pending.set(sql, [{ parameters, resolve, reject }])
    })
  }

  #runAll(): void {
    const batches = this.#pending
    this.#pending = new Map()
    for (const [sql, batch] of batches) void this.#runBatch(sql, batch)
  }

  async #runBatch(sql: string, batch: readonly PendingLookup[]): Promise<void> {
    try {
      const parameterLists = batch.map(({ parameters }) => parameters)
      const rows = await this.#run(sql, parameterLists)
      for (const [index, { resolve }] of batch.entries()) resolve(rows[index] ?? undefined)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
