import { movedNames } from '../document/merge-order.ts'
import { canonical } from '../document/canonical.ts'
import {
  type NamedEntry,
  type PageEntry,
  type PageFields,
  type PageObject,
  type ParentEntry,
  type Scalar,
  type TagDefinition,
  readObjects,
} from './objects.ts'
import { type EntryChange, type Sequence, diffSorted, emptySequence, findInSorted } from './sequence.ts'
import { differingEntries } from './sequence-changes.ts'
import { type Tree, findPage } from './tree.ts'

/** The state of a page on one side of a comparison. */
export interface PageState {
  entry: PageEntry
  page: PageObject
  parent: string | null
}

/** A change of a page: added (no `before`), removed (no `after`), or edited, moved or reordered. */
export interface PageChange {
  id: string
  before: PageState | undefined
  after: PageState | undefined
  /** Whether its order among its siblings changed. */
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

/** Compares two trees. Objects with equal hashes are not read, so the cost depends on the number of differences. */
export async function diffTrees(before: Tree, after: Tree): Promise<TreeDiff> {
  const { objects } = after
  return {
    pages: await new PageComparison(before, after).run(),
    files: await diffSorted(objects, before.root.files, after.root.files, sameHash),
    reusableContents: await diffSorted(objects, before.root.reusableContents, after.root.reusableContents, sameHash),
    variables: diffRecords(before.root.variables, after.root.variables),
    tags: diffRecords(before.root.tags, after.root.tags),
  }
}

/** Whether two trees differ in nothing but the timestamps of their pages. */
export async function hasSameContent(before: Tree, after: Tree): Promise<boolean> {
  return isEmptyDiff(await diffTrees(before, after))
}

/** Whether a diff contains nothing but changed timestamps of pages. */
export function isEmptyDiff({ pages, ...others }: TreeDiff): boolean {
  return pages.every(isOnlyTouched) && Object.values(others).every((changes) => changes.length === 0)
}

function isOnlyTouched({ before, after, isReordered }: PageChange): boolean {
  if (!before || !after || isReordered || before.parent !== after.parent) return false
  return changedFields(before, after).length === 0
}

const sameHash = (a: NamedEntry, b: NamedEntry): boolean => a.hash === b.hash

/** Fields of a page that can change, except its position and its timestamps. */
export type PageField = keyof PageFields | 'slug' | 'document'

/** Returns the fields that differ between two states of a page. */
export function changedFields(before: PageState, after: PageState): PageField[] {
  const names = new Set([...fieldsOfPage(before), ...fieldsOfPage(after)])
  return [...names].filter((name) =>
    name === 'slug' ? before.entry.slug !== after.entry.slug : !sameValue(before.page[name], after.page[name]),
  )
}

/** Returns the names of the fields that a page has. */
export function fieldsOfPage({ page }: PageState): PageField[] {
  const { kind: _, pages: __, createdAt: ___, updatedAt: ____, ...fields } = page
  return ['slug', ...(Object.keys(fields) as PageField[])]
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

/** Returns an own property of a record with user-defined keys. */
export const own = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

interface ListPair {
  /** Parent of the pages in the lists. */
  parent: string | null
  before: Sequence<PageEntry>
  after: Sequence<PageEntry>
}

interface Standing {
  entry: PageEntry
  parent: string | null
}

/** A page that exists in both trees. */
interface Met {
  before: Standing
  after: Standing
  isReordered: boolean
}

/** The pages found by comparing lists. */
interface Findings {
  both: Met[]
  gone: Standing[]
  come: Standing[]
}

async function findStanding(tree: Tree, id: string): Promise<Standing | undefined> {
  const located = await findPage(tree, id)
  return located && { entry: located.entry, parent: located.ancestors.at(-1)?.id ?? null }
}

/** Returns the parents of these pages in a tree; missing pages are omitted. */
function findPlaces({ objects, root }: Tree, standings: readonly Standing[]): Promise<Map<string, ParentEntry>> {
  const ids = standings.map(({ entry }) => entry.id)
  return findInSorted(objects, root.parents, ids)
}

class PageComparison {
  readonly #before: Tree
  readonly #after: Tree
  readonly #changes = new Map<string, PageChange>()
  /** Moved pages that were found on one side only so far. */
  readonly #gone = new Map<string, Standing>()
  readonly #come = new Map<string, Standing>()
  /** Moved pages whose both sides were found. */
  readonly #met = new Set<string>()
  #pairs: ListPair[]

  constructor(before: Tree, after: Tree) {
    this.#before = before
    this.#after = after
    this.#pairs = [{ parent: null, before: before.root.pages, after: after.root.pages }]
  }

  async run(): Promise<PageChange[]> {
    for (;;) {
      const pairs = this.#pairs
      this.#pairs = []
      const findings: Findings = { both: [], gone: [], come: [] }
      for (const pair of pairs) await this.#compareLists(pair, findings)
      await this.#settle(findings)
      await this.#compareBoth(findings.both)
      if (this.#pairs.length > 0) continue
      // Comparing lists does not reach pages that were moved below one another, so they are looked up by id.
      if (this.#gone.size === 0 && this.#come.size === 0) return [...this.#changes.values()]
      await this.#compareBoth(await this.#seek())
    }
  }

  async #compareLists({ parent, before, after }: ListPair, { both, gone, come }: Findings): Promise<void> {
    const { objects } = this.#after
    const { before: old, after: now } = await differingEntries(objects, before, after)
    const oldById = new Map(old.map((entry) => [entry.id, entry]))
    const reordered = movedNames(
      old.map(({ id }) => id),
      now.map(({ id }) => id),
    )
    for (const entry of now) {
      const former = oldById.get(entry.id)
      oldById.delete(entry.id)
      if (!former) {
        come.push({ entry, parent })
        continue
      }
      const isReordered = reordered.has(entry.id)
      if (former.hash === entry.hash && former.slug === entry.slug && !isReordered) continue
      both.push({ before: { entry: former, parent }, after: { entry, parent }, isReordered })
    }
    for (const entry of oldById.values()) gone.push({ entry, parent })
  }

  /** Separates moved pages from added and removed ones. */
  async #settle({ both, gone, come }: Findings): Promise<void> {
    const [stillThere, wasThere] = [await findPlaces(this.#after, gone), await findPlaces(this.#before, come)]
    const moved = (known: ReadonlyMap<string, unknown>) => (one: Standing) =>
      known.has(one.entry.id) && !this.#met.has(one.entry.id)
    for (const one of gone.filter(moved(stillThere))) this.#gone.set(one.entry.id, one)
    for (const after of come.filter(moved(wasThere))) this.#come.set(after.entry.id, after)
    for (const [id, after] of this.#come) {
      const before = this.#gone.get(id)
      if (before) both.push(this.#meet(before, after))
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

  async #seek(): Promise<Met[]> {
    const met: Met[] = []
    for (const id of new Set([...this.#gone.keys(), ...this.#come.keys()])) {
      const before = this.#gone.get(id) ?? (await findStanding(this.#before, id))
      const after = this.#come.get(id) ?? (await findStanding(this.#after, id))
      if (before && after) met.push(this.#meet(before, after))
    }
    return met
  }

  #meet(before: Standing, after: Standing): Met {
    const { id } = after.entry
    this.#gone.delete(id)
    this.#come.delete(id)
    this.#met.add(id)
    return { before, after, isReordered: false }
  }

  async #compareBoth(both: readonly Met[]): Promise<void> {
    const before = await this.#read(both.map((one) => one.before))
    const after = await this.#read(both.map((one) => one.after))
    both.forEach(({ isReordered }, index) => {
      const [old, now] = [before[index] as PageState, after[index] as PageState]
      const { id } = now.entry
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
