import { type App, type AppOptions, openApp } from './app.ts'
import { type FirstStart, bootstrap } from './bootstrap.ts'
import type { Config } from './config.ts'
import type { readManual } from './manual.ts'
import { startSchedulerRole, startWorkerRole } from './roles/background.ts'
import { startHealthPort } from './roles/health.ts'
import { assertPortIsFree, startHttp } from './roles/http.ts'
import { storeServerAddress } from './server-address.ts'

export interface Server {
  app: App
  /** Where it is reached from this machine, when it serves the API or sites. */
  address: string | undefined
  /** Where `/healthz`, `/readyz` and `/metrics` have a port of their own. */
  healthAddress: string | undefined
  /** What was created, when this was the very first start. */
  firstStart: FirstStart | undefined
  stop(): Promise<void>
}

export interface ServerOptions extends AppOptions {
  /** What the first start publishes, instead of the whole manual. */
  readManual?: typeof readManual
}

/** Starts the roles that the configuration names. */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  const isReached = config.roles.has('api') || config.roles.has('site')
  if (isReached) await assertPortIsFree(config)
  const app = await openApp(config, options)
  const started: { stop(): Promise<void> }[] = []
  const stop = async () => {
    await Promise.all(started.map((role) => role.stop()))
    await app.close()
  }
  try {
    const firstStart = await bootstrap(app, options.readManual)
    if (config.roles.has('worker')) started.push(startWorkerRole(app))
    if (config.roles.has('scheduler')) started.push(startSchedulerRole(app))
    const health = config.healthPort === undefined ? undefined : await startHealthPort(app, config.healthPort)
    if (health) started.push(health)
    const http = isReached ? await startHttp(app) : undefined
    if (http) started.push(http)
    if (http && !config.url) await storeServerAddress(app.database, http.address)
    return { app, address: http?.address, healthAddress: health?.address, firstStart, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
