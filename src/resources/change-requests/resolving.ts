import { DocumentTooLargeError } from '../../content/document/limits.ts'
import { type Conflict, isConflictAboutBlock } from '../../content/revision/conflict.ts'
import { Draft } from '../../content/revision/draft.ts'
import { TreeError } from '../../content/revision/tree-error.ts'
import { refreshConflicts } from '../../content/revision/refresh-conflicts.ts'
import { type ConflictContext, ConflictResolver } from '../../content/revision/resolve-conflicts.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { ConflictSide } from '../../contract/change-request.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict as conflictError, notFound } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { getRevisionContent, getRevision } from '../../domain/revisions/revisions.ts'
import { revalidateChangeRequest } from '../../domain/revalidation/revalidate.ts'
import * as conflicts from './conflict-store.ts'
import { type CustomContent, applyCustomContent } from './custom-content.ts'
import { addChangeRequestRevision } from '../../domain/change-requests/change-request-revisions.ts'
import * as store from '../../domain/change-requests/change-request-store.ts'
import { recordChangeRequestEvent } from '../../domain/live/record-event.ts'

type ChangeRequestRow = Row<'change_requests'>
type ConflictRow = Row<'change_request_conflicts'>

interface LoadedConflict {
  row: ConflictRow
  conflict: Conflict
  /** True if the sides no longer differ. */
  isSettled: boolean
}

/** Resolution of a conflict: one of its sides, or custom content. */
export type ResolutionChoice = { side: ConflictSide } | CustomContent

/** Resolves one conflict and applies the resolution to the change request. */
export async function resolveConflict(
  context: SpaceContext,
  request: ChangeRequestRow,
  conflictId: string,
  choice: ResolutionChoice,
): Promise<{ request: ChangeRequestRow; row: ConflictRow }> {
  const row = await getConflict(context, request, conflictId)
  if (row.resolution !== null) throw conflictError('The conflict is already resolved')
  const resolver = await openResolver(context, request)
  const loaded = await resolver.refresh([row])
  if ('side' in choice) {
    await resolver.applySide(loaded, choice.side)
    return resolver.finish(loaded, choice.side)
  }
  const resolved: LoadedConflict[] = []
  for (const one of loaded) resolved.push({ ...one, conflict: await resolver.applyCustom(one.conflict, choice) })
  return resolver.finish(resolved, 'own')
}

/** Resolves all open conflicts with the same side. */
export async function resolveAllConflicts(
  context: SpaceContext,
  request: ChangeRequestRow,
  side: ConflictSide,
): Promise<ChangeRequestRow> {
  const open = await conflicts.findOpenConflicts(context.db, request)
  if (open.length === 0) return request
  const resolver = await openResolver(context, request)
  const loaded = await resolver.refresh(open)
  await resolver.applySide(loaded, side)
  return (await resolver.finish(loaded, side)).request
}

/** Reopens a conflict and restores the content that the change request had before it was resolved. */
export async function reopenConflict(
  context: SpaceContext,
  request: ChangeRequestRow,
  conflictId: string,
): Promise<{ request: ChangeRequestRow; row: ConflictRow }> {
  const { space } = context
  const row = await getConflict(context, request, conflictId)
  const { resolution: resolvedWith } = row
  if (resolvedWith === null) throw conflictError('The conflict is already open')
  const before = await getRevisionContent(context, space, row.resolved_from ?? request.revision_id)
  const conflict = JSON.parse(row.body) as Conflict
  const resolver = await openResolver(context, request)
  await resolver.changeContent([], (resolution) => resolution.undo(conflict, resolvedWith, before.tree), resolvedWith)
  const { addedBlocks: _, ...open } = conflict
  return resolver.finish([{ row, conflict: open }], null)
}

async function getConflict({ db }: SpaceContext, request: ChangeRequestRow, id: string): Promise<ConflictRow> {
  const row = await conflicts.findConflict(db, request, id)
  if (!row) throw notFound('conflict')
  return row
}

async function openResolver(context: SpaceContext, request: ChangeRequestRow): Promise<ChangeRequestResolver> {
  const { db, space, openObjects } = context
  const objects = openObjects(db, space.organization_id)
  const [former, live] = [
    await getRevision(db, space, request.revision_id),
    await getRevision(db, space, space.revision_id),
  ]
  const conflictContext = {
    ours: await openTree(objects, former.root_hash),
    theirs: await openTree(objects, live.root_hash),
    others: await conflicts.findStructureResolutions(db, request),
  }
  return new ChangeRequestResolver(context, request, conflictContext, former.root_hash, objects)
}

/** Resolves conflicts of a change request, as one revision. */
class ChangeRequestResolver {
  readonly #context: SpaceContext
  readonly #request: ChangeRequestRow
  readonly #conflictContext: ConflictContext
  readonly #formerHash: string
  readonly #objects: ReturnType<SpaceContext['openObjects']>
  #rootHash: string

  constructor(
    context: SpaceContext,
    request: ChangeRequestRow,
    conflictContext: ConflictContext,
    formerHash: string,
    objects: ReturnType<SpaceContext['openObjects']>,
  ) {
    this.#context = context
    this.#request = request
    this.#conflictContext = conflictContext
    this.#formerHash = formerHash
    this.#rootHash = formerHash
    this.#objects = objects
  }

  /** Returns conflicts with the current values of both sides; those whose sides no longer differ are returned as stored. */
  async refresh(rows: readonly ConflictRow[]): Promise<LoadedConflict[]> {
    const found = rows.map(({ body }) => JSON.parse(body) as Conflict)
    const current = await refreshConflicts(found, this.#conflictContext)
    return rows.map((row, index) => ({
      row,
      conflict: current[index] ?? (found[index] as Conflict),
      isSettled: current[index] === undefined,
    }))
  }

  async applySide(loaded: readonly LoadedConflict[], side: ConflictSide): Promise<void> {
    // If the sides no longer differ, the stored conflict is outdated and the content already contains both sides.
    const differing = loaded.filter(({ isSettled }) => side === 'base' || !isSettled).map(({ conflict }) => conflict)
    await this.changeContent(differing, (resolution) => resolution.resolveWith(differing, side), side)
  }

  /** Changes the content; fails if a page whose position is resolved is then nested too deeply. */
  async changeContent(
    conflictsToCheck: readonly Conflict[],
    apply: (resolution: ConflictResolver) => Promise<void>,
    resolvedWith: ConflictSide | 'own',
  ): Promise<void> {
    const draft = new Draft(this.#conflictContext.ours, { maxDepth: Infinity })
    const resolution = new ConflictResolver(this.#conflictContext, draft)
    // The content already contains ours, including later edits.
    const run = () => (resolvedWith === 'ours' ? Promise.resolve() : apply(resolution))
    await withConflictErrors(() => resolution.runWithinLimits(conflictsToCheck, run))
    this.#rootHash = await draft.commit()
  }

  /** Resolves a conflict with custom content; returns the conflict to store. */
  async applyCustom(conflict: Conflict, content: CustomContent): Promise<Conflict> {
    const draft = new Draft(this.#conflictContext.ours)
    const resolution = new ConflictResolver(this.#conflictContext, draft)
    const tree = this.#conflictContext.ours
    const added = await withConflictErrors(() =>
      applyCustomContent(this.#context, { conflict, content, request: this.#request, draft, tree, resolution }),
    )
    this.#rootHash = await draft.commit()
    return isConflictAboutBlock(conflict) && added.length > 0 ? { ...conflict, addedBlocks: added } : conflict
  }

  /** Stores the resolution of conflicts; null reopens them. */
  async finish(
    loaded: readonly Pick<LoadedConflict, 'row' | 'conflict'>[],
    resolution: ConflictRow['resolution'],
  ): Promise<{ request: ChangeRequestRow; row: ConflictRow }> {
    const { db, principal, now } = this.#context
    const request = this.#request
    await this.#objects.flush()
    const stored = {
      resolution,
      resolved_by: resolution === null ? null : principal.user.id,
      resolved_at: resolution === null ? null : now(),
      resolved_from: resolution === null ? null : request.revision_id,
    }
    const rows = loaded.map(({ row, conflict }) => ({ ...row, body: JSON.stringify(conflict) }))
    await conflicts.upsertConflicts(db, request, rows, now(), stored)
    let revision = request.revision_id
    if (this.#rootHash !== this.#formerHash) {
      const state = { rootHash: this.#rootHash, type: 'edits', parents: [request.revision_id] } as const
      revision = await addChangeRequestRevision(this.#context, request, state)
      await store.addContribution(db, request, principal.user.id, 'edit', now())
    }
    await revalidateChangeRequest(this.#context, request)
    const updated = await store.updateChangeRequest(db, request, {
      revision_id: revision,
      conflicts_open: await conflicts.countOpenConflicts(db, request),
      updated_at: now(),
    })
    await recordChangeRequestEvent(this.#context, updated)
    return { request: updated, row: { ...(rows[0] as ConflictRow), ...stored } }
  }
}

/** Converts errors about size and depth limits to conflict errors. */
async function withConflictErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DocumentTooLargeError || error instanceof TreeError) throw conflictError(error.message)
    throw error
  }
}
