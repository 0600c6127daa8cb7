import { type Conflict, nameOfConflict } from '../../content/revision/conflict.ts'
import { mergeTrees } from '../../content/revision/merge.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict as conflictError } from '../../kernel/errors.ts'
import type { Row } from '../../storage/tables.ts'
import { createRevision, getRevision, moveHead } from '../revisions/revisions.ts'
import * as conflicts from './conflict-store.ts'
import { ancestorOf } from './present.ts'
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
  if (merged.conflicts.length > 0) return keepUpdate(context, request, merged)

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
  if (!(await moveHead(db, space, revision, now()))) {
    throw conflictError('The content of the space has changed meanwhile; merge again')
  }
  await store.updateChangeRequest(db, request, {
    status: 'merged',
    revision_merged_id: revision,
    merged_by: principal.user.id,
    merged_at: now(),
    updated_at: now(),
  })
  await countStatus(context, request.status, 'merged')
  return { revision, result: 'merge' }
}

/** Brings a change request up to date with the space. */
export async function updateRequest(context: SpaceContext, request: Request): Promise<Outcome<'update'>> {
  if (ancestorOf(request) === context.space.revision_id) {
    return { revision: request.revision_id, result: request.conflicts_open > 0 ? 'conflicts' : 'update' }
  }
  const merged = await mergeWithSpace(context, request)
  const { revision } = await keepUpdate(context, request, merged)
  const isClean = merged.conflicts.length === 0 && request.conflicts_open === 0
  return { revision, result: isClean ? 'update' : 'conflicts' }
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
async function keepUpdate(
  { db, space, principal, newId, now }: SpaceContext,
  request: Request,
  merged: { root: string; conflicts: readonly Conflict[] },
): Promise<{ revision: string; result: 'conflicts' }> {
  const revision = newId()
  await createRevision(db, {
    id: revision,
    space,
    rootHash: merged.root,
    type: 'update',
    parents: [request.revision_id, space.revision_id],
    createdBy: principal.user.id,
    createdAt: now(),
    changeRequestId: request.id,
  })
  for (const conflict of merged.conflicts) {
    await conflicts.putConflict(db, request, {
      id: newId(),
      name: nameOfConflict(conflict),
      body: JSON.stringify(conflict),
      now: now(),
    })
  }
  await store.updateChangeRequest(db, request, {
    revision_id: revision,
    revision_merged_ancestor_id: space.revision_id,
    conflicts_open: await conflicts.countOpen(db, request),
    updated_at: now(),
  })
  return { revision, result: 'conflicts' }
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
