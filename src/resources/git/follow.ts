import type { SpaceContext } from '../../kernel/context.ts'
import { queueOnce, requestOf } from './requests.ts'
import * as store from './store.ts'

/** Has the content of a space exported that has just changed, when its repository is to have every change. */
export async function exportAfterChange(context: SpaceContext): Promise<void> {
  const { db, space, principal, now } = context
  if (space.git_sync === null) return
  const connection = await store.findConnection(db, space)
  if (!connection || connection.exports_after_merge !== 1) return
  await queueOnce(context, space, 'export', {
    request: requestOf(connection),
    credentials: null,
    eventAt: now(),
    createdBy: principal.user.id,
  })
}
