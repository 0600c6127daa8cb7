import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Caches, createCaches } from './git-cache.ts'
import { type GitNetwork, askpassScript } from './git-network.ts'
import { type GitRepository, repositoryIn } from './git-repository.ts'
import type { GuardOptions } from './guard.ts'

export type { GitCommit, GitFile, GitPerson } from './git-content.ts'
export { GitError, type GitFailure } from './git-error.ts'
export { type GitCredentials, type GitRemote, checkRef, parseRemote } from './git-remote.ts'
export type { GitBlob, GitRepository } from './git-repository.ts'
export type { GitChange, NewCommit } from './git-write.ts'

export interface GitOptions {
  /** Where copies of repositories are kept, for one process alone; asked for at the first use. */
  folder: () => string
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
  let opened: Promise<{ caches: Caches; network: GitNetwork }> | undefined

  async function prepare() {
    const place = folder()
    const [home, askpass] = [join(place, 'home'), join(place, 'askpass')]
    await mkdir(home, { recursive: true, mode: 0o700 })
    await writeFile(askpass, askpassScript, { mode: 0o700 })
    const machine = { home, environment }
    const caches = createCaches({ folder: join(place, 'repositories'), machine, timeout: limits.timeout })
    return { caches, network: { guard, limits, machine, askpass } }
  }

  /** What could not be prepared is tried again the next time. */
  const prepared = () =>
    (opened ??= prepare().catch((error: unknown) => {
      opened = undefined
      throw error
    }))

  return {
    async open(key) {
      const { caches, network } = await prepared()
      return repositoryIn(await caches.open(key), network)
    },
    async trim(maxBytes) {
      const { caches } = await prepared()
      await caches.trim(maxBytes)
    },
  }
}
