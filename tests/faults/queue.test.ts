import { expect, test } from 'vitest'
import { leaseLength } from '../../src/jobs/queue.ts'
import { hours, minutes, seconds } from '../../src/kernel/time.ts'
import type { Row } from '../../src/schema/tables.ts'
import { testOn } from '../support/engine.ts'
import { benchForTest, textJob } from '../support/jobs.ts'

const kind = textJob({ run: async () => {} })

test('a job is in the queue when its transaction commits, and never otherwise', async () => {
  const { database, queue, jobs } = await benchForTest()
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

test('a failed job is tried again, each time after a longer wait, and given up after its attempts', async () => {
  const { clock, queue, put, jobs } = await benchForTest()
  await put(kind, 'doomed')
  for (const wait of [seconds(5), seconds(10), seconds(20)]) {
    const job = (await queue.claim([kind.name])) as Row<'jobs'>
    expect(await queue.fail(job, 'no luck', 4)).toBe(true)
    clock.pass(wait - seconds(1))
    expect(await queue.claim([kind.name])).toBeUndefined()
    clock.pass(seconds(1))
  }
  const last = (await queue.claim([kind.name])) as Row<'jobs'>
  expect(last.attempts).toBe(4)
  await queue.fail(last, 'no luck at all', 4)
  expect(await jobs()).toMatchObject([{ state: 'dead', attempts: 4, error: 'no luck at all', lease: null }])
  clock.pass(hours(24))
  expect(await queue.claim([kind.name])).toBeUndefined()
})

test('no wait is longer than an hour', async () => {
  const { clock, queue, put } = await benchForTest()
  await put(kind, 'patient')
  for (let attempt = 1; attempt <= 30; attempt++) {
    const job = (await queue.claim([kind.name])) as Row<'jobs'>
    expect(job.attempts).toBe(attempt)
    await queue.fail(job, 'not yet', 100)
    clock.pass(hours(1))
  }
})

test('a delayed job runs no sooner than its delay after the last time it was asked for, and soon enough after each', async () => {
  const { clock, queue, put, jobs } = await benchForTest()
  const delayed = { ...textJob({ name: 'test.delayed', key: (text) => text, run: async () => {} }), delay: hours(1) }
  await put(delayed, 'sweep')
  clock.pass(minutes(50))
  await put(delayed, 'sweep')
  expect(await jobs()).toHaveLength(1)
  clock.pass(minutes(50))
  // The one that waits comes too soon for what happened just now.
  await put(delayed, 'sweep')
  expect(await jobs()).toHaveLength(2)
  expect(await queue.claim([delayed.name])).toBeUndefined()

  clock.pass(minutes(20))
  const first = (await queue.claim([delayed.name])) as Row<'jobs'>
  await queue.complete(first)
  expect(await queue.claim([delayed.name])).toBeUndefined()
  clock.pass(minutes(100))
  expect(await queue.claim([delayed.name])).toMatchObject({ payload: '"sweep"' })
})

test('whoever has lost the lease of a job can no longer change it', async () => {
  const { clock, queue, queueOfAnother, put, jobs } = await benchForTest()
  const other = queueOfAnother()
  await put(kind, 'slow')
  const first = (await queue.claim([kind.name])) as Row<'jobs'>
  clock.pass(leaseLength / 2)
  expect(await queue.extend(first)).toBe(true)
  clock.pass(leaseLength - seconds(1))
  expect(await other.claim([kind.name])).toBeUndefined()
  clock.pass(seconds(1))
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

test('jobs of one key wait once and run one at a time; those of other keys do not care', async () => {
  const { queue, queueOfAnother, put, jobs } = await benchForTest()
  const other = queueOfAnother()
  const keyed = textJob({ name: 'test.keyed', key: (text) => text.charAt(0), run: async () => {} })
  for (const text of ['a1', 'a2', 'b1', 'a3']) await put(keyed, text)
  expect((await jobs()).map(({ payload }) => payload)).toEqual(['"a1"', '"b1"'])

  const running = (await queue.claim([keyed.name])) as Row<'jobs'>
  expect(running.payload).toBe('"a1"')
  // What is at work may have read too early to see what this one is about: so it runs again.
  await put(keyed, 'a4')
  await put(keyed, 'a5')
  expect(await other.claim([keyed.name])).toMatchObject({ payload: '"b1"' })
  expect(await other.claim([keyed.name])).toBeUndefined()
  await queue.complete(running)
  expect(await other.claim([keyed.name])).toMatchObject({ payload: '"a4"' })
  expect(await other.claim([keyed.name])).toBeUndefined()
})

test('many who ask at once get different jobs, and never two of one key', async () => {
  const { queue, queueOfAnother, put, jobs } = await benchForTest()
  const other = queueOfAnother()
  const keyed = textJob({ name: 'test.keyed', key: (text) => text, run: async () => {} })
  for (let number = 0; number < 6; number++) await put(kind, String(number))
  await put(keyed, 'a')
  const [waiting] = await jobs()
  // Two of one key in the queue, as a retry that meets a newer one leaves them.
  await queue.database.transaction((db) =>
    db
      .insertInto('jobs')
      .values(['x', 'y'].map((id) => ({ ...(waiting as Row<'jobs'>), id, name: keyed.name, key: 'b' })))
      .execute(),
  )
  const claim = (number: number) => (number % 2 ? queue : other).claim([kind.name, keyed.name])
  const claimed = (await Promise.all(Array.from({ length: 6 }, (_, number) => claim(number)))).filter(isThere)
  // Whoever finds all that is due in the hands of others goes away empty-handed, and comes again.
  for (let job = await claim(0); job; job = await claim(0)) claimed.push(job)
  expect(claimed.length).toBe(8)
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(8)
  expect(claimed.filter(({ key }) => key === 'b').length).toBe(1)
})

test('a process that has the database to itself takes up at once what its predecessor left', async () => {
  const { queue, put } = await benchForTest()
  await put(kind, 'left behind')
  await queue.claim([kind.name])
  expect(await queue.claim([kind.name])).toBeUndefined()
  await queue.releaseAll()
  expect(await queue.claim([kind.name])).toMatchObject({ payload: '"left behind"', attempts: 2 })
})

test('a kind that this version does not know is left to one that does', async () => {
  const { clock, queue, put } = await benchForTest()
  const newer = textJob({ name: 'test.newer', run: async () => {} })
  await put(newer, 'from the future')
  await put(kind, 'from today')
  clock.pass(minutes(1))
  expect(await queue.claim([kind.name])).toMatchObject({ name: kind.name })
  expect(await queue.claim([kind.name])).toBeUndefined()
  expect(await queue.claim([kind.name, newer.name])).toMatchObject({ name: newer.name, attempts: 1 })
})

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined
}

test('one that failed and waits is taken at once when it is asked for anew', async () => {
  const { queue, put } = await benchForTest()
  const keyed = textJob({ name: 'test.keyed', key: (text) => text, run: async () => {} })
  await put(keyed, 'again')
  const job = (await queue.claim([keyed.name])) as Row<'jobs'>
  await queue.fail(job, 'no luck', 4)
  expect(await queue.claim([keyed.name])).toBeUndefined()
  await put(keyed, 'again')
  expect(await queue.claim([keyed.name])).toMatchObject({ id: job.id, attempts: 2 })
})

// On the embedded engine nobody can look into the queue for work while somebody else writes.
// SQLite has one writer at a time, so no transaction overlaps another.
testOn('postgres')('one that waits is not taken before those who count on it have written', async () => {
  const { database, queue, put } = await benchForTest()
  const keyed = textJob({ name: 'test.keyed', key: (text) => text, run: async () => {} })
  await put(keyed, 'once')
  await database.transaction(async (db) => {
    await queue.enqueue(db, keyed, 'once')
    expect(await queue.claim([keyed.name])).toBeUndefined()
  })
  expect(await queue.claim([keyed.name])).toMatchObject({ payload: '"once"' })
})
