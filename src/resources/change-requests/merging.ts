import type { DocumentConflict } from '../../content/document/merge.ts'
import { type Conflict, isAboutBlock, nameOfConflict } from '../../content/revision/conflict.ts'
import { type MergeResult, mergeTrees } from '../../content/revision/merge.ts'
import type { BlockAddress } from '../../content/revision/merge-values.ts'
import { refreshConflicts } from '../../content/revision/refresh.ts'
import { openTree } from '../../content/revision/tree.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict as conflictError } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { exportAfterChange } from '../../domain/git/export-after-change.ts'
import { createRevision, getRevision, moveHead } from '../../domain/revisions/revisions.ts'
import * as conflicts from './conflict-store.ts'
import { ancestorOf } from '../../domain/change-requests/present-change-request.ts'
import { addRevision } from '../../domain/change-requests/change-request-revisions.ts'
import { revalidateChangeRequest } from '../../domain/revalidation/revalidate.ts'
import { addChangeRequestCounts } from '../../domain/spaces/space-store.ts'
import * as store from '../../domain/change-requests/change-request-store.ts'

type Request = Row<'change_requests'>

export interface Outcome<Done extends string> {
  revision: string
  result: Done | 'conflicts'
  combined?: BlockAddress[]
  message?: string
}

const withCombined = (combined: BlockAddress[]) => (combined.length > 0 ? { combined } : {})

export const mustBeReviewed =
  'Text of both sides was combined within blocks. The change request was updated and must be reviewed again.'

/**
 * Merges a change request into the space. The space does not change if there are conflicts, or if texts of both sides
 * were combined and the rules require a review.
 */
export async function mergeRequest(
  context: SpaceContext,
  given: Request,
  { requiresReview }: { requiresReview: boolean },
): Promise<Outcome<'merge'>> {
  const { db, space, principal, newId, now } = context
  const request = await withRefreshedConflicts(context, given)
  if (request.conflicts_open > 0) return { revision: request.revision_id, result: 'conflicts' }
  const merged = await mergeWithSpace(context, request)
  const mustWait = requiresReview && merged.combined.length > 0
  if (merged.conflicts.length > 0 || mustWait) {
    const updated = await keepUpdate(context, request, merged)
    return {
      revision: updated.revision_id,
      result: 'conflicts',
      ...withCombined(merged.combined),
      ...(mustWait && { message: mustBeReviewed }),
    }
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
    throw conflictError('The content of the space changed during the merge. Try again')
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
  return { revision, result: 'merge', ...withCombined(merged.combined) }
}

/** Returns the conflicts that are open or that a merge would add, and the blocks that it would combine. */
export async function previewMerge(
  context: SpaceContext,
  request: Request,
): Promise<{ conflicts: FoundConflict[]; combined: BlockAddress[] }> {
  const { db, newId } = context
  const open = await conflicts.findAllOpen(db, request)
  const refreshed = await refreshRows(context, request, open)
  const found = new Map<string, FoundConflict>()
  open.forEach(({ id, name }, index) => {
    const conflict = refreshed[index]
    if (conflict) found.set(name, { id, conflict })
  })
  const merged = await findMerge(context, request)
  for (const conflict of merged.conflicts) {
    const name = nameOfConflict(conflict)
    const former = found.get(name)
    found.set(name, {
      id: former?.id ?? newId(),
      conflict: withBaseOf({ ...conflict, baseRevision: ancestorOf(request) }, former?.conflict),
    })
  }
  return { conflicts: [...found.values()], combined: merged.combined }
}

export interface FoundConflict {
  id: string
  conflict: Conflict
}

/** Updates a change request with the changes of the space. */
export async function updateRequest(context: SpaceContext, request: Request): Promise<Outcome<'update'>> {
  if (ancestorOf(request) === context.space.revision_id) {
    return { revision: request.revision_id, result: request.conflicts_open > 0 ? 'conflicts' : 'update' }
  }
  const merged = await mergeWithSpace(context, request)
  const updated = await keepUpdate(context, request, merged)
  const result = updated.conflicts_open > 0 ? 'conflicts' : 'update'
  return { revision: updated.revision_id, result, ...withCombined(merged.combined) }
}

async function mergeWithSpace(context: SpaceContext, request: Request): Promise<MergeResult> {
  const { objects, ...merged } = await findMerge(context, request)
  await objects.flush()
  return merged
}

/** Merges without storing anything. */
async function findMerge({ db, space, openObjects }: SpaceContext, request: Request) {
  const rootOf = async (revisionId: string) => (await getRevision(db, space, revisionId)).root_hash
  const objects = openObjects(db, space.organization_id)
  const hashes = {
    base: await rootOf(ancestorOf(request)),
    ours: await rootOf(request.revision_id),
    theirs: await rootOf(space.revision_id),
  }
  return {
    ...(await mergeTrees(objects, hashes, {
      language: space.language ?? undefined,
      breathe: createYielder(),
    })),
    objects,
  }
}

/**
 * Stores a merge as the content of the change request; where the sides conflict, it contains the version of the change
 * request.
 */
async function keepUpdate(context: SpaceContext, request: Request, merged: MergeResult): Promise<Request> {
  const { db, space, now } = context
  const revision = await addRevision(context, request, {
    rootHash: merged.root,
    type: 'update',
    parents: [request.revision_id, space.revision_id],
  })
  const open = request.conflicts_open > 0 ? await refreshOpen(context, request, merged.root) : new Map()
  const baseRevision = ancestorOf(request)
  const found = merged.conflicts.map((conflict) =>
    withBaseOf({ ...conflict, baseRevision }, open.get(nameOfConflict(conflict))),
  )
  await noteConflicts(context, request, found)
  await revalidateChangeRequest(context, request)
  return store.updateChangeRequest(db, request, {
    revision_id: revision,
    revision_merged_ancestor_id: space.revision_id,
    conflicts_open: await conflicts.countOpen(db, request),
    combined: JSON.stringify(joined(combinedIn(request), merged.combined)),
    updated_at: now(),
  })
}

/** Returns the blocks of a change request in which updates combined texts of both sides. */
export const combinedIn = (request: Request): BlockAddress[] => JSON.parse(request.combined) as BlockAddress[]

function joined(...lists: readonly BlockAddress[][]): BlockAddress[] {
  return [...new Map(lists.flat().map((one) => [JSON.stringify(one), one])).values()]
}

/** Keeps the base of a conflict that was already open. */
function withBaseOf(conflict: Conflict, former: Conflict | undefined): Conflict {
  if (!former) return conflict
  const baseRevision = former.baseRevision !== undefined && { baseRevision: former.baseRevision }
  if (isAboutBlock(conflict) && isAboutBlock(former)) {
    const block = { ...conflict.block, base: former.block.base } as DocumentConflict
    return { ...conflict, block, ...baseRevision }
  }
  return 'base' in former ? ({ ...conflict, base: former.base, ...baseRevision } as Conflict) : conflict
}

/**
 * Returns open conflicts with the current values of both sides, undefined where they no longer differ; `root` replaces
 * the root of the change request.
 */
export async function refreshRows(
  { db, space, openObjects }: Pick<SpaceContext, 'db' | 'space' | 'openObjects'>,
  request: Request,
  rows: readonly Row<'change_request_conflicts'>[],
  root?: string,
): Promise<(Conflict | undefined)[]> {
  if (rows.length === 0) return []
  const objects = openObjects(db, space.organization_id)
  const rootOf = async (revisionId: string) => (await getRevision(db, space, revisionId)).root_hash
  return refreshConflicts(
    rows.map((row) => JSON.parse(row.body) as Conflict),
    {
      ours: await openTree(objects, root ?? (await rootOf(request.revision_id))),
      theirs: await openTree(objects, await rootOf(space.revision_id)),
    },
  )
}

/** Refreshes open conflicts with the current values of both sides; deletes those whose sides no longer differ. */
async function refreshOpen(context: SpaceContext, request: Request, root?: string): Promise<Map<string, Conflict>> {
  const { db } = context
  const open = await conflicts.findAllOpen(db, request)
  const refreshed = await refreshRows(context, request, open, root)
  const settled = open.filter((_, index) => refreshed[index] === undefined)
  await conflicts.deleteConflicts(
    db,
    request,
    settled.map(({ id }) => id),
  )
  const disputed = refreshed.filter((conflict) => conflict !== undefined)
  await noteConflicts(context, request, disputed)
  return new Map(disputed.map((conflict) => [nameOfConflict(conflict), conflict]))
}

/** Returns the change request after refreshing its open conflicts. */
async function withRefreshedConflicts(context: SpaceContext, request: Request): Promise<Request> {
  if (request.conflicts_open === 0) return request
  const { size } = await refreshOpen(context, request)
  if (size === request.conflicts_open) return request
  return store.updateChangeRequest(context.db, request, { conflicts_open: size })
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

/** Updates the change request counts of a space when the status of a change request changes. */
export async function countStatus(
  { db, space }: Pick<SpaceContext, 'db' | 'space'>,
  before: Request['status'] | undefined,
  after: Request['status'],
): Promise<void> {
  const change = (status: Request['status']) => Number(after === status) - Number(before === status)
  const [open, draft] = [change('open'), change('draft')]
  if (open !== 0 || draft !== 0) await addChangeRequestCounts(db, space, { open, draft })
}
