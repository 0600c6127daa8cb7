import { type Conflict, resolveConflicts } from '../../content/revision/conflict.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { ConflictSide } from '../../contract/change-request.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict as conflictError, notFound } from '../../kernel/errors.ts'
import type { Row } from '../../storage/tables.ts'
import { getRevision } from '../revisions/revisions.ts'
import * as conflicts from './conflict-store.ts'
import { addState } from './states.ts'
import { revalidateChangeRequest } from '../revalidation/revalidate.ts'
import * as store from './store.ts'

type Request = Row<'change_requests'>
type ConflictRow = Row<'change_request_conflicts'>

/** Settles one conflict; the side that is taken is put in place. */
export async function resolveOne(
  context: SpaceContext,
  request: Request,
  conflictId: string,
  side: ConflictSide,
): Promise<ConflictRow> {
  const { db, principal, now } = context
  const row = await conflicts.findConflict(db, request, conflictId)
  if (!row) throw notFound('conflict')
  if (row.resolution !== null) throw conflictError('The conflict is resolved already')
  await conflicts.resolveOpen(db, request, row.id, { side, userId: principal.user.id, now: now() })
  await putInPlace(context, request, [row], side)
  return { ...row, resolution: side }
}

/** Settles all conflicts that are open, in the same way. */
export async function resolveAll(context: SpaceContext, request: Request, side: ConflictSide): Promise<Request> {
  const { db, principal, now } = context
  const open = await conflicts.findAllOpen(db, request)
  if (open.length === 0) return request
  await conflicts.resolveOpen(db, request, undefined, { side, userId: principal.user.id, now: now() })
  return putInPlace(context, request, open, side)
}

async function putInPlace(
  context: SpaceContext,
  request: Request,
  resolved: readonly ConflictRow[],
  side: ConflictSide,
): Promise<Request> {
  const { db, space, principal, openObjects, now } = context
  const former = await getRevision(db, space, request.revision_id)
  const objects = openObjects(db, space.organization_id)
  const found = resolved.map((row) => JSON.parse(row.body) as Conflict)
  const tree = await openTree(objects, former.root_hash)
  // Ours is in place already, with whatever was written since.
  const rootHash = side === 'ours' ? former.root_hash : await resolveConflicts(tree, found, side)
  await objects.flush()
  let revision = request.revision_id
  if (rootHash !== former.root_hash) {
    revision = await addState(context, request, { rootHash, type: 'edits', parents: [request.revision_id] })
    await store.noteContribution(db, request, principal.user.id, 'edit', now())
  }
  await revalidateChangeRequest(context, request)
  return store.updateChangeRequest(db, request, {
    revision_id: revision,
    conflicts_open: await conflicts.countOpen(db, request),
    updated_at: now(),
  })
}
