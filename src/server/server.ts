import { type App, type AppOptions, openApp } from './app.ts'
import { type FirstStart, bootstrap } from './bootstrap.ts'
import type { Config } from './config.ts'
import type { readManual } from './manual.ts'
import { startHealthPort } from './health.ts'
import { assertPortIsFree, startHttp } from './http.ts'
import { storeServerAddress } from './server-address.ts'
import { startScheduler } from '../jobs/scheduler.ts'
import { startWorker } from '../jobs/worker.ts'
import { newId } from '../kernel/ids.ts'
import { timestamp } from '../kernel/time.ts'
import { createJobKinds, createSchedules } from './routes.ts'

export interface Server {
  app: App
  /** URL of the API or sites as seen from this machine, if they are served. */
  address: string | undefined
  /** URL of the separate port for `/healthz`, `/readyz` and `/metrics`. */
  healthAddress: string | undefined
  /** Account and site that the first start created. */
  firstStart: FirstStart | undefined
  stop(): Promise<void>
}

export interface ServerOptions extends AppOptions {
  /** Reads the manual that the first start publishes; tests use a short one. */
  readManual?: typeof readManual
}

/** Starts the configured roles. */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  const servesHttp = config.roles.has('api') || config.roles.has('site')
  if (servesHttp) await assertPortIsFree(config)
  const app = await openApp(config, options)
  const startedRoles: { stop(): Promise<void> }[] = []
  const stop = async () => {
    await Promise.all(startedRoles.map((role) => role.stop()))
    await app.close()
  }
  try {
    const firstStart = await bootstrap(app, options.readManual)
    if (config.roles.has('worker')) startedRoles.push(startWorkerRole(app))
    if (config.roles.has('scheduler')) startedRoles.push(startSchedulerRole(app))
    const health = config.healthPort === undefined ? undefined : await startHealthPort(app, config.healthPort)
    if (health) startedRoles.push(health)
    const http = servesHttp ? await startHttp(app) : undefined
    if (http) startedRoles.push(http)
    if (http && !config.url) await storeServerAddress(app.database, http.address)
    return { app, address: http?.address, healthAddress: health?.address, firstStart, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts the worker, which runs jobs. */
export function startWorkerRole(app: App): { stop(): Promise<void> } {
  const { queue, database, clock, urls, openObjects, signer, sealer, log } = app
  const context = {
    db: database.unlimited.reader,
    transaction: database.unlimited.transaction,
    now: () => timestamp(clock()),
    newId,
    urls,
    enqueue: queue.enqueue,
    openObjects,
    signer,
    sealer,
    log,
    client: undefined,
  }
  return startWorker({ queue, kinds: createJobKinds(app), context, log, interval: app.jobInterval })
}

/** Starts the scheduler, which enqueues jobs at their times. */
export function startSchedulerRole(app: App): { stop(): Promise<void> } {
  const { queue, database, clock, log } = app
  const services = { database, enqueue: queue.enqueue, schedules: createSchedules(app), clock, log }
  return startScheduler({ ...services, interval: app.jobInterval })
}
