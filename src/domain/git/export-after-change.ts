import type { SpaceContext } from '../../kernel/context.ts'
import { queueGitOperationOnce, toGitRequest } from './queue-operation.ts'
import * as store from './git-store.ts'

/** Queues an export after the head of a space has changed, if the connection exports after every change. */
export async function exportAfterChange(context: SpaceContext): Promise<void> {
  const { db, space, principal, now } = context
  if (space.git_sync === null) return
  const connection = await store.findGitConnection(db, space)
  if (!connection || connection.exports_after_merge !== 1) return
  await queueGitOperationOnce(context, space, 'export', {
    request: toGitRequest(connection),
    credentials: null,
    eventAt: now(),
    createdBy: principal.user.id,
  })
}
