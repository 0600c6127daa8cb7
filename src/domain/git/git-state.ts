import type { GitCommit } from '../../contract/revision.ts'
import type { GitSyncState } from '../../contract/git-sync.ts'
import type { BaseContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { findRevision } from '../revisions/revisions.ts'
import { updateGitSyncState } from '../spaces/space-store.ts'
import { presentGitSyncState } from './present-git.ts'
import * as store from './git-store.ts'

type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>

export const { findGitConnection } = store

/** Returns the commit that a revision was imported from or exported to. */
export function gitCommitOf(revision: Pick<Row<'revisions'>, 'git'> | undefined): GitCommit | undefined {
  return revision?.git ? (JSON.parse(revision.git) as GitCommit) : undefined
}

/** Loads the Git connection of a space with its state, as replies contain it. */
export async function loadGitSyncState(
  { db, urls }: Pick<BaseContext, 'db' | 'urls'>,
  space: SpaceKey,
): Promise<GitSyncState | undefined> {
  const connection = await store.findGitConnection(db, space)
  if (!connection) return undefined
  const operation = await store.findLatestGitOperation(db, space)
  const syncedRevision = connection.synced_revision_id && (await findRevision(db, space, connection.synced_revision_id))
  return presentGitSyncState(
    { connection, operation, commit: syncedRevision ? gitCommitOf(syncedRevision)?.oid : undefined },
    urls,
  )
}

/** Stores the state of the Git connection with the space, so that replies about the space contain it. */
export async function storeGitSyncState(context: Pick<BaseContext, 'db' | 'urls'>, space: SpaceKey): Promise<void> {
  const state = await loadGitSyncState(context, space)
  await updateGitSyncState(context.db, space, state ? JSON.stringify(state) : null)
}
