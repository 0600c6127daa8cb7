import { readObject } from '../../content/revision/objects.ts'
import type { GitRepository } from '../../fetch/git.ts'
import type { Row } from '../../schema/tables.ts'
import { findChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { findCommitted, findRevision, getRevision, listedIn, storeExport } from '../../domain/revisions/revisions.ts'
import type { PendingRequest } from './bring-in.ts'
import { isSameBranch } from './permissions.ts'
import { commitOf } from '../../domain/git/git-state.ts'
import * as store from '../../domain/git/git-store.ts'
import { GitSyncError, NotConnectedError, type Work, getLiveSpace, storeSyncState } from './work.ts'

/** Last common state of the space and the repository. */
export interface Common {
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
export async function settle(
  work: Work,
  repository: GitRepository,
  tip: string | undefined,
): Promise<Common | undefined> {
  const { context, space } = work
  const connection = await findConnectionOfBranch(work)
  const arrived = await adoptPushed(work, repository, connection?.pushing_revision_id ?? null, tip)
  if (arrived) return arrived
  const decided = await findDecided(work, connection)
  if (decided) return adopt(work, decided)
  const synced = connection?.synced_revision_id ?? null
  if (synced !== null) return commonIn(await getRevision(context.db, space, synced))

  const listed = listedIn(await findHead(work))
  if (!listed) return undefined
  const committed = await findCommitted(context.db, space, listed)
  if (committed && (await isFromHere(work, repository, tip, committed))) return adopt(work, committed)
  return { ...listed, revisionId: undefined, commit: undefined }
}

export async function findHead(work: Work): Promise<Row<'revisions'>> {
  const { db } = work.context
  const space = await getLiveSpace(work, db)
  return getRevision(db, space, space.revision_id)
}

/** Returns the connection; undefined if the space was connected to another branch after the operation was requested. */
async function findConnectionOfBranch({ context, space, request }: Work): Promise<Row<'git_connections'> | undefined> {
  const connection = await store.findConnection(context.db, space)
  if (!connection) throw new NotConnectedError()
  return isSameBranch(connection, request) ? connection : undefined
}

function commonIn(revision: Row<'revisions'>): Common {
  return {
    root: revision.root_hash,
    listing: revision.listing_hash as string,
    revisionId: revision.id,
    commit: commitOf(revision)?.oid,
  }
}

async function adopt(work: Work, revision: Row<'revisions'>): Promise<Common> {
  await work.context.transaction((db) =>
    storeSyncState(work, db, {
      synced_revision_id: revision.id,
      pushing_revision_id: null,
      conflict_revision_id: null,
      conflict_change_request_id: null,
    }),
  )
  return commonIn(revision)
}

/** Stores a revision whose push was not confirmed as the common state; returns undefined if its commit is not in the branch. */
export async function adoptPushed(
  work: Work,
  repository: GitRepository,
  revisionId: string | null,
  tip: string | undefined,
): Promise<Common | undefined> {
  const { context, space } = work
  if (revisionId === null) return undefined
  const revision = await findRevision(context.db, space, revisionId)
  const commit = commitOf(revision)
  if (!revision || !commit || !(await isInHistory(work, repository, tip, commit.oid))) return undefined
  const [exported] = JSON.parse(revision.parents) as string[]
  const listed = listedIn(revision)
  if (exported !== undefined && listed) {
    await context.transaction((db) => storeExport(db, space, exported, listed, commit))
  }
  return adopt(work, revision)
}

async function isInHistory(
  { request, remote, signal }: Work,
  repository: GitRepository,
  tip: string | undefined,
  commit: string,
): Promise<boolean> {
  if (tip === undefined || tip === commit) return tip !== undefined
  await repository.fetch(remote, request.ref, { signal, depth: maxHistory })
  return (await repository.history(tip, maxHistory)).includes(commit)
}

/** Whether a revision contains the state of this directory in a commit of the branch. */
async function isFromHere(
  work: Work,
  repository: GitRepository,
  tip: string | undefined,
  revision: Row<'revisions'>,
): Promise<boolean> {
  const { context, space, request } = work
  const objects = context.openObjects(context.db, space.organization_id)
  const { directory = '' } = await readObject(objects, 'listing', revision.listing_hash as string)
  return directory === request.directory && isInHistory(work, repository, tip, commitOf(revision)?.oid ?? '')
}

/**
 * Returns the conflicting state of the repository if its change request was merged since. Fails while the change request
 * is open, unless the operation is forced.
 */
async function findDecided(
  work: Work,
  connection: Row<'git_connections'> | undefined,
): Promise<Row<'revisions'> | undefined> {
  const { context, space, request } = work
  const { conflict_change_request_id: requestId = null, conflict_revision_id: revisionId = null } = connection ?? {}
  if (requestId === null || revisionId === null) return undefined
  const changeRequest = await findChangeRequest(context.db, space, requestId)
  if (changeRequest?.status === 'merged') return getRevision(context.db, space, revisionId)
  const isOpen = changeRequest !== undefined && changeRequest.status !== 'archived'
  if (isOpen && request.force !== true) throw new UndecidedError({ changeRequest, reason: 'open' })
  await context.transaction((db) =>
    storeSyncState(work, db, { conflict_revision_id: null, conflict_change_request_id: null }),
  )
  return undefined
}

/** Error for an operation that must wait until a change request with changes from the repository is merged or archived. */
export class UndecidedError extends GitSyncError {
  readonly changeRequest: Row<'change_requests'>

  constructor({
    changeRequest,
    reason,
  }: Omit<PendingRequest, 'reason'> & { reason: PendingRequest['reason'] | 'open' }) {
    super(`${explanations[reason](`change request #${changeRequest.number}`)}. ${wayOut}`)
    this.changeRequest = changeRequest
  }
}

const explanations = {
  conflict: (request: string) => `The repository and the space contain conflicting changes: see ${request}`,
  locked: (request: string) => `The space is locked. The changes from the repository are in ${request}`,
  open: (request: string) => `Changes from the repository are pending in ${request}`,
}

const wayOut = 'Merge it, or archive it to import the repository again'
