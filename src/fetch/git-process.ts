import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { type Readable, type Writable, Readable as ReadableStream, pipeline } from 'node:stream'
import { GitError } from './git-error.ts'
import { gitVariables } from './git-variables.ts'

/** Machine settings that are visible to Git. */
export interface GitMachine {
  /** Path of an empty folder used as the home directory. */
  home: string
  /** Environment of this process; only variables for finding programs and trusted certificates are passed on. */
  environment: Readonly<Record<string, string | undefined>>
}

export interface GitCommand {
  args: readonly string[]
  machine: GitMachine
  /** Path of the repository. */
  directory: string
  /** Configuration for this command only; unlike arguments, it is not visible to other users of the machine. */
  config?: Record<string, string>
  environment?: Record<string, string>
  input?: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  signal?: AbortSignal | undefined
  /** Timeout in milliseconds. */
  timeout?: number
}

export interface GitResult {
  code: number
  stdout: Buffer
  stderr: string
}

/** Maximum length of the stored error output, which is only searched for the reason of a failure. */
const maxStderrLength = 64 * 1024

/** Maximum size of output that is buffered in memory: ids, commits, branch names. */
const maxOutputBytes = 64 * 1024 * 1024

/** Memory limits of Git: larger blobs are not loaded into memory, and no object header can cause a larger allocation. */
const memoryLimits = { bigFile: '32m', allocation: '256m' }

/**
 * Configuration for all commands, which replaces all configuration of the machine's users. Received objects are not checked by
 * `fsck`: it rejects valid old repositories, nothing is ever checked out, and unsafe paths are omitted when files are listed.
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

function buildEnvironment({ machine, directory, config, environment }: GitCommand): NodeJS.ProcessEnv {
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

/** Runs a command and returns its result, whether it succeeds or fails. */
export async function runGit(command: GitCommand): Promise<GitResult> {
  const running = startGit(command)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of running.stdout) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= maxOutputBytes) continue
    running.kill()
    throw new GitError('tooLarge', 'The repository exceeds the size limit')
  }
  return { ...(await running.exited), stdout: Buffer.concat(chunks) }
}

/** Streams the output of a command; the command is killed if its consumer stops reading. */
export async function* streamGit(command: GitCommand): AsyncGenerator<Uint8Array, void> {
  const running = startGit(command)
  try {
    yield* running.stdout
    const { code, stderr } = await running.exited
    if (code !== 0) throw damagedError(stderr)
  } finally {
    running.kill()
  }
}

/** Runs a command that can only fail if the local repository is damaged. */
export async function runLocalGit(command: GitCommand): Promise<Buffer> {
  const { code, stdout, stderr } = await runGit(command)
  if (code !== 0) throw damagedError(stderr)
  return stdout
}

function damagedError(stderr: string): GitError {
  return new GitError('broken', 'The cached copy of the repository is damaged', new Error(stderr.trim()))
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

interface GitProcess {
  stdout: AsyncIterable<Uint8Array>
  /** Rejects if the command was aborted, timed out or could not be started. */
  exited: Promise<{ code: number; stderr: string }>
  kill(): void
}

function startGit(command: GitCommand): GitProcess {
  const { signal, timeout } = command
  if (signal?.aborted) throw abortedError(signal)
  const child: Child = spawn('git', command.args, {
    cwd: command.machine.home,
    env: buildEnvironment(command),
    // A separate process group, so that the child processes of Git are killed with it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let failure: GitError | undefined
  let hasExited = false
  const kill = () => {
    if (!hasExited) killGroup(child)
  }
  const fail = (error: GitError) => {
    failure ??= error
    kill()
  }
  const cancel = () => fail(abortedError(signal))
  const expire = () => fail(new GitError('timeout', 'The repository did not respond in time'))
  const timer = timeout === undefined ? undefined : setTimeout(expire, timeout)
  signal?.addEventListener('abort', cancel, { once: true })
  child.on('error', (cause) => {
    failure ??= new GitError('broken', 'Git could not be started on this server', cause)
  })
  // Errors of the input stream are ignored: the exit code decides whether a command failed.
  pipeline(ReadableStream.from(command.input ?? []), child.stdin, () => undefined)

  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-maxStderrLength)
  })
  const exited = new Promise<{ code: number; stderr: string }>((resolve, reject) => {
    child.on('close', (code) => {
      hasExited = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      if (failure) reject(failure)
      else resolve({ code: code ?? -1, stderr })
    })
  })
  // Prevents an unhandled rejection if the consumer of the output throws before it awaits this promise.
  exited.catch(() => undefined)
  return { stdout: child.stdout, exited, kill }
}

function killGroup({ pid }: Child) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

function abortedError(signal: AbortSignal | undefined): GitError {
  return new GitError('aborted', 'The operation was cancelled', signal?.reason)
}
