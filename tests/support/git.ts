import type { GitSyncState } from '../../src/contract/git-sync.ts'
import type { TestRepository } from './git-server.ts'
import { type Person, until } from './server.ts'

type Ended = NonNullable<GitSyncState['operation']>

/** Waits until nothing is under way between a space and its repository; tells what was done last. */
export async function gitOperationEnd({ api }: Pick<Person, 'api'>, spaceId: string): Promise<Ended> {
  return until(async () => {
    const { operation } = await api.getSpaceGitInfo({ params: { spaceId } })
    return operation && operation.state !== 'running' ? operation : undefined
  }, 'the operation with the repository has ended')
}

export interface SyncOptions {
  url?: string
  ref?: string
  repoProjectDirectory?: string
  repoTreeURL?: string
  repoCommitURL?: string
  repoCacheID?: string
  timestamp?: string
  force?: boolean
  standalone?: boolean
}

const main = 'refs/heads/main'

/** Imports a repository, and waits for the end of it. */
export async function importFrom(
  person: Pick<Person, 'api'>,
  spaceId: string,
  { url }: Pick<TestRepository, 'url'>,
  options: SyncOptions = {},
): Promise<Ended> {
  await person.api.importGitRepository({ params: { spaceId }, body: { url, ref: main, ...options } })
  return gitOperationEnd(person, spaceId)
}

/** Exports to a repository, and waits for the end of it. */
export async function exportTo(
  person: Pick<Person, 'api'>,
  spaceId: string,
  { url }: Pick<TestRepository, 'url'>,
  { standalone: _, ...options }: SyncOptions & { commitMessage?: string } = {},
): Promise<Ended> {
  const body = { url, ref: main, commitMessage: 'Export', ...options }
  await person.api.exportToGitRepository({ params: { spaceId }, body })
  return gitOperationEnd(person, spaceId)
}
