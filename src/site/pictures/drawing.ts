import { ThreadError, ThreadPool } from '../../threads/pool.ts'
import type { DrawingTask } from './drawing-worker.ts'

const pool = new ThreadPool<DrawingTask, Uint8Array | undefined>({
  file: 'drawing-worker',
  // Images are decoded in the thread pool of the process, which is also used to read files and to compress replies.
  inProcesses: true,
  // Drawing an image may need 160 MB.
  threads: 2,
  maxWaiting: 200,
  loadTimeout: 20_000,
  // A large image takes half a second.
  taskTimeout: 8000,
  idleTimeout: 20_000,
  memory: 512,
})

/** Thrown if too many images are waiting to be drawn. */
export class DrawingOverloadedError extends Error {
  constructor() {
    super('Too many pictures are waiting to be drawn')
    this.name = 'TooMuchToDraw'
  }
}

/** Draws an image in another process; undefined if it cannot be drawn. `makeTask` is called when a process is free. */
export async function drawInProcess(makeTask: () => Promise<DrawingTask | undefined>): Promise<Uint8Array | undefined> {
  try {
    return await pool.run(async () => {
      const task = await makeTask()
      if (!task) throw new ThreadError('failed', 'There is nothing to draw')
      return task
    })
  } catch (error) {
    if (error instanceof ThreadError && error.code === 'overloaded') throw new DrawingOverloadedError()
    return undefined
  }
}
