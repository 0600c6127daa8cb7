import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'

/** Script of this checkout, whose first start imports the whole manual. */
export const checkoutEntry = fileURLToPath(new URL('../../scripts/octavo.js', import.meta.url))

export interface ProcessResult {
  exitCode: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface OctavoProcess {
  pid: number
  /** Output so far. */
  readonly stdout: string
  readonly stderr: string
  /** Resolves with the match when the output matches; rejects if the process ends first. */
  waitForOutput(pattern: RegExp): Promise<RegExpMatchArray>
  kill(signal: NodeJS.Signals): void
  ended: Promise<ProcessResult>
}

/** Disk of a few megabytes that is mounted over a folder for one process. */
export interface SmallDisk {
  folder: string
  bytes: number
}

/** Whether this machine supports separate mounts for a process. */
export const hasSmallDisks = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

interface StartOptions {
  disk?: SmallDisk
  /** Script to start instead of that of a checkout with a short manual. */
  entry?: string
}

/** Starts a command of Octavo as a child process that is killed when the test ends. */
export function startOctavo(
  cliArgs: string[],
  env: Record<string, string>,
  { disk, entry = join(inject('checkoutCopy'), 'scripts/octavo.js') }: StartOptions = {},
): OctavoProcess {
  // Only the variables that every process needs, so that the test environment does not configure Octavo.
  const { PATH = '', HOME = '' } = process.env
  const command = [process.execPath, entry, ...cliArgs]
  const onDisk = `mount -t tmpfs -o size=${disk?.bytes} tmpfs "$0" && exec "$@"`
  const [program = '', ...args] = disk ? ['unshare', '-rm', 'sh', '-c', onDisk, disk.folder, ...command] : command
  const child = spawn(program, args, {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const started = trackProcess(child)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await started.ended
  })
  return started
}

/** Runs a command of Octavo until it ends. */
export function runOctavo(
  cliArgs: string[],
  env: Record<string, string>,
  options?: StartOptions,
): Promise<ProcessResult> {
  return startOctavo(cliArgs, env, options).ended
}

function trackProcess(child: ChildProcess): OctavoProcess {
  const output = { stdout: '', stderr: '' }
  const pendingChecks = new Set<() => void>()
  const runChecks = () => pendingChecks.forEach((check) => check())
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
      runChecks()
    })
  }
  let result: ProcessResult | undefined
  const ended = new Promise<ProcessResult>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => {
      result = { exitCode, signal, ...output }
      resolve(result)
      runChecks()
    })
  })
  return {
    pid: child.pid as number,
    get stdout() {
      return output.stdout
    },
    get stderr() {
      return output.stderr
    },
    waitForOutput: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = output.stdout.match(pattern) ?? output.stderr.match(pattern)
          if (!found && !result) return
          pendingChecks.delete(check)
          if (found) resolve(found)
          else reject(new Error(`Ended without saying ${pattern}: ${JSON.stringify(result)}`))
        }
        pendingChecks.add(check)
        check()
      }),
    kill: (signal) => child.kill(signal),
    ended,
  }
}

export interface ServerProcess extends OctavoProcess {
  url: string
  /** Creates an API client with a token; by default with that of the first start. */
  api(token?: string): Client
}

/** Bootstrap token of the servers below. */
export const bootstrapToken = 'first-token-of-the-tests'

/** Starts a server and waits until it prints that it is ready. */
export async function startServerProcess(env: Record<string, string>, options?: StartOptions): Promise<ServerProcess> {
  const server = startOctavo(['serve'], serverEnv(env), options)
  const [, url = ''] = await server.waitForOutput(/^ {2}API +(\S+)\/v1$/m)
  return Object.assign(server, { url, api: (token = bootstrapToken) => createClient({ url, token }) })
}

export function serverEnv(env: Record<string, string>): Record<string, string> {
  return { PORT: '0', OCTAVO_RATE_LIMIT: '0', OCTAVO_BOOTSTRAP_TOKEN: bootstrapToken, ...env }
}
