import { findMovedNames } from '../document/merge-order.ts'
import { canonicalJson } from '../document/canonical-json.ts'
import { type LocatedEntry, findParents, locateEntries } from './located-entries.ts'
import {
  type ItemEntry,
  type PageEntry,
  type PageFields,
  type PageObject,
  type VariableValue,
  type TagDefinition,
  readObjects,
} from './objects.ts'
import { type EntryChange, type Sequence, diffSorted, emptySequence } from './sequence.ts'
import { readDifferingEntries } from './sequence-changes.ts'
import type { Tree } from './tree.ts'

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

export interface RecordChange<Value> {
  name: string
  before: Value | undefined
  after: Value | undefined
}

export interface TreeDiff {
  pages: PageChange[]
  files: EntryChange<ItemEntry>[]
  reusableContents: EntryChange<ItemEntry>[]
  variables: RecordChange<VariableValue>[]
  tags: RecordChange<TagDefinition>[]
}

/** Thrown when two trees differ in more pages than the caller accepts. */
export class TooManyChangesError extends Error {}

export interface TreeDiffOptions {
  /** Maximum number of pages to read; a `TooManyChangesError` is thrown instead of reading more. */
  maxPages?: number
  /** Called between parts of the work, to yield to the event loop. */
  yieldIfDue?: () => Promise<void>
}

/** Compares two trees. Objects with equal hashes are not read, so the cost depends on the number of differences. */
export async function diffTrees(before: Tree, after: Tree, options: TreeDiffOptions = {}): Promise<TreeDiff> {
  const { objects } = after
  return {
    pages: await new PageComparison(before, after, options).run(),
    files: await diffSorted(objects, before.root.files, after.root.files, hasSameHash),
    reusableContents: await diffSorted(objects, before.root.reusableContents, after.root.reusableContents, hasSameHash),
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
  return pages.every(hasOnlyNewTimestamps) && Object.values(others).every((changes) => changes.length === 0)
}

function hasOnlyNewTimestamps({ before, after, isReordered }: PageChange): boolean {
  if (!before || !after || isReordered || before.parent !== after.parent) return false
  return changedFields(before, after).length === 0
}

const hasSameHash = (a: ItemEntry, b: ItemEntry): boolean => a.hash === b.hash

/** Fields of a page that can change, except its position and its timestamps. */
export type PageField = keyof PageFields | 'slug' | 'document'

/** Returns the fields that differ between two states of a page. */
export function changedFields(before: PageState, after: PageState): PageField[] {
  const names = new Set([...fieldsOfPage(before), ...fieldsOfPage(after)])
  return [...names].filter((name) =>
    name === 'slug' ? before.entry.slug !== after.entry.slug : !isSameValue(before.page[name], after.page[name]),
  )
}

/** Returns the names of the fields that a page has. */
export function fieldsOfPage({ page }: PageState): PageField[] {
  const { kind: _, pages: __, createdAt: ___, updatedAt: ____, ...fields } = page
  return ['slug', ...(Object.keys(fields) as PageField[])]
}

export function isSameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  return a === b || canonicalJson({ value: a }) === canonicalJson({ value: b })
}

export function diffRecords<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): RecordChange<Value>[] {
  if (before === after) return []
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names
    .map((name) => ({ name, before: findOwnValue(before, name), after: findOwnValue(after, name) }))
    .filter((change) => !isSameValue(change.before, change.after))
}

/** Returns an own property of a record with user-defined keys. */
export const findOwnValue = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

interface ListPair {
  /** Parent of the pages in the lists. */
  parent: string | null
  before: Sequence<PageEntry>
  after: Sequence<PageEntry>
}

/** A page that exists in both trees. */
interface MatchedPage {
  before: LocatedEntry
  after: LocatedEntry
  isReordered: boolean
}

/** The pages found by comparing lists. */
interface ListDifferences {
  matched: MatchedPage[]
  onlyBefore: LocatedEntry[]
  onlyAfter: LocatedEntry[]
}

/** Number of pages that are read and compared between two calls of `yieldIfDue`. */
const pagesPerPart = 100

class PageComparison {
  readonly #before: Tree
  readonly #after: Tree
  readonly #changes = new Map<string, PageChange>()
  /** Moved pages that were found on one side only so far. */
  readonly #unmatchedBefore = new Map<string, LocatedEntry>()
  readonly #unmatchedAfter = new Map<string, LocatedEntry>()
  /** Moved pages whose both sides were found. */
  readonly #matchedIds = new Set<string>()
  readonly #maxPages: number
  readonly #yieldIfDue: (() => Promise<void>) | undefined
  #pairs: ListPair[]

  constructor(before: Tree, after: Tree, { maxPages = Infinity, yieldIfDue }: TreeDiffOptions) {
    this.#before = before
    this.#after = after
    this.#maxPages = maxPages
    this.#yieldIfDue = yieldIfDue
    this.#pairs = [{ parent: null, before: before.root.pages, after: after.root.pages }]
  }

  async run(): Promise<PageChange[]> {
    for (;;) {
      const pairs = this.#pairs
      this.#pairs = []
      const differences: ListDifferences = { matched: [], onlyBefore: [], onlyAfter: [] }
      for (const pair of pairs) {
        await this.#compareLists(pair, differences)
        await this.#yieldIfDue?.()
      }
      const { matched, onlyBefore, onlyAfter } = differences
      const pageCount = this.#changes.size + matched.length + onlyBefore.length + onlyAfter.length
      if (pageCount > this.#maxPages) throw new TooManyChangesError(`More than ${this.#maxPages} pages differ`)
      await this.#classify(differences)
      await this.#compareMatched(differences.matched)
      if (this.#pairs.length > 0) continue
      // Comparing lists does not reach pages that were moved below one another, so they are looked up by id.
      if (this.#unmatchedBefore.size === 0 && this.#unmatchedAfter.size === 0) return [...this.#changes.values()]
      await this.#compareMatched(await this.#matchById())
    }
  }

  async #compareLists(
    { parent, before, after }: ListPair,
    { matched, onlyBefore, onlyAfter }: ListDifferences,
  ): Promise<void> {
    const { objects } = this.#after
    const { before: old, after: now } = await readDifferingEntries(objects, before, after)
    const oldById = new Map(old.map((entry) => [entry.id, entry]))
    const reordered = findMovedNames(
      old.map(({ id }) => id),
      now.map(({ id }) => id),
    )
    for (const entry of now) {
      const former = oldById.get(entry.id)
      oldById.delete(entry.id)
      if (!former) {
        onlyAfter.push({ entry, parent })
        continue
      }
      const isReordered = reordered.has(entry.id)
      if (former.hash === entry.hash && former.slug === entry.slug && !isReordered) continue
      matched.push({ before: { entry: former, parent }, after: { entry, parent }, isReordered })
    }
    for (const entry of oldById.values()) onlyBefore.push({ entry, parent })
  }

  /** Separates moved pages from added and removed ones. */
  async #classify({ matched, onlyBefore, onlyAfter }: ListDifferences): Promise<void> {
    const [existingAfter, existingBefore] = [
      await findParents(this.#after, onlyBefore),
      await findParents(this.#before, onlyAfter),
    ]
    const isMovedPage = (existing: ReadonlyMap<string, unknown>) => (one: LocatedEntry) =>
      existing.has(one.entry.id) && !this.#matchedIds.has(one.entry.id)
    for (const before of onlyBefore.filter(isMovedPage(existingAfter)))
      this.#unmatchedBefore.set(before.entry.id, before)
    for (const after of onlyAfter.filter(isMovedPage(existingBefore))) this.#unmatchedAfter.set(after.entry.id, after)
    for (const [id, after] of this.#unmatchedAfter) {
      const before = this.#unmatchedBefore.get(id)
      if (before) matched.push(this.#match(before, after))
    }
    const removed = onlyBefore.filter(({ entry }) => !existingAfter.has(entry.id))
    const added = onlyAfter.filter(({ entry }) => !existingBefore.has(entry.id))
    for (const [state, side] of [
      ...(await this.#readStates(removed)).map((one) => [one, 'before'] as const),
      ...(await this.#readStates(added)).map((one) => [one, 'after'] as const),
    ]) {
      const { id } = state.entry
      const sides = { before: undefined, after: undefined, [side]: state }
      this.#changes.set(id, { id, ...sides, isReordered: false })
      const lists = { before: emptySequence, after: emptySequence, [side]: state.page.pages }
      if (state.page.pages.entries.length > 0) this.#pairs.push({ parent: id, ...lists })
    }
  }

  async #matchById(): Promise<MatchedPage[]> {
    const ids = [...new Set([...this.#unmatchedBefore.keys(), ...this.#unmatchedAfter.keys()])]
    const missingIn = (found: ReadonlyMap<string, unknown>) => ids.filter((id) => !found.has(id))
    const [locatedBefore, locatedAfter] = [
      await locateEntries(this.#before, missingIn(this.#unmatchedBefore)),
      await locateEntries(this.#after, missingIn(this.#unmatchedAfter)),
    ]
    return ids.flatMap((id) => {
      const before = this.#unmatchedBefore.get(id) ?? locatedBefore.get(id)
      const after = this.#unmatchedAfter.get(id) ?? locatedAfter.get(id)
      return before && after ? [this.#match(before, after)] : []
    })
  }

  #match(before: LocatedEntry, after: LocatedEntry): MatchedPage {
    const { id } = after.entry
    this.#unmatchedBefore.delete(id)
    this.#unmatchedAfter.delete(id)
    this.#matchedIds.add(id)
    return { before, after, isReordered: false }
  }

  async #compareMatched(matched: readonly MatchedPage[]): Promise<void> {
    for (let start = 0; start < matched.length; start += pagesPerPart) {
      await this.#compareStates(matched.slice(start, start + pagesPerPart))
      await this.#yieldIfDue?.()
    }
  }

  async #compareStates(matched: readonly MatchedPage[]): Promise<void> {
    const before = await this.#readStates(matched.map((one) => one.before))
    const after = await this.#readStates(matched.map((one) => one.after))
    matched.forEach(({ isReordered }, index) => {
      const [old, now] = [before[index] as PageState, after[index] as PageState]
      const { id } = now.entry
      if (isReordered || old.parent !== now.parent || changedFields(old, now).length > 0) {
        this.#changes.set(id, { id, before: old, after: now, isReordered })
      }
      if (!isSameValue(old.page.pages, now.page.pages)) {
        this.#pairs.push({ parent: id, before: old.page.pages, after: now.page.pages })
      }
    })
  }

  async #readStates(located: readonly LocatedEntry[]): Promise<PageState[]> {
    const pages = await readObjects(
      this.#after.objects,
      'page',
      located.map(({ entry }) => entry.hash),
    )
    return located.map((one, index) => ({ ...one, page: pages[index] as PageObject }))
  }
}
