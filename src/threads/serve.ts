import { parentPort } from 'node:worker_threads'

/** What a thread sends to its pool: `started` when the time limit of the task begins, then its outcome. */
export type ThreadMessage<Result> =
  | { kind: 'started' }
  | { kind: 'done'; result: Result; memory: number }
  | { kind: 'failed'; message: string; memory: number }

export interface TaskHandler<Task, Result> {
  /** Loads what a task needs, before the time limit of the task begins. */
  load?: (task: Task) => Promise<void>
  run: (task: Task) => Result | Promise<Result>
}

/** The main loop of a worker thread, or of a child process: answers each task that its pool sends, one at a time. */
export function serveTasks<Task, Result>({ load, run }: TaskHandler<Task, Result>): void {
  const post = (message: ThreadMessage<Result>) =>
    parentPort ? parentPort.postMessage(message, []) : process.send?.(message)
  const answer = async (task: Task): Promise<void> => {
    try {
      await load?.(task)
      post({ kind: 'started' })
      post({ kind: 'done', result: await run(task), memory: usedMemory() })
    } catch (error) {
      post({ kind: 'failed', message: error instanceof Error ? error.message : String(error), memory: usedMemory() })
    }
  }
  if (parentPort) {
    parentPort.on('message', (task: Task) => void answer(task))
    return
  }
  process.on('message', (task) => void answer(task as Task))
  // The server is gone, however it ended.
  process.on('disconnect', () => process.exit())
}

/** Includes memory outside of the heap, such as compiled patterns and pixels, which the limits of a thread do not cover. */
function usedMemory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
