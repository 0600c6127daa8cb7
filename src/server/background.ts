import type { App } from './app.ts'
import { startScheduler } from '../jobs/scheduler.ts'
import { startWorker } from '../jobs/worker.ts'
import { newId } from '../kernel/ids.ts'
import { timestamp } from '../kernel/time.ts'
import { createJobKinds, createSchedules } from './routes.ts'

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
  }
  return startWorker({ queue, kinds: createJobKinds(app), context, log, interval: app.jobInterval })
}

/** Starts the scheduler, which enqueues jobs at their times. */
export function startSchedulerRole(app: App): { stop(): Promise<void> } {
  const { queue, database, clock, log } = app
  const services = { database, enqueue: queue.enqueue, schedules: createSchedules(app), clock, log }
  return startScheduler({ ...services, interval: app.jobInterval })
}
