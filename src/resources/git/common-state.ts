import { readObject } from '../../content/revision/objects.ts'
import type { GitRepository } from '../../fetch/git.ts'
import type { Row } from '../../schema/tables.ts'
import { findChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import {
  findCommittedRevision,
  findRevision,
  getRevision,
  listedContentOf,
  storeRevisionExport,
} from '../../domain/revisions/revisions.ts'
import type { PendingRequest } from './apply-state.ts'
import { isSameBranch } from './permissions.ts'
import { gitCommitOf } from '../../domain/git/git-state.ts'
import * as store from '../../domain/git/git-store.ts'
import { GitSyncError, NotConnectedError, type SyncTask, getLiveSpace, storeSyncState } from './sync-task.ts'

/** Last common state of the space and the repository. */
export interface CommonState {
  root: string
  listing: string
  /** Id of the revision with this state, if there is one. */
  revisionId: string | undefined
  /** Id of the commit with this state; undefined if the space was synced with something other than this branch. */
  commit: string | undefined
}

/** Maximum number of commits searched in the history of a branch. */
const maxHistory = 50

/**
 * Determines the last common state of the space and the branch. An unconfirmed push may have arrived, and a change
 * request with conflicting changes may have been merged since.
 */
export async function findCommonState(
  task: SyncTask,
  repository: GitRepository,
  tip: string | undefined,
): Promise<CommonState | undefined> {
  const { context, space } = task
  const connection = await findConnectionOfBranch(task)
  const pushed = await confirmPush(task, repository, connection?.pushing_revision_id ?? null, tip)
  if (pushed) return pushed
  const resolved = await findResolvedState(task, connection)
  if (resolved) return storeCommonState(task, resolved)
  const synced = connection?.synced_revision_id ?? null
  if (synced !== null) return toCommonState(await getRevision(context.db, space, synced))

  const listed = listedContentOf(await findHead(task))
  if (!listed) return undefined
  const committed = await findCommittedRevision(context.db, space, listed)
  if (committed && (await isFromBranch(task, repository, tip, committed))) return storeCommonState(task, committed)
  return { ...listed, revisionId: undefined, commit: undefined }
}

export async function findHead(task: SyncTask): Promise<Row<'revisions'>> {
  const { db } = task.context
  const space = await getLiveSpace(task, db)
  return getRevision(db, space, space.revision_id)
}

/** Returns the connection; undefined if the space was connected to another branch after the operation was requested. */
async function findConnectionOfBranch({
  context,
  space,
  request,
}: SyncTask): Promise<Row<'git_connections'> | undefined> {
  const connection = await store.findGitConnection(context.db, space)
  if (!connection) throw new NotConnectedError()
  return isSameBranch(connection, request) ? connection : undefined
}

function toCommonState(revision: Row<'revisions'>): CommonState {
  return {
    root: revision.root_hash,
    listing: revision.listing_hash as string,
    revisionId: revision.id,
    commit: gitCommitOf(revision)?.oid,
  }
}

async function storeCommonState(task: SyncTask, revision: Row<'revisions'>): Promise<CommonState> {
  await task.context.transaction((db) =>
    storeSyncState(task, db, {
      synced_revision_id: revision.id,
      pushing_revision_id: null,
      conflict_revision_id: null,
      conflict_change_request_id: null,
    }),
  )
  return toCommonState(revision)
}

/** Stores a revision whose push was not confirmed as the common state; returns undefined if its commit is not in the branch. */
export async function confirmPush(
  task: SyncTask,
  repository: GitRepository,
  revisionId: string | null,
  tip: string | undefined,
): Promise<CommonState | undefined> {
  const { context, space } = task
  if (revisionId === null) return undefined
  const revision = await findRevision(context.db, space, revisionId)
  const commit = gitCommitOf(revision)
  if (!revision || !commit || !(await isInHistory(task, repository, tip, commit.oid))) return undefined
  const [exported] = JSON.parse(revision.parents) as string[]
  const listed = listedContentOf(revision)
  if (exported !== undefined && listed) {
    await context.transaction((db) => storeRevisionExport(db, space, exported, listed, commit))
  }
  return storeCommonState(task, revision)
}

async function isInHistory(
  { request, remote, signal }: SyncTask,
  repository: GitRepository,
  tip: string | undefined,
  commit: string,
): Promise<boolean> {
  if (tip === undefined || tip === commit) return tip !== undefined
  await repository.fetch(remote, request.ref, { signal, depth: maxHistory })
  return (await repository.history(tip, maxHistory)).includes(commit)
}

/** Whether a revision contains the state of this directory in a commit of the branch. */
async function isFromBranch(
  task: SyncTask,
  repository: GitRepository,
  tip: string | undefined,
  revision: Row<'revisions'>,
): Promise<boolean> {
  const { context, space, request } = task
  const objects = context.openObjects(context.db, space.organization_id)
  const { directory = '' } = await readObject(objects, 'listing', revision.listing_hash as string)
  return directory === request.directory && isInHistory(task, repository, tip, gitCommitOf(revision)?.oid ?? '')
}

/**
 * Returns the conflicting state of the repository if its change request was merged since. Fails while the change request
 * is open, unless the operation is forced.
 */
async function findResolvedState(
  task: SyncTask,
  connection: Row<'git_connections'> | undefined,
): Promise<Row<'revisions'> | undefined> {
  const { context, space, request } = task
  const { conflict_change_request_id: requestId = null, conflict_revision_id: revisionId = null } = connection ?? {}
  if (requestId === null || revisionId === null) return undefined
  const changeRequest = await findChangeRequest(context.db, space, requestId)
  if (changeRequest?.status === 'merged') return getRevision(context.db, space, revisionId)
  const isOpen = changeRequest !== undefined && changeRequest.status !== 'archived'
  if (isOpen && request.force !== true) throw new PendingRequestError({ changeRequest, reason: 'open' })
  await context.transaction((db) =>
    storeSyncState(task, db, { conflict_revision_id: null, conflict_change_request_id: null }),
  )
  return undefined
}

/** Error for an operation that must wait until a change request with changes from the repository is merged or archived. */
export class PendingRequestError extends GitSyncError {
  readonly changeRequest: Row<'change_requests'>

  constructor({
    changeRequest,
    reason,
  }: Omit<PendingRequest, 'reason'> & { reason: PendingRequest['reason'] | 'open' }) {
    super(`${explanations[reason](`change request #${changeRequest.number}`)}. ${hint}`)
    this.changeRequest = changeRequest
  }
}

const explanations = {
  conflict: (request: string) => `The repository and the space contain conflicting changes: see ${request}`,
  locked: (request: string) => `The space is locked. The changes from the repository are in ${request}`,
  open: (request: string) => `Changes from the repository are pending in ${request}`,
}

const hint = 'Merge it, or archive it to import the repository again'
