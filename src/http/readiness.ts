import type { Part } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { seconds } from '../kernel/time.ts'

/** How long a check may take; load balancers give up after five or ten seconds. */
const patience = seconds(4.5)
/** How long a result is given to others who ask, so that asking often costs nothing. */
const freshFor = seconds(1)

export interface Readiness {
  isReady: boolean
  /** `ok`, or why a part cannot be used. */
  checks: Record<Part, string>
}

/** Checks the parts that a process depends on. */
export class ReadinessChecks {
  readonly #checks: Record<Part, () => Promise<void>>
  readonly #log: Log
  #latest: { result: Promise<Readiness>; until: number } | undefined

  constructor(checks: Record<Part, () => Promise<void>>, log: Log) {
    this.#checks = checks
    this.#log = log
  }

  /** Checks all parts; those who ask at the same time share one check. */
  run(): Promise<Readiness> {
    if (this.#latest && performance.now() < this.#latest.until) return this.#latest.result
    const latest = { result: this.#runAll(), until: Infinity }
    this.#latest = latest
    void latest.result.then(() => (latest.until = performance.now() + freshFor))
    return latest.result
  }

  async #runAll(): Promise<Readiness> {
    const [database, files] = await Promise.all([this.#outcomeOf('database'), this.#outcomeOf('files')])
    return { isReady: database === 'ok' && files === 'ok', checks: { database, files } }
  }

  async #outcomeOf(part: Part): Promise<string> {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('did not respond'), patience)
    })
    const check = this.#checks[part]().then(
      () => 'ok',
      (error: unknown) => {
        const { message, cause } = error as Error
        this.#log.warn('A dependency of this server is not available', { part, error: cause ?? error })
        return message
      },
    )
    try {
      return await Promise.race([check, tooLate])
    } finally {
      clearTimeout(timer)
    }
  }
}
