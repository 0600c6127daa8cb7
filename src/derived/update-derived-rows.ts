import { type PageObject, emptyRoot } from '../content/revision/objects.ts'
import { type Tree, openTree } from '../content/revision/tree.ts'
import { createYielder } from '../kernel/event-loop.ts'
import type { JobContext } from '../kernel/context.ts'
import type { Db } from '../schema/tables.ts'
import { type SpaceHead, type SpaceKey, findSpaceHead } from './heads.ts'
import { type PageSourceField, findPagesToReplace } from './pages-to-replace.ts'
import { type StatesTable, findDerivationState, upsertDerivationState } from './derivation-states.ts'

/** Definition of derived rows: how they are computed from the pages of a space's head, and stored. */
export interface Derivation<Derived> {
  states: StatesTable
  /** Version of the computation; increasing it makes all rows be computed again. */
  format: number
  /** Fields of a page from which its rows are computed. */
  fields: readonly PageSourceField[]
  /** Maximum number of pages and rows in one transaction, so that other writers do not wait long. */
  maxBatch: { pages: number; rows: number }
  /** Computes the rows of a page. */
  read: (tree: Tree, space: SpaceKey, page: { id: string; page: PageObject }) => Promise<Derived>
  countRows: (derived: Derived) => number
  /** Deletes all rows of some pages. */
  deletePages: (db: Db, space: SpaceKey, pageIds: readonly string[]) => Promise<void>
  insert: (db: Db, space: SpaceKey, derived: readonly Derived[]) => Promise<void>
  /** Returns the IDs of pages that have rows, in order. */
  findPages: (db: Db, space: SpaceKey, after: string, limit: number) => Promise<string[]>
}

type DerivationContext = Pick<JobContext, 'db' | 'transaction' | 'openObjects' | 'signal'>

/** Error for an outdated state: the space was moved, or another process is updating its rows. */
class OutdatedStateError extends Error {}

/**
 * Updates the derived rows of a space to its head; the cost depends on what changed since the last update. All rows of a page
 * are replaced together, several pages per transaction. After an interruption, the update in progress is finished first.
 */
export async function updateDerivedRows<Derived>(
  context: DerivationContext,
  derivation: Derivation<Derived>,
  spaceId: string,
): Promise<void> {
  for (;;) {
    const head = await findSpaceHead(context.db, spaceId)
    if (!head) return
    try {
      if (await runUpdateStep(context, derivation, head)) return
    } catch (error) {
      if (!(error instanceof OutdatedStateError)) throw error
      context.signal.throwIfAborted()
    }
  }
}

/** Runs one update toward the head; returns true if the rows already match it. */
async function runUpdateStep<Derived>(
  context: DerivationContext,
  derivation: Derivation<Derived>,
  head: SpaceHead,
): Promise<boolean> {
  const { db, transaction } = context
  const { states, format } = derivation
  const stored = await findDerivationState(db, states, head)
  const state = stored?.format === format ? stored : undefined
  const previous = state?.root_hash ?? null
  const pending = state?.pending_hash ?? null
  if (pending === null && previous === head.rootHash) return true
  const target = pending ?? head.rootHash
  const step = new UpdateStep(context, derivation, head, { previous, target })
  if (pending === null) {
    await transaction(async (tx) => {
      const current = await findDerivationState(tx, states, head)
      if ((current?.format === format ? current.root_hash : null) !== previous) throw new OutdatedStateError()
      await step.saveProgress(tx, '')
    })
  }
  await step.run(state?.pending_after ?? '')
  return false
}

/** Replaces the rows of the pages that differ between two roots. */
class UpdateStep<Derived> {
  readonly #context: DerivationContext
  readonly #derivation: Derivation<Derived>
  readonly #space: SpaceKey
  readonly #roots: { previous: string | null; target: string }
  readonly #yieldIfDue: () => Promise<void>

  constructor(
    context: DerivationContext,
    derivation: Derivation<Derived>,
    { organizationId, spaceId }: SpaceKey,
    roots: { previous: string | null; target: string },
  ) {
    this.#context = context
    this.#derivation = derivation
    this.#space = { organizationId, spaceId }
    this.#roots = roots
    this.#yieldIfDue = createYielder(context.signal)
  }

  async run(after: string): Promise<void> {
    const { db, openObjects } = this.#context
    const { fields, maxBatch, read, countRows } = this.#derivation
    const { previous, target } = this.#roots
    const objects = openObjects(db, this.#space.organizationId)
    const tree = await openTree(objects, target)
    const before: Tree = previous === null ? { objects, root: emptyRoot } : await openTree(objects, previous)
    const pages = await findPagesToReplace(db, this.#space, { before, after: tree, fields })
    if (previous === null) await this.#deleteLeftoverRows(pages)
    const remaining = [...pages.keys()].filter((id) => id > after).sort()
    let ids: string[] = []
    let derived: Derived[] = []
    let rows = 0
    for (const id of remaining) {
      ids.push(id)
      const page = pages.get(id)
      if (page) {
        const pageRows = await read(tree, this.#space, { id, page })
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

  saveProgress(db: Db, after: string): Promise<void> {
    const { states, format } = this.#derivation
    const { previous, target } = this.#roots
    return upsertDerivationState(db, states, this.#space, {
      format,
      root_hash: previous,
      pending_hash: target,
      pending_after: after,
    })
  }

  /** Deletes rows of pages that are not in the content: when all rows are computed again, they remain from an earlier state. */
  async #deleteLeftoverRows(pages: ReadonlyMap<string, unknown>): Promise<void> {
    const { db, transaction } = this.#context
    const { findPages, deletePages } = this.#derivation
    for (let after = ''; ;) {
      const pageIds = await findPages(db, this.#space, after, 500)
      if (pageIds.length === 0) return
      after = pageIds.at(-1) ?? ''
      const leftoverIds = pageIds.filter((id) => !pages.has(id))
      if (leftoverIds.length > 0) await transaction((tx) => deletePages(tx, this.#space, leftoverIds))
    }
  }

  async #replace(ids: readonly string[], derived: readonly Derived[], { isLast = false } = {}): Promise<void> {
    const { states, format, deletePages, insert } = this.#derivation
    const { target } = this.#roots
    await this.#context.transaction(async (tx) => {
      const state = await findDerivationState(tx, states, this.#space)
      if (state?.pending_hash !== target || state.format !== format) throw new OutdatedStateError()
      await deletePages(tx, this.#space, ids)
      await insert(tx, this.#space, derived)
      if (!isLast) return this.saveProgress(tx, ids.at(-1) ?? '')
      return upsertDerivationState(tx, states, this.#space, {
        format,
        root_hash: target,
        pending_hash: null,
        pending_after: '',
      })
    })
  }
}
