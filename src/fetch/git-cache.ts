import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { partialCloneConfig } from './git-network.ts'
import { type GitMachine, runGit, runLocalGit } from './git-process.ts'

export type ObjectFormat = 'sha1' | 'sha256'

/** Bare repository in a folder; changes to it run one at a time. */
export interface GitCache {
  directory: string
  /** Runs work after all earlier exclusive work has ended. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>
  /** Prevents the folder from being removed by `trim` while the work runs. */
  runHeld<T>(work: () => Promise<T>): Promise<T>
  hold(): () => void
  /** Deletes the existing repository and creates an empty one. */
  create(format: ObjectFormat): Promise<void>
}

export interface GitCaches {
  open(key: string): Promise<GitCache>
  trim(maxBytes: number): Promise<void>
}

export interface GitCacheOptions {
  folder: string
  machine: GitMachine
  /** Timeout of one command in milliseconds. */
  timeout: number
}

/** Maximum number of packs before repacking: every fetch adds a pack, and every object lookup searches all packs. */
const maxPacks = 40

/**
 * Maximum number of shallow commits before the cache is created again. Every shallow fetch leaves the id of the previous commit,
 * which is sent to the server each time, and objects that Git keeps because it cannot determine whether they are used.
 */
const maxShallowCommits = 1000

/** Age after which unreachable objects are removed; long enough to push a commit after it was written. */
const unusedObjectsExpire = '2.hours.ago'

export function createGitCaches({ folder, machine, timeout }: GitCacheOptions): GitCaches {
  const queues = new Map<string, Promise<unknown>>()
  const holdCounts = new Map<string, number>()

  function createCache(directory: string): GitCache {
    function hold() {
      holdCounts.set(directory, (holdCounts.get(directory) ?? 0) + 1)
      let held = true
      return () => {
        if (!held) return
        held = false
        const remaining = (holdCounts.get(directory) ?? 1) - 1
        if (remaining === 0) holdCounts.delete(directory)
        else holdCounts.set(directory, remaining)
      }
    }

    async function runHeld<T>(work: () => Promise<T>): Promise<T> {
      const release = hold()
      try {
        return await work()
      } finally {
        release()
      }
    }

    async function runExclusive<T>(work: () => Promise<T>): Promise<T> {
      return runHeld(() => {
        const turn = (queues.get(directory) ?? Promise.resolve()).then(work)
        const settled = turn.then(
          () => undefined,
          () => undefined,
        )
        queues.set(directory, settled)
        void settled.then(() => queues.get(directory) === settled && queues.delete(directory))
        return turn
      })
    }

    async function create(format: ObjectFormat): Promise<void> {
      await rm(directory, { recursive: true, force: true })
      await mkdir(directory, { recursive: true })
      const args = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, directory]
      await runLocalGit({ args, directory, machine, timeout })
    }

    return { directory, hold, runHeld, runExclusive, create }
  }

  /** Whether all fetched refs can be resolved. */
  async function isIntact(directory: string): Promise<boolean> {
    if (!(await pathExists(join(directory, 'HEAD')))) return false
    const { code } = await runGit({
      args: ['for-each-ref', '--format=%(objecttype)'],
      directory,
      machine,
      timeout,
    })
    return code === 0
  }

  async function repack(directory: string): Promise<void> {
    const common = { directory, machine, timeout, config: partialCloneConfig }
    await runLocalGit({
      ...common,
      args: ['repack', '-A', '-d', '-q', '--no-write-bitmap-index', `--unpack-unreachable=${unusedObjectsExpire}`],
    })
    await runLocalGit({
      ...common,
      args: ['prune', '--exclude-promisor-objects', `--expire=${unusedObjectsExpire}`],
    })
  }

  return {
    async open(key) {
      const cache = createCache(join(folder, createHash('sha256').update(key).digest('hex').slice(0, 40)))
      const { directory } = cache
      await cache.runExclusive(async () => {
        await removeLeftovers(directory)
        if (!(await isIntact(directory)) || (await countShallowCommits(directory)) > maxShallowCommits)
          await cache.create('sha1')
        if ((await countPacks(directory)) > maxPacks) await repack(directory).catch(() => cache.create('sha1'))
        const now = new Date()
        await utimes(directory, now, now)
      })
      return cache
    },
    async trim(maxBytes) {
      const names = await listNames(folder)
      const caches = await Promise.all(
        names.map(async (name) => {
          const directory = join(folder, name)
          const { mtimeMs } = await stat(directory)
          return { directory, usedAt: mtimeMs, size: await measureFolder(directory) }
        }),
      )
      let total = caches.reduce((sum, { size }) => sum + size, 0)
      for (const { directory, size } of caches.sort((a, b) => a.usedAt - b.usedAt)) {
        if (total <= maxBytes) return
        if (holdCounts.has(directory)) continue
        await createCache(directory).runExclusive(() => rm(directory, { recursive: true, force: true }))
        total -= size
      }
    },
  }
}

/** Removes lock files and temporary files of killed processes; no other process uses the folder at this time. */
async function removeLeftovers(directory: string): Promise<void> {
  const refs = await readdir(join(directory, 'refs'), { recursive: true }).catch(() => [])
  const names = [
    ...(await listNames(directory)),
    ...refs.map((name) => join('refs', name)),
    ...(await listNames(join(directory, 'objects', 'pack'))).map((name) => join('objects', 'pack', name)),
  ]
  const leftovers = names.filter(
    (name) => name.endsWith('.lock') || /(^|\/)(tmp_|\.tmp-|fast_import_crash_)[^/]*$/.test(name),
  )
  await Promise.all(leftovers.map((name) => rm(join(directory, name), { recursive: true, force: true })))
}

async function countPacks(directory: string): Promise<number> {
  return (await listNames(join(directory, 'objects', 'pack'))).filter((name) => name.endsWith('.pack')).length
}

async function countShallowCommits(directory: string): Promise<number> {
  const ids = await readFile(join(directory, 'shallow'), 'latin1').catch(() => '')
  return ids.split('\n').length - 1
}

async function measureFolder(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  let size = 0
  for (const entry of entries)
    if (entry.isFile())
      size += await stat(join(entry.parentPath, entry.name)).then(
        (found) => found.size,
        () => 0,
      )
  return size
}

function listNames(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => [])
}

export function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Marker file for servers that do not serve single objects; repositories with it are fetched completely. */
export const fullFetchMarker = {
  async isSet(directory: string): Promise<boolean> {
    return pathExists(join(directory, 'octavo-full'))
  },
  async set(directory: string): Promise<void> {
    await writeFile(join(directory, 'octavo-full'), '')
  },
}
