import type { LoadFiles, LoadedFile } from '../openapi/bundle.ts'
import { ThreadError, ThreadPool } from '../threads/pool.ts'
import type { SpecResult, SpecTask } from './openapi-worker.ts'

/** Timeout in milliseconds without the time for other files. The largest public specifications take about ten seconds. */
const timeout = 60_000

const pool = new ThreadPool<SpecTask, SpecResult, readonly string[], readonly LoadedFile[]>({
  file: 'openapi-worker',
  threads: 2,
  maxWaiting: 100,
  loadTimeout: 20_000,
  taskTimeout: timeout,
  idleTimeout: 30_000,
  memory: 1024,
  youngMemory: 48,
})

/** Parses, bundles and upgrades a specification in a worker thread. Texts that take too long or too much memory fail. */
export async function processOpenApi(task: SpecTask, load: LoadFiles): Promise<SpecResult> {
  try {
    return await pool.run(task, load)
  } catch (error) {
    const code = error instanceof ThreadError ? error.code : undefined
    if (code !== 'timeout' && code !== 'crashed') throw error
    const reason = code === 'timeout' ? `takes longer than ${timeout / 1000} seconds` : 'needs too much memory'
    return { kind: 'failed', cause: 'text', problems: [`Processing the specification ${reason}`] }
  }
}
