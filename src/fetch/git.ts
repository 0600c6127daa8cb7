import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCaches } from './git-cache.ts'
import { type GitNetwork, askpassScript } from './git-network.ts'
import { type GitRepository, repositoryIn } from './git-repository.ts'
import type { GuardOptions } from './guard.ts'

export type { GitCommit, GitFile, GitPerson } from './git-content.ts'
export { GitError, type GitFailure } from './git-error.ts'
export { type GitCredentials, type GitRemote, checkRef, parseRemote } from './git-remote.ts'
export type { GitBlob, GitRepository } from './git-repository.ts'
export type { GitChange, NewCommit } from './git-write.ts'

export interface GitOptions {
  /** Where copies of repositories are kept; for one process alone. */
  folder: string
  /** Of this process, for where programs and trusted certificates are. */
  environment: Readonly<Record<string, string | undefined>>
  guard: GuardOptions
  limits: {
    /** How much one command may receive. */
    maxBytes: number
    /** Milliseconds for one command. */
    timeout: number
  }
}

export interface Git {
  /** The copy of a repository that is kept under this key; made when it is missing, and anew when it is damaged. */
  open(key: string): Promise<GitRepository>
  /** Removes copies that were not used lately, until all take at most this much space. */
  trim(maxBytes: number): Promise<void>
}

/** Runs the Git of this machine on repositories that users name: guarded, limited, and without its owner's settings. */
export function createGit({ folder, environment, guard, limits }: GitOptions): Git {
  const home = join(folder, 'home')
  const askpass = join(folder, 'askpass')
  const machine = { home, environment }
  const caches = createCaches({ folder: join(folder, 'repositories'), machine, timeout: limits.timeout })
  const network: GitNetwork = { guard, limits, machine, askpass }
  let prepared: Promise<void> | undefined

  async function prepare() {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await mkdir(home, { recursive: true })
    await writeFile(askpass, askpassScript, { mode: 0o700 })
  }

  return {
    async open(key) {
      prepared ??= prepare()
      await prepared.catch((error: unknown) => {
        prepared = undefined
        throw error
      })
      return repositoryIn(await caches.open(key), network)
    },
    trim: (maxBytes) => caches.trim(maxBytes),
  }
}
