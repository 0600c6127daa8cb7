import type { JobContext } from '../kernel/context.ts'
import type { Db } from '../schema/tables.ts'
import { type DerivedSpace, type SpaceHead, type SpaceKey, findSpaceHead } from './heads.ts'
import { type StatesTable, findDerivationState, upsertDerivationState } from './derivation-states.ts'

/** Where the progress of a derivation is stored, and the version of its computation. */
export interface DerivationFormat {
  states: StatesTable
  /** Version of the computation; increasing it makes all rows be computed again. */
  format: number
}

/** Error for an outdated state: the space was moved, or another process is updating its rows. */
export class OutdatedStateError extends Error {}

/** Progress of one update of derived rows from one root to another. */
export class DerivationProgress {
  readonly space: DerivedSpace
  /** Root that the rows were computed from before; null if there are none. */
  readonly previous: string | null
  readonly target: string
  /** Position after which an interrupted update continues. */
  readonly after: string
  readonly #derivation: DerivationFormat

  constructor(
    derivation: DerivationFormat,
    { organizationId, spaceId, language }: DerivedSpace,
    { previous, target, after }: { previous: string | null; target: string; after: string },
  ) {
    this.#derivation = derivation
    this.space = { organizationId, spaceId, language }
    this.previous = previous
    this.target = target
    this.after = after
  }

  /** Throws if another process has changed the state since the update began. */
  async assertPending(db: Db): Promise<void> {
    const { states, format } = this.#derivation
    const state = await findDerivationState(db, states, this.space)
    if (state?.pending_hash !== this.target || state.format !== format) throw new OutdatedStateError()
  }

  save(db: Db, after: string): Promise<void> {
    const progress = { root_hash: this.previous, pending_hash: this.target, pending_after: after }
    return upsertDerivationState(db, this.#derivation.states, this.space, {
      format: this.#derivation.format,
      ...progress,
    })
  }

  finish(db: Db): Promise<void> {
    return markAsDerived(db, this.#derivation, this.space, this.target)
  }
}

/** Stores that the rows of a space are complete for a root. */
export function markAsDerived(
  db: Db,
  { states, format }: DerivationFormat,
  space: SpaceKey,
  rootHash: string,
): Promise<void> {
  return upsertDerivationState(db, states, space, {
    format,
    root_hash: rootHash,
    pending_hash: null,
    pending_after: '',
  })
}

/**
 * Runs updates until the derived rows of a space match its head. After an interruption, the update in progress is finished
 * first.
 */
export async function advanceToHead(
  context: Pick<JobContext, 'db' | 'transaction' | 'signal'>,
  derivation: DerivationFormat,
  spaceId: string,
  update: (progress: DerivationProgress) => Promise<void>,
): Promise<void> {
  for (;;) {
    const head = await findSpaceHead(context.db, spaceId)
    if (!head) return
    try {
      const progress = await beginUpdate(context, derivation, head)
      if (!progress) return
      await update(progress)
    } catch (error) {
      if (!(error instanceof OutdatedStateError)) throw error
      context.signal.throwIfAborted()
    }
  }
}

/** Begins an update toward the head, or returns the one in progress; undefined if the rows already match the head. */
async function beginUpdate(
  { db, transaction }: Pick<JobContext, 'db' | 'transaction'>,
  derivation: DerivationFormat,
  head: SpaceHead,
): Promise<DerivationProgress | undefined> {
  const { states, format } = derivation
  const stored = await findDerivationState(db, states, head)
  const state = stored?.format === format ? stored : undefined
  const previous = state?.root_hash ?? null
  const pending = state?.pending_hash ?? null
  if (pending === null && previous === head.rootHash) return undefined
  const target = pending ?? head.rootHash
  const progress = new DerivationProgress(derivation, head, { previous, target, after: state?.pending_after ?? '' })
  if (pending === null) {
    await transaction(async (tx) => {
      const current = await findDerivationState(tx, states, head)
      const isChanged = current?.format === format && current.pending_hash !== null
      if (isChanged || (current?.format === format ? current.root_hash : null) !== previous)
        throw new OutdatedStateError()
      await progress.save(tx, '')
    })
  }
  return progress
}
