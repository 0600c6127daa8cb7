import { Worker } from 'node:worker_threads'
import { ProcessWorker } from './process-worker.ts'
import type { ThreadMessage } from './serve.ts'
import { root } from '../root.ts'

export interface ThreadPoolOptions {
  /** Name of the bundled file that the threads run, without its extension (see `scripts/bundle.js`). */
  file: string
  /** Whether tasks run in child processes instead, for native code that uses the shared thread pool or may crash. */
  inProcesses?: boolean
  /** Maximum number of threads. */
  threads: number
  /** Maximum number of tasks that wait for a thread. */
  maxWaiting: number
  /** Maximum time in milliseconds for a thread to start and to load what a task needs. */
  loadTimeout: number
  /** Maximum duration of a task in milliseconds. */
  taskTimeout: number
  /** Time in milliseconds after which an idle thread ends and releases its memory. */
  idleTimeout: number
  /** Maximum memory of a thread in megabytes; a thread that uses more after a task is replaced. */
  memory: number
  /**
   * Size of the young generation of a thread in megabytes; default 16. Objects that outlive it are copied when it is collected.
   */
  youngMemory?: number
}

type ThreadErrorCode =
  /** The task threw an error; its message is the message of this error. */
  | 'failed'
  /** The task exceeded its timeout. */
  | 'timeout'
  /** The thread ended while the task was running, for example because it exceeded its memory limit. */
  | 'crashed'
  /** Too many tasks are already waiting. */
  | 'overloaded'
  /** The pool was closed. */
  | 'closed'

export class ThreadError extends Error {
  readonly code: ThreadErrorCode

  constructor(code: ThreadErrorCode, message: string) {
    super(message)
    this.name = 'ThreadError'
    this.code = code
  }
}

/** Task, or a function that creates it when a thread is free, so that waiting tasks use no memory. */
type LazyTask<Task> = Task | (() => Promise<Task>)

/** Answers a question that a task sends while it runs. */
type AnswerQuestion<Question, Answer> = (question: Question) => Answer | Promise<Answer>

interface QueuedTask<Task, Result, Question, Answer> {
  task: LazyTask<Task>
  answer: AnswerQuestion<Question, Answer> | undefined
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** One of the threads of a pool; its worker is started for the first task and replaced when it fails. */
interface Slot {
  worker: Worker | ProcessWorker | undefined
  /** Whether the worker has started a task, and its further tasks begin immediately. */
  isStarted: boolean
  timer: NodeJS.Timeout | undefined
}

/**
 * Runs tasks of one kind in worker threads, in the order in which they were added. Threads are started on demand, end when
 * idle, and are replaced when they hang, crash or use too much memory. They keep the process alive only while a task runs.
 */
export class ThreadPool<Task, Result, Question = never, Answer = never> {
  readonly #options: ThreadPoolOptions
  readonly #queue: QueuedTask<Task, Result, Question, Answer>[] = []
  readonly #idle: Slot[] = []
  readonly #busy = new Map<Slot, QueuedTask<Task, Result, Question, Answer>>()
  #isClosed = false

  constructor(options: ThreadPoolOptions) {
    this.#options = options
  }

  /**
   * Runs a task in a thread; fails with a `ThreadError`, or with the error of the function that creates the task or
   * answers its questions. The timeout of the task restarts with each answer.
   */
  run(task: LazyTask<Task>, answer?: AnswerQuestion<Question, Answer>): Promise<Result> {
    if (this.#isClosed) return Promise.reject(closedError())
    if (this.#queue.length >= this.#options.maxWaiting) {
      return Promise.reject(new ThreadError('overloaded', `More than ${this.#options.maxWaiting} tasks are waiting`))
    }
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ task, answer, resolve, reject })
      this.#dispatch()
    })
  }

  /** Ends all threads; running and waiting tasks fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    const slots = [...this.#busy.keys(), ...this.#idle.splice(0)]
    const unfinished = [...this.#busy.values(), ...this.#queue.splice(0)]
    this.#busy.clear()
    await Promise.all(slots.map((slot) => this.#endWorker(slot)))
    for (const { reject } of unfinished) reject(closedError())
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const slot = this.#idle.pop() ?? this.#newSlot()
      if (!slot) return
      const next = this.#queue.shift() as QueuedTask<Task, Result, Question, Answer>
      this.#busy.set(slot, next)
      clearTimeout(slot.timer)
      void this.#start(slot, next)
    }
  }

  #newSlot(): Slot | undefined {
    const count = this.#busy.size + this.#idle.length
    return count < this.#options.threads ? { worker: undefined, isStarted: false, timer: undefined } : undefined
  }

  async #start(slot: Slot, queuedTask: QueuedTask<Task, Result, Question, Answer>): Promise<void> {
    try {
      const task = isTaskFactory(queuedTask.task) ? await queuedTask.task() : queuedTask.task
      if (this.#busy.get(slot) !== queuedTask) return
      slot.worker ??= this.#newWorker(slot)
      slot.worker.ref()
      this.#startTimeout(slot, slot.isStarted ? this.#options.taskTimeout : this.#options.loadTimeout)
      slot.worker.postMessage(task as object, [])
    } catch (error) {
      this.#finish(slot, ({ reject }) => reject(error))
    }
  }

  #newWorker(slot: Slot): Worker | ProcessWorker {
    const { file, memory, youngMemory = 16, inProcesses = false } = this.#options
    slot.isStarted = false
    const worker: Worker | ProcessWorker = inProcesses
      ? new ProcessWorker(workerUrl(file), { memory })
      : new Worker(workerUrl(file), {
          // A thread needs neither the secrets in the environment nor the flags of the process.
          env: {},
          execArgv: [],
          resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: youngMemory },
        })
    worker.on('message', (message: ThreadMessage<Result, Question>) => {
      if (slot.worker === worker) this.#receive(slot, message)
    })
    // An error is always followed by `exit`.
    worker.on('error', () => undefined)
    worker.on('exit', (reason: unknown) => {
      if (slot.worker !== worker) return
      slot.worker = undefined
      this.#finish(slot, ({ reject }) =>
        reject(new ThreadError('crashed', `The thread of this task ended unexpectedly (${String(reason)})`)),
      )
    })
    return worker
  }

  #receive(slot: Slot, message: ThreadMessage<Result, Question>): void {
    if (message.kind === 'loading') {
      this.#startTimeout(slot, this.#options.loadTimeout)
      return
    }
    if (message.kind === 'started') {
      slot.isStarted = true
      this.#startTimeout(slot, this.#options.taskTimeout)
      return
    }
    if (message.kind === 'question') {
      void this.#answer(slot, message.question)
      return
    }
    if (message.memory > this.#options.memory * 1024 * 1024) void this.#endWorker(slot)
    this.#finish(slot, ({ resolve, reject }) => {
      if (message.kind === 'done') resolve(message.result)
      else reject(new ThreadError('failed', message.message))
    })
  }

  async #answer(slot: Slot, question: Question): Promise<void> {
    const queuedTask = this.#busy.get(slot)
    if (!queuedTask) return
    clearTimeout(slot.timer)
    try {
      if (!queuedTask.answer) throw new Error('The task asked a question, and the caller answers none')
      const answer = await queuedTask.answer(question)
      if (this.#busy.get(slot) !== queuedTask) return
      this.#startTimeout(slot, this.#options.taskTimeout)
      slot.worker?.postMessage(answer as object, [])
    } catch (error) {
      if (this.#busy.get(slot) !== queuedTask) return
      // The thread is still waiting for an answer.
      void this.#endWorker(slot)
      this.#finish(slot, ({ reject }) => reject(error))
    }
  }

  #startTimeout(slot: Slot, milliseconds: number): void {
    clearTimeout(slot.timer)
    slot.timer = setTimeout(() => {
      void this.#endWorker(slot)
      const message = `The task took longer than ${milliseconds} milliseconds`
      this.#finish(slot, ({ reject }) => reject(new ThreadError('timeout', message)))
    }, milliseconds)
  }

  /** Reports the result of a slot's task and starts the next one. */
  #finish(slot: Slot, report: (queuedTask: QueuedTask<Task, Result, Question, Answer>) => void): void {
    clearTimeout(slot.timer)
    const queuedTask = this.#busy.get(slot)
    if (!queuedTask) return
    this.#busy.delete(slot)
    this.#idle.push(slot)
    slot.worker?.unref()
    slot.timer = setTimeout(() => void this.#endWorker(slot), this.#options.idleTimeout).unref()
    report(queuedTask)
    this.#dispatch()
  }

  async #endWorker(slot: Slot): Promise<void> {
    clearTimeout(slot.timer)
    const { worker } = slot
    slot.worker = undefined
    await worker?.terminate()
  }
}

const isTaskFactory = <Task>(task: LazyTask<Task>): task is () => Promise<Task> => typeof task === 'function'

const closedError = () => new ThreadError('closed', 'The server is stopping')

/**
 * Returns the URL of the bundled file of a worker thread: Node.js runs no TypeScript in a thread, so tests use the
 * built file too.
 */
const workerUrl = (name: string): URL => new URL(`dist/${name}.js`, root)
