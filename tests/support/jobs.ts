import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { createOpenObjects } from '../../src/server/app.ts'
import { job } from '../../src/jobs/job.ts'
import { Queue } from '../../src/jobs/queue.ts'
import { type AnyJobKind, startWorker } from '../../src/jobs/worker.ts'
import type { JobContext } from '../../src/kernel/context.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { Log } from '../../src/kernel/log.ts'
import { createSealer } from '../../src/kernel/sealer.ts'
import { createSigner } from '../../src/kernel/signer.ts'
import { timestamp } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Row } from '../../src/schema/tables.ts'
import { migratedHomeForTest, openDatabaseForTest, silentLog } from './home.ts'
import { TestClock, engine } from './server.ts'
import type { TestServer } from './server.ts'

export interface JobQueueFixture {
  clock: TestClock
  database: Database
  queue: Queue
  /** Returns the same queue as another process of a cluster; the embedded engine has only one process. */
  openQueueOfOtherProcess: () => Queue
  enqueue: (kind: AnyJobKind, payload: unknown) => Promise<void>
  jobs: () => Promise<Row<'jobs'>[]>
  startWorker: (
    kinds: AnyJobKind[],
    options?: { queue?: Queue; heartbeat?: number; log?: Log },
  ) => { stop(): Promise<void> }
}

/** Creates a queue in an empty database, with a clock that tests control. */
export async function jobQueueForTest(): Promise<JobQueueFixture> {
  const env = await migratedHomeForTest()
  const clock = new TestClock()
  const opened = openDatabaseForTest(env)
  const queue = new Queue(opened, clock.now)
  return {
    clock,
    database: queue.database,
    queue,
    openQueueOfOtherProcess: () => (engine === 'postgres' ? new Queue(openDatabaseForTest(env), clock.now) : queue),
    enqueue: (kind, payload) => queue.database.transaction((db) => queue.enqueue(db, kind, payload)),
    jobs: () => opened.reader.selectFrom('jobs').selectAll().orderBy('id').execute(),
    startWorker(kinds, { queue: own = queue, log = silentLog, ...options } = {}) {
      const context = {
        db: own.database.reader,
        transaction: own.database.transaction,
        now: () => timestamp(clock.now()),
        newId,
        urls: {
          api: (path: string) => path,
          app: (path: string) => path,
          plain: (path: string) => path,
          site: () => '',
          sitesAt: () => [],
        },
        enqueue: own.enqueue,
        openObjects: createOpenObjects(clock.now),
        signer: createSigner('test'),
        sealer: createSealer('test'),
        log,
        client: undefined,
      }
      const worker = startWorker({ queue: own, kinds, context, log, interval: 5, ...options })
      onTestFinished(() => worker.stop())
      return worker
    },
  }
}

/** Declares a kind of job whose payload is a string. */
export function textJob(options: {
  name?: string
  attempts?: number
  key?: (text: string) => string
  run: (text: string, context: JobContext) => Promise<void>
}): AnyJobKind {
  const { name = 'test.text', attempts = 3, key, run } = options
  return job({ name, attempts, payload: z.string(), ...(key && { key }), run: (context, text) => run(text, context) })
}

/** Stores a job that has failed. */
export async function insertFailedJob({ server }: TestServer, name: string, number: number): Promise<string> {
  const id = `failed-${number}`
  await server.app.database.transaction((db) =>
    db
      .insertInto('jobs')
      .values({
        id,
        name,
        key: null,
        payload: '{}',
        state: 'dead',
        attempts: 5,
        run_at: `2026-01-01T00:00:0${number}.000Z`,
        lease: null,
        lease_until: null,
        error: 'The disk is full',
        created_at: `2026-01-01T00:00:0${number}.000Z`,
        finished_at: `2026-01-01T00:01:0${number}.000Z`,
      })
      .execute(),
  )
  return id
}
