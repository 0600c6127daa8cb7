import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cache, type ObjectFormat, exists, fullFetches } from './git-cache.ts'
import { type GitCommit, type GitFile, blobsOf, filesOf, isSafePath, parseCommit } from './git-content.ts'
import { GitError } from './git-error.ts'
import {
  explain,
  explainPush,
  isIncomplete,
  isRefusedObject,
  notARepository,
  isOtherObjectFormat,
} from './git-explain.ts'
import { type GitNetwork, type NetworkCommand, partialConfig, runOnline } from './git-network.ts'
import { type GitCommand, type GitResult, runGit, runLocally, streamGit } from './git-process.ts'
import { type GitRemote, checkRef } from './git-remote.ts'
import { type NewCommit, askModes, checkPaths, executablesOf, fastImport } from './git-write.ts'

export type GitBlob = { oid: string; bytes: Uint8Array } | { oid: string; tooLarge: true }

export interface GitRepository {
  /**
   * Fetches the newest commits of a branch (`refs/heads/…`), without blobs if the server supports that. Returns the id of the
   * newest commit; undefined if the repository is empty, or if the branch does not exist and `mayBeMissing` is set.
   */
  fetch(
    remote: GitRemote,
    ref: string,
    options: { signal: AbortSignal; depth?: number; mayBeMissing?: boolean },
  ): Promise<string | undefined>
  commit(oid: string): Promise<GitCommit>
  /** Whether a commit is in the local copy. */
  has(oid: string): Promise<boolean>
  /** Returns the ids of a commit and its ancestors that are in the local copy. */
  history(oid: string, limit: number): Promise<string[]>
  /** Whether a commit is an ancestor of another one, according to the history in the local copy. */
  isAncestor(ancestor: string, oid: string): Promise<boolean>
  /** Lists all files below a directory, with paths relative to it; empty if the directory does not exist. */
  list(commit: string, directory: string): Promise<GitFile[]>
  /** Fetches missing blobs in one request, so that reading them later needs no further request. */
  prefetch(remote: GitRemote, oids: readonly string[], options: { signal: AbortSignal }): Promise<void>
  /** Yields blobs in the requested order, one at a time; missing blobs are fetched first in one request. */
  read(
    remote: GitRemote,
    oids: readonly string[],
    options: { signal: AbortSignal; maxBlobBytes: number },
  ): AsyncIterable<GitBlob>
  /** Writes a commit that changes files of its parent; equal commits have equal ids. */
  write(commit: NewCommit): Promise<string>
  /** Updates a branch of the remote from the expected commit (undefined: the branch does not exist) to another. */
  push(
    remote: GitRemote,
    push: { commit: string; ref: string; expected: string | undefined; force?: boolean; signal: AbortSignal },
  ): Promise<void>
}

/** Maximum number of blobs per request; a request body of this size is accepted by all servers. */
const maxWants = 20_000

export function repositoryIn(cache: Cache, network: GitNetwork): GitRepository {
  const { directory } = cache
  /** Depth by fetched ref. */
  const fetchedRefs = new Map<string, number>()
  /** Sizes of blobs that are in the local copy. */
  const knownSizes = new Map<string, number>()

  const command = (args: readonly string[], more: Partial<GitCommand> = {}): GitCommand => ({
    args,
    directory,
    machine: network.machine,
    timeout: network.limits.timeout,
    ...more,
  })
  const locally = (args: readonly string[], more?: Partial<GitCommand>) =>
    cache.using(() => runLocally(command(args, more)))
  const online = (remote: GitRemote, given: Omit<NetworkCommand, 'directory'>) =>
    runOnline(network, remote, { ...given, directory })

  async function fetchTip(remote: GitRemote, ref: string, depth: number, signal: AbortSignal): Promise<GitResult> {
    const filter = (await fullFetches.are(directory)) ? '--no-filter' : '--filter=blob:none'
    const args = [...quietFetch, '--update-shallow', `--depth=${depth}`, filter, 'origin', `+${ref}:${tipOf(ref)}`]
    return online(remote, { args, config: partialConfig, signal })
  }

  async function formatHere(): Promise<ObjectFormat> {
    const format = await runLocally(command(['rev-parse', '--show-object-format']))
    return format.toString().trim() === 'sha256' ? 'sha256' : 'sha1'
  }

  async function createAnew(format: ObjectFormat): Promise<void> {
    knownSizes.clear()
    await cache.create(format)
  }

  /** Fetches a branch; creates the local copy again if it is damaged or has another object format. */
  async function fetchTipAnyway(remote: GitRemote, ref: string, depth: number, signal: AbortSignal) {
    if (!(await exists(join(directory, 'HEAD')))) await createAnew('sha1')
    const result = await fetchTip(remote, ref, depth, signal)
    if (result.code === 0) return result
    if (isOtherObjectFormat(result.stderr)) await createAnew((await formatHere()) === 'sha1' ? 'sha256' : 'sha1')
    else if (explain(result.stderr).failure === 'broken') await createAnew('sha1')
    else return result
    return fetchTip(remote, ref, depth, signal)
  }

  /** Returns the commit that a fetched branch points to. */
  async function readTip(ref: string): Promise<string> {
    // Git has just written this file; reading it is cheaper than starting another process.
    const stored = await readFile(join(directory, tipOf(ref)), 'latin1').catch(() => '')
    if (isOid(stored.trim())) return stored.trim()
    return (await locally(['rev-parse', '--verify', `${tipOf(ref)}^{commit}`])).toString().trim()
  }

  async function hasBranches(remote: GitRemote, signal: AbortSignal): Promise<boolean> {
    const args = ['ls-remote', '--quiet', 'origin']
    const { code, stdout, stderr } = await online(remote, { args, signal, environment: { GIT_TRACE_PACKET: '1' } })
    if (code !== 0) throw explain(stderr)
    // Git treats any web page as an empty repository served over the dumb protocol.
    if (!/packet: .*</.test(stderr)) throw notARepository()
    return stdout.length > 0
  }

  function hasCommit(oid: string): Promise<boolean> {
    const args = ['cat-file', '-e', `${checkOid(oid)}^{commit}`]
    return cache.using(async () => (await runGit(command(args))).code === 0)
  }

  /** Returns the sizes of those blobs that are in the local copy. */
  async function sizesOf(oids: readonly string[], signal: AbortSignal): Promise<Map<string, number>> {
    const input = [linesOf(oids)]
    const answers = await locally(['cat-file', '--batch-check', '--buffer'], { input, signal })
    return new Map(
      answers
        .toString('latin1')
        .split('\n')
        .map((line) => line.split(' '))
        .flatMap(([oid = '', type, size]) => (type === 'blob' ? [[oid, Number(size)]] : [])),
    )
  }

  /** Fetches blobs and returns whether the server sent them; some servers only serve objects that their refs point to. */
  async function bring(remote: GitRemote, oids: readonly string[], signal: AbortSignal): Promise<boolean> {
    for (let start = 0; start < oids.length; start += maxWants) {
      const { code, stderr } = await online(remote, {
        args: [...quietFetch, '--filter=blob:none', '--stdin', 'origin'],
        input: [linesOf(oids.slice(start, start + maxWants))],
        // No negotiation: for single objects the server does not need to know what exists locally.
        config: { ...partialConfig, 'fetch.negotiationAlgorithm': 'noop' },
        signal,
      })
      if (code !== 0 && isRefusedObject(stderr)) return false
      if (code !== 0) throw explain(stderr)
    }
    return true
  }

  /** Fetches everything again, for servers that do not serve single objects. */
  async function bringAll(remote: GitRemote, signal: AbortSignal): Promise<void> {
    await createAnew(await formatHere())
    await fullFetches.set(directory)
    for (const [ref, depth] of fetchedRefs) {
      const { code, stderr } = await fetchTip(remote, ref, depth, signal)
      if (code !== 0) throw explain(stderr)
    }
  }

  const isAbsent = (oid: string) => !knownSizes.has(oid)

  /** Returns the objects that are not in the local copy. */
  async function findAbsent(oids: readonly string[], signal: AbortSignal): Promise<string[]> {
    const unknown = [...new Set(oids.filter(isAbsent))]
    if (unknown.length === 0) return []
    for (const [oid, size] of await sizesOf(unknown, signal)) knownSizes.set(oid, size)
    return unknown.filter(isAbsent)
  }

  async function fetchAbsent(remote: GitRemote, oids: readonly string[], signal: AbortSignal): Promise<void> {
    const absent = await findAbsent(oids, signal)
    if (absent.length === 0) return
    await cache.exclusive(async () => {
      if (!(await bring(remote, absent, signal))) await bringAll(remote, signal)
      if ((await findAbsent(oids, signal)).length === 0) return
      throw new GitError('moved', 'The repository changed while it was read. Try again')
    })
  }

  /** Fetches omitted objects that a push has to send because the remote branch has changed since the commit was written. */
  async function complete(remote: GitRemote, commit: string, ref: string, signal: AbortSignal): Promise<void> {
    const tips: string[] = []
    for (const [name, depth] of new Map([[ref, 1], ...fetchedRefs])) {
      const { code, stderr } = await fetchTip(remote, name, depth, signal)
      if (code === 0) tips.push(tipOf(name))
      else if (explain(stderr).failure !== 'noBranch') throw explain(stderr)
    }
    const listed = await locally(['rev-list', '--objects', '--missing=print', commit, '--not', ...tips])
    const lines = listed.toString().split('\n')
    const absent = lines.flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : []))
    const isComplete = await bring(remote, absent, signal)
    if (!isComplete) throw new GitError('moved', 'The branch was changed in the repository by someone else. Try again')
  }

  return {
    async fetch(remote, ref, { signal, depth = 1, mayBeMissing = false }) {
      checkRef(ref)
      return cache.exclusive(async () => {
        const { code, stderr } = await fetchTipAnyway(remote, ref, depth, signal)
        if (code === 0) {
          fetchedRefs.set(ref, depth)
          return readTip(ref)
        }
        const error = explain(stderr)
        if (error.failure !== 'noBranch') throw error
        if (!(await hasBranches(remote, signal)) || mayBeMissing) return undefined
        throw error
      })
    },
    async commit(oid) {
      return parseCommit(oid, await locally(['cat-file', 'commit', checkOid(oid)]))
    },
    has: hasCommit,
    async history(oid, limit) {
      const ids = (await locally(['rev-list', `--max-count=${limit}`, checkOid(oid)])).toString()
      return ids.split('\n').filter((id) => id !== '')
    },
    isAncestor: (ancestor, oid) =>
      cache.using(async () => {
        const args = ['merge-base', '--is-ancestor', checkOid(ancestor), checkOid(oid)]
        return (await runGit(command(args))).code === 0
      }),
    list: (commit, given) =>
      cache.using(async () => {
        const folder = given.replace(/^\/+|\/+$/g, '')
        if (folder !== '' && !isSafePath(folder)) return []
        const tree = `${checkOid(commit)}:${folder}`
        try {
          return await filesOf(streamGit(command(['ls-tree', '-r', '-z', tree])))
        } catch (error) {
          if (!(error instanceof GitError) || error.failure !== 'broken') throw error
          const { code, stdout } = await runGit(command(['cat-file', '-t', tree]))
          const isDirectory = code === 0 && stdout.toString().trim() === 'tree'
          // If the commit itself is missing, the listing failed for that reason.
          if (!isDirectory && (await hasCommit(commit))) return []
          throw error
        }
      }),
    async prefetch(remote, oids, { signal }) {
      await cache.using(() => fetchAbsent(remote, oids.map(checkOid), signal))
    },
    async *read(remote, oids, { signal, maxBlobBytes }) {
      if (oids.length === 0) return
      const release = cache.hold()
      try {
        await fetchAbsent(remote, oids.map(checkOid), signal)
        const isTooLarge = (oid: string) => (knownSizes.get(oid) ?? 0) > maxBlobBytes
        const input = [linesOf(oids.filter((oid) => !isTooLarge(oid)))]
        // Without a timeout: the duration depends on the consumer.
        const batch = streamGit({
          args: ['cat-file', '--batch', '--buffer'],
          directory,
          machine: network.machine,
          input,
          signal,
        })
        const blobs = blobsOf(batch)
        try {
          for (const oid of oids) {
            if (isTooLarge(oid)) {
              yield { oid, tooLarge: true }
              continue
            }
            const next = await blobs.next()
            if (next.done) throw new GitError('broken', 'The content of a file is missing in the repository')
            yield next.value
          }
        } finally {
          await blobs.return()
        }
      } finally {
        release()
      }
    },
    async write(commit) {
      checkPaths(commit.changes)
      const { parent, changes } = commit
      if (parent !== undefined) checkOid(parent)
      const importer = ['fast-import', '--quiet', '--force', '--done', '--date-format=raw']
      return cache.exclusive(async () => {
        const modes =
          parent === undefined
            ? Buffer.alloc(0)
            : await locally(['fast-import', '--quiet'], { input: askModes(parent, changes) })
        const oid = await locally(importer, { input: fastImport(commit, executablesOf(modes, changes)) })
        return oid.toString().trim()
      })
    },
    async push(remote, { commit, ref, expected, force = false, signal }) {
      checkRef(ref)
      const lease = expected === undefined ? '' : checkOid(expected)
      const args = [
        'push',
        '--porcelain',
        '--no-verify',
        force ? '--force' : `--force-with-lease=${ref}:${lease}`,
        'origin',
        `${checkOid(commit)}:${ref}`,
      ]
      return cache.exclusive(async () => {
        // Without `partialConfig`: with it, Git would fetch omitted objects to send deltas against them.
        let result = await online(remote, { args, signal })
        if (result.code !== 0 && isIncomplete(result.stderr)) {
          await complete(remote, commit, ref, signal)
          result = await online(remote, { args, signal })
        }
        if (result.code !== 0) throw explainPush(result.stdout.toString(), result.stderr)
      })
    },
  }
}

const quietFetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']

/** Returns the ref that stores the tip of a branch; hashed, because a branch may have the name of a deleted branch's folder. */
function tipOf(ref: string): string {
  return `refs/octavo/tips/${createHash('sha256').update(ref).digest('hex').slice(0, 32)}`
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

const isOid = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

function checkOid(oid: string): string {
  if (isOid(oid)) return oid
  throw new GitError('notFound', 'This is not a valid Git object id')
}
