import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'

/**
 * Message of a thread to its pool: its questions and its result. The timeout of a task begins with `started`, which follows only the
 * first task of a thread and those that are `loading` something, because each message wakes up the other thread.
 */
export type ThreadMessage<Result, Question = unknown> =
  | { kind: 'loading' }
  | { kind: 'started' }
  | { kind: 'question'; question: Question }
  | { kind: 'done'; result: Result; memory: number }
  | { kind: 'failed'; message: string; memory: number }

export interface TaskHandler<Task, Result, Question, Answer> {
  /** Loads what a task needs, before the timeout of the task begins; returns undefined if it is loaded. */
  load?: (task: Task) => Promise<void> | undefined
  /** Runs a task; `ask` sends a question to the caller of the task and waits for its answer. */
  run: (task: Task, ask: (question: Question) => Promise<Answer>) => Result | Promise<Result>
}

/** Main loop of a worker thread or child process: runs the tasks that its pool sends, one at a time. */
export function serveTasks<Task, Result, Question = never, Answer = never>({
  load,
  run,
}: TaskHandler<Task, Result, Question, Answer>): void {
  const post = (message: ThreadMessage<Result, Question>) =>
    parentPort ? parentPort.postMessage(message, []) : process.send?.(message)
  let isStarted = false
  let resolveAnswer: ((answer: Answer) => void) | undefined
  const ask = (question: Question): Promise<Answer> =>
    new Promise((resolve) => {
      resolveAnswer = resolve
      post({ kind: 'question', question })
    })
  const runTask = async (task: Task): Promise<void> => {
    try {
      const loading = load?.(task)
      if (loading) {
        if (isStarted) post({ kind: 'loading' })
        await loading
      }
      if (loading || !isStarted) post({ kind: 'started' })
      isStarted = true
      post({ kind: 'done', result: await run(task, ask), memory: usedMemory() })
    } catch (error) {
      post({ kind: 'failed', message: error instanceof Error ? error.message : String(error), memory: usedMemory() })
    }
  }
  // While a question is pending, the pool sends only its answer.
  const receive = (message: unknown): void => {
    const resolve = resolveAnswer
    resolveAnswer = undefined
    if (resolve) resolve(message as Answer)
    else void runTask(message as Task)
  }
  if (parentPort) {
    parentPort.on('message', receive)
    return
  }
  process.on('message', receive)
  // The server process has ended.
  process.on('disconnect', () => process.exit())
}

/**
 * Returns the used memory including memory outside the heap, such as compiled regular expressions and pixels, which the
 * limits of a thread do not cover. For a process it includes the memory of native code.
 */
function usedMemory(): number {
  if (!parentPort) return process.memoryUsage.rss()
  // `process.memoryUsage()` would also read the memory of the process from the system after every task.
  const { used_heap_size: heapUsed, external_memory: external } = getHeapStatistics()
  return heapUsed + external
}
