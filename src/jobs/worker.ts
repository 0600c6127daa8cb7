import type { JobContext, JobKind } from '../kernel/context.ts'
import { OutageError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { seconds } from '../kernel/time.ts'
import type { Row } from '../schema/tables.ts'
import { type Queue, leaseDuration } from './queue.ts'

/** Maximum number of jobs that one process runs concurrently. */
const concurrency = 3
/** Short enough that a lease survives two missed heartbeats. */
const defaultHeartbeat = leaseDuration / 4
/** Maximum time that stopping waits for running jobs; they are resumed after the next start. */
const stopTimeout = seconds(7)

/** Delay of a job after an outage of the database or the file storage; it does not count as an attempt. */
const outageDelay = seconds(10)

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
  const kindsByName = new Map(kinds.map((kind) => [kind.name, kind]))
  const running = new Map<Promise<void>, Row<'jobs'>>()
  /** Returns the names of the kinds of which another job may be started. */
  const findAvailableKinds = () => {
    const names = [...running.values()].map(({ name }) => name)
    const countRunning = (name: string) => names.filter((one) => one === name).length
    return kinds.filter(({ name, atOnce = Infinity }) => countRunning(name) < atOnce).map(({ name }) => name)
  }
  const runningIds = () => [...running.values()].map(({ id }) => id)
  const stopping = new AbortController()
  let polling: Promise<void> | undefined
  let shouldPollAgain = false

  const poll = () => {
    shouldPollAgain = true
    polling ??= claimJobs().finally(() => (polling = undefined))
  }
  async function claimJobs(): Promise<void> {
    while (shouldPollAgain && !stopping.signal.aborted) {
      shouldPollAgain = false
      try {
        while (running.size < concurrency && !stopping.signal.aborted) {
          const names = findAvailableKinds()
          const job = names.length > 0 ? await queue.claim(names, runningIds()) : undefined
          if (!job) break
          const runningJob = runJob(job).finally(() => {
            running.delete(runningJob)
            poll()
          })
          running.set(runningJob, job)
        }
      } catch (error) {
        log.warn('The queue could not be read', { error })
      }
    }
  }

  async function runJob(job: Row<'jobs'>): Promise<void> {
    const jobLog = log.with({ job: job.id, kind: job.name })
    const kind = kindsByName.get(job.name) as AnyJobKind
    const leaseLost = new AbortController()
    // Extensions run one after the other, so that a delayed one cannot overwrite a later one.
    const extendLease = async () => {
      try {
        if (!(await queue.extend(job))) return leaseLost.abort(new Error('The lease was lost'))
      } catch (error) {
        jobLog.warn('The lease of a job could not be extended', { error })
      }
      if (!hasEnded) heartbeatTimer = setTimeout(() => void extendLease(), heartbeat)
    }
    let hasEnded = false
    let heartbeatTimer = setTimeout(() => void extendLease(), heartbeat)
    const signal = AbortSignal.any([stopping.signal, leaseLost.signal])
    const failure = await attemptJob(kind, job, { ...context, log: jobLog, signal })
    hasEnded = true
    clearTimeout(heartbeatTimer)
    try {
      if (!failure) await queue.complete(job)
      else if (stopping.signal.aborted) await queue.release(job)
      else if (failure.error instanceof OutageError) {
        jobLog.warn('A job waits for a part that is down', {
          part: failure.error.dependency,
          error: failure.error.cause,
        })
        await queue.release(job, outageDelay)
      } else {
        jobLog.error('A job failed', { error: failure.error, attempt: job.attempts })
        await queue.fail(job, messageOf(failure.error), kind.attempts)
      }
    } catch (error) {
      // The lease expires, and then the job is claimed again.
      jobLog.warn('The result of a job could not be stored', { error })
    }
  }

  queue.onEnqueued(poll)
  const timer = setInterval(poll, interval)
  poll()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await polling
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, stopTimeout).unref())
      await Promise.race([Promise.allSettled(running.keys()), timeout])
    },
  }
}

async function attemptJob(
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
