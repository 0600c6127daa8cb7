import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type GitCaches, createGitCaches } from './git-cache.ts'
import { type GitNetwork, askpassScript } from './git-network.ts'
import { type GitRepository, createGitRepository } from './git-repository.ts'
import type { GuardOptions } from './guard.ts'

export type { GitCommit, GitFile, GitPerson } from './git-content.ts'
export { GitError, type GitFailure } from './git-error.ts'
export { type GitCredentials, type GitRemote, checkRef, parseRemote } from './git-remote.ts'
export type { GitBlob, GitRepository } from './git-repository.ts'
export type { GitChange, NewCommit } from './git-write.ts'

export interface GitOptions {
  /** Returns the folder for copies of repositories, which only one process may use; called at first use. */
  folder: () => string
  /** Environment of this process, for the paths of programs and trusted certificates. */
  environment: Readonly<Record<string, string | undefined>>
  guard: GuardOptions
  limits: {
    /** Maximum number of bytes that one command may receive. */
    maxBytes: number
    /** Timeout of one command in milliseconds. */
    timeout: number
  }
}

export interface Git {
  /** Opens the local copy with this key; creates it if it is missing or damaged. */
  open(key: string): Promise<GitRepository>
  /** Removes the least recently used copies until the total size is within the limit. */
  trim(maxBytes: number): Promise<void>
}

/** Creates a client that runs the system's Git on user-supplied repositories: guarded, limited, without user configuration. */
export function createGit({ folder, environment, guard, limits }: GitOptions): Git {
  let preparation: Promise<{ caches: GitCaches; network: GitNetwork }> | undefined

  async function prepare() {
    const root = folder()
    const [home, askpass] = [join(root, 'home'), join(root, 'askpass')]
    await mkdir(home, { recursive: true, mode: 0o700 })
    await writeFile(askpass, askpassScript, { mode: 0o700 })
    const machine = { home, environment }
    const caches = createGitCaches({ folder: join(root, 'repositories'), machine, timeout: limits.timeout })
    return { caches, network: { guard, limits, machine, askpass } }
  }

  /** A failed preparation is retried at the next call. */
  const ensurePrepared = () =>
    (preparation ??= prepare().catch((error: unknown) => {
      preparation = undefined
      throw error
    }))

  return {
    async open(key) {
      const { caches, network } = await ensurePrepared()
      return createGitRepository(await caches.open(key), network)
    },
    async trim(maxBytes) {
      const { caches } = await ensurePrepared()
      await caches.trim(maxBytes)
    },
  }
}
