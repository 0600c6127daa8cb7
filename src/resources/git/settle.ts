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

/** What the space and the repository last had in common. */
export interface Common {
  root: string
  listing: string
  /** The revision of the space that holds it, when there is one. */
  revisionId: string | undefined
  /** The commit that holds it; undefined when the space was in step with something else than this branch. */
  commit: string | undefined
}

/** How far back it is looked for a commit. */
const maxHistory = 50

/**
 * Finds out what the space and the branch have in common. Something that was pushed when the process ended may have arrived;
 * something that contradicted the space may have been decided since.
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

/** How things stand with this branch; undefined when the space was connected with another one since this was asked for. */
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

/** Notes a revision whose push was never confirmed as what both have in common; undefined when its commit is not in the branch. */
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

/** Whether a revision holds what this folder had in an earlier commit of the branch. */
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

/** What contradicted the space and was taken in since, by people. While it waits for them, only force can do anything else. */
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

/** A change request with changes from the repository has to be merged or archived first. */
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
