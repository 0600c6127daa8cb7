import { expect, test } from 'vitest'
import { SiteLimits } from '../../src/site/limits.ts'
import { type WorkLimits, WorkQueue } from '../../src/kernel/work-queue.ts'

const limits: WorkLimits = {
  maxRunning: 4,
  maxRunningPerCaller: 2,
  maxWaiting: 6,
  maxWaitingPerCaller: 3,
  maxWait: 60_000,
}

/** Returns functions to start work and to end it. */
function openWork(queue: WorkQueue) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const start = (caller: string, name: string) =>
    queue.run(
      caller,
      () =>
        new Promise<void>((resolve) => {
          started.push(name)
          ends.set(name, resolve)
        }),
    )
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { started, start, end }
}

test('one caller can use only a part of the slots, and others get the rest', async () => {
  const { started, start, end } = openWork(new WorkQueue(limits))
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => start('a', name))
  all.push(start('b', 'b1'), start('c', 'c1'), start('c', 'c2'))
  await new Promise(setImmediate)
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1'])
  await end('a1')
  expect(started.slice(4)).toEqual(['a3'])
  await end('c1')
  expect(started.slice(5)).toEqual(['c2'])
  await end('b1')
  for (const name of ['a2', 'a3', 'c2', 'a4']) await end(name)
  await Promise.all(all)
  expect(started).toHaveLength(7)
})

test('rejects work when too much is waiting: per caller with rateLimited, in total with unavailable', async () => {
  const { start, end, started } = openWork(new WorkQueue(limits))
  const all = Array.from({ length: 5 }, (_, index) => start('a', `a${index}`))
  await expect(start('a', 'a5')).rejects.toMatchObject({ code: 'rateLimited', retryAfter: 5 })
  all.push(start('b', 'b0'), start('b', 'b1'), start('b', 'b2'), start('b', 'b3'), start('c', 'c0'))
  await expect(start('d', 'd0')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 })
  // Ending one piece of work starts another, which is then added to `started`.
  for (const name of started) await end(name)
  expect(started).toHaveLength(all.length)
  await Promise.all(all)
})

test('failed work frees its slot for the next', async () => {
  const queue = new WorkQueue({ ...limits, maxRunning: 1, maxRunningPerCaller: 1 })
  const failing = queue.run('a', () => Promise.reject(new Error('no')))
  const next = queue.run('a', () => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('rejects work that has waited too long when its slot is free', async () => {
  const { start, end } = openWork(new WorkQueue({ ...limits, maxRunningPerCaller: 1, maxWait: -1 }))
  const running = start('a', 'a1')
  const waiting = start('a', 'a2')
  const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
  await new Promise(setImmediate)
  await end('a1')
  await running
  await refused
})

async function* text() {
  yield 'a'
  yield 'b'
}

test('limits the concurrent streams of a caller until one ends or is abandoned', async () => {
  const site = new SiteLimits({
    rateLimit: 0,
    apiRequestsPerMinute: 0,
    concurrency: 8,
    eventsPerMinute: 0,
    now: () => 0,
  })
  const streams = Array.from({ length: 4 }, () => site.stream('a', text())[Symbol.asyncIterator]())
  for (const stream of streams) expect(await stream.next()).toEqual({ done: false, value: 'a' })
  expect(() => site.checkStreamLimit('a')).toThrow('At most 4 long replies')
  expect(() => site.checkStreamLimit('b')).not.toThrow()
  await streams[0]?.return?.()
  expect(() => site.checkStreamLimit('a')).not.toThrow()
  for (const stream of streams.slice(1)) while (!(await stream.next()).done);
  expect(() => site.checkStreamLimit('a')).not.toThrow()
})
