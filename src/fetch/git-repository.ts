import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type GitCache, type ObjectFormat, pathExists, fullFetchMarker } from './git-cache.ts'
import { type GitCommit, type GitFile, parseBlobs, parseFileList, isSafePath, parseCommit } from './git-content.ts'
import { GitError } from './git-error.ts'
import {
  toGitError,
  toPushError,
  isMissingObjects,
  isUnadvertisedObject,
  notARepositoryError,
  isObjectFormatMismatch,
} from './git-error-output.ts'
import { type GitNetwork, type RemoteCommand, partialCloneConfig, runRemoteGit } from './git-network.ts'
import { type GitCommand, type GitResult, runGit, runLocalGit, streamGit } from './git-process.ts'
import { type GitRemote, checkRef } from './git-remote.ts'
import { type NewCommit, listModeCommands, checkPaths, parseExecutables, commitCommands } from './git-write.ts'

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
  /** Asks the remote for the newest commit of a branch without fetching it; undefined if the branch does not exist. */
  readRemoteTip(remote: GitRemote, ref: string, options: { signal: AbortSignal }): Promise<string | undefined>
  getCommit(oid: string): Promise<GitCommit>
  /** Whether a commit is in the local copy. */
  has(oid: string): Promise<boolean>
  /** Returns the ids of a commit and its ancestors that are in the local copy. */
  history(oid: string, limit: number): Promise<string[]>
  /** Whether a commit is an ancestor of another one, according to the history in the local copy. */
  isAncestor(ancestor: string, oid: string): Promise<boolean>
  /** Lists all files below a directory, with paths relative to it; empty if the directory does not exist. */
  listFiles(commit: string, directory: string): Promise<GitFile[]>
  /** Fetches missing blobs in one request, so that reading them later needs no further request. */
  prefetch(remote: GitRemote, oids: readonly string[], options: { signal: AbortSignal }): Promise<void>
  /** Yields blobs in the requested order, one at a time; missing blobs are fetched first in one request. */
  readBlobs(
    remote: GitRemote,
    oids: readonly string[],
    options: { signal: AbortSignal; maxBlobBytes: number },
  ): AsyncIterable<GitBlob>
  /** Writes a commit that changes files of its parent; equal commits have equal ids. */
  writeCommit(commit: NewCommit): Promise<string>
  /** Updates a branch of the remote from the expected commit (undefined: the branch does not exist) to another. */
  push(
    remote: GitRemote,
    push: { commit: string; ref: string; expected: string | undefined; force?: boolean; signal: AbortSignal },
  ): Promise<void>
}

/** Maximum number of blobs per request; a request body of this size is accepted by all servers. */
const maxBlobsPerFetch = 20_000

export function createGitRepository(cache: GitCache, network: GitNetwork): GitRepository {
  const { directory } = cache
  /** Depth by fetched ref. */
  const fetchedRefs = new Map<string, number>()
  /** Sizes of blobs that are in the local copy. */
  const knownSizes = new Map<string, number>()

  const command = (args: readonly string[], overrides: Partial<GitCommand> = {}): GitCommand => ({
    args,
    directory,
    machine: network.machine,
    timeout: network.limits.timeout,
    ...overrides,
  })
  const runLocal = (args: readonly string[], overrides?: Partial<GitCommand>) =>
    cache.runHeld(() => runLocalGit(command(args, overrides)))
  const runRemote = (remote: GitRemote, remoteCommand: Omit<RemoteCommand, 'directory'>) =>
    runRemoteGit(network, remote, { ...remoteCommand, directory })

  async function fetchTip(remote: GitRemote, ref: string, depth: number, signal: AbortSignal): Promise<GitResult> {
    const filter = (await fullFetchMarker.isSet(directory)) ? '--no-filter' : '--filter=blob:none'
    const args = [...quietFetch, '--update-shallow', `--depth=${depth}`, filter, 'origin', `+${ref}:${tipRef(ref)}`]
    return runRemote(remote, { args, config: partialCloneConfig, signal })
  }

  async function readObjectFormat(): Promise<ObjectFormat> {
    const format = await runLocalGit(command(['rev-parse', '--show-object-format']))
    return format.toString().trim() === 'sha256' ? 'sha256' : 'sha1'
  }

  async function recreate(format: ObjectFormat): Promise<void> {
    knownSizes.clear()
    await cache.create(format)
  }

  /** Fetches a branch; creates the local copy again if it is damaged or has another object format. */
  async function fetchTipWithRecovery(remote: GitRemote, ref: string, depth: number, signal: AbortSignal) {
    if (!(await pathExists(join(directory, 'HEAD')))) await recreate('sha1')
    const result = await fetchTip(remote, ref, depth, signal)
    if (result.code === 0) return result
    if (isObjectFormatMismatch(result.stderr)) await recreate((await readObjectFormat()) === 'sha1' ? 'sha256' : 'sha1')
    else if (toGitError(result.stderr).failure === 'broken') await recreate('sha1')
    else return result
    return fetchTip(remote, ref, depth, signal)
  }

  /** Returns the commit that a fetched branch points to. */
  async function readTip(ref: string): Promise<string> {
    // Git has just written this file; reading it is cheaper than starting another process.
    const stored = await readFile(join(directory, tipRef(ref)), 'latin1').catch(() => '')
    if (isOid(stored.trim())) return stored.trim()
    return (await runLocal(['rev-parse', '--verify', `${tipRef(ref)}^{commit}`])).toString().trim()
  }

  /** Lists the refs of the remote with their commits, or one of them. */
  async function listRefs(remote: GitRemote, refs: readonly string[], signal: AbortSignal): Promise<string> {
    const args = ['ls-remote', '--quiet', 'origin', ...refs]
    const { code, stdout, stderr } = await runRemote(remote, { args, signal, environment: { GIT_TRACE_PACKET: '1' } })
    if (code !== 0) throw toGitError(stderr)
    // Git treats any web page as an empty repository served over the dumb protocol.
    if (!/packet: .*</.test(stderr)) throw notARepositoryError()
    return stdout.toString('latin1')
  }

  const hasBranches = async (remote: GitRemote, signal: AbortSignal): Promise<boolean> =>
    (await listRefs(remote, [], signal)) !== ''

  function hasCommit(oid: string): Promise<boolean> {
    const args = ['cat-file', '-e', `${checkOid(oid)}^{commit}`]
    return cache.runHeld(async () => (await runGit(command(args))).code === 0)
  }

  /** Returns the sizes of those blobs that are in the local copy. */
  async function readSizes(oids: readonly string[], signal: AbortSignal): Promise<Map<string, number>> {
    const input = [toLines(oids)]
    const output = await runLocal(['cat-file', '--batch-check', '--buffer'], { input, signal })
    return new Map(
      output
        .toString('latin1')
        .split('\n')
        .map((line) => line.split(' '))
        .flatMap(([oid = '', type, size]) => (type === 'blob' ? [[oid, Number(size)]] : [])),
    )
  }

  /** Fetches blobs and returns whether the server sent them; some servers only serve objects that their refs point to. */
  async function fetchBlobs(remote: GitRemote, oids: readonly string[], signal: AbortSignal): Promise<boolean> {
    for (let start = 0; start < oids.length; start += maxBlobsPerFetch) {
      const { code, stderr } = await runRemote(remote, {
        args: [...quietFetch, '--filter=blob:none', '--stdin', 'origin'],
        input: [toLines(oids.slice(start, start + maxBlobsPerFetch))],
        // No negotiation: for single objects the server does not need to know what exists locally.
        config: { ...partialCloneConfig, 'fetch.negotiationAlgorithm': 'noop' },
        signal,
      })
      if (code !== 0 && isUnadvertisedObject(stderr)) return false
      if (code !== 0) throw toGitError(stderr)
    }
    return true
  }

  /** Fetches everything again, for servers that do not serve single objects. */
  async function refetchAll(remote: GitRemote, signal: AbortSignal): Promise<void> {
    await recreate(await readObjectFormat())
    await fullFetchMarker.set(directory)
    for (const [ref, depth] of fetchedRefs) {
      const { code, stderr } = await fetchTip(remote, ref, depth, signal)
      if (code !== 0) throw toGitError(stderr)
    }
  }

  const isMissing = (oid: string) => !knownSizes.has(oid)

  /** Returns the objects that are not in the local copy. */
  async function findMissing(oids: readonly string[], signal: AbortSignal): Promise<string[]> {
    const unknown = [...new Set(oids.filter(isMissing))]
    if (unknown.length === 0) return []
    for (const [oid, size] of await readSizes(unknown, signal)) knownSizes.set(oid, size)
    return unknown.filter(isMissing)
  }

  async function fetchMissing(remote: GitRemote, oids: readonly string[], signal: AbortSignal): Promise<void> {
    const missing = await findMissing(oids, signal)
    if (missing.length === 0) return
    await cache.runExclusive(async () => {
      if (!(await fetchBlobs(remote, missing, signal))) await refetchAll(remote, signal)
      if ((await findMissing(oids, signal)).length === 0) return
      throw new GitError('moved', 'The repository changed while it was read. Try again')
    })
  }

  /** Fetches omitted objects that a push has to send because the remote branch has changed since the commit was written. */
  async function fetchObjectsForPush(
    remote: GitRemote,
    commit: string,
    ref: string,
    signal: AbortSignal,
  ): Promise<void> {
    const tips: string[] = []
    for (const [name, depth] of new Map([[ref, 1], ...fetchedRefs])) {
      const { code, stderr } = await fetchTip(remote, name, depth, signal)
      if (code === 0) tips.push(tipRef(name))
      else if (toGitError(stderr).failure !== 'noBranch') throw toGitError(stderr)
    }
    const listed = await runLocal(['rev-list', '--objects', '--missing=print', commit, '--not', ...tips])
    const lines = listed.toString().split('\n')
    const missing = lines.flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : []))
    const isComplete = await fetchBlobs(remote, missing, signal)
    if (!isComplete) throw new GitError('moved', 'The branch was changed in the repository by someone else. Try again')
  }

  return {
    async fetch(remote, ref, { signal, depth = 1, mayBeMissing = false }) {
      checkRef(ref)
      return cache.runExclusive(async () => {
        const { code, stderr } = await fetchTipWithRecovery(remote, ref, depth, signal)
        if (code === 0) {
          fetchedRefs.set(ref, depth)
          return readTip(ref)
        }
        const error = toGitError(stderr)
        if (error.failure !== 'noBranch') throw error
        if (!(await hasBranches(remote, signal)) || mayBeMissing) return undefined
        throw error
      })
    },
    async readRemoteTip(remote, ref, { signal }) {
      checkRef(ref)
      const refs = await cache.runHeld(() => listRefs(remote, [ref], signal))
      // A pattern also matches branches whose name ends with it.
      const line = refs.split('\n').find((one) => one.endsWith(`\t${ref}`))
      return line?.split('\t')[0]
    },
    async getCommit(oid) {
      return parseCommit(oid, await runLocal(['cat-file', 'commit', checkOid(oid)]))
    },
    has: hasCommit,
    async history(oid, limit) {
      const ids = (await runLocal(['rev-list', `--max-count=${limit}`, checkOid(oid)])).toString()
      return ids.split('\n').filter((id) => id !== '')
    },
    isAncestor: (ancestor, oid) =>
      cache.runHeld(async () => {
        const args = ['merge-base', '--is-ancestor', checkOid(ancestor), checkOid(oid)]
        return (await runGit(command(args))).code === 0
      }),
    listFiles: (commit, directoryPath) =>
      cache.runHeld(async () => {
        const folder = directoryPath.replace(/^\/+|\/+$/g, '')
        if (folder !== '' && !isSafePath(folder)) return []
        const tree = `${checkOid(commit)}:${folder}`
        try {
          return await parseFileList(streamGit(command(['ls-tree', '-r', '-z', tree])))
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
      await cache.runHeld(() => fetchMissing(remote, oids.map(checkOid), signal))
    },
    async *readBlobs(remote, oids, { signal, maxBlobBytes }) {
      if (oids.length === 0) return
      const release = cache.hold()
      try {
        await fetchMissing(remote, oids.map(checkOid), signal)
        const isTooLarge = (oid: string) => (knownSizes.get(oid) ?? 0) > maxBlobBytes
        const input = [toLines(oids.filter((oid) => !isTooLarge(oid)))]
        // Without a timeout: the duration depends on the consumer.
        const batch = streamGit({
          args: ['cat-file', '--batch', '--buffer'],
          directory,
          machine: network.machine,
          input,
          signal,
        })
        const blobs = parseBlobs(batch)
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
    async writeCommit(commit) {
      checkPaths(commit.changes)
      const { parent, changes } = commit
      if (parent !== undefined) checkOid(parent)
      const importArgs = ['fast-import', '--quiet', '--force', '--done', '--date-format=raw']
      return cache.runExclusive(async () => {
        const modes =
          parent === undefined
            ? Buffer.alloc(0)
            : await runLocal(['fast-import', '--quiet'], { input: listModeCommands(parent, changes) })
        const oid = await runLocal(importArgs, { input: commitCommands(commit, parseExecutables(modes, changes)) })
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
      return cache.runExclusive(async () => {
        // Without `partialCloneConfig`: with it, Git would fetch omitted objects to send deltas against them.
        let result = await runRemote(remote, { args, signal })
        if (result.code !== 0 && isMissingObjects(result.stderr)) {
          await fetchObjectsForPush(remote, commit, ref, signal)
          result = await runRemote(remote, { args, signal })
        }
        if (result.code !== 0) throw toPushError(result.stdout.toString(), result.stderr)
      })
    },
  }
}

const quietFetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']

/** Returns the ref that stores the tip of a branch; hashed, because a branch may have the name of a deleted branch's folder. */
function tipRef(ref: string): string {
  return `refs/octavo/tips/${createHash('sha256').update(ref).digest('hex').slice(0, 32)}`
}

function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

const isOid = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

function checkOid(oid: string): string {
  if (isOid(oid)) return oid
  throw new GitError('notFound', 'This is not a valid Git object id')
}
