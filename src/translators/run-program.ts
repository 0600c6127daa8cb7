import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { EngineError } from './engine.ts'

export interface ProgramRun {
  program: string
  args: readonly string[]
  input: string
  environment: Readonly<Record<string, string>>
  /** Timeout in milliseconds. */
  timeout: number
  /** Maximum size of the output in bytes. */
  maxOutputBytes: number
  /** Whether errors contain the error output, which may contain paths of the server. */
  showsDetails: boolean
  signal: AbortSignal
}

/** Maximum length of the error output that is kept. */
const maxErrorLength = 500

/** Runs a program without a shell and returns its output; fails with an `EngineError`. */
export async function runProgram(run: ProgramRun): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-program-'))
  try {
    // Scripts open /dev/stdin again, which is possible for a file but not for the sockets that Node.js uses as pipes.
    const path = join(folder, 'input')
    await writeFile(path, run.input, { mode: 0o600 })
    const file = await open(path, 'r')
    try {
      return await runWithInput(run, file.fd)
    } finally {
      await file.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function runWithInput(run: ProgramRun, input: number): Promise<string> {
  const { program, args, environment, timeout, maxOutputBytes, showsDetails, signal } = run
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(cancelledError())
    // A separate process group, so that the programs of a pipeline are killed with it.
    const child = spawn(program, args, {
      env: { ...environment },
      detached: true,
      stdio: [input, 'pipe', 'pipe'],
    }) as ChildProcessByStdio<null, Readable, Readable>
    let failure: EngineError | undefined
    const fail = (error: EngineError) => {
      failure ??= error
      killGroup(child.pid)
    }
    const cancel = () => fail(cancelledError())
    const expire = () => fail(new EngineError('unavailable', `${program} did not finish in time`))
    const timer = setTimeout(expire, timeout)
    signal.addEventListener('abort', cancel, { once: true })

    const chunks: Buffer[] = []
    let size = 0
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxOutputBytes) chunks.push(chunk)
      else fail(new EngineError('invalid-reply', `The output of ${program} exceeds the size limit`))
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-maxErrorLength)
    })
    child.on('error', () => {
      failure ??= new EngineError('rejected', `${program} cannot be started. Install it on the server`)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      const detail = showsDetails && stderr.trim() !== '' ? `: ${stderr.trim()}` : ''
      if (failure) reject(failure)
      else if (code !== 0) reject(new EngineError('unavailable', `${program} failed with the code ${code}${detail}`))
      // Some errors in a pipeline of programs do not change the exit code.
      else if (size === 0) reject(new EngineError('invalid-reply', `${program} returned nothing${detail}`))
      else resolve(Buffer.concat(chunks).toString('utf8'))
    })
  })
}

const cancelledError = () => new EngineError('unavailable', 'The translation was cancelled')

function killGroup(pid: number | undefined) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
