import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { type Readable, type Writable, Readable as ReadableStream, pipeline } from 'node:stream'
import { GitError } from './git-error.ts'
import { gitVariables } from './git-variables.ts'

/** What Git may know of the machine it runs on. */
export interface GitMachine {
  /** An empty folder that stands for the home of a user. */
  home: string
  /** The environment of this process; only what finds programs and trusted certificates is passed on. */
  environment: Readonly<Record<string, string | undefined>>
}

export interface GitCommand {
  args: readonly string[]
  machine: GitMachine
  /** The repository it works on. */
  directory: string
  /** Configuration for this command alone; unlike arguments, nobody else on the machine can see it. */
  config?: Record<string, string>
  environment?: Record<string, string>
  input?: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  signal?: AbortSignal | undefined
  /** Milliseconds. */
  timeout?: number
}

export interface GitResult {
  code: number
  stdout: Buffer
  stderr: string
}

/** What Git says when it fails can be long, and it is only ever looked through for a reason. */
const maxMessage = 64 * 1024

/** For what is held in memory at once: ids, commits, names of branches. */
const maxOutput = 64 * 1024 * 1024

/** Larger contents are not held in memory by Git, and no header of an object can make it ask for more than this at once. */
const memoryLimits = { bigFile: '32m', allocation: '256m' }

/**
 * Nothing a user of this machine has configured applies. Objects that arrive are not checked by `fsck`: it refuses
 * respectable old repositories, nothing is ever checked out, and unsafe paths are dropped when files are listed.
 */
const baseConfig: Record<string, string> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.bigFileThreshold': memoryLimits.bigFile,
  'credential.helper': '',
  'fetch.recurseSubmodules': 'false',
  'push.recurseSubmodules': 'no',
  'push.gpgSign': 'false',
  'transfer.bundleURI': 'false',
  'transfer.unpackLimit': '1',
  'pack.threads': '1',
  'pack.windowMemory': '64m',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.version': '2',
}

function environmentOf({ machine, directory, config, environment }: GitCommand): NodeJS.ProcessEnv {
  const settings = Object.entries({ ...baseConfig, ...config })
  return {
    ...Object.fromEntries(gitVariables.map((name) => [name, machine.environment[name]])),
    HOME: machine.home,
    LC_ALL: 'C',
    GIT_DIR: directory,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOC_LIMIT: memoryLimits.allocation,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...environment,
  }
}

/** Runs a command to its end, whatever that is. */
export async function runGit(command: GitCommand): Promise<GitResult> {
  const running = start(command)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of running.stdout) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= maxOutput) continue
    running.kill()
    throw new GitError('tooLarge', 'The repository exceeds the size limit')
  }
  return { ...(await running.ended), stdout: Buffer.concat(chunks) }
}

/** The output of a command while it runs; the command ends when no more of it is asked for. */
export async function* streamGit(command: GitCommand): AsyncGenerator<Uint8Array, void> {
  const running = start(command)
  try {
    yield* running.stdout
    const { code, stderr } = await running.ended
    if (code !== 0) throw damaged(stderr)
  } finally {
    running.kill()
  }
}

/** For commands that fail only when the repository here is not as it should be. */
export async function runLocally(command: GitCommand): Promise<Buffer> {
  const { code, stdout, stderr } = await runGit(command)
  if (code !== 0) throw damaged(stderr)
  return stdout
}

function damaged(stderr: string): GitError {
  return new GitError('broken', 'The cached copy of the repository is damaged', new Error(stderr.trim()))
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

interface Running {
  stdout: AsyncIterable<Uint8Array>
  /** Rejects when the command was ended from outside. */
  ended: Promise<{ code: number; stderr: string }>
  kill(): void
}

function start(command: GitCommand): Running {
  const { signal, timeout } = command
  if (signal?.aborted) throw aborted(signal)
  const child: Child = spawn('git', command.args, {
    cwd: command.machine.home,
    env: environmentOf(command),
    // A group of its own, so that what Git starts ends with it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let failure: GitError | undefined
  let isOver = false
  const kill = () => {
    if (!isOver) killGroup(child)
  }
  const fail = (error: GitError) => {
    failure ??= error
    kill()
  }
  const cancel = () => fail(aborted(signal))
  const expire = () => fail(new GitError('timeout', 'The repository did not respond in time'))
  const timer = timeout === undefined ? undefined : setTimeout(expire, timeout)
  signal?.addEventListener('abort', cancel, { once: true })
  child.on('error', (cause) => {
    failure ??= new GitError('broken', 'Git could not be started on this server', cause)
  })
  // A command that ends without reading its input is judged by how it ends.
  pipeline(ReadableStream.from(command.input ?? []), child.stdin, () => undefined)

  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-maxMessage)
  })
  const ended = new Promise<{ code: number; stderr: string }>((resolve, reject) => {
    child.on('close', (code) => {
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      if (failure) reject(failure)
      else resolve({ code: code ?? -1, stderr })
    })
  })
  // Whoever reads the output first may never come to this.
  ended.catch(() => undefined)
  return { stdout: child.stdout, ended, kill }
}

function killGroup({ pid }: Child) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

function aborted(signal: AbortSignal | undefined): GitError {
  return new GitError('aborted', 'The operation was cancelled', signal?.reason)
}
