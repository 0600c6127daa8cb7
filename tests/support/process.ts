import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'

/** The script of this checkout, whose first start brings the whole manual. */
export const checkoutEntry = fileURLToPath(new URL('../../scripts/octavo.js', import.meta.url))

export interface Outcome {
  exitCode: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Process {
  pid: number
  /** All it has written so far. */
  readonly stdout: string
  readonly stderr: string
  /** Resolves when a line of its output matches, with what matched; fails when it ends first. */
  says(pattern: RegExp): Promise<RegExpMatchArray>
  kill(signal: NodeJS.Signals): void
  ended: Promise<Outcome>
}

/** A disk of a few megabytes that only the process sees, in place of a folder. */
export interface SmallDisk {
  folder: string
  bytes: number
}

/** Whether this machine lets a process have a disk of its own. */
export const hasSmallDisks = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

interface StartOptions {
  disk?: SmallDisk
  /** The script to start instead of that of a checkout with a short manual. */
  entry?: string
}

/** Starts a command of Octavo as a process of its own, which does not outlive the test. */
export function startOctavo(
  words: string[],
  env: Record<string, string>,
  { disk, entry = join(inject('checkoutCopy'), 'scripts/octavo.js') }: StartOptions = {},
): Process {
  // Only what every process needs: nothing of the test run may configure Octavo.
  const { PATH = '', HOME = '' } = process.env
  const command = [process.execPath, entry, ...words]
  const onDisk = `mount -t tmpfs -o size=${disk?.bytes} tmpfs "$0" && exec "$@"`
  const [program = '', ...args] = disk ? ['unshare', '-rm', 'sh', '-c', onDisk, disk.folder, ...command] : command
  const child = spawn(program, args, {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const started = watch(child)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await started.ended
  })
  return started
}

/** Runs a command of Octavo to its end. */
export function octavo(words: string[], env: Record<string, string>, options?: StartOptions): Promise<Outcome> {
  return startOctavo(words, env, options).ended
}

function watch(child: ChildProcess): Process {
  const written = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  const look = () => waiting.forEach((check) => check())
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      written[stream] += text
      look()
    })
  }
  let outcome: Outcome | undefined
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => {
      outcome = { exitCode, signal, ...written }
      resolve(outcome)
      look()
    })
  })
  return {
    pid: child.pid as number,
    get stdout() {
      return written.stdout
    },
    get stderr() {
      return written.stderr
    },
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = written.stdout.match(pattern) ?? written.stderr.match(pattern)
          if (!found && !outcome) return
          waiting.delete(check)
          if (found) resolve(found)
          else reject(new Error(`Ended without saying ${pattern}: ${JSON.stringify(outcome)}`))
        }
        waiting.add(check)
        check()
      }),
    kill: (signal) => child.kill(signal),
    ended,
  }
}

export interface ServerProcess extends Process {
  url: string
  /** Calls the API with a token; without one, with that of the first start. */
  api(token?: string): Client
}

/** The token with which the servers below are first started. */
export const firstToken = 'first-token-of-the-tests'

/** Starts a server and waits until it says that it is ready. */
export async function serve(env: Record<string, string>, options?: StartOptions): Promise<ServerProcess> {
  const server = startOctavo(['serve'], serverEnv(env), options)
  const [, url = ''] = await server.says(/^ {2}API +(\S+)\/v1$/m)
  return Object.assign(server, { url, api: (token = firstToken) => createClient({ url, token }) })
}

export function serverEnv(env: Record<string, string>): Record<string, string> {
  return { PORT: '0', OCTAVO_RATE_LIMIT: '0', OCTAVO_BOOTSTRAP_TOKEN: firstToken, ...env }
}
