import type { GitRepository } from '../../fetch/git.ts'
import type { Row } from '../../storage/tables.ts'
import { findChangeRequest } from '../change-requests/reads.ts'
import { findRevision, getRevision, listedIn } from '../revisions/revisions.ts'
import { findLiveSpace } from '../spaces/reads.ts'
import { commitOf } from './state.ts'
import * as store from './store.ts'
import { GitSyncError, type Work } from './work.ts'

/** What the space and the repository last had in common. */
export interface Common {
  root: string
  listing: string
  /** The revision of the space that holds it, when there is one. */
  revisionId: string | undefined
  /** The commit that holds it, when it is one of this branch. */
  commit: string | undefined
}

/** How far back it is looked for what was pushed and not noted. */
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
  const connection = await getConnection(work)
  const arrived = await findArrived(work, repository, connection, tip)
  if (arrived) return adopt(work, connection, arrived)
  const decided = await findDecided(work, connection)
  if (decided) return adopt(work, connection, decided)
  const { context, space } = work
  const synced = connection.synced_revision_id
  if (synced !== null) return commonIn(await getRevision(context.db, space, synced))
  const head = await findHead(work)
  const listed = listedIn(head)
  return listed && { ...listed, revisionId: undefined, commit: undefined }
}

export async function findHead({ context, space }: Work): Promise<Row<'revisions'>> {
  const row = await findLiveSpace(context.db, space)
  if (!row) throw new GitSyncError('The space was deleted')
  return getRevision(context.db, row, row.revision_id)
}

async function getConnection({ context, space }: Work): Promise<Row<'git_connections'>> {
  const connection = await store.findConnection(context.db, space)
  if (!connection) throw new GitSyncError('The space is no longer connected with a repository')
  return connection
}

function commonIn(revision: Row<'revisions'>): Common {
  return {
    root: revision.root_hash,
    listing: revision.listing_hash as string,
    revisionId: revision.id,
    commit: commitOf(revision)?.oid,
  }
}

async function adopt(
  { context }: Work,
  connection: Row<'git_connections'>,
  revision: Row<'revisions'>,
): Promise<Common> {
  await context.transaction((db) =>
    store.updateConnection(db, connection, {
      synced_revision_id: revision.id,
      pushing_revision_id: null,
      conflict_revision_id: null,
      conflict_change_request_id: null,
    }),
  )
  return commonIn(revision)
}

/** What was on its way to the repository and is there. */
async function findArrived(
  { context, space, request, remote, signal }: Work,
  repository: GitRepository,
  { pushing_revision_id: pushing }: Row<'git_connections'>,
  tip: string | undefined,
): Promise<Row<'revisions'> | undefined> {
  if (pushing === null || tip === undefined) return undefined
  const revision = await findRevision(context.db, space, pushing)
  const commit = commitOf(revision)?.oid
  if (commit === undefined) return undefined
  if (commit === tip) return revision
  await repository.fetch(remote, request.ref, { signal, depth: maxHistory })
  return (await repository.history(tip, maxHistory)).includes(commit) ? revision : undefined
}

/** What contradicted the space and was taken in since, by people. While it waits for them, nothing else can be done. */
async function findDecided(
  { context, space }: Work,
  connection: Row<'git_connections'>,
): Promise<Row<'revisions'> | undefined> {
  const { conflict_change_request_id: requestId, conflict_revision_id: revisionId } = connection
  if (requestId === null || revisionId === null) return undefined
  const request = await findChangeRequest(context.db, space, requestId)
  if (request?.status === 'merged') return getRevision(context.db, space, revisionId)
  if (request && request.status !== 'archived') throw new UndecidedError(request)
  await context.transaction((db) =>
    store.updateConnection(db, connection, { conflict_revision_id: null, conflict_change_request_id: null }),
  )
  return undefined
}

/** Something that contradicts waits for people to decide. */
export class UndecidedError extends GitSyncError {
  readonly changeRequest: Pick<Row<'change_requests'>, 'id' | 'number'>

  constructor(changeRequest: Pick<Row<'change_requests'>, 'id' | 'number'>) {
    super(
      `The repository and the space have changed the same things: change request #${changeRequest.number} shows them. ` +
        'Merge it, or archive it to have the repository asked again',
    )
    this.changeRequest = changeRequest
  }
}
