import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Octavo {
  url: string
  processId: number
  /** Milliseconds from the start of the process until it was ready. */
  startTime: number
  stop(): Promise<void>
}

/** Starts Octavo like an operator, and waits until it is ready. */
export async function startOctavo(env: Record<string, string>): Promise<Octavo> {
  const started = performance.now()
  const child = spawn(process.execPath, ['scripts/octavo.js', 'serve'], {
    env: { PATH: process.env['PATH'], ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const url = await announcedUrl(createInterface({ input: child.stdout }))
  while (!(await fetch(`${url}/readyz`)).ok) await sleep(5)
  const startTime = performance.now() - started
  return {
    url,
    processId: child.pid as number,
    startTime,
    async stop() {
      child.kill()
      await ended
    },
  }
}

/** Returns the URL that the server prints; later lines are also read, so that the server does not block on a full pipe. */
function announcedUrl(lines: NodeJS.EventEmitter): Promise<string> {
  return new Promise((resolve, reject) => {
    lines.on('line', (line: string) => {
      const url = /\bAPI +(\S+)\/v1$/.exec(line)?.[1]
      if (url) resolve(url)
    })
    lines.once('close', () => reject(new Error('Octavo ended while it was starting')))
  })
}

/** Reads one value of `/metrics`. */
export async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** Returns the CPU seconds of all threads of a server, including ended child processes where the system counts these. */
export async function cpuSeconds({ url, processId }: Pick<Octavo, 'url' | 'processId'>): Promise<number> {
  if (process.platform !== 'linux') return readMetric(url, 'process_cpu_seconds_total')
  return readTicks(`/proc/${processId}/stat`).reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond
}

/** CPU seconds of a server by where they are used, where the system provides them. */
export interface CpuParts {
  mainThread: number
  /** Worker threads, and threads that V8 compiles and collects garbage in. */
  otherThreads: number
  /** Child processes that have ended, such as Git. */
  processes: number
}

/** Returns the CPU seconds that a server has used, by where; undefined if the system does not provide them. */
export function cpuByPart({ processId }: Pick<Octavo, 'processId'>): CpuParts | undefined {
  if (process.platform !== 'linux') return undefined
  const [user = 0, system = 0, usersOfChildren = 0, systemOfChildren = 0] = readTicks(`/proc/${processId}/stat`)
  const [userOfMain = 0, systemOfMain = 0] = readTicks(`/proc/${processId}/task/${processId}/stat`)
  const mainThread = userOfMain + systemOfMain
  return {
    mainThread: mainThread / ticksPerSecond,
    otherThreads: (user + system - mainThread) / ticksPerSecond,
    processes: (usersOfChildren + systemOfChildren) / ticksPerSecond,
  }
}

/** Returns user and system time of a process or thread, and of its ended child processes. */
function readTicks(file: string): number[] {
  const stat = readFileSync(file, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [11, 12, 13, 14].map((field) => Number(fields[field]))
}

/** Unit of CPU times on all Linux platforms. */
const ticksPerSecond = 100

/** Returns the peak memory of a server in megabytes where the system provides it; otherwise the current memory. */
export async function peakMemory({ url, processId }: Pick<Octavo, 'url' | 'processId'>): Promise<number> {
  if (process.platform !== 'linux') return (await readMetric(url, 'process_resident_memory_bytes')) / 1e6
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]
  return (Number(kibibytes) * 1024) / 1e6
}
