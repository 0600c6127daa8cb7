import type { DocumentConflict } from '../../content/document/merge.ts'
import { type Conflict, isConflictAboutBlock, nameOfConflict } from '../../content/revision/conflict.ts'
import { type MergeResult, mergeTrees } from '../../content/revision/merge.ts'
import type { BlockAddress } from '../../content/revision/merge-values.ts'
import { refreshConflicts } from '../../content/revision/refresh-conflicts.ts'
import { openTree } from '../../content/revision/tree.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict as conflictError } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { exportAfterChange } from '../../domain/git/export-after-change.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { createRevision, getRevision, moveSpaceHead } from '../../domain/revisions/revisions.ts'
import * as conflicts from './conflict-store.ts'
import { baseRevisionIdOf } from '../../domain/change-requests/present-change-request.ts'
import { addChangeRequestRevision } from '../../domain/change-requests/change-request-revisions.ts'
import { revalidateChangeRequest } from '../../domain/revalidation/revalidate.ts'
import { addChangeRequestCounts } from '../../domain/spaces/space-store.ts'
import * as store from '../../domain/change-requests/change-request-store.ts'
import { recordNotificationEvent } from '../../domain/notifications/record-event.ts'
import { recordChangeRequestEvent } from '../../domain/live/record-event.ts'

type ChangeRequestRow = Row<'change_requests'>

export interface MergeReply<Success extends string> {
  revision: string
  result: Success | 'conflicts'
  combined?: BlockAddress[]
  message?: string
}

const presentCombined = (combined: BlockAddress[]) => (combined.length > 0 ? { combined } : {})

export const reviewRequiredMessage =
  'Text of both sides was combined within blocks. The change request was updated and must be reviewed again.'

/**
 * Merges a change request into the space. The space does not change if there are conflicts, or if texts of both sides
 * were combined and the rules require a review.
 */
export async function mergeIntoSpace(
  context: SpaceContext,
  initialRequest: ChangeRequestRow,
  { requiresReview }: { requiresReview: boolean },
): Promise<MergeReply<'merge'>> {
  const { db, space, principal, newId, now } = context
  const request = await withRefreshedConflicts(context, initialRequest)
  if (request.conflicts_open > 0) return { revision: request.revision_id, result: 'conflicts' }
  const merged = await computeAndStoreMerge(context, request)
  const needsReview = requiresReview && merged.combined.length > 0
  if (merged.conflicts.length > 0 || needsReview) {
    const updated = await storeUpdate(context, request, merged)
    return {
      revision: updated.revision_id,
      result: 'conflicts',
      ...presentCombined(merged.combined),
      ...(needsReview && { message: reviewRequiredMessage }),
    }
  }
  const revision = newId()
  await createRevision(context, {
    id: revision,
    space,
    rootHash: merged.root,
    type: 'merge',
    parents: [space.revision_id, request.revision_id],
    createdBy: principal.user.id,
    createdAt: now(),
    mergedFromId: request.id,
  })
  if (!(await moveSpaceHead(context, space, revision))) {
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
  await updateStatusCounts(context, request.status, 'merged')
  await recordChangeRequestEvent(context, request)
  await recordNotificationEvent(context, {
    organization_id: space.organization_id,
    space_id: space.id,
    cause: 'merge',
    changeRequestId: request.id,
    details: { revision },
  })
  await exportAfterChange(context)
  const target = { organization_id: space.organization_id, id: request.id, title: request.subject }
  await recordEventAbout(context, 'change-request', target, 'change-request.merge', {
    after: { space: space.id, number: request.number, revision },
  })
  return { revision, result: 'merge', ...presentCombined(merged.combined) }
}

interface MergePreview {
  /** Conflicts that are open or that a merge would add. */
  conflicts: FoundConflict[]
  /** Number of conflicts that are already open. */
  openCount: number
  combined: BlockAddress[]
}

/** Returns the conflicts that are open or that a merge would add, and the blocks that it would combine. */
export async function previewMerge(context: SpaceContext, request: ChangeRequestRow): Promise<MergePreview> {
  const { db, newId } = context
  const open = await conflicts.findOpenConflicts(db, request)
  const refreshed = await refreshConflictRows(context, request, open)
  const found = new Map<string, FoundConflict>()
  open.forEach(({ id, name }, index) => {
    const conflict = refreshed[index]
    if (conflict) found.set(name, { id, conflict })
  })
  const openCount = found.size
  const merged = await computeMerge(context, request)
  for (const conflict of merged.conflicts) {
    const name = nameOfConflict(conflict)
    const former = found.get(name)
    found.set(name, {
      id: former?.id ?? newId(),
      conflict: withFormerBase({ ...conflict, baseRevision: baseRevisionIdOf(request) }, former?.conflict),
    })
  }
  return { conflicts: [...found.values()], openCount, combined: merged.combined }
}

export interface FoundConflict {
  id: string
  conflict: Conflict
}

/** Updates a change request with the changes of the space. */
export async function updateFromSpace(context: SpaceContext, request: ChangeRequestRow): Promise<MergeReply<'update'>> {
  if (baseRevisionIdOf(request) === context.space.revision_id) {
    return { revision: request.revision_id, result: request.conflicts_open > 0 ? 'conflicts' : 'update' }
  }
  const merged = await computeAndStoreMerge(context, request)
  const updated = await storeUpdate(context, request, merged)
  const result = updated.conflicts_open > 0 ? 'conflicts' : 'update'
  return { revision: updated.revision_id, result, ...presentCombined(merged.combined) }
}

async function computeAndStoreMerge(context: SpaceContext, request: ChangeRequestRow): Promise<MergeResult> {
  const { objects, ...merged } = await computeMerge(context, request)
  await objects.flush()
  return merged
}

/** Merges without storing anything. */
async function computeMerge({ db, space, openObjects }: SpaceContext, request: ChangeRequestRow) {
  const rootOf = async (revisionId: string) => (await getRevision(db, space, revisionId)).root_hash
  const objects = openObjects(db, space.organization_id)
  const hashes = {
    base: await rootOf(baseRevisionIdOf(request)),
    ours: await rootOf(request.revision_id),
    theirs: await rootOf(space.revision_id),
  }
  return {
    ...(await mergeTrees(objects, hashes, {
      language: space.language ?? undefined,
      yieldIfDue: createYielder(),
    })),
    objects,
  }
}

/**
 * Stores a merge as the content of the change request; where the sides conflict, it contains the version of the change
 * request.
 */
async function storeUpdate(
  context: SpaceContext,
  request: ChangeRequestRow,
  merged: MergeResult,
): Promise<ChangeRequestRow> {
  const { db, space, now } = context
  const revision = await addChangeRequestRevision(context, request, {
    rootHash: merged.root,
    type: 'update',
    parents: [request.revision_id, space.revision_id],
  })
  const open = request.conflicts_open > 0 ? await refreshOpenConflicts(context, request, merged.root) : new Map()
  const baseRevision = baseRevisionIdOf(request)
  const found = merged.conflicts.map((conflict) =>
    withFormerBase({ ...conflict, baseRevision }, open.get(nameOfConflict(conflict))),
  )
  await storeOpenConflicts(context, request, found)
  await revalidateChangeRequest(context, request)
  const updated = await store.updateChangeRequest(db, request, {
    revision_id: revision,
    revision_merged_ancestor_id: space.revision_id,
    conflicts_open: await conflicts.countOpenConflicts(db, request),
    combined: JSON.stringify(uniqueBlocks(parseCombinedBlocks(request), merged.combined)),
    updated_at: now(),
  })
  await recordChangeRequestEvent(context, updated)
  return updated
}

/** Returns the blocks of a change request in which updates combined texts of both sides. */
export const parseCombinedBlocks = (request: ChangeRequestRow): BlockAddress[] =>
  JSON.parse(request.combined) as BlockAddress[]

function uniqueBlocks(...lists: readonly BlockAddress[][]): BlockAddress[] {
  return [...new Map(lists.flat().map((one) => [JSON.stringify(one), one])).values()]
}

/** Keeps the base of a conflict that was already open. */
function withFormerBase(conflict: Conflict, former: Conflict | undefined): Conflict {
  if (!former) return conflict
  const baseRevision = former.baseRevision !== undefined && { baseRevision: former.baseRevision }
  if (isConflictAboutBlock(conflict) && isConflictAboutBlock(former)) {
    const block = { ...conflict.block, base: former.block.base } as DocumentConflict
    return { ...conflict, block, ...baseRevision }
  }
  return 'base' in former ? ({ ...conflict, base: former.base, ...baseRevision } as Conflict) : conflict
}

/**
 * Returns open conflicts with the current values of both sides, undefined where they no longer differ; `root` replaces
 * the root of the change request.
 */
export async function refreshConflictRows(
  { db, space, openObjects }: Pick<SpaceContext, 'db' | 'space' | 'openObjects'>,
  request: ChangeRequestRow,
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
async function refreshOpenConflicts(
  context: SpaceContext,
  request: ChangeRequestRow,
  root?: string,
): Promise<Map<string, Conflict>> {
  const { db } = context
  const open = await conflicts.findOpenConflicts(db, request)
  const refreshed = await refreshConflictRows(context, request, open, root)
  const settled = open.filter((_, index) => refreshed[index] === undefined)
  await conflicts.deleteConflicts(
    db,
    request,
    settled.map(({ id }) => id),
  )
  const remaining = refreshed.filter((conflict) => conflict !== undefined)
  await storeOpenConflicts(context, request, remaining)
  return new Map(remaining.map((conflict) => [nameOfConflict(conflict), conflict]))
}

/** Returns the change request after refreshing its open conflicts. */
async function withRefreshedConflicts(context: SpaceContext, request: ChangeRequestRow): Promise<ChangeRequestRow> {
  if (request.conflicts_open === 0) return request
  const { size } = await refreshOpenConflicts(context, request)
  if (size === request.conflicts_open) return request
  await recordChangeRequestEvent(context, request)
  return store.updateChangeRequest(context.db, request, { conflicts_open: size })
}

async function storeOpenConflicts(
  { db, newId, now }: Pick<SpaceContext, 'db' | 'newId' | 'now'>,
  request: ChangeRequestRow,
  found: readonly Conflict[],
): Promise<void> {
  const rows = found.map((conflict) => ({
    id: newId(),
    name: nameOfConflict(conflict),
    body: JSON.stringify(conflict),
  }))
  await conflicts.upsertConflicts(db, request, rows, now())
}

/** Updates the change request counts of a space when the status of a change request changes. */
export async function updateStatusCounts(
  { db, space }: Pick<SpaceContext, 'db' | 'space'>,
  before: ChangeRequestRow['status'] | undefined,
  after: ChangeRequestRow['status'],
): Promise<void> {
  const change = (status: ChangeRequestRow['status']) => Number(after === status) - Number(before === status)
  const [open, draft] = [change('open'), change('draft')]
  if (open !== 0 || draft !== 0) await addChangeRequestCounts(db, space, { open, draft })
}
