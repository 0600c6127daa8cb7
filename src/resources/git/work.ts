import type { GitWarning } from '../../contract/git-sync.ts'
import type { Git, GitRemote } from '../../fetch/git.ts'
import type { JobContext, ObjectStore, SpaceContext } from '../../kernel/context.ts'
import { seconds } from '../../kernel/time.ts'
import { storePortion } from '../../storage/portions.ts'
import type { Db, Row } from '../../schema/tables.ts'
import type { FileServices } from '../../domain/files/store-file.ts'
import { findFirstAdmin } from '../../domain/members/member-queries.ts'
import { invalidateSitesOfSpaces } from '../../domain/sites/update-site.ts'
import { findLiveSpace } from '../../domain/spaces/space-queries.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import type { PendingRequest } from './bring-in.ts'
import type { GitRequest } from '../../domain/git/queue-operation.ts'
import * as store from '../../domain/git/git-store.ts'

export interface GitServices extends FileServices {
  git: Git
  config: FileServices['config'] & {
    /** Milliseconds that an operation may take. */
    gitTimeout: number
  }
}

/** An operation that is being carried out. */
export interface Work {
  context: JobContext
  services: GitServices
  operation: Row<'git_operations'>
  space: Pick<Row<'spaces'>, 'organization_id' | 'id'>
  request: GitRequest
  remote: GitRemote
  provider: Row<'git_connections'>['provider']
  signal: AbortSignal
  /** How many texts there are to deal with, once that is known. */
  total: number
}

/** What came of an operation. */
export interface Outcome {
  /** Undefined when there is nothing on either side. */
  commit: string | undefined
  revisionId?: string | undefined
  /** What has to be merged or archived first, by people. */
  pending?: PendingRequest | undefined
  warnings?: readonly GitWarning[]
}

/** Why an operation cannot be carried out, in a sentence for users. */
export class GitSyncError extends Error {}

export class NotConnectedError extends GitSyncError {
  constructor() {
    super('The Git connection of the space was removed')
  }
}

/** How often progress is written down. */
const progressInterval = seconds(1)

/** Looks after an operation between two texts: stores what was written, and tells how far it is. */
export function caretaker(
  work: Work,
  objects: ObjectStore,
): (progress: { done: number; total: number }) => Promise<void> {
  const { context, operation } = work
  let lastNote = 0
  return async ({ done, total }) => {
    work.total = total
    await storePortion(context.transaction, objects)
    if (Date.now() - lastNote < progressInterval) return
    lastNote = Date.now()
    await context.transaction((db) => store.updateOperation(db, operation, { done, total }))
  }
}

/** Notes how the space and the branch stand to each other, unless the space has been connected with another one meanwhile. */
export async function storeSyncState(
  { context, space, request }: Work,
  db: Db,
  values: store.SyncState,
): Promise<void> {
  await store.updateSyncState(db, space, request, values)
  // Pages tell where they are edited once their files are known.
  if (values.synced_revision_id) await invalidateSitesOfSpaces({ ...context, db }, space.organization_id, [space.id])
}

/** The space, as long as it is not deleted. */
export async function getLiveSpace({ space }: Pick<Work, 'space'>, db: Db): Promise<Row<'spaces'>> {
  const row = await findLiveSpace(db, space)
  if (!row) throw new GitSyncError('The space was deleted')
  return row
}

/** What is known of where the repository can be looked at. */
export function placesOf({ request, provider }: Work) {
  const { url, ref, directory, treeUrl, commitUrl } = request
  return { url, ref, directory, provider, tree_url: treeUrl ?? null, commit_url: commitUrl ?? null }
}

/** The context of somebody who works in the space: whoever asked for the operation, or an administrator when they have gone. */
export async function actingIn(work: Work, db: Db): Promise<SpaceContext> {
  const { context, operation, space } = work
  const row = await getLiveSpace(work, db)
  const userId = operation.created_by ?? (await findFirstAdmin(db, space.organization_id))
  if (userId === undefined) throw new GitSyncError('The organization has no administrator')
  const user = (await loadUsers(db, [userId])).get(userId)
  return {
    ...context,
    db,
    space: row,
    role: 'admin',
    principal: { user, tokenId: '', scopes: null },
    viewer: { organizationId: space.organization_id, userId: user.id, role: 'admin' },
  }
}
