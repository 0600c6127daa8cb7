import { sql } from 'kysely'
import type { Enqueue } from '../kernel/context.ts'
import { newId } from '../kernel/ids.ts'
import { type Clock, hours, seconds, timestamp } from '../kernel/time.ts'
import type { DatabaseAccess, Database } from '../storage/database.ts'
import type { Db, Row } from '../schema/tables.ts'

/** Time without a heartbeat after which the job of a worker is given to another worker. */
export const leaseDuration = seconds(15)
const minRetryDelay = seconds(5)
const maxRetryDelay = hours(1)

/** Queue of background jobs, in the same database as all other data. */
export class Queue {
  readonly #database: Database
  readonly #clock: Clock
  /** Prefix of the leases of this process, by which the next process with the same ID finds them. */
  readonly #workerId: string
  readonly #ignored: ReadonlySet<string>
  #wake: () => void = () => {}
  #hasNewJobs = false

  /** Jobs with the names in `ignored` are not enqueued. */
  constructor(
    database: Database,
    clock: Clock,
    { workerId = newId(), ignored = [] }: { workerId?: string; ignored?: readonly string[] } = {},
  ) {
    this.#clock = clock
    this.#workerId = workerId
    this.#ignored = new Set(ignored)
    // Wakes the worker of this process after a transaction that enqueued a job, so that it does not wait for its next poll.
    const withWakeUp = ({ reader, transaction }: DatabaseAccess): DatabaseAccess => ({
      reader,
      transaction: async (work) => {
        const result = await transaction(work)
        if (this.#hasNewJobs) {
          this.#hasNewJobs = false
          this.#wake()
        }
        return result
      },
    })
    this.#database = { ...database, ...withWakeUp(database), unlimited: withWakeUp(database.unlimited) }
  }

  /** Database to use with this queue: its transactions wake the worker. */
  get database(): Database {
    return this.#database
  }

  onEnqueued(wake: () => void): void {
    this.#wake = wake
  }

  readonly enqueue: Enqueue = async (db, kind, payload) => {
    if (this.#ignored.has(kind.name)) return
    const key = kind.key?.(payload) ?? null
    const time = this.#clock()
    const now = timestamp(time)
    const { name, delay = 0 } = kind
    // A queued job with the same key suffices if it runs late enough. New jobs wait for two delays, so few of them are needed.
    const earliestRunAt = delay > 0 ? timestamp(time + delay) : ''
    const queuedJob = key === null ? undefined : await this.#findQueued(db, name, key, earliestRunAt)
    if (queuedJob) {
      // A failed job waits for its next attempt; enqueueing it again runs it immediately.
      if (delay === 0 && queuedJob.run_at > now) await makeDueNow(db, queuedJob.id, now)
      this.#hasNewJobs = true
      return
    }
    await db
      .insertInto('jobs')
      .values({
        id: newId(),
        name,
        key,
        payload: JSON.stringify(payload),
        state: 'queued',
        attempts: 0,
        run_at: timestamp(time + 2 * delay),
        lease: null,
        lease_until: null,
        error: null,
        created_at: now,
        finished_at: null,
      })
      .execute()
    this.#hasNewJobs = true
  }

  /**
   * Leases the next job of these kinds that is due or whose lease has expired; no other worker gets it until the lease
   * ends. Other kinds are left to other workers: during an upgrade a cluster runs two versions. `except` contains the
   * IDs of the caller's running jobs, whose leases may have expired while it was busy.
   */
  async claim(names: readonly string[], except: readonly string[] = []): Promise<Row<'jobs'> | undefined> {
    const now = timestamp(this.#clock())
    if (!(await selectNextDue(this.#database.reader, names, except, now).executeTakeFirst())) return undefined
    return this.#database.transaction(async (db) => {
      const query = selectNextDue(db, names, except, now)
      const due = await (
        this.#database.engine === 'postgres' ? query.forUpdate().skipLocked() : query
      ).executeTakeFirst()
      if (!due) return undefined
      return db
        .updateTable('jobs')
        .set({
          state: 'running',
          attempts: due.attempts + 1,
          lease: `${this.#workerId}.${newId()}`,
          lease_until: this.#leaseEnd(),
        })
        .where('id', '=', due.id)
        .returningAll()
        .executeTakeFirst()
    })
  }

  /** Extends the lease of a running job; returns false if the lease was lost. */
  extend(job: Row<'jobs'>): Promise<boolean> {
    return this.#update(job, { lease_until: this.#leaseEnd() })
  }

  complete(job: Row<'jobs'>): Promise<boolean> {
    return this.#update(job, {
      state: 'done',
      lease: null,
      lease_until: null,
      error: null,
      finished_at: timestamp(this.#clock()),
    })
  }

  /** Records a failure: the job is retried with exponential backoff until its attempts are used up. */
  fail(job: Row<'jobs'>, error: string, attempts: number): Promise<boolean> {
    const now = this.#clock()
    const endedLease = { lease: null, lease_until: null, error: error.slice(0, 2000) }
    if (job.attempts >= attempts)
      return this.#update(job, { ...endedLease, state: 'dead', finished_at: timestamp(now) })
    const wait = Math.min(minRetryDelay * 2 ** (job.attempts - 1), maxRetryDelay)
    return this.#update(job, { ...endedLease, state: 'queued', run_at: timestamp(now + wait) })
  }

  /** Returns an unfinished job to the queue, optionally with a delay; it does not count as an attempt. */
  async release(job: Row<'jobs'>, wait = 0): Promise<void> {
    const returned = { state: 'queued', attempts: job.attempts - 1, lease: null, lease_until: null } as const
    await this.#update(job, { ...returned, ...(wait > 0 && { run_at: timestamp(this.#clock() + wait) }) })
  }

  /** Ends all leases, for a process that has the database to itself: the workers that held them no longer exist. */
  async releaseAll(): Promise<void> {
    const now = timestamp(this.#clock())
    await this.#database.transaction((db) =>
      db.updateTable('jobs').set({ lease_until: now }).where('state', '=', 'running').execute(),
    )
  }

  /** Ends the leases of the previous process with this worker ID; only one process has it at a time. */
  async releaseOwn(): Promise<void> {
    const now = timestamp(this.#clock())
    await this.#database.transaction((db) =>
      db
        .updateTable('jobs')
        .set({ lease_until: now })
        .where('state', '=', 'running')
        .where('lease', 'like', `${this.#workerId}.%`)
        .execute(),
    )
  }

  /**
   * Finds a queued job and locks it until the transaction ends. Otherwise it could run and finish before the
   * transaction commits, without seeing what the transaction writes.
   */
  #findQueued(
    db: Db,
    name: string,
    key: string,
    earliestRunAt: string,
  ): Promise<Pick<Row<'jobs'>, 'id' | 'run_at'> | undefined> {
    const query = db
      .selectFrom('jobs')
      .where('name', '=', name)
      .where('key', '=', key)
      .where('state', '=', 'queued')
      .where('run_at', '>=', earliestRunAt)
      .select(['id', 'run_at'])
    return (this.#database.engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  }

  #leaseEnd(): string {
    return timestamp(this.#clock() + leaseDuration)
  }

  /** Updates a job if the caller still holds its lease. */
  async #update(job: Row<'jobs'>, values: Partial<Row<'jobs'>>): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.transaction((db) =>
      db.updateTable('jobs').set(values).where('id', '=', job.id).where('lease', '=', job.lease).executeTakeFirst(),
    )
    return numUpdatedRows > 0n
  }
}

/** Counts the jobs by name and state. */
export async function countJobs(db: Db): Promise<{ name: string; state: string; count: number }[]> {
  return db
    .selectFrom('jobs')
    .groupBy(['name', 'state'])
    .select((eb) => ['name', 'state', eb.fn.countAll<number>().as('count')])
    .execute()
}

type JobState = Row<'jobs'>['state']

/** Selects jobs that were not successful. */
const selectListedJobs = (db: Db, state: JobState | undefined) =>
  db
    .selectFrom('jobs')
    .where('state', '!=', 'done')
    .$if(state !== undefined, (query) => query.where('state', '=', state as JobState))

/** Lists jobs that were not successful, the newest first. */
export function findJobs(
  db: Db,
  state: JobState | undefined,
  { after, limit }: { after: readonly string[] | undefined; limit: number },
): Promise<Row<'jobs'>[]> {
  return selectListedJobs(db, state)
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(created_at, id) < (${after?.[0]}, ${after?.[1]})`))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countListedJobs(db: Db, state: JobState | undefined): Promise<number> {
  const { count } = await selectListedJobs(db, state)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export function findJob(db: Db, id: string): Promise<Row<'jobs'> | undefined> {
  return db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns a failed job to the queue with all its attempts. */
export function requeueJob(db: Db, { id }: Pick<Row<'jobs'>, 'id'>, now: string): Promise<Row<'jobs'>> {
  return db
    .updateTable('jobs')
    .set({ state: 'queued', attempts: 0, run_at: now, finished_at: null })
    .where('id', '=', id)
    .where('state', '=', 'dead')
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function makeDueNow(db: Db, id: string, now: string): Promise<void> {
  await db.updateTable('jobs').set({ run_at: now }).where('id', '=', id).where('state', '=', 'queued').execute()
}

function selectNextDue(db: Db, names: readonly string[], except: readonly string[], now: string) {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('name', 'in', names)
    .$if(except.length > 0, (query) => query.where('id', 'not in', except))
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'queued'), eb('run_at', '<=', now)]),
        eb.and([eb('state', '=', 'running'), eb('lease_until', '<=', now)]),
      ]),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs as busy')
            .select('busy.id')
            .whereRef('busy.name', '=', 'jobs.name')
            .whereRef('busy.key', '=', 'jobs.key')
            .whereRef('busy.id', '!=', 'jobs.id')
            .where('busy.state', '=', 'running')
            .where('busy.lease_until', '>', now),
        ),
      ),
    )
    .orderBy('run_at')
    .orderBy('id')
    .limit(1)
}

/** Removes jobs that ended before the given times. */
export async function removeEndedJobs(db: Db, doneBefore: string, deadBefore: string): Promise<void> {
  await sql`delete from jobs where (state = 'done' and finished_at < ${doneBefore})
    or (state = 'dead' and finished_at < ${deadBefore})`.execute(db)
}
