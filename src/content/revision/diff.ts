import { canonical } from './canonical.ts'
import {
  type NamedEntry,
  type PageEntry,
  type PageFields,
  type PageObject,
  type Scalar,
  type TagDefinition,
  readObjects,
} from './objects.ts'
import { inPlace } from './order.ts'
import { type EntryChange, type Sequence, diffSorted, emptySequence, findInSorted, readSequence } from './sequence.ts'
import type { Tree } from './tree.ts'

/** A page as it is on one side. */
export interface PageState {
  entry: PageEntry
  page: PageObject
  parent: string | null
}

/** What happened to a page: it came (no before), went (no after), or something about it is another. */
export interface PageChange {
  id: string
  before: PageState | undefined
  after: PageState | undefined
  /** It stands elsewhere among the pages beside it. */
  isReordered: boolean
}

export interface NamedChange<Value> {
  name: string
  before: Value | undefined
  after: Value | undefined
}

export interface TreeDiff {
  pages: PageChange[]
  files: EntryChange<NamedEntry>[]
  reusableContents: EntryChange<NamedEntry>[]
  variables: NamedChange<Scalar>[]
  tags: NamedChange<TagDefinition>[]
}

/** What differs between two trees, at a cost that follows what differs: what has the same hash is not looked into. */
export async function diffTrees(before: Tree, after: Tree): Promise<TreeDiff> {
  const { objects } = after
  const sameHash = (a: NamedEntry, b: NamedEntry) => a.hash === b.hash
  return {
    pages: await new PageComparison(before, after).run(),
    files: await diffSorted(objects, before.root.files, after.root.files, sameHash),
    reusableContents: await diffSorted(objects, before.root.reusableContents, after.root.reusableContents, sameHash),
    variables: diffRecords(before.root.variables, after.root.variables),
    tags: diffRecords(before.root.tags, after.root.tags),
  }
}

/** The fields of a page, besides its place and the times, that can be another. */
export type PageField = Exclude<keyof PageFields, never> | 'slug' | 'document'

/** The fields that differ between two states of a page. */
export function changedFields(before: PageState, after: PageState): PageField[] {
  const names = new Set([...Object.keys(before.page), ...Object.keys(after.page)])
  for (const name of ['kind', 'pages', 'createdAt', 'updatedAt']) names.delete(name)
  const fields = [...names].filter(
    (name) => !sameValue(before.page[name as keyof PageObject], after.page[name as keyof PageObject]),
  ) as PageField[]
  return before.entry.slug === after.entry.slug ? fields : ['slug', ...fields]
}

export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || canonical({ value: a }) === canonical({ value: b })
}

export function diffRecords<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): NamedChange<Value>[] {
  if (before === after) return []
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names
    .map((name) => ({ name, before: own(before, name), after: own(after, name) }))
    .filter((change) => !sameValue(change.before, change.after))
}

const own = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

interface ListPair {
  /** Of the pages in the lists. */
  parent: string
  before: Sequence<PageEntry>
  after: Sequence<PageEntry>
}

interface Standing {
  entry: PageEntry
  parent: string | null
}

const top = ''

class PageComparison {
  readonly #before: Tree
  readonly #after: Tree
  readonly #changes = new Map<string, PageChange>()
  /** Pages that were found on one side only so far; a page that moved is found on the other later. */
  readonly #gone = new Map<string, Standing>()
  readonly #come = new Map<string, Standing>()
  #pairs: ListPair[]

  constructor(before: Tree, after: Tree) {
    this.#before = before
    this.#after = after
    this.#pairs = [{ parent: top, before: before.root.pages, after: after.root.pages }]
  }

  async run(): Promise<PageChange[]> {
    while (this.#pairs.length > 0) {
      const pairs = this.#pairs
      this.#pairs = []
      const both: { id: string; before: Standing; after: Standing; isReordered: boolean }[] = []
      const gone: Standing[] = []
      const come: Standing[] = []
      for (const pair of pairs) await this.#compareLists(pair, both, gone, come)
      await this.#settle(gone, come, both)
      await this.#compareBoth(both)
    }
    return [...this.#changes.values()]
  }

  async #compareLists(
    { parent, before, after }: ListPair,
    both: { id: string; before: Standing; after: Standing; isReordered: boolean }[],
    gone: Standing[],
    come: Standing[],
  ): Promise<void> {
    const place = parent === top ? null : parent
    const { objects } = this.#after
    const [old, now] = [await readSequence(objects, before), await readSequence(objects, after)]
    const oldById = new Map(old.map((entry) => [entry.id, entry]))
    const kept = now.filter(({ id }) => oldById.has(id)).map(({ id }) => id)
    const keptSet = new Set(kept)
    const settled = inPlace(
      old.filter(({ id }) => keptSet.has(id)).map(({ id }) => id),
      kept,
    )
    for (const entry of now) {
      const former = oldById.get(entry.id)
      oldById.delete(entry.id)
      if (!former) {
        come.push({ entry, parent: place })
        continue
      }
      const isReordered = !settled.has(entry.id)
      if (former.hash === entry.hash && former.slug === entry.slug && !isReordered) continue
      both.push({
        id: entry.id,
        before: { entry: former, parent: place },
        after: { entry, parent: place },
        isReordered,
      })
    }
    for (const entry of oldById.values()) gone.push({ entry, parent: place })
  }

  /** Tells pages that moved from those that came or went for good. */
  async #settle(
    gone: readonly Standing[],
    come: readonly Standing[],
    both: { id: string; before: Standing; after: Standing; isReordered: boolean }[],
  ): Promise<void> {
    const existing = async ({ objects, root }: Tree, standings: readonly Standing[]) =>
      findInSorted(
        objects,
        root.parents,
        standings.map(({ entry }) => entry.id),
      )
    const [stillThere, wasThere] = [await existing(this.#after, gone), await existing(this.#before, come)]
    for (const one of gone) if (stillThere.has(one.entry.id)) this.#gone.set(one.entry.id, one)
    for (const one of come) if (wasThere.has(one.entry.id)) this.#come.set(one.entry.id, one)
    for (const [id, after] of this.#come) {
      const before = this.#gone.get(id)
      if (!before) continue
      this.#come.delete(id)
      this.#gone.delete(id)
      both.push({ id, before, after, isReordered: false })
    }
    const lost = gone.filter(({ entry }) => !stillThere.has(entry.id))
    const fresh = come.filter(({ entry }) => !wasThere.has(entry.id))
    for (const [state, side] of [
      ...(await this.#read(lost)).map((one) => [one, 'before'] as const),
      ...(await this.#read(fresh)).map((one) => [one, 'after'] as const),
    ]) {
      const { id } = state.entry
      const sides = { before: undefined, after: undefined, [side]: state }
      this.#changes.set(id, { id, ...sides, isReordered: false })
      const lists = { before: emptySequence, after: emptySequence, [side]: state.page.pages }
      if (state.page.pages.entries.length > 0) this.#pairs.push({ parent: id, ...lists })
    }
  }

  async #compareBoth(
    both: readonly { id: string; before: Standing; after: Standing; isReordered: boolean }[],
  ): Promise<void> {
    const before = await this.#read(both.map((one) => one.before))
    const after = await this.#read(both.map((one) => one.after))
    both.forEach(({ id, isReordered }, index) => {
      const [old, now] = [before[index] as PageState, after[index] as PageState]
      if (isReordered || old.parent !== now.parent || changedFields(old, now).length > 0) {
        this.#changes.set(id, { id, before: old, after: now, isReordered })
      }
      if (!sameValue(old.page.pages, now.page.pages)) {
        this.#pairs.push({ parent: id, before: old.page.pages, after: now.page.pages })
      }
    })
  }

  async #read(standings: readonly Standing[]): Promise<PageState[]> {
    const pages = await readObjects(
      this.#after.objects,
      'page',
      standings.map(({ entry }) => entry.hash),
    )
    return standings.map((standing, index) => ({ ...standing, page: pages[index] as PageObject }))
  }
}
