import { DocumentTooLargeError } from '../../content/document/limits.ts'
import { type Conflict, isAboutBlock } from '../../content/revision/conflict.ts'
import { Draft, TreeError } from '../../content/revision/draft.ts'
import { refreshConflicts } from '../../content/revision/refresh.ts'
import { type ConflictContext, Resolution } from '../../content/revision/resolve-conflicts.ts'
import { openTree } from '../../content/revision/tree.ts'
import type { ConflictSide } from '../../contract/change-request.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { conflict as conflictError, notFound } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { getContent, getRevision } from '../../domain/revisions/revisions.ts'
import { revalidateChangeRequest } from '../../domain/revalidation/revalidate.ts'
import * as conflicts from './conflict-store.ts'
import { type OwnContent, applyOwn } from './own-content.ts'
import { addRevision } from '../../domain/change-requests/change-request-revisions.ts'
import * as store from '../../domain/change-requests/change-request-store.ts'

type Request = Row<'change_requests'>
type ConflictRow = Row<'change_request_conflicts'>

interface Decided {
  row: ConflictRow
  conflict: Conflict
  /** True if the sides no longer differ. */
  isSettled: boolean
}

/** Resolution of a conflict: one of its sides, or custom content. */
export type Decision = { side: ConflictSide } | OwnContent

/** Resolves one conflict and applies the resolution to the change request. */
export async function resolveOne(
  context: SpaceContext,
  request: Request,
  conflictId: string,
  decision: Decision,
): Promise<{ request: Request; row: ConflictRow }> {
  const row = await findConflict(context, request, conflictId)
  if (row.resolution !== null) throw conflictError('The conflict is already resolved')
  const work = await begin(context, request)
  const decided = await work.refreshed([row])
  if ('side' in decision) {
    await work.take(decided, decision.side)
    return work.finish(decided, decision.side)
  }
  const own: Decided[] = []
  for (const one of decided) own.push({ ...one, conflict: await work.own(one.conflict, decision) })
  return work.finish(own, 'own')
}

/** Resolves all open conflicts with the same side. */
export async function resolveAll(context: SpaceContext, request: Request, side: ConflictSide): Promise<Request> {
  const open = await conflicts.findAllOpen(context.db, request)
  if (open.length === 0) return request
  const work = await begin(context, request)
  const decided = await work.refreshed(open)
  await work.take(decided, side)
  return (await work.finish(decided, side)).request
}

/** Reopens a conflict and restores the content that the change request had before it was resolved. */
export async function reopenOne(
  context: SpaceContext,
  request: Request,
  conflictId: string,
): Promise<{ request: Request; row: ConflictRow }> {
  const { space } = context
  const row = await findConflict(context, request, conflictId)
  const { resolution: decided } = row
  if (decided === null) throw conflictError('The conflict is already open')
  const before = await getContent(context, space, row.resolved_from ?? request.revision_id)
  const conflict = JSON.parse(row.body) as Conflict
  const work = await begin(context, request)
  await work.change([], (resolution) => resolution.undo(conflict, decided, before.tree), decided)
  const { addedBlocks: _, ...open } = conflict
  return work.finish([{ row, conflict: open }], null)
}

async function findConflict({ db }: SpaceContext, request: Request, id: string): Promise<ConflictRow> {
  const row = await conflicts.findConflict(db, request, id)
  if (!row) throw notFound('conflict')
  return row
}

async function begin(context: SpaceContext, request: Request): Promise<Work> {
  const { db, space, openObjects } = context
  const objects = openObjects(db, space.organization_id)
  const [former, live] = [
    await getRevision(db, space, request.revision_id),
    await getRevision(db, space, space.revision_id),
  ]
  const surroundings = {
    ours: await openTree(objects, former.root_hash),
    theirs: await openTree(objects, live.root_hash),
    others: await conflicts.findDecisions(db, request),
  }
  return new Work(context, request, surroundings, former.root_hash, objects)
}

/** Resolves conflicts of a change request, as one revision. */
class Work {
  readonly #context: SpaceContext
  readonly #request: Request
  readonly #surroundings: ConflictContext
  readonly #formerHash: string
  readonly #objects: ReturnType<SpaceContext['openObjects']>
  #rootHash: string

  constructor(
    context: SpaceContext,
    request: Request,
    surroundings: ConflictContext,
    formerHash: string,
    objects: ReturnType<SpaceContext['openObjects']>,
  ) {
    this.#context = context
    this.#request = request
    this.#surroundings = surroundings
    this.#formerHash = formerHash
    this.#rootHash = formerHash
    this.#objects = objects
  }

  /** Returns conflicts with the current values of both sides; those whose sides no longer differ are returned as stored. */
  async refreshed(rows: readonly ConflictRow[]): Promise<Decided[]> {
    const found = rows.map(({ body }) => JSON.parse(body) as Conflict)
    const now = await refreshConflicts(found, this.#surroundings)
    return rows.map((row, index) => ({
      row,
      conflict: now[index] ?? (found[index] as Conflict),
      isSettled: now[index] === undefined,
    }))
  }

  async take(decided: readonly Decided[], side: ConflictSide): Promise<void> {
    // If the sides no longer differ, the stored conflict is outdated and the content already contains both sides.
    const disputed = decided.filter(({ isSettled }) => side === 'base' || !isSettled).map(({ conflict }) => conflict)
    await this.change(disputed, (resolution) => resolution.take(disputed, side), side)
  }

  /** Changes the content; fails if a page whose position is resolved is then nested too deeply. */
  async change(
    placed: readonly Conflict[],
    work: (resolution: Resolution) => Promise<void>,
    decided: ConflictSide | 'own',
  ): Promise<void> {
    const draft = new Draft(this.#surroundings.ours, { maxDepth: Infinity })
    const resolution = new Resolution(this.#surroundings, draft)
    // The content already contains ours, including later edits.
    const take = () => (decided === 'ours' ? Promise.resolve() : work(resolution))
    await refusing(() => resolution.withinLimits(placed, take))
    this.#rootHash = await draft.commit()
  }

  /** Resolves a conflict with custom content; returns the conflict to store. */
  async own(conflict: Conflict, content: OwnContent): Promise<Conflict> {
    const draft = new Draft(this.#surroundings.ours)
    const resolution = new Resolution(this.#surroundings, draft)
    const tree = this.#surroundings.ours
    const added = await refusing(() =>
      applyOwn(this.#context, { conflict, content, request: this.#request, draft, tree, resolution }),
    )
    this.#rootHash = await draft.commit()
    return isAboutBlock(conflict) && added.length > 0 ? { ...conflict, addedBlocks: added } : conflict
  }

  /** Stores the resolution of conflicts; null reopens them. */
  async finish(
    decided: readonly Pick<Decided, 'row' | 'conflict'>[],
    resolution: ConflictRow['resolution'],
  ): Promise<{ request: Request; row: ConflictRow }> {
    const { db, principal, now } = this.#context
    const request = this.#request
    await this.#objects.flush()
    const stored = {
      resolution,
      resolved_by: resolution === null ? null : principal.user.id,
      resolved_at: resolution === null ? null : now(),
      resolved_from: resolution === null ? null : request.revision_id,
    }
    const rows = decided.map(({ row, conflict }) => ({ ...row, body: JSON.stringify(conflict) }))
    await conflicts.putConflicts(db, request, rows, now(), stored)
    let revision = request.revision_id
    if (this.#rootHash !== this.#formerHash) {
      const state = { rootHash: this.#rootHash, type: 'edits', parents: [request.revision_id] } as const
      revision = await addRevision(this.#context, request, state)
      await store.addContribution(db, request, principal.user.id, 'edit', now())
    }
    await revalidateChangeRequest(this.#context, request)
    const updated = await store.updateChangeRequest(db, request, {
      revision_id: revision,
      conflicts_open: await conflicts.countOpen(db, request),
      updated_at: now(),
    })
    return { request: updated, row: { ...(rows[0] as ConflictRow), ...stored } }
  }
}

/** Converts errors about size and depth limits to conflict errors. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DocumentTooLargeError || error instanceof TreeError) throw conflictError(error.message)
    throw error
  }
}
