import type { GitCommit } from '../../contract/revision.ts'
import type { GitSyncState } from '../../contract/git-sync.ts'
import type { BaseContext } from '../../kernel/context.ts'
import type { Row } from '../../storage/tables.ts'
import { findRevision } from '../../domain/revisions/revisions.ts'
import { presentState } from './present.ts'
import * as store from './store.ts'

type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>

export const { findConnection } = store

/** The commit that a revision came from or went to. */
export function commitOf(revision: Pick<Row<'revisions'>, 'git'> | undefined): GitCommit | undefined {
  return revision?.git ? (JSON.parse(revision.git) as GitCommit) : undefined
}

/** The repository of a space, and how things stand with it. */
export async function readState(
  { db, urls }: Pick<BaseContext, 'db' | 'urls'>,
  space: SpaceKey,
): Promise<GitSyncState | undefined> {
  const connection = await store.findConnection(db, space)
  if (!connection) return undefined
  const operation = await store.findLatestOperation(db, space)
  const synced = connection.synced_revision_id && (await findRevision(db, space, connection.synced_revision_id))
  return presentState({ connection, operation, commit: synced ? commitOf(synced)?.oid : undefined }, urls)
}

/** Lets the space itself tell how things stand with its repository. */
export async function showState(context: Pick<BaseContext, 'db' | 'urls'>, space: SpaceKey): Promise<void> {
  const state = await readState(context, space)
  await store.setGitSync(context.db, space, state ? JSON.stringify(state) : null)
}
