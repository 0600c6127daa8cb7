import type { JobContext, JobKind } from '../kernel/context.ts'
import { OutageError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { seconds } from '../kernel/time.ts'
import type { Row } from '../schema/tables.ts'
import { type Queue, leaseLength } from './queue.ts'

/** Maximum number of jobs that one process runs concurrently. */
const concurrency = 3
/** Short enough that a lease survives two missed heartbeats. */
const defaultHeartbeat = leaseLength / 4
/** Maximum time that stopping waits for running jobs; they are resumed after the next start. */
const patience = seconds(7)

/** Delay of a job after an outage of the database or the file storage; it does not count as an attempt. */
const outagePause = seconds(10)

// oxlint-disable-next-line no-explicit-any -- each kind checks its own payload
export type AnyJobKind = JobKind<any>

export interface WorkerServices {
  queue: Queue
  kinds: readonly AnyJobKind[]
  context: Omit<JobContext, 'signal'>
  log: Log
  /** Milliseconds between polls of the queue. */
  interval: number
  /** Milliseconds between heartbeats of a running job. */
  heartbeat?: number
}

/** Runs jobs until it is stopped. */
export function startWorker(services: WorkerServices): { stop(): Promise<void> } {
  const { queue, kinds, context, log, interval, heartbeat = defaultHeartbeat } = services
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const running = new Map<Promise<void>, Row<'jobs'>>()
  /** Returns the names of the kinds of which another job may be started. */
  const openKinds = () => {
    const names = [...running.values()].map(({ name }) => name)
    const countOf = (name: string) => names.filter((one) => one === name).length
    return kinds.filter(({ name, atOnce = Infinity }) => countOf(name) < atOnce).map(({ name }) => name)
  }
  const runningIds = () => [...running.values()].map(({ id }) => id)
  const stopping = new AbortController()
  let looking: Promise<void> | undefined
  let lookAgain = false

  const look = () => {
    lookAgain = true
    looking ??= takeJobs().finally(() => (looking = undefined))
  }
  async function takeJobs(): Promise<void> {
    while (lookAgain && !stopping.signal.aborted) {
      lookAgain = false
      try {
        while (running.size < concurrency && !stopping.signal.aborted) {
          const names = openKinds()
          const job = names.length > 0 ? await queue.claim(names, runningIds()) : undefined
          if (!job) break
          const work = runJob(job).finally(() => {
            running.delete(work)
            look()
          })
          running.set(work, job)
        }
      } catch (error) {
        log.warn('The queue could not be read', { error })
      }
    }
  }

  async function runJob(job: Row<'jobs'>): Promise<void> {
    const jobLog = log.with({ job: job.id, kind: job.name })
    const kind = byName.get(job.name) as AnyJobKind
    const lost = new AbortController()
    // Extensions run one after the other, so that a delayed one cannot overwrite a later one.
    const extend = async () => {
      try {
        if (!(await queue.extend(job))) return lost.abort(new Error('The lease was lost'))
      } catch (error) {
        jobLog.warn('The lease of a job could not be extended', { error })
      }
      if (!ended) alive = setTimeout(() => void extend(), heartbeat)
    }
    let ended = false
    let alive = setTimeout(() => void extend(), heartbeat)
    const signal = AbortSignal.any([stopping.signal, lost.signal])
    const failure = await attempt(kind, job, { ...context, log: jobLog, signal })
    ended = true
    clearTimeout(alive)
    try {
      if (!failure) await queue.complete(job)
      else if (stopping.signal.aborted) await queue.release(job)
      else if (failure.error instanceof OutageError) {
        jobLog.warn('A job waits for a part that is down', { part: failure.error.part, error: failure.error.cause })
        await queue.release(job, outagePause)
      } else {
        jobLog.error('A job failed', { error: failure.error, attempt: job.attempts })
        await queue.fail(job, messageOf(failure.error), kind.attempts)
      }
    } catch (error) {
      // The lease expires, and then the job is claimed again.
      jobLog.warn('The end of a job could not be written down', { error })
    }
  }

  queue.onNew(look)
  const timer = setInterval(look, interval)
  look()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await looking
      const gaveUp = new Promise<void>((resolve) => setTimeout(resolve, patience).unref())
      await Promise.race([Promise.allSettled(running.keys()), gaveUp])
    },
  }
}

async function attempt(
  kind: AnyJobKind,
  job: Row<'jobs'>,
  context: JobContext,
): Promise<{ error: unknown } | undefined> {
  try {
    // The attempt of a worker that died counts too, so that a job that crashes its process is not retried forever.
    if (job.attempts > kind.attempts) throw new Error(job.error ?? 'The process that ran it ended each time')
    await kind.run(context, kind.parse(JSON.parse(job.payload)))
    return undefined
  } catch (error) {
    return { error }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
