import { Worker } from 'node:worker_threads'
import { workerFile } from '../worker-file.ts'
import type { Drawn, DrawingTask } from './drawing-worker.ts'

/** How many pictures are drawn at once: each may take 160 MB while it is. */
const mostThreads = 2

/** Milliseconds for one picture; a large one takes half a second. */
const patience = 20_000

/** Milliseconds after which a thread ends that has nothing to draw, and gives back its memory. */
const idleTime = 20_000

/** How many may wait for their turn. */
const longestQueue = 200

interface Job {
  make: () => Promise<DrawingTask | undefined>
  done: (bytes: Uint8Array | undefined) => void
}

/** Thrown to whoever asks for more than can be drawn soon. */
export class TooMuchToDraw extends Error {
  constructor() {
    super('Too many pictures wait to be drawn')
    this.name = 'TooMuchToDraw'
  }
}

const idle = new Set<Worker>()
const waiting: Job[] = []
let threads = 0

/**
 * Draws in a thread, so that nothing else has to wait; undefined when it cannot be drawn. What is needed for it is
 * asked for when its turn has come.
 */
export function drawn(make: Job['make']): Promise<Uint8Array | undefined> {
  if (waiting.length >= longestQueue) return Promise.reject(new TooMuchToDraw())
  return new Promise((done) => {
    waiting.push({ make, done })
    if (idle.size > 0 || threads < mostThreads) void work()
  })
}

async function work(): Promise<void> {
  let worker = takeIdle()
  if (!worker) threads++
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    const task = await job.make().catch(() => undefined)
    if (!task) {
      job.done(undefined)
      continue
    }
    worker ??= startThread()
    const answer = await ask(worker, task)
    if (!answer) {
      void worker.terminate()
      worker = undefined
    }
    job.done(answer?.bytes)
  }
  if (worker) rest(worker)
  else threads--
}

function startThread(): Worker {
  const worker = new Worker(workerFile('drawing-worker'))
  // Whoever asked it for something hears of it; alone it must not end the process.
  worker.on('error', () => idle.delete(worker) && threads--)
  worker.unref()
  return worker
}

function takeIdle(): Worker | undefined {
  const [worker] = idle
  if (worker) idle.delete(worker)
  return worker
}

/** What a thread answers; undefined when it died over the task, or took too long. */
function ask(worker: Worker, task: DrawingTask): Promise<Drawn | undefined> {
  worker.ref()
  return new Promise((resolve) => {
    const answered = (answer: Drawn) => end(answer)
    const failed = () => end(undefined)
    const timer = setTimeout(failed, patience)
    const end = (answer: Drawn | undefined) => {
      clearTimeout(timer)
      worker.off('message', answered).off('error', failed).off('exit', failed)
      worker.unref()
      resolve(answer)
    }
    worker.once('message', answered).once('error', failed).once('exit', failed)
    worker.postMessage(task, [])
  })
}

/** Keeps a thread for a while. */
function rest(worker: Worker): void {
  idle.add(worker)
  const timer = setTimeout(() => {
    if (!idle.delete(worker)) return
    threads--
    void worker.terminate()
  }, idleTime)
  timer.unref()
}
