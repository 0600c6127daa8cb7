import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { job } from '../../src/jobs/job.ts'
import { leaseDuration } from '../../src/jobs/queue.ts'
import { startScheduler } from '../../src/jobs/scheduler.ts'
import { OutageError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { hours, minutes, timestamp } from '../../src/kernel/time.ts'
import { makeGate } from '../support/gate.ts'
import { silentLog } from '../support/home.ts'
import { jobQueueForTest, textJob } from '../support/jobs.ts'
import { engine, waitUntil } from '../support/server.ts'

test('two workers run each job once and never two jobs with the same key concurrently', async () => {
  const { openQueueOfOtherProcess, enqueue, jobs, startWorker } = await jobQueueForTest()
  const runs: string[] = []
  const busyKeys = new Set<string>()
  let overlaps = 0
  const kind = textJob({
    key: (text) => text.charAt(0),
    run: async (text) => {
      const key = text.charAt(0)
      if (busyKeys.has(key)) overlaps++
      busyKeys.add(key)
      await new Promise((resolve) => setImmediate(resolve))
      runs.push(text)
      busyKeys.delete(key)
    },
  })
  const free = textJob({ name: 'test.free', run: async (text) => void runs.push(text) })
  startWorker([kind, free])
  startWorker([kind, free], { queue: openQueueOfOtherProcess() })
  const expected: string[] = []
  for (let number = 0; number < 15; number++) {
    const text = `free ${number}`
    expected.push(text)
    await enqueue(free, text)
    await enqueue(kind, `${'abc'.charAt(number % 3)}${number}`)
  }
  await waitUntil(async () => (await jobs()).every(({ state }) => state === 'done'), 'all jobs are done')
  expect(runs.filter((text) => text.startsWith('free')).sort()).toEqual(expected.sort())
  expect(overlaps).toBe(0)
  expect((await jobs()).map(({ attempts }) => attempts)).toEqual((await jobs()).map(() => 1))
})

test('slow jobs with a concurrency limit do not block other jobs', async () => {
  const { enqueue, jobs, startWorker } = await jobQueueForTest()
  const gate = makeGate()
  const started: string[] = []
  const slow = {
    ...textJob({
      run: async (text) => {
        started.push(text)
        await gate.passed
      },
    }),
    atOnce: 1,
  }
  const quick = textJob({ name: 'test.quick', run: async (text) => void started.push(text) })
  startWorker([slow, quick])
  for (const text of ['slow 1', 'slow 2', 'slow 3']) await enqueue(slow, text)
  for (const text of ['quick 1', 'quick 2']) await enqueue(quick, text)
  const done = async () => (await jobs()).filter(({ state }) => state === 'done').length
  await waitUntil(async () => (await done()) === 2, 'the quick jobs are done')
  expect(started.toSorted()).toEqual(['quick 1', 'quick 2', 'slow 1'])
  gate.open()
  await waitUntil(async () => (await done()) === 5, 'all jobs are done')
})

test('a failing job is retried until it succeeds or is dead after its last attempt', async () => {
  const { clock, enqueue, jobs, startWorker } = await jobQueueForTest()
  const tries: string[] = []
  const kind = textJob({
    attempts: 3,
    run: async (text) => {
      tries.push(text)
      if (text === 'hopeless' || tries.filter((tried) => tried === text).length < 2) throw new Error(`${text}: failed`)
    },
  })
  await enqueue(kind, 'hopeless')
  await enqueue(kind, 'hopeful')
  startWorker([kind])
  const states = async () => (await jobs()).map(({ state, attempts }) => `${state} ${attempts}`)
  await waitUntil(async () => (await states()).join() === 'queued 1,queued 1', 'both have failed once')
  clock.advance(minutes(1))
  await waitUntil(async () => (await states()).join() === 'queued 2,done 2', 'one has succeeded')
  clock.advance(minutes(1))
  await waitUntil(async () => (await states()).join() === 'dead 3,done 2', 'the other is given up')
  expect((await jobs())[0]?.error).toBe('hopeless: failed')
  expect(tries.sort()).toEqual(['hopeful', 'hopeful', 'hopeless', 'hopeless', 'hopeless'])
})

test('a job that fails because of an outage is retried without counting attempts', async () => {
  const { clock, enqueue, jobs, startWorker } = await jobQueueForTest()
  let runs = 0
  const kind = textJob({
    attempts: 2,
    run: async () => {
      if (++runs < 5) throw new OutageError('files', 'unavailable', 'The file storage cannot be reached. Try again')
    },
  })
  await enqueue(kind, 'patient')
  startWorker([kind])
  for (let run = 1; run < 5; run++) {
    await waitUntil(async () => runs === run && (await jobs())[0]?.state === 'queued', 'the job waits')
    expect(await jobs()).toMatchObject([{ attempts: 0, error: null }])
    clock.advance(minutes(1))
  }
  await waitUntil(async () => (await jobs())[0]?.state === 'done', 'the job is done')
})

test('a job that crashes its process on every attempt is dead after its last attempt', async () => {
  const { clock, queue, enqueue, jobs, startWorker } = await jobQueueForTest()
  let runs = 0
  const kind = textJob({ attempts: 2, run: async () => void runs++ })
  await enqueue(kind, 'deadly')
  // A killed worker leaves a claimed job.
  for (let attempt = 1; attempt <= 2; attempt++) {
    expect(await queue.claim([kind.name])).toMatchObject({ attempts: attempt })
    clock.advance(minutes(2))
  }
  startWorker([kind])
  await waitUntil(async () => (await jobs())[0]?.state === 'dead', 'the job is given up')
  expect((await jobs())[0]?.error).toMatch(/process that ran it ended/)
  expect(runs).toBe(0)
})

test('a worker that lost the lease aborts the job', async () => {
  const { clock, database, enqueue, jobs, startWorker } = await jobQueueForTest()
  const [begun, told] = [makeGate(), makeGate()]
  const kind = textJob({
    run: async (_, { signal }) => {
      begun.open()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      told.open()
      signal.throwIfAborted()
    },
  })
  await enqueue(kind, 'slow')
  const worker = startWorker([kind], { heartbeat: 5 })
  await begun.passed
  // The state after another worker claimed the job because the lease had expired.
  const takenOver = { lease: 'of another', lease_until: timestamp(clock.now() + hours(1)), attempts: 2 }
  await database.transaction((db) => db.updateTable('jobs').set(takenOver).execute())
  await told.passed
  await worker.stop()
  expect(await jobs()).toMatchObject([{ ...takenOver, state: 'running', error: null }])
})

test('the lease of a long job is extended while its worker runs', async () => {
  const { clock, queue, enqueue, jobs, startWorker } = await jobQueueForTest()
  const [begun, end] = [makeGate(), makeGate()]
  const kind = textJob({
    run: async () => {
      begun.open()
      await end.passed
    },
  })
  await enqueue(kind, 'long')
  startWorker([kind], { heartbeat: 5 })
  await begun.passed
  for (let step = 0; step < 4; step++) {
    clock.advance(leaseDuration / 2)
    const wanted = timestamp(clock.now() + leaseDuration / 2)
    await waitUntil(async () => ((await jobs())[0]?.lease_until ?? '') > wanted, 'the lease is extended')
    expect(await queue.claim([kind.name])).toBeUndefined()
  }
  end.open()
  await waitUntil(async () => (await jobs())[0]?.state === 'done', 'the job is done')
  expect((await jobs())[0]?.attempts).toBe(1)
})

test('a stopping worker returns its job to the queue without counting the attempt', async () => {
  const { openQueueOfOtherProcess, enqueue, jobs, startWorker } = await jobQueueForTest()
  const begun = makeGate()
  const interrupted = textJob({
    run: async (_, { signal }) => {
      begun.open()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      signal.throwIfAborted()
    },
  })
  await enqueue(interrupted, 'half done')
  const worker = startWorker([interrupted])
  await begun.passed
  await worker.stop()
  expect(await jobs()).toMatchObject([{ state: 'queued', attempts: 0, lease: null, error: null }])

  const finished: string[] = []
  startWorker([textJob({ run: async (text) => void finished.push(text) })], { queue: openQueueOfOtherProcess() })
  await waitUntil(async () => (await jobs())[0]?.state === 'done', 'the job is done')
  expect(finished).toEqual(['half done'])
})

test('a worker survives a database failure while it stores the result of a job', async () => {
  const { clock, database, enqueue, jobs, startWorker } = await jobQueueForTest()
  const execute = (statement: string) => database.transaction((db) => sql.raw(statement).execute(db))
  const lines: string[] = []
  let runs = 0
  const kind = textJob({
    run: async () => {
      if (++runs === 1) await execute('alter table jobs rename to jobs_away')
    },
  })
  await enqueue(kind, 'unlucky')
  startWorker([kind], { log: createLog({ level: 'warn', format: 'json', write: (line) => lines.push(line) }) })
  await waitUntil(
    async () => lines.some((line) => line.includes('The queue could not be read')),
    'the queue cannot be read',
  )
  await execute('alter table jobs_away rename to jobs')
  clock.advance(minutes(2))
  await waitUntil(async () => (await jobs())[0]?.state === 'done', 'the job is done')
  expect(runs).toBe(2)
  expect(lines.some((line) => line.includes('The result of a job could not be stored'))).toBe(true)
})

test('several schedulers enqueue a due job only once, and none on a new database', async () => {
  const { clock, database, queue, openQueueOfOtherProcess, jobs } = await jobQueueForTest()
  const kind = job({ name: 'test.hourly', attempts: 1, payload: z.object({}), run: async () => {} })
  const start = (own: typeof queue) =>
    startScheduler({
      database: own.database,
      enqueue: own.enqueue,
      schedules: [{ kind, every: hours(1) }],
      clock: clock.now,
      log: silentLog,
      interval: 5,
    })
  const queues = engine === 'postgres' ? [queue, openQueueOfOtherProcess(), openQueueOfOtherProcess()] : [queue]
  const schedulers = queues.map(start)
  await waitUntil(() => database.reader.selectFrom('schedules').select('name').executeTakeFirst(), 'it is scheduled')
  expect(await jobs()).toEqual([])
  for (let times = 1; times <= 3; times++) {
    clock.advance(hours(1))
    await waitUntil(async () => (await jobs()).length === times, `the job is there ${times} times`)
  }
  await Promise.all(schedulers.map((scheduler) => scheduler.stop()))
  expect((await jobs()).length).toBe(3)
})
