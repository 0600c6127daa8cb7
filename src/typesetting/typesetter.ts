import { createRequire } from 'node:module'
import { totalmem } from 'node:os'
import { ThreadPool } from '../threads/pool.ts'
import type { TypesetAnswer, TypesetQuestion, TypesetResult, TypesetTask } from './typst-worker.ts'

const megabyte = 1024 ** 2

/**
 * Maximum memory of the process that makes a PDF, in bytes: a quarter of the memory of the machine or container. A sheet needs
 * about 1 MB.
 */
const maxMemory = Math.min(
  Math.max(Math.min(totalmem(), process.constrainedMemory() || Infinity) / 4, 512 * megabyte),
  2048 * megabyte,
)

const pool = new ThreadPool<TypesetTask, TypesetResult, TypesetQuestion, TypesetAnswer>({
  file: 'typst-worker',
  // The compiler runs in native code, which only ending its process can interrupt.
  inProcesses: true,
  threads: 1,
  maxWaiting: 50,
  loadTimeout: 30_000,
  // A space with a thousand pages takes about half of it.
  taskTimeout: 120_000,
  idleTimeout: 10_000,
  // The compiler keeps its results in memory, so a process that uses more memory is replaced before the next PDF.
  memory: 384,
})

/** Makes a PDF from `PdfSource` as JSON in another process, with limits for its time and memory. */
export function typeset(
  source: string,
  answer: (question: TypesetQuestion) => Promise<TypesetAnswer>,
): Promise<TypesetResult> {
  return pool.run({ source, maxMemory }, answer)
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
