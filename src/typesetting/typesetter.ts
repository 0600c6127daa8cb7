import { createRequire } from 'node:module'
import { ThreadPool } from '../threads/pool.ts'
import type { ImageReply, ImageRequest, TypesetResult, TypesetTask } from './typst-worker.ts'

/** Maximum memory of the process that makes a PDF, in megabytes. */
const maxMemory = 1024

const pool = new ThreadPool<TypesetTask, TypesetResult, ImageRequest, ImageReply>({
  file: 'typst-worker',
  // The compiler runs in native code, which only ending its process can interrupt.
  inProcesses: true,
  threads: 1,
  maxWaiting: 50,
  loadTimeout: 30_000,
  // A space with a thousand pages takes about half of it.
  taskTimeout: 120_000,
  idleTimeout: 10_000,
  memory: maxMemory,
})

/** Makes a PDF from `PdfSource` as JSON in another process, with limits for its time and memory. */
export function typeset(
  source: string,
  readImage: (request: ImageRequest) => Promise<ImageReply>,
): Promise<TypesetResult> {
  return pool.run({ source, maxMemory: maxMemory * 1024 * 1024 }, readImage)
}

const compilerPackage = '@myriaddreamin/typst-ts-node-compiler'

let isInstalled: boolean | undefined

/** Whether the compiler is installed for this platform. It is not loaded. */
export function isTypesetterInstalled(): boolean {
  isInstalled ??= findPlatformPackage() !== undefined
  return isInstalled
}

/** Returns the name of the installed package with the native code of the compiler. */
function findPlatformPackage(): string | undefined {
  const { resolve } = createRequire(import.meta.url)
  const platform = `${compilerPackage}-${process.platform}-${process.arch}`
  return ['', '-gnu', '-musl', '-msvc', '-gnueabihf', '-eabi']
    .map((suffix) => platform + suffix)
    .find((name) => {
      try {
        resolve(`${name}/package.json`)
        return true
      } catch {
        return false
      }
    })
}
