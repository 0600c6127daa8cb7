import { emptyRoot } from '../content/revision/objects.ts'
import { type Tree, openTree } from '../content/revision/tree.ts'
import { breather } from '../kernel/breath.ts'
import type { JobContext } from '../kernel/context.ts'
import type { Db } from '../storage/tables.ts'
import { engineOf } from './engines.ts'
import { type IndexedPage, readSections } from './page-sections.ts'
import { pagesToReplace } from './replaced-pages.ts'
import * as store from './store.ts'
import type { Head, SpaceKey } from './store.ts'

/** To be raised whenever sections or words are made in another way: then all are made anew. */
export const indexFormat = 1

/** How much is written in one transaction, so that nobody waits long for it. */
const portion = { pages: 100, sections: 50 }

type Indexing = Pick<JobContext, 'db' | 'transaction' | 'openObjects' | 'signal'>

/** The space has gone elsewhere, or somebody else makes its rows: what was found out about it no longer counts. */
class Overtaken extends Error {}

/**
 * Makes the present content of a space searchable, at a cost that follows what changed since the last time. Pages are
 * replaced whole, in portions; whoever goes on after an interruption finishes that content first.
 */
export async function indexSpace(context: Indexing, spaceId: string): Promise<void> {
  for (;;) {
    const head = await store.findHead(context.db, spaceId)
    if (!head) return
    try {
      if (await bringCloser(context, head)) return
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
      context.signal.throwIfAborted()
    }
  }
}

/** Takes one step towards the present content; true when there is none to take. */
async function bringCloser(context: Indexing, head: Head): Promise<boolean> {
  const { db, transaction } = context
  const known = await store.findState(db, head)
  const state = known?.format === indexFormat ? known : undefined
  const former = state?.root_hash ?? null
  const pending = state?.pending_hash ?? null
  if (pending === null && former === head.rootHash) return true
  const target = pending ?? head.rootHash
  if (pending === null) {
    await transaction(async (tx) => {
      const { root_hash: root = null, format } = (await store.findState(tx, head)) ?? {}
      if ((format === indexFormat ? root : null) !== former) throw new Overtaken()
      await putProgress(tx, head, { former, target, after: '' })
    })
  }
  const step = new Step(context, head, { former, target })
  await step.run(state?.pending_after ?? '')
  return false
}

interface Roots {
  former: string | null
  target: string
}

function putProgress(db: Db, space: SpaceKey, { former, target, after }: Roots & { after: string }): Promise<void> {
  const progress = { root_hash: former, pending_hash: target, pending_after: after }
  return store.putState(db, space, { format: indexFormat, ...progress })
}

/** The way from one root to another. */
class Step {
  readonly #context: Indexing
  readonly #space: SpaceKey
  readonly #roots: Roots
  readonly #breathe: () => Promise<void>

  constructor(context: Indexing, { organizationId, spaceId }: SpaceKey, roots: Roots) {
    this.#context = context
    this.#space = { organizationId, spaceId }
    this.#roots = roots
    this.#breathe = breather(context.signal)
  }

  async run(after: string): Promise<void> {
    const { db, openObjects } = this.#context
    const { former, target } = this.#roots
    const objects = openObjects(db, this.#space.organizationId)
    const tree = await openTree(objects, target)
    const before: Tree = former === null ? { objects, root: emptyRoot } : await openTree(objects, former)
    const pages = await pagesToReplace(db, this.#space, before, tree)
    if (former === null) await this.#removeOthers(pages)
    const ids = [...pages.keys()].filter((id) => id > after).sort()
    let waiting: IndexedPage[] = []
    let sections = 0
    for (const id of ids) {
      const page = pages.get(id)
      const indexed = page
        ? await readSections(tree, this.#space, { id, page })
        : { id, sections: [], reused: new Set<string>() }
      waiting.push(indexed)
      sections += indexed.sections.length
      await this.#breathe()
      if (waiting.length < portion.pages && sections < portion.sections) continue
      await this.#replace(waiting)
      ;[waiting, sections] = [[], 0]
    }
    await this.#replace(waiting, { isLast: true })
  }

  /** When everything is made anew, what is there of other pages is of no content any more. */
  async #removeOthers(pages: ReadonlyMap<string, unknown>): Promise<void> {
    const { db, transaction } = this.#context
    for (let after = ''; ;) {
      const known = await store.findIndexedPages(db, this.#space, after, 500)
      if (known.length === 0) return
      after = known.at(-1) ?? ''
      const others = known.filter((id) => !pages.has(id))
      if (others.length > 0) await transaction((tx) => store.deletePages(tx, this.#space, others))
    }
  }

  async #replace(pages: readonly IndexedPage[], { isLast = false } = {}): Promise<void> {
    const { organizationId, spaceId } = this.#space
    await this.#context.transaction(async (tx) => {
      const state = await store.findState(tx, this.#space)
      if (state?.pending_hash !== this.#roots.target || state.format !== indexFormat) throw new Overtaken()
      await store.deletePages(
        tx,
        this.#space,
        pages.map(({ id }) => id),
      )
      await engineOf(tx).insert(
        tx,
        pages.flatMap((page) => page.sections),
      )
      await store.insertReuses(
        tx,
        pages.flatMap(({ id, reused }) =>
          [...reused].map((reusable_content_id) => ({
            organization_id: organizationId,
            space_id: spaceId,
            page_id: id,
            reusable_content_id,
          })),
        ),
      )
      const { former, target } = this.#roots
      if (!isLast) return putProgress(tx, this.#space, { former, target, after: pages.at(-1)?.id ?? '' })
      const done = { root_hash: target, pending_hash: null, pending_after: '' }
      return store.putState(tx, this.#space, { format: indexFormat, ...done })
    })
  }
}
