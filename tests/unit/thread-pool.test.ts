import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ThreadPool, type ThreadPoolOptions } from '../../src/threads/pool.ts'

const root = join(import.meta.dirname, '..', '..')
/** Threads load built files from `dist`, so the handler of this test is built there too. */
const file = `thread-pool-test-${process.pid}`

type Task =
  | { echo: string }
  | { spin: true }
  | { exit: true }
  | { allocate: number }
  | { fail: string }
  | { hold: number }
  | { ask: string }
  | { load: number; echo: string }

const handler = `
import { serveTasks } from '${join(root, 'src', 'threads', 'serve.ts')}'
const held = []
serveTasks({
  load: (task) => (task.load ? new Promise((resolve) => setTimeout(resolve, task.load)) : undefined),
  async run(task, ask) {
    if (task.ask) return { echo: (await ask(task.ask)) + (await ask('again')) }
    if (task.spin) for (;;);
    if (task.exit) process.exit(3)
    if (task.fail) throw new Error(task.fail)
    if (task.hold) held.push(Buffer.alloc(task.hold * 1024 * 1024))
    for (const all = []; task.allocate; ) all.push(new Array(task.allocate).fill({}))
    return { echo: task.echo, secret: process.env.PATH, held: held.length }
  },
})
`

beforeAll(async () => {
  const folder = join(root, 'coverage')
  mkdirSync(folder, { recursive: true })
  const source = join(folder, `${file}.ts`)
  writeFileSync(source, handler)
  const bundle = await rolldown({ input: source, platform: 'node' })
  await bundle.write({ file: join(root, 'dist', `${file}.js`), codeSplitting: false })
  await bundle.close()
})

afterAll(() => {
  rmSync(join(root, 'dist', `${file}.js`), { force: true })
  rmSync(join(root, 'coverage', `${file}.ts`), { force: true })
})

type Pool = ThreadPool<Task, { echo?: string; held: number }, string, string>

function openPool(options: Partial<ThreadPoolOptions> = {}): Pool {
  const pool: Pool = new ThreadPool({
    file,
    threads: 1,
    maxWaiting: 10,
    loadTimeout: 20_000,
    taskTimeout: 20_000,
    idleTimeout: 20_000,
    memory: 64,
    ...options,
  })
  onTestFinished(() => pool.close())
  return pool
}

test('runs tasks in order and without the environment of the process', async () => {
  const pool = openPool()
  const order: string[] = []
  const results = await Promise.all(
    ['a', 'b', 'c'].map(async (echo) => {
      const result = await pool.run({ echo })
      order.push(echo)
      return result
    }),
  )
  expect(results).toEqual(['a', 'b', 'c'].map((echo) => ({ echo, secret: undefined, held: 0 })))
  expect(order).toEqual(['a', 'b', 'c'])
})

test('a task that throws fails with its message and does not affect the next', async () => {
  const pool = openPool()
  const failed = pool.run({ fail: 'No such picture' })
  const next = pool.run({ echo: 'next' })
  await expect(failed).rejects.toMatchObject({ code: 'failed', message: 'No such picture' })
  expect(await next).toMatchObject({ echo: 'next' })
})

test('terminates a task that never ends and runs the next tasks in a new thread', async () => {
  const pool = openPool({ taskTimeout: 200 })
  const endless = pool.run({ spin: true })
  const next = pool.run({ echo: 'next' })
  await expect(endless).rejects.toMatchObject({ code: 'timeout' })
  expect(await next).toMatchObject({ echo: 'next' })
})

test('a thread that exits or exceeds its memory limit fails only its own task', async () => {
  const pool = openPool()
  const tasks = [pool.run({ exit: true }), pool.run({ allocate: 1_000_000 }), pool.run({ echo: 'next' })]
  const [exited, exhausted, next] = await Promise.allSettled(tasks)
  expect(exited).toMatchObject({ reason: { code: 'crashed' } })
  expect(exhausted).toMatchObject({ reason: { code: 'crashed' } })
  expect(next).toMatchObject({ value: { echo: 'next' } })
})

test('replaces a thread that retains too much memory after its task', async () => {
  const pool = openPool()
  expect(await pool.run({ hold: 1 })).toMatchObject({ held: 1 })
  expect(await pool.run({ hold: 100 })).toMatchObject({ held: 2 })
  expect(await pool.run({ hold: 1 })).toMatchObject({ held: 1 })
})

test('rejects tasks beyond the limit of waiting tasks immediately', async () => {
  const pool = openPool({ maxWaiting: 1 })
  const running = pool.run({ echo: 'running' })
  const waiting = pool.run({ echo: 'waiting' })
  await expect(pool.run({ echo: 'refused' })).rejects.toMatchObject({ code: 'overloaded' })
  expect(await Promise.all([running, waiting])).toMatchObject([{ echo: 'running' }, { echo: 'waiting' }])
})

test('a task factory is called when a thread is free, and its error rejects the task', async () => {
  const pool = openPool()
  const made: string[] = []
  const make = (echo: string) => async () => {
    made.push(echo)
    return { echo }
  }
  const first = pool.run(make('first'))
  const broken = pool.run(() => Promise.reject(new Error('The file is gone')))
  const last = pool.run(make('last'))
  expect(made).toEqual(['first'])
  await expect(broken).rejects.toThrow('The file is gone')
  expect(await Promise.all([first, last])).toMatchObject([{ echo: 'first' }, { echo: 'last' }])
})

test('closing the pool rejects running, waiting and later tasks', async () => {
  const pool = openPool()
  const tasks = [pool.run({ spin: true }), pool.run({ echo: 'waiting' })]
  const outcomes = Promise.allSettled(tasks)
  await pool.close()
  expect(await outcomes).toMatchObject([{ reason: { code: 'closed' } }, { reason: { code: 'closed' } }])
  await expect(pool.run({ echo: 'late' })).rejects.toMatchObject({ code: 'closed' })
})

test('can run tasks in child processes, which are terminated and replaced like threads', async () => {
  const pool = openPool({ inProcesses: true, taskTimeout: 2000 })
  expect(await pool.run({ echo: 'a' })).toEqual({ echo: 'a', secret: undefined, held: 0 })
  await expect(pool.run({ fail: 'no' })).rejects.toMatchObject({ code: 'failed', message: 'no' })
  await expect(pool.run({ exit: true })).rejects.toMatchObject({ code: 'crashed' })
  await expect(pool.run({ spin: true })).rejects.toMatchObject({ code: 'timeout' })
  expect(await pool.run({ echo: 'b' })).toMatchObject({ echo: 'b' })
})

const answer = (question: string) => Promise.resolve(`<${question}>`)

const slowly = (question: string) => new Promise<string>((resolve) => setTimeout(() => resolve(question), 400))

test('a task can send questions to its caller, and an error of the caller fails only that task', async () => {
  const pool = openPool()
  await expect(pool.run({ ask: 'who' }, answer)).resolves.toMatchObject({ echo: '<who><again>' })
  const failing = pool.run({ ask: 'who' }, () => {
    throw new Error('not known')
  })
  const behind = pool.run({ ask: 'what' }, answer)
  await expect(failing).rejects.toThrow('not known')
  await expect(behind).resolves.toMatchObject({ echo: '<what><again>' })
  await expect(pool.run({ ask: 'who' })).rejects.toThrow('answers none')
})

test('the timeout of a task is paused while its caller prepares an answer', async () => {
  const pool = openPool({ taskTimeout: 300 })
  await expect(pool.run({ ask: 'who' }, slowly)).resolves.toMatchObject({ echo: 'whoagain' })
})

test('the timeout of a task begins when what it needs is loaded, also in a thread that has run others', async () => {
  const pool = openPool({ taskTimeout: 300 })
  for (const echo of ['first', 'second']) {
    expect(await pool.run({ load: 600, echo })).toMatchObject({ echo })
    expect(await pool.run({ echo })).toMatchObject({ echo })
  }
  await expect(pool.run({ spin: true })).rejects.toMatchObject({ code: 'timeout' })
})
