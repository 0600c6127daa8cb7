import type { GitCommit } from '../../contract/revision.ts'
import type { GitSyncState } from '../../contract/git-sync.ts'
import type { BaseContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { findRevision } from '../revisions/revisions.ts'
import { updateGitState } from '../spaces/space-store.ts'
import { presentState } from './present-git.ts'
import * as store from './git-store.ts'

type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>

export const { findConnection } = store

/** Returns the commit that a revision was imported from or exported to. */
export function commitOf(revision: Pick<Row<'revisions'>, 'git'> | undefined): GitCommit | undefined {
  return revision?.git ? (JSON.parse(revision.git) as GitCommit) : undefined
}

/** Loads the Git connection of a space with its state, as replies contain it. */
export async function loadGitState(
  { db, urls }: Pick<BaseContext, 'db' | 'urls'>,
  space: SpaceKey,
): Promise<GitSyncState | undefined> {
  const connection = await store.findConnection(db, space)
  if (!connection) return undefined
  const operation = await store.findLatestOperation(db, space)
  const synced = connection.synced_revision_id && (await findRevision(db, space, connection.synced_revision_id))
  return presentState({ connection, operation, commit: synced ? commitOf(synced)?.oid : undefined }, urls)
}

/** Stores the state of the Git connection with the space, so that replies about the space contain it. */
export async function storeGitState(context: Pick<BaseContext, 'db' | 'urls'>, space: SpaceKey): Promise<void> {
  const state = await loadGitState(context, space)
  await updateGitState(context.db, space, state ? JSON.stringify(state) : null)
}
