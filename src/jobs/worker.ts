import type { JobContext, JobKind } from '../kernel/context.ts'
import type { Log } from '../kernel/log.ts'
import { seconds } from '../kernel/time.ts'
import type { Row } from '../storage/tables.ts'
import type { Queue } from './queue.ts'

/** How many jobs one process works on at a time. */
const concurrency = 2
/** A third of the lease, so that one missed sign of life loses nothing. */
const heartbeat = seconds(20)
/** How long a stop waits for running jobs; they are taken up again at the next start. */
const patience = seconds(7)

// oxlint-disable-next-line no-explicit-any -- each kind checks its own payload
export type AnyJobKind = JobKind<any>

export interface WorkerServices {
  queue: Queue
  kinds: readonly AnyJobKind[]
  context: Omit<JobContext, 'signal'>
  log: Log
  /** Milliseconds between looks into the queue. */
  interval: number
}

/** Works on jobs until it is stopped. */
export function startWorker({ queue, kinds, context, log, interval }: WorkerServices): { stop(): Promise<void> } {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const running = new Set<Promise<void>>()
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
          const job = await queue.claim()
          if (!job) break
          const work = runJob(job).finally(() => {
            running.delete(work)
            look()
          })
          running.add(work)
        }
      } catch (error) {
        log.warn('The queue could not be read', { error })
      }
    }
  }

  async function runJob(job: Row<'jobs'>): Promise<void> {
    const jobLog = log.with({ job: job.id, kind: job.name })
    const kind = byName.get(job.name)
    const lost = new AbortController()
    const alive = setInterval(() => {
      queue.extend(job).then(
        (held) => held || lost.abort(new Error('The lease was lost')),
        (error: unknown) => jobLog.warn('The lease of a job could not be extended', { error }),
      )
    }, heartbeat)
    try {
      if (!kind) throw new Error(`This version of Octavo has no job named ${job.name}`)
      // A job whose worker died counts that attempt too: what kills its process must not do so for ever.
      if (job.attempts > kind.attempts) throw new Error(job.error ?? 'The process that ran it ended each time')
      const signal = AbortSignal.any([stopping.signal, lost.signal])
      await kind.run({ ...context, log: jobLog, signal }, kind.parse(JSON.parse(job.payload)))
      await queue.complete(job)
    } catch (error) {
      if (stopping.signal.aborted) return await queue.release(job)
      jobLog.error('A job failed', { error, attempt: job.attempts })
      await queue.fail(job, error instanceof Error ? error.message : String(error), kind?.attempts ?? 1)
    } finally {
      clearInterval(alive)
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
      await Promise.race([Promise.allSettled(running), gaveUp])
    },
  }
}
