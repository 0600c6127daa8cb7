import { type Conflict, resolveConflict } from '../../content/revision/conflict.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { ConflictSide } from '../../contract/change-request.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict as conflictError, notFound } from '../../kernel/errors.ts'
import type { Row } from '../../storage/tables.ts'
import { createRevision, getRevision } from '../revisions/revisions.ts'
import * as conflicts from './conflict-store.ts'
import * as store from './store.ts'

type Request = Row<'change_requests'>

/** Settles one conflict; the side that is taken is put in place. */
export async function resolveOne(
  context: SpaceContext,
  request: Request,
  conflictId: string,
  side: ConflictSide,
): Promise<Row<'change_request_conflicts'>> {
  const row = await conflicts.findConflict(context.db, request, conflictId)
  if (!row) throw notFound('conflict')
  if (row.resolution !== null) throw conflictError('The conflict is resolved already')
  const [resolved] = await resolveRows(context, request, [row], side)
  return resolved as Row<'change_request_conflicts'>
}

/** Settles all conflicts that are open, in the same way. */
export async function resolveAll(context: SpaceContext, request: Request, side: ConflictSide): Promise<Request> {
  await resolveRows(context, request, await conflicts.findAllOpen(context.db, request), side)
  const updated = await store.findChangeRequest(context.db, context.space, request.id)
  return updated ?? request
}

async function resolveRows(
  { db, space, principal, openObjects, newId, now }: SpaceContext,
  request: Request,
  rows: readonly Row<'change_request_conflicts'>[],
  side: ConflictSide,
): Promise<Row<'change_request_conflicts'>[]> {
  const former = await getRevision(db, space, request.revision_id)
  const objects = openObjects(db, space.organization_id)
  let root = former.root_hash
  // Ours is in place already.
  if (side !== 'ours') {
    for (const row of rows) {
      root = await resolveConflict(await openTree(objects, root), JSON.parse(row.body) as Conflict, side)
    }
    await objects.flush()
  }
  const resolved = []
  for (const row of rows) {
    resolved.push(await conflicts.resolve(db, request, row.id, { side, userId: principal.user.id, now: now() }))
  }
  let revision = request.revision_id
  if (root !== former.root_hash) {
    revision = newId()
    await createRevision(db, {
      id: revision,
      space,
      rootHash: root,
      type: 'edits',
      parents: [request.revision_id],
      createdBy: principal.user.id,
      createdAt: now(),
      changeRequestId: request.id,
    })
  }
  await store.updateChangeRequest(db, request, {
    revision_id: revision,
    conflicts_open: await conflicts.countOpen(db, request),
    updated_at: now(),
  })
  return resolved
}
