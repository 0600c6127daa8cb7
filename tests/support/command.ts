import { format } from 'node:util'
import { vi } from 'vitest'
import { runCommandLine } from '../../src/cli/run.ts'
import { clearCaches } from '../../src/kernel/cache.ts'
import type { ProcessResult } from './process.ts'

/** The command that runs at the moment; others wait for it, because they replace the output of this process. */
let running: Promise<unknown> = Promise.resolve()

/** Runs a command of Octavo in this process, which takes a fraction of the time of a process of its own (`runOctavo`). */
export function runCommand(cliArgs: string[], env: Record<string, string>): Promise<ProcessResult> {
  const result = running.then(() => runCaptured(cliArgs, env))
  running = result.catch(() => {})
  return result
}

async function runCaptured(cliArgs: string[], env: Record<string, string>): Promise<ProcessResult> {
  const output = { stdout: '', stderr: '' }
  const capture = (name: keyof typeof output) => (chunk: unknown, done?: unknown) => {
    output[name] += String(chunk)
    if (typeof done === 'function') done()
    return true
  }
  const [stdout, stderr] = [capture('stdout'), capture('stderr')]
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(stdout),
    vi.spyOn(process.stderr, 'write').mockImplementation(stderr),
    vi.spyOn(console, 'log').mockImplementation((...values) => void stdout(`${format(...values)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((...values) => void stderr(`${format(...values)}\n`)),
  ]
  // A process of its own starts with empty caches.
  clearCaches()
  const environment = process.env
  const { PATH, HOME } = environment
  process.env = { PATH, HOME, ...env }
  try {
    return { exitCode: await runCommandLine(cliArgs), signal: null, ...output }
  } finally {
    process.env = environment
    for (const spy of spies) spy.mockRestore()
  }
}
