import { ThreadError, ThreadPool } from '../../threads/pool.ts'
import type { DrawingTask } from './drawing-worker.ts'

const pool = new ThreadPool<DrawingTask, Uint8Array | undefined>({
  file: 'drawing-worker',
  // Pictures are decoded in the thread pool of the process, which reading files and compressing replies need too.
  inProcesses: true,
  // Each picture may take 160 MB while it is drawn.
  threads: 2,
  maxWaiting: 200,
  loadTimeout: 20_000,
  // A large picture takes half a second.
  taskTimeout: 8000,
  idleTimeout: 20_000,
  memory: 512,
})

/** Thrown when more pictures are requested than can be drawn soon. */
export class DrawingTooLargeError extends Error {
  constructor() {
    super('Too many pictures are waiting to be drawn')
    this.name = 'TooMuchToDraw'
  }
}

/** Draws a picture in a worker thread; undefined when it cannot be drawn. `makeTask` is called when a thread is free. */
export async function drawn(makeTask: () => Promise<DrawingTask | undefined>): Promise<Uint8Array | undefined> {
  try {
    return await pool.run(async () => {
      const task = await makeTask()
      if (!task) throw new ThreadError('failed', 'There is nothing to draw')
      return task
    })
  } catch (error) {
    if (error instanceof ThreadError && error.code === 'overloaded') throw new DrawingTooLargeError()
    return undefined
  }
}
