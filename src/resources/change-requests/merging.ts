import { type Conflict, nameOfConflict } from '../../content/revision/conflict.ts'
import { type MergeResult, mergeTrees } from '../../content/revision/merge.ts'
import { refreshConflicts } from '../../content/revision/refresh.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict as conflictError } from '../../kernel/errors.ts'
import type { Row } from '../../storage/tables.ts'
import { exportAfterChange } from '../git/follow.ts'
import { createRevision, getRevision, moveHead } from '../revisions/revisions.ts'
import * as conflicts from './conflict-store.ts'
import { ancestorOf } from './present.ts'
import { addState } from './states.ts'
import { revalidateChangeRequest } from '../revalidation/revalidate.ts'
import * as store from './store.ts'

type Request = Row<'change_requests'>

export interface Outcome<Done extends string> {
  revision: string
  result: Done | 'conflicts'
}

/** Takes a change request into the space. When both sides changed the same thing, nothing live changes. */
export async function mergeRequest(context: SpaceContext, request: Request): Promise<Outcome<'merge'>> {
  const { db, space, principal, newId, now } = context
  if (request.conflicts_open > 0) return { revision: request.revision_id, result: 'conflicts' }
  const merged = await mergeWithSpace(context, request)
  if (merged.conflicts.length > 0) {
    const updated = await keepUpdate(context, request, merged)
    return { revision: updated.revision_id, result: 'conflicts' }
  }
  const revision = newId()
  await createRevision(db, {
    id: revision,
    space,
    rootHash: merged.root,
    type: 'merge',
    parents: [space.revision_id, request.revision_id],
    createdBy: principal.user.id,
    createdAt: now(),
    mergedFromId: request.id,
  })
  if (!(await moveHead(context, space, revision))) {
    throw conflictError('The content of the space has changed meanwhile; merge again')
  }
  await store.updateChangeRequest(db, request, {
    status: 'merged',
    revision_merged_id: revision,
    merged_by: principal.user.id,
    merged_at: now(),
    updated_at: now(),
  })
  await revalidateChangeRequest(context, request)
  await countStatus(context, request.status, 'merged')
  await exportAfterChange(context)
  return { revision, result: 'merge' }
}

/** Brings a change request up to date with the space. */
export async function updateRequest(context: SpaceContext, request: Request): Promise<Outcome<'update'>> {
  if (ancestorOf(request) === context.space.revision_id) {
    return { revision: request.revision_id, result: request.conflicts_open > 0 ? 'conflicts' : 'update' }
  }
  const updated = await keepUpdate(context, request, await mergeWithSpace(context, request))
  return { revision: updated.revision_id, result: updated.conflicts_open > 0 ? 'conflicts' : 'update' }
}

async function mergeWithSpace({ db, space, openObjects }: SpaceContext, request: Request) {
  const rootOf = async (revisionId: string) => (await getRevision(db, space, revisionId)).root_hash
  const objects = openObjects(db, space.organization_id)
  const merged = await mergeTrees(objects, {
    base: await rootOf(ancestorOf(request)),
    ours: await rootOf(request.revision_id),
    theirs: await rootOf(space.revision_id),
  })
  await objects.flush()
  return merged
}

/** Makes what was merged the content of the change request, in which its own words stand where both sides differ. */
async function keepUpdate(context: SpaceContext, request: Request, merged: MergeResult): Promise<Request> {
  const { db, space, now } = context
  const revision = await addState(context, request, {
    rootHash: merged.root,
    type: 'update',
    parents: [request.revision_id, space.revision_id],
  })
  if (request.conflicts_open > 0) await refreshOpen(context, request, merged.root)
  await noteConflicts(context, request, merged.conflicts)
  await revalidateChangeRequest(context, request)
  return store.updateChangeRequest(db, request, {
    revision_id: revision,
    revision_merged_ancestor_id: space.revision_id,
    conflicts_open: await conflicts.countOpen(db, request),
    updated_at: now(),
  })
}

/** Lets conflicts that are still open tell of what both sides have now; what they no longer differ in is settled. */
async function refreshOpen({ db, space, openObjects, ...context }: SpaceContext, request: Request, root: string) {
  const objects = openObjects(db, space.organization_id)
  const live = await getRevision(db, space, space.revision_id)
  const sides = { ours: await openTree(objects, root), theirs: await openTree(objects, live.root_hash) }
  const open = await conflicts.findAllOpen(db, request)
  const refreshed = await refreshConflicts(
    open.map((row) => JSON.parse(row.body) as Conflict),
    sides,
  )
  const settled = open.filter((_, index) => refreshed[index] === undefined)
  await conflicts.deleteConflicts(
    db,
    request,
    settled.map(({ id }) => id),
  )
  const disputed = refreshed.filter((conflict) => conflict !== undefined)
  await noteConflicts({ db, ...context }, request, disputed)
}

async function noteConflicts(
  { db, newId, now }: Pick<SpaceContext, 'db' | 'newId' | 'now'>,
  request: Request,
  found: readonly Conflict[],
): Promise<void> {
  const rows = found.map((conflict) => ({
    id: newId(),
    name: nameOfConflict(conflict),
    body: JSON.stringify(conflict),
  }))
  await conflicts.putConflicts(db, request, rows, now())
}

/** Keeps the numbers of a space true when a change request gets another status. */
export async function countStatus(
  { db, space }: Pick<SpaceContext, 'db' | 'space'>,
  before: Request['status'] | undefined,
  after: Request['status'],
): Promise<void> {
  const change = (status: Request['status']) => Number(after === status) - Number(before === status)
  const [open, draft] = [change('open'), change('draft')]
  if (open !== 0 || draft !== 0) await store.countInSpace(db, space, { open, draft })
}
