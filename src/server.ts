import { type App, type AppOptions, openApp } from './app.ts'
import { type FirstStart, bootstrap } from './bootstrap.ts'
import type { Config } from './config.ts'
import { assertPortIsFree, startApi } from './roles/api.ts'
import { startSchedulerRole, startWorkerRole } from './roles/background.ts'

export interface Server {
  app: App
  /** Where the API is reached from this machine, when this process serves it. */
  address: string | undefined
  /** What was created, when this was the very first start. */
  firstStart: FirstStart | undefined
  stop(): Promise<void>
}

/** Starts the roles that the configuration names. */
export async function startServer(config: Config, options: AppOptions = {}): Promise<Server> {
  if (config.roles.has('api')) await assertPortIsFree(config)
  const app = await openApp(config, options)
  const started: { stop(): Promise<void> }[] = []
  const stop = async () => {
    await Promise.all(started.map((role) => role.stop()))
    await app.close()
  }
  try {
    const firstStart = await bootstrap(app)
    if (config.roles.has('worker')) started.push(startWorkerRole(app))
    if (config.roles.has('scheduler')) started.push(startSchedulerRole(app))
    const api = config.roles.has('api') ? await startApi(app) : undefined
    if (api) started.push(api)
    return { app, address: api?.address, firstStart, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
