import { expect, test } from 'vitest'
import { leaseDuration } from '../../src/jobs/queue.ts'
import { hours, minutes, seconds } from '../../src/kernel/time.ts'
import type { Row } from '../../src/schema/tables.ts'
import { testOn } from '../support/engine.ts'
import { jobQueueForTest, textJob } from '../support/jobs.ts'

const kind = textJob({ run: async () => {} })

test('a job is enqueued only if its transaction commits', async () => {
  const { database, queue, jobs } = await jobQueueForTest()
  const failing = database.transaction(async (db) => {
    await queue.enqueue(db, kind, 'never')
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await jobs()).toEqual([])
  expect(await queue.claim([kind.name])).toBeUndefined()

  await database.transaction((db) => queue.enqueue(db, kind, 'once'))
  expect(await queue.claim([kind.name])).toMatchObject({ payload: '"once"', state: 'running', attempts: 1 })
  expect(await queue.claim([kind.name])).toBeUndefined()
})

test('a failed job is retried with increasing delays and is dead after its last attempt', async () => {
  const { clock, queue, enqueue, jobs } = await jobQueueForTest()
  await enqueue(kind, 'doomed')
  for (const wait of [seconds(5), seconds(10), seconds(20)]) {
    const job = (await queue.claim([kind.name])) as Row<'jobs'>
    expect(await queue.fail(job, 'no luck', 4)).toBe(true)
    clock.advance(wait - seconds(1))
    expect(await queue.claim([kind.name])).toBeUndefined()
    clock.advance(seconds(1))
  }
  const last = (await queue.claim([kind.name])) as Row<'jobs'>
  expect(last.attempts).toBe(4)
  await queue.fail(last, 'no luck at all', 4)
  expect(await jobs()).toMatchObject([{ state: 'dead', attempts: 4, error: 'no luck at all', lease: null }])
  clock.advance(hours(24))
  expect(await queue.claim([kind.name])).toBeUndefined()
})

test('the delay between retries is at most one hour', async () => {
  const { clock, queue, enqueue } = await jobQueueForTest()
  await enqueue(kind, 'patient')
  for (let attempt = 1; attempt <= 30; attempt++) {
    const job = (await queue.claim([kind.name])) as Row<'jobs'>
    expect(job.attempts).toBe(attempt)
    await queue.fail(job, 'not yet', 100)
    clock.advance(hours(1))
  }
})

test('a delayed job runs at least its delay after the last enqueue, and repeated enqueues do not postpone it forever', async () => {
  const { clock, queue, enqueue, jobs } = await jobQueueForTest()
  const delayed = { ...textJob({ name: 'test.delayed', key: (text) => text, run: async () => {} }), delay: hours(1) }
  await enqueue(delayed, 'sweep')
  clock.advance(minutes(50))
  await enqueue(delayed, 'sweep')
  expect(await jobs()).toHaveLength(1)
  clock.advance(minutes(50))
  // The queued job would run too early for this enqueue, so a second one is added.
  await enqueue(delayed, 'sweep')
  expect(await jobs()).toHaveLength(2)
  expect(await queue.claim([delayed.name])).toBeUndefined()

  clock.advance(minutes(20))
  const first = (await queue.claim([delayed.name])) as Row<'jobs'>
  await queue.complete(first)
  expect(await queue.claim([delayed.name])).toBeUndefined()
  clock.advance(minutes(100))
  expect(await queue.claim([delayed.name])).toMatchObject({ payload: '"sweep"' })
})

test('a worker that lost the lease of a job cannot change it', async () => {
  const { clock, queue, openQueueOfOtherProcess, enqueue, jobs } = await jobQueueForTest()
  const other = openQueueOfOtherProcess()
  await enqueue(kind, 'slow')
  const first = (await queue.claim([kind.name])) as Row<'jobs'>
  clock.advance(leaseDuration / 2)
  expect(await queue.extend(first)).toBe(true)
  clock.advance(leaseDuration - seconds(1))
  expect(await other.claim([kind.name])).toBeUndefined()
  clock.advance(seconds(1))
  const second = (await other.claim([kind.name])) as Row<'jobs'>
  expect(second).toMatchObject({ id: first.id, attempts: 2 })

  expect(await queue.extend(first)).toBe(false)
  expect(await queue.fail(first, 'too late', 1)).toBe(false)
  expect(await queue.complete(first)).toBe(false)
  await queue.release(first)
  expect(await jobs()).toEqual([second])

  expect(await other.complete(second)).toBe(true)
  expect(await jobs()).toMatchObject([{ state: 'done', attempts: 2, error: null }])
  expect(await other.fail(second, 'after the end', 1)).toBe(false)
})

test('jobs with the same key are queued once and run one at a time, independently of other keys', async () => {
  const { queue, openQueueOfOtherProcess, enqueue, jobs } = await jobQueueForTest()
  const other = openQueueOfOtherProcess()
  const keyed = textJob({ name: 'test.keyed', key: (text) => text.charAt(0), run: async () => {} })
  for (const text of ['a1', 'a2', 'b1', 'a3']) await enqueue(keyed, text)
  expect((await jobs()).map(({ payload }) => payload)).toEqual(['"a1"', '"b1"'])

  const running = (await queue.claim([keyed.name])) as Row<'jobs'>
  expect(running.payload).toBe('"a1"')
  // The running job may have read its data before this enqueue, so it must run again.
  await enqueue(keyed, 'a4')
  await enqueue(keyed, 'a5')
  expect(await other.claim([keyed.name])).toMatchObject({ payload: '"b1"' })
  expect(await other.claim([keyed.name])).toBeUndefined()
  await queue.complete(running)
  expect(await other.claim([keyed.name])).toMatchObject({ payload: '"a4"' })
  expect(await other.claim([keyed.name])).toBeUndefined()
})

test('concurrent claims return different jobs and never two with the same key', async () => {
  const { queue, openQueueOfOtherProcess, enqueue, jobs } = await jobQueueForTest()
  const other = openQueueOfOtherProcess()
  const keyed = textJob({ name: 'test.keyed', key: (text) => text, run: async () => {} })
  for (let number = 0; number < 6; number++) await enqueue(kind, String(number))
  await enqueue(keyed, 'a')
  const [waiting] = await jobs()
  // Two queued jobs with the same key occur when a retry and a newer job coincide.
  await queue.database.transaction((db) =>
    db
      .insertInto('jobs')
      .values(['x', 'y'].map((id) => ({ ...(waiting as Row<'jobs'>), id, name: keyed.name, key: 'b' })))
      .execute(),
  )
  const claim = (number: number) => (number % 2 ? queue : other).claim([kind.name, keyed.name])
  const claimed = (await Promise.all(Array.from({ length: 6 }, (_, number) => claim(number)))).filter(isThere)
  // A claim is empty if all due jobs are locked by other claims, so it is repeated.
  for (let job = await claim(0); job; job = await claim(0)) claimed.push(job)
  expect(claimed.length).toBe(8)
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(8)
  expect(claimed.filter(({ key }) => key === 'b').length).toBe(1)
})

test('a process with exclusive use of the database can claim jobs of its predecessor immediately', async () => {
  const { queue, enqueue } = await jobQueueForTest()
  await enqueue(kind, 'left behind')
  await queue.claim([kind.name])
  expect(await queue.claim([kind.name])).toBeUndefined()
  await queue.releaseAll()
  expect(await queue.claim([kind.name])).toMatchObject({ payload: '"left behind"', attempts: 2 })
})

test('a job of an unknown kind is left to a version that supports it', async () => {
  const { clock, queue, enqueue } = await jobQueueForTest()
  const newer = textJob({ name: 'test.newer', run: async () => {} })
  await enqueue(newer, 'from the future')
  await enqueue(kind, 'from today')
  clock.advance(minutes(1))
  expect(await queue.claim([kind.name])).toMatchObject({ name: kind.name })
  expect(await queue.claim([kind.name])).toBeUndefined()
  expect(await queue.claim([kind.name, newer.name])).toMatchObject({ name: newer.name, attempts: 1 })
})

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined
}

test('enqueuing a failed job again makes it due immediately', async () => {
  const { queue, enqueue } = await jobQueueForTest()
  const keyed = textJob({ name: 'test.keyed', key: (text) => text, run: async () => {} })
  await enqueue(keyed, 'again')
  const job = (await queue.claim([keyed.name])) as Row<'jobs'>
  await queue.fail(job, 'no luck', 4)
  expect(await queue.claim([keyed.name])).toBeUndefined()
  await enqueue(keyed, 'again')
  expect(await queue.claim([keyed.name])).toMatchObject({ id: job.id, attempts: 2 })
})

// SQLite has one writer at a time, so no transaction overlaps another.
testOn('postgres')('a queued job cannot be claimed while a transaction that enqueues it again is open', async () => {
  const { database, queue, enqueue } = await jobQueueForTest()
  const keyed = textJob({ name: 'test.keyed', key: (text) => text, run: async () => {} })
  await enqueue(keyed, 'once')
  await database.transaction(async (db) => {
    await queue.enqueue(db, keyed, 'once')
    expect(await queue.claim([keyed.name])).toBeUndefined()
  })
  expect(await queue.claim([keyed.name])).toMatchObject({ payload: '"once"' })
})
