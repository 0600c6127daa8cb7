import type { Enqueue } from '../kernel/context.ts'
import type { Log } from '../kernel/log.ts'
import { type Clock, timestamp } from '../kernel/time.ts'
import type { Database } from '../storage/database.ts'
import type { Schedule } from './job.ts'

export interface SchedulerServices {
  database: Database
  enqueue: Enqueue
  schedules: readonly Schedule[]
  clock: Clock
  log: Log
  /** Milliseconds between checks for due schedules. */
  interval: number
}

/** Enqueues scheduled jobs when they are due; if there are several schedulers, only one of them enqueues each. */
export function startScheduler(services: SchedulerServices): { stop(): Promise<void> } {
  let lastTick: Promise<void> = Promise.resolve()
  const tick = () => {
    lastTick = lastTick
      .then(() => enqueueDueJobs(services))
      .catch((error: unknown) => services.log.warn('Scheduling failed', { error }))
  }
  const timer = setInterval(tick, services.interval)
  tick()
  return {
    async stop() {
      clearInterval(timer)
      await lastTick
    },
  }
}

async function enqueueDueJobs({ database, enqueue, schedules, clock }: SchedulerServices): Promise<void> {
  const now = clock()
  const rows = await database.reader.selectFrom('schedules').selectAll().execute()
  if (rows.length === 0) return postponeAll(database, schedules, now)
  const nextAt = new Map(rows.map((row) => [row.name, row.next_at]))
  for (const { kind, every } of schedules) {
    if ((nextAt.get(kind.name) ?? '') > timestamp(now)) continue
    await database.transaction(async (db) => {
      const due = await db
        .insertInto('schedules')
        .values({ name: kind.name, next_at: timestamp(now + every) })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ next_at: timestamp(now + every) })
            .where('schedules.next_at', '<=', timestamp(now)),
        )
        .returning('name')
        .executeTakeFirst()
      if (due) await enqueue(db, kind, {})
    })
  }
}

/** On a new database there is nothing yet for periodic jobs to do. */
async function postponeAll(database: Database, schedules: readonly Schedule[], now: number): Promise<void> {
  if (schedules.length === 0) return
  const values = schedules.map(({ kind, every }) => ({ name: kind.name, next_at: timestamp(now + every) }))
  await database.transaction(async (db) => {
    await db
      .insertInto('schedules')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}
