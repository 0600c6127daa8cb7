import { unlimitedReach } from '../../access/sso.ts'
import type { GitWarning } from '../../contract/git-sync.ts'
import type { Git, GitRemote } from '../../fetch/git.ts'
import type { JobContext, ObjectStore, SpaceContext } from '../../kernel/context.ts'
import { seconds } from '../../kernel/time.ts'
import { storePendingObjectsIfMany } from '../../storage/store-pending-objects.ts'
import type { Db, Row } from '../../schema/tables.ts'
import type { FileServices } from '../../domain/files/store-file.ts'
import { recordGitEvent } from '../../domain/git/queue-operation.ts'
import { findFirstAdmin } from '../../domain/members/member-queries.ts'
import { invalidateSitesOfSpaces } from '../../domain/sites/update-site.ts'
import { findLiveSpace } from '../../domain/spaces/space-queries.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import type { PendingRequest } from './apply-state.ts'
import type { GitRequest } from '../../domain/git/queue-operation.ts'
import * as store from '../../domain/git/git-store.ts'

export interface GitServices extends FileServices {
  git: Git
  config: FileServices['config'] & {
    /** Timeout of an operation in milliseconds. */
    gitTimeout: number
  }
}

/** A running operation. */
export interface SyncTask {
  context: JobContext
  services: GitServices
  operation: Row<'git_operations'>
  space: Pick<Row<'spaces'>, 'organization_id' | 'id'>
  request: GitRequest
  remote: GitRemote
  provider: Row<'git_connections'>['provider']
  signal: AbortSignal
  /** Number of texts to process; 0 until it is known. */
  total: number
}

/** Result of an operation. */
export interface SyncResult {
  /** Id of the branch's commit; undefined if both the space and the branch are empty. */
  commit: string | undefined
  revisionId?: string | undefined
  /** Change request that must be merged or archived first. */
  pending?: PendingRequest | undefined
  warnings?: readonly GitWarning[]
}

/** Error with a message for users about why an operation cannot run. */
export class GitSyncError extends Error {}

export class NotConnectedError extends GitSyncError {
  constructor() {
    super('The Git connection of the space was removed')
  }
}

/** Minimum time between two progress updates. */
const progressInterval = seconds(1)

/** Returns a callback that runs after each text: it stores written objects and the progress of the operation. */
export function createProgressHandler(
  task: SyncTask,
  objects: ObjectStore,
): (progress: { done: number; total: number }) => Promise<void> {
  const { context, operation } = task
  let lastUpdate = 0
  return async ({ done, total }) => {
    task.total = total
    await storePendingObjectsIfMany(context.transaction, objects)
    if (Date.now() - lastUpdate < progressInterval) return
    lastUpdate = Date.now()
    await context.transaction(async (db) => {
      await store.updateGitOperation(db, operation, { done, total })
      await recordGitEvent({ ...context, db }, operation)
    })
  }
}

/** Stores the sync state of the branch, unless the space has been connected to another branch in the meantime. */
export async function storeSyncState(
  { context, space, request }: SyncTask,
  db: Db,
  values: store.SyncStateColumns,
): Promise<void> {
  await store.updateSyncState(db, space, request, values)
  // Published pages contain links to their source once their files are known.
  if (values.synced_revision_id) await invalidateSitesOfSpaces({ ...context, db }, space.organization_id, [space.id])
}

/** Returns the space; fails if it was deleted. */
export async function getLiveSpace({ space }: Pick<SyncTask, 'space'>, db: Db): Promise<Row<'spaces'>> {
  const row = await findLiveSpace(db, space)
  if (!row) throw new GitSyncError('The space was deleted')
  return row
}

/** Returns the URLs, branch and directory of the repository, from which links are made. */
export function repositoryLinksOf({ request, provider }: SyncTask) {
  const { url, ref, directory, treeUrl, commitUrl } = request
  return { url, ref, directory, provider, tree_url: treeUrl ?? null, commit_url: commitUrl ?? null }
}

/** Returns a context for the user who requested the operation, or for an administrator if that user no longer exists. */
export async function createUserContext(task: SyncTask, db: Db): Promise<SpaceContext> {
  const { context, operation, space } = task
  const row = await getLiveSpace(task, db)
  const userId = operation.created_by ?? (await findFirstAdmin(db, space.organization_id))
  if (userId === undefined) throw new GitSyncError('The organization has no administrator')
  const user = (await loadUsers(db, [userId])).get(userId)
  return {
    ...context,
    db,
    space: row,
    role: 'admin',
    principal: { user, tokenId: '', scopes: null, reach: unlimitedReach },
    viewer: { organizationId: space.organization_id, userId: user.id, role: 'admin' },
  }
}
