import type { Dependency } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { seconds } from '../kernel/time.ts'

/** Shorter than the timeout of load balancers, which is usually five or ten seconds. */
const checkTimeout = seconds(4.5)
/** Time for which a result is cached. */
const cacheTtl = seconds(1)

export interface Readiness {
  isReady: boolean
  /** `ok`, or why a dependency cannot be used. */
  checks: Record<Dependency, string>
}

/** Checks the database and the storage of files. */
export class ReadinessChecks {
  readonly #checks: Record<Dependency, () => Promise<void>>
  readonly #log: Log
  #cached: { result: Promise<Readiness>; expiresAt: number } | undefined

  constructor(checks: Record<Dependency, () => Promise<void>>, log: Log) {
    this.#checks = checks
    this.#log = log
  }

  /** Checks all dependencies; concurrent calls share one check. */
  run(): Promise<Readiness> {
    if (this.#cached && performance.now() < this.#cached.expiresAt) return this.#cached.result
    const cached = { result: this.#runAll(), expiresAt: Infinity }
    this.#cached = cached
    void cached.result.then(() => (cached.expiresAt = performance.now() + cacheTtl))
    return cached.result
  }

  async #runAll(): Promise<Readiness> {
    const [database, files] = await Promise.all([this.#runCheck('database'), this.#runCheck('files')])
    return { isReady: database === 'ok' && files === 'ok', checks: { database, files } }
  }

  async #runCheck(part: Dependency): Promise<string> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('did not respond'), checkTimeout)
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
      return await Promise.race([check, timeout])
    } finally {
      clearTimeout(timer)
    }
  }
}
