import { type LineagePage, readLineages } from '../content/revision/lineages.ts'
import { type PageObject, emptyRoot } from '../content/revision/objects.ts'
import { type Tree, openTree } from '../content/revision/tree.ts'
import { createYielder } from '../kernel/event-loop.ts'
import type { JobContext } from '../kernel/context.ts'
import type { Db } from '../schema/tables.ts'
import { toBatches } from '../storage/batches.ts'
import { type DerivationFormat, type DerivationProgress, advanceToHead } from './derivation-progress.ts'
import { findDerivationState } from './derivation-states.ts'
import { type DerivedSpace, type SpaceKey, findSpaceHead } from './heads.ts'
import { type PageSourceField, findPagesToReplace } from './pages-to-replace.ts'

/** Definition of derived rows: how they are computed from the pages of a space's head, and stored. */
export interface Derivation<Derived> extends DerivationFormat {
  /** Fields of a page from which its rows are computed. */
  fields: readonly PageSourceField[]
  /** Maximum number of pages and rows in one transaction, so that other writers do not wait long. */
  maxBatch: { pages: number; rows: number }
  /** Computes the rows of a page. */
  read: (tree: Tree, space: DerivedSpace, page: { id: string; page: PageObject }) => Promise<Derived>
  countRows: (derived: Derived) => number
  /** Deletes all rows of some pages. */
  deletePages: (db: Db, space: SpaceKey, pageIds: readonly string[]) => Promise<void>
  insert: (db: Db, space: SpaceKey, derived: readonly Derived[]) => Promise<void>
  /** Called after each transaction with inserted rows; `insert` may be called several times before, if it is run again. */
  afterCommit?: () => void
  /** Returns the IDs of pages that have rows, in order. */
  findPages: (db: Db, space: SpaceKey, after: string, limit: number) => Promise<string[]>
}

type DerivationContext = Pick<JobContext, 'db' | 'transaction' | 'openObjects' | 'signal'>

/**
 * Updates the derived rows of a space to its head; the cost depends on what changed since the last update. All rows of a page
 * are replaced together, several pages per transaction.
 */
export const updateDerivedRows = <Derived>(
  context: DerivationContext,
  derivation: Derivation<Derived>,
  spaceId: string,
): Promise<void> =>
  advanceToHead(context, derivation, spaceId, (progress) => new UpdateStep(context, derivation, progress).run())

/**
 * Updates the derived rows of a space to its head, and then computes the rows of some pages again, because something outside of
 * the content has changed.
 */
export async function refreshDerivedRows<Derived>(
  context: DerivationContext,
  derivation: Derivation<Derived>,
  spaceId: string,
  findPageIds: (db: Db, space: SpaceKey) => Promise<Iterable<string>>,
): Promise<void> {
  const { db, openObjects, signal } = context
  for (;;) {
    signal.throwIfAborted()
    await updateDerivedRows(context, derivation, spaceId)
    const space = await findSpaceHead(db, spaceId)
    const state = space && (await findDerivationState(db, derivation.states, space))
    if (!space || !state) return
    if (state.root_hash === null || state.pending_hash !== null) continue
    const tree = await openTree(openObjects(db, space.organizationId), state.root_hash)
    const isReplaced = await replacePages(context, derivation, { space, tree, rootHash: state.root_hash }, [
      ...(await findPageIds(db, space)),
    ])
    if (isReplaced) return
  }
}

/** Replaces the rows of pages; returns false if the rows belong to other content by now. */
async function replacePages<Derived>(
  { transaction, signal }: DerivationContext,
  { maxBatch, read, states, deletePages, insert, afterCommit }: Derivation<Derived>,
  { space, tree, rootHash }: { space: DerivedSpace; tree: Tree; rootHash: string },
  pageIds: readonly string[],
): Promise<boolean> {
  const yieldIfDue = createYielder(signal)
  for (const ids of toBatches(pageIds, maxBatch.pages)) {
    const derived: Derived[] = []
    for (const [id, lineage] of await readLineages(tree, ids)) {
      const { entry, page } = lineage.at(-1) as LineagePage
      if (entry.type === 'document') derived.push(await read(tree, space, { id, page }))
      await yieldIfDue()
    }
    const isReplaced = await transaction(async (tx) => {
      const state = await findDerivationState(tx, states, space)
      if (state?.root_hash !== rootHash || state.pending_hash !== null) return false
      await deletePages(tx, space, ids)
      await insert(tx, space, derived)
      return true
    })
    if (!isReplaced) return false
    afterCommit?.()
  }
  return true
}

/** Replaces the rows of the pages that differ between two roots. */
class UpdateStep<Derived> {
  readonly #context: DerivationContext
  readonly #derivation: Derivation<Derived>
  readonly #progress: DerivationProgress
  readonly #yieldIfDue: () => Promise<void>

  constructor(context: DerivationContext, derivation: Derivation<Derived>, progress: DerivationProgress) {
    this.#context = context
    this.#derivation = derivation
    this.#progress = progress
    this.#yieldIfDue = createYielder(context.signal)
  }

  async run(): Promise<void> {
    const { db, openObjects } = this.#context
    const { fields, maxBatch, read, countRows } = this.#derivation
    const { space, previous, target, after } = this.#progress
    const objects = openObjects(db, space.organizationId)
    const tree = await openTree(objects, target)
    const before: Tree = previous === null ? { objects, root: emptyRoot } : await openTree(objects, previous)
    const pages = await findPagesToReplace(db, space, { before, after: tree, fields })
    if (previous === null) await this.#deleteLeftoverRows(pages)
    const remaining = [...pages.keys()].filter((id) => id > after).sort()
    let ids: string[] = []
    let derived: Derived[] = []
    let rows = 0
    for (const id of remaining) {
      ids.push(id)
      const page = pages.get(id)
      if (page) {
        const pageRows = await read(tree, space, { id, page })
        derived.push(pageRows)
        rows += countRows(pageRows)
      }
      await this.#yieldIfDue()
      if (ids.length < maxBatch.pages && rows < maxBatch.rows) continue
      await this.#replace(ids, derived)
      ;[ids, derived, rows] = [[], [], 0]
    }
    await this.#replace(ids, derived, { isLast: true })
  }

  /** Deletes rows of pages that are not in the content: when all rows are computed again, they remain from an earlier state. */
  async #deleteLeftoverRows(pages: ReadonlyMap<string, unknown>): Promise<void> {
    const { db, transaction } = this.#context
    const { findPages, deletePages } = this.#derivation
    const { space } = this.#progress
    for (let after = ''; ;) {
      const pageIds = await findPages(db, space, after, 500)
      if (pageIds.length === 0) return
      after = pageIds.at(-1) ?? ''
      const leftoverIds = pageIds.filter((id) => !pages.has(id))
      if (leftoverIds.length > 0) await transaction((tx) => deletePages(tx, space, leftoverIds))
    }
  }

  async #replace(ids: readonly string[], derived: readonly Derived[], { isLast = false } = {}): Promise<void> {
    const { deletePages, insert, afterCommit } = this.#derivation
    const progress = this.#progress
    await this.#context.transaction(async (tx) => {
      await progress.assertPending(tx)
      await deletePages(tx, progress.space, ids)
      await insert(tx, progress.space, derived)
      await (isLast ? progress.finish(tx) : progress.save(tx, ids.at(-1) ?? ''))
    })
    afterCommit?.()
  }
}
