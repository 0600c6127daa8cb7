import type { GitSyncState } from '../../../contract/git-sync.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { type Repository, toRepositoryUrl } from '../new-space/start-space.ts'

/** Settings of a connection that are not part of the repository. */
interface ConnectionSettings {
  provider?: 'github' | 'gitlab' | null
  importAfterPush?: boolean
  exportAfterMerge?: boolean
}

/** Connects a space with a branch, or changes the connection. */
export async function saveRepository(
  spaceId: string,
  repository: Repository,
  settings: ConnectionSettings = {},
): Promise<GitSyncState> {
  const { branch, directory } = repository
  const state = await request('PATCH /spaces/{spaceId}/git/info', {
    params: { spaceId },
    body: {
      url: toRepositoryUrl(repository),
      ref: `refs/heads/${branch}`,
      repoProjectDirectory: directory,
      ...settings,
    },
  })
  invalidate(`/spaces/${spaceId}`)
  return state
}

export async function saveSettings(spaceId: string, body: ConnectionSettings): Promise<void> {
  await request('PATCH /spaces/{spaceId}/git/info', { params: { spaceId }, body })
  invalidate(`/spaces/${spaceId}/git`)
}

const toBranch = ({ repository, ref, projectDirectory }: GitSyncState) => ({
  url: repository,
  ref,
  repoProjectDirectory: projectDirectory,
})

/** Starts an import through the connection. */
export async function startImport(spaceId: string, state: GitSyncState): Promise<void> {
  await request('POST /spaces/{spaceId}/git/import', { params: { spaceId }, body: toBranch(state) })
  invalidate(`/spaces/${spaceId}/git`)
}

/** Starts an export through the connection; new commits of the branch are merged into the space first. */
export async function startExport(spaceId: string, state: GitSyncState, commitMessage: string): Promise<void> {
  await request('POST /spaces/{spaceId}/git/export', {
    params: { spaceId },
    body: { ...toBranch(state), commitMessage },
  })
  invalidate(`/spaces/${spaceId}/git`)
}

export const branchOf = ({ ref }: GitSyncState): string => ref.replace(/^refs\/heads\//, '')

/** Returns the start of the ID of a commit, as Git shows it. */
export const shortCommit = (commit: string): string => commit.slice(0, 7)
