import { type BlockConflict as DisputedBlock, conflictPlaceOf, maxParts } from '../document/merge.ts'
import { mergeOwn } from '../document/merge-own.ts'
import type { Block } from '../document/nodes.ts'
import { type Index, indexOf, isSame } from '../document/parts.ts'
import { type Conflict, type Sides, isAboutBlock } from './conflict.ts'
import { sameValue } from './diff.ts'
import { type NamedEntry, type ReusableContentObject, readObjects } from './objects.ts'
import { findInSorted, readSequence } from './sequence.ts'
import type { PageLocation } from './subtree.ts'
import { type LocatedPage, type Tree, findPages } from './tree.ts'

/**
 * Refreshes open conflicts against the current content of both sides. The result is undefined for a conflict whose sides no
 * longer differ, or whose page or reusable content no longer exists on both sides.
 */
export async function refreshConflicts(
  conflicts: readonly Conflict[],
  { ours, theirs }: { ours: Tree; theirs: Tree },
): Promise<(Conflict | undefined)[]> {
  if (conflicts.length === 0) return []
  const [mine, other] = [await Side.load(ours, conflicts), await Side.load(theirs, conflicts)]
  return conflicts.map((conflict) => refresh(conflict, mine, other))
}

function refresh(conflict: Conflict, mine: Side, other: Side): Conflict | undefined {
  switch (conflict.on) {
    case 'page':
      return refreshPage(conflict, mine, other)
    case 'file': {
      const sides = { ours: mine.file(conflict.file), theirs: other.file(conflict.file) }
      return differs(sides) ? { ...conflict, ...sides } : undefined
    }
    case 'reusable-content':
      return refreshReusableContent(conflict, mine, other)
    case 'variable': {
      const valueIn = ({ tree }: Side) => own(tree.root.variables, conflict.name)
      const sides = { ours: valueIn(mine), theirs: valueIn(other) }
      return differs(sides) ? { ...conflict, ...sides } : undefined
    }
    case 'tag': {
      const valueIn = ({ tree }: Side) => own(tree.root.tags, conflict.slug)
      const sides = { ours: valueIn(mine), theirs: valueIn(other) }
      return differs(sides) ? { ...conflict, ...sides } : undefined
    }
  }
}

function refreshPage(conflict: Extract<Conflict, { on: 'page' }>, mine: Side, other: Side): Conflict | undefined {
  const [ours, theirs] = [mine.page(conflict.page), other.page(conflict.page)]
  if (conflict.about === 'existence') {
    const sides = { ours: ours ? placedPageOf(ours) : null, theirs: theirs ? placedPageOf(theirs) : null }
    return differs(sides) ? { ...conflict, ...sides } : undefined
  }
  // The existence of the page is a separate conflict.
  if (!ours || !theirs) return undefined
  switch (conflict.about) {
    case 'place': {
      const sides = { ours: parentOf(ours), theirs: parentOf(theirs) }
      if (differs(sides)) return { ...conflict, ...sides }
      return conflict.after && refreshOrder({ ...conflict, ...sides }, conflict.after, mine, other)
    }
    case 'field': {
      const valueIn = ({ entry, page }: LocatedPage) =>
        conflict.field === 'slug' ? entry.slug : (page as unknown as Record<string, unknown>)[conflict.field]
      const sides = { ours: valueIn(ours), theirs: valueIn(theirs) }
      return differs(sides) ? { ...conflict, ...sides } : undefined
    }
    case 'block':
      return refreshBlock(conflict, mine.blocksOf(ours.page.document), other.blocksOf(theirs.page.document))
  }
}

/** Compares the order of pages, considering only pages that exist on both sides. */
function refreshOrder(
  conflict: Extract<Conflict, { about: 'place' }>,
  { base }: Sides<string | null>,
  mine: Side,
  other: Side,
): Conflict | undefined {
  const { page, ours: parent } = conflict
  const [ours, theirs] = [mine.childrenOf(parent), other.childrenOf(parent)]
  const previous = (ids: readonly string[]) => ids[ids.indexOf(page) - 1] ?? null
  const [known, common] = [new Set(theirs), new Set(ours)]
  const agree = previous(ours.filter((id) => known.has(id))) === previous(theirs.filter((id) => common.has(id)))
  return agree ? undefined : { ...conflict, after: { base, ours: previous(ours), theirs: previous(theirs) } }
}

function refreshReusableContent(
  conflict: Extract<Conflict, { on: 'reusable-content' }>,
  mine: Side,
  other: Side,
): Conflict | undefined {
  const id = conflict.reusableContent
  if (conflict.about === 'existence') {
    const entries = { ours: mine.reusableContentEntry(id), theirs: other.reusableContentEntry(id) }
    return differs(entries) ? { ...conflict, ...entries } : undefined
  }
  const [ours, theirs] = [mine.reusableContent(id), other.reusableContent(id)]
  if (!ours || !theirs) return undefined
  if (conflict.about === 'block') {
    return refreshBlock(conflict, mine.blocksOf(ours.document), other.blocksOf(theirs.document))
  }
  const sides = { ours: ours[conflict.field], theirs: theirs[conflict.field] }
  return differs(sides) ? { ...conflict, ...sides } : undefined
}

function refreshBlock(
  conflict: Extract<Conflict, { about: 'block' }>,
  mine: Index,
  other: Index,
): Conflict | undefined {
  const { block } = conflict
  const { key } = block
  if (block.part === 'place') {
    const [our, their] = [mine.get(key), other.get(key)]
    const places = { ours: our ? conflictPlaceOf(our) : null, theirs: their ? conflictPlaceOf(their) : null }
    return differs(places) ? { ...conflict, block: { ...block, ...places } } : undefined
  }
  const [ours, theirs] = [mine.get(key)?.block ?? null, other.get(key)?.block ?? null]
  if (isSame(ours, theirs)) return undefined
  return { ...conflict, block: { ...block, ours, theirs, ...disputedParts(block, ours, theirs) } }
}

/** Returns the parts of a table that conflict now. */
function disputedParts(block: DisputedBlock, ours: Block | null, theirs: Block | null): Pick<DisputedBlock, 'parts'> {
  if (!block.parts || !ours || !theirs) return {}
  if (isSame(block.ours, ours) && isSame(block.theirs, theirs)) return {}
  const { parts = [] } = mergeOwn(block.base ?? undefined, ours, theirs, { prefer: 'ours' })
  return { parts: parts.slice(0, maxParts) }
}

const differs = ({ ours, theirs }: { ours: unknown; theirs: unknown }): boolean => !sameValue(ours, theirs)

const own = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | null =>
  Object.hasOwn(record, name) ? (record[name] ?? null) : null

const parentOf = ({ ancestors }: LocatedPage): string | null => ancestors.at(-1)?.id ?? null

const placedPageOf = (page: LocatedPage): PageLocation => ({ entry: page.entry, parent: parentOf(page) })

/** The items of a tree that conflicts are about, read in batches. */
class Side {
  readonly tree: Tree
  readonly #pages: ReadonlyMap<string, LocatedPage>
  readonly #files: ReadonlyMap<string, NamedEntry>
  readonly #contentEntries: ReadonlyMap<string, NamedEntry>
  readonly #contents = new Map<string, ReusableContentObject>()
  readonly #blocks = new Map<string, Index>()
  readonly #orders = new Map<string | null, readonly string[]>()

  private constructor(
    tree: Tree,
    pages: ReadonlyMap<string, LocatedPage>,
    files: ReadonlyMap<string, NamedEntry>,
    contentEntries: ReadonlyMap<string, NamedEntry>,
  ) {
    this.tree = tree
    this.#pages = pages
    this.#files = files
    this.#contentEntries = contentEntries
  }

  static async load(tree: Tree, conflicts: readonly Conflict[]): Promise<Side> {
    const { objects, root } = tree
    const [pages, files, contents] = [new Set<string>(), new Set<string>(), new Set<string>()]
    for (const conflict of conflicts) {
      if (conflict.on === 'page') pages.add(conflict.page)
      else if (conflict.on === 'file') files.add(conflict.file)
      else if (conflict.on === 'reusable-content') contents.add(conflict.reusableContent)
    }
    const side = new Side(
      tree,
      await findPages(tree, [...pages]),
      await findInSorted(objects, root.files, [...files]),
      await findInSorted(objects, root.reusableContents, [...contents]),
    )
    await side.#readTexts(conflicts.filter(isAboutBlock))
    await side.#readOrders(conflicts)
    return side
  }

  async #readTexts(conflicts: readonly Extract<Conflict, { about: 'block' }>[]): Promise<void> {
    const { objects } = this.tree
    const entries = [...this.#contentEntries.values()]
    const contents = await readObjects(
      objects,
      'reusable-content',
      entries.map(({ hash }) => hash),
    )
    contents.forEach((content, index) => this.#contents.set((entries[index] as NamedEntry).id, content))
    const hashes = new Set<string>()
    for (const conflict of conflicts) {
      const owner =
        conflict.on === 'page' ? this.page(conflict.page)?.page : this.reusableContent(conflict.reusableContent)
      if (owner?.document !== undefined) hashes.add(owner.document)
    }
    const documents = await readObjects(objects, 'document', [...hashes])
    for (const [index, hash] of [...hashes].entries()) {
      const document = documents[index]?.document
      this.#blocks.set(hash, (document && indexOf(document)) ?? new Map())
    }
  }

  async #readOrders(conflicts: readonly Conflict[]): Promise<void> {
    const { objects, root } = this.tree
    const parents = new Set<string | null>()
    for (const conflict of conflicts) {
      const page = 'after' in conflict && conflict.after ? this.page(conflict.page) : undefined
      if (page) parents.add(parentOf(page))
    }
    const pages = await findPages(
      this.tree,
      [...parents].filter((id) => id !== null),
    )
    for (const parent of parents) {
      const list = parent === null ? root.pages : pages.get(parent)?.page.pages
      const entries = list ? await readSequence(objects, list) : []
      this.#orders.set(
        parent,
        entries.map(({ id }) => id),
      )
    }
  }

  childrenOf(parent: string | null): readonly string[] {
    return this.#orders.get(parent) ?? []
  }

  page(id: string): LocatedPage | undefined {
    return this.#pages.get(id)
  }

  blocksOf(hash: string | undefined): Index {
    return (hash === undefined ? undefined : this.#blocks.get(hash)) ?? new Map()
  }

  file(id: string): NamedEntry | null {
    return this.#files.get(id) ?? null
  }

  reusableContentEntry(id: string): NamedEntry | null {
    return this.#contentEntries.get(id) ?? null
  }

  reusableContent(id: string): ReusableContentObject | undefined {
    return this.#contents.get(id)
  }
}
