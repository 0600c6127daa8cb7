import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Returns the folder of the newest PostgreSQL programs on this machine; undefined if there are none of version 15 or newer. */
export function findPostgres(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const folders = versions
    .filter((version) => Number(version) >= 15)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => `/usr/lib/postgresql/${version}/bin`)
  const onPath = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  if (onPath.status === 0) folders.push(onPath.stdout.trim())
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

export interface PostgresServer {
  url: string
  /** Suspends all of its processes, like a frozen machine: connections remain open without replies. */
  pause(): void
  resume(): void
  /** Shuts it down immediately, as an operator would, and starts it again on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts a PostgreSQL server for a test run in a temporary folder on localhost. */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-postgres-'))
  // The server refuses to run as root; Debian's package creates a user for it.
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? userIds('postgres') : undefined
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'octavo', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...user, encoding: 'utf8', cwd: folder },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  const start = () =>
    spawn(
      join(programs, 'postgres'),
      [
        '-D',
        data,
        '-k',
        folder,
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-c',
        'fsync=off',
        '-c',
        'full_page_writes=off',
        '-c',
        'max_connections=300',
      ],
      { ...user, cwd: folder, stdio: 'ignore' },
    )
  const url = `postgres://octavo@127.0.0.1:${port}/postgres`
  let server = start()
  const shutDown = async () => {
    const ended = once(server, 'exit')
    server.kill('SIGINT')
    await ended
  }
  const signalAll = (signal: NodeJS.Signals) => {
    const pid = server.pid as number
    const children = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .stdout.trim()
      .split('\n')
    for (const one of [pid, ...children.map(Number)]) process.kill(one, signal)
  }
  await untilReady(url, () => server.exitCode !== null)
  return {
    url,
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async restart() {
      await shutDown()
      server = start()
      await untilReady(url, () => server.exitCode !== null)
    },
    async stop() {
      await shutDown()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(url: string, hasEnded: () => boolean): Promise<void> {
  for (;;) {
    if (hasEnded()) throw new Error('PostgreSQL ended while it was starting')
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      await client.end()
      return
    } catch {
      await client.end().catch(() => {})
      await sleep(50)
    }
  }
}

function userIds(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim())
  return { uid: id('-u'), gid: id('-g') }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
