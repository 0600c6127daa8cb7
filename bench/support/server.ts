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
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
  return ticks / ticksPerSecond
}

/** Unit of CPU times on all Linux platforms. */
const ticksPerSecond = 100

/** Returns the peak memory of a server in megabytes where the system provides it; otherwise the current memory. */
export async function peakMemory({ url, processId }: Pick<Octavo, 'url' | 'processId'>): Promise<number> {
  if (process.platform !== 'linux') return (await readMetric(url, 'process_resident_memory_bytes')) / 1e6
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]
  return (Number(kibibytes) * 1024) / 1e6
}
