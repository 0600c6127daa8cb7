import { type BlockConflict as DisputedBlock, toBlockPosition, maxConflictingParts } from '../document/merge.ts'
import { mergeBlockShallow } from '../document/merge-block.ts'
import type { Block } from '../document/nodes.ts'
import { type BlockIndex, indexBlocks, isEqualContent } from '../document/block-groups.ts'
import { type Conflict, type Sides, isConflictAboutBlock } from './conflict.ts'
import { isSameValue } from './diff.ts'
import { type ItemEntry, type ReusableContentObject, readObjects } from './objects.ts'
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
  const [mine, other] = [await SideContent.load(ours, conflicts), await SideContent.load(theirs, conflicts)]
  return conflicts.map((conflict) => refreshConflict(conflict, mine, other))
}

function refreshConflict(conflict: Conflict, mine: SideContent, other: SideContent): Conflict | undefined {
  switch (conflict.on) {
    case 'page':
      return refreshPage(conflict, mine, other)
    case 'file': {
      const sides = { ours: mine.file(conflict.file), theirs: other.file(conflict.file) }
      return sidesDiffer(sides) ? { ...conflict, ...sides } : undefined
    }
    case 'reusable-content':
      return refreshReusableContent(conflict, mine, other)
    case 'variable': {
      const valueIn = ({ tree }: SideContent) => findOwnValueOrNull(tree.root.variables, conflict.name)
      const sides = { ours: valueIn(mine), theirs: valueIn(other) }
      return sidesDiffer(sides) ? { ...conflict, ...sides } : undefined
    }
    case 'tag': {
      const valueIn = ({ tree }: SideContent) => findOwnValueOrNull(tree.root.tags, conflict.slug)
      const sides = { ours: valueIn(mine), theirs: valueIn(other) }
      return sidesDiffer(sides) ? { ...conflict, ...sides } : undefined
    }
  }
}

function refreshPage(
  conflict: Extract<Conflict, { on: 'page' }>,
  mine: SideContent,
  other: SideContent,
): Conflict | undefined {
  const [ours, theirs] = [mine.page(conflict.page), other.page(conflict.page)]
  if (conflict.about === 'existence') {
    const sides = { ours: ours ? toPageLocation(ours) : null, theirs: theirs ? toPageLocation(theirs) : null }
    return sidesDiffer(sides) ? { ...conflict, ...sides } : undefined
  }
  // The existence of the page is a separate conflict.
  if (!ours || !theirs) return undefined
  switch (conflict.about) {
    case 'place': {
      const sides = { ours: parentOf(ours), theirs: parentOf(theirs) }
      if (sidesDiffer(sides)) return { ...conflict, ...sides }
      return conflict.after && refreshOrder({ ...conflict, ...sides }, conflict.after, mine, other)
    }
    case 'field': {
      const valueIn = ({ entry, page }: LocatedPage) =>
        conflict.field === 'slug' ? entry.slug : (page as unknown as Record<string, unknown>)[conflict.field]
      const sides = { ours: valueIn(ours), theirs: valueIn(theirs) }
      return sidesDiffer(sides) ? { ...conflict, ...sides } : undefined
    }
    case 'block':
      return refreshBlock(conflict, mine.blocksOf(ours.page.document), other.blocksOf(theirs.page.document))
  }
}

/** Compares the order of pages, considering only pages that exist on both sides. */
function refreshOrder(
  conflict: Extract<Conflict, { about: 'place' }>,
  { base }: Sides<string | null>,
  mine: SideContent,
  other: SideContent,
): Conflict | undefined {
  const { page, ours: parent } = conflict
  const [ours, theirs] = [mine.childIdsOf(parent), other.childIdsOf(parent)]
  const previous = (ids: readonly string[]) => ids[ids.indexOf(page) - 1] ?? null
  const [theirIds, ourIds] = [new Set(theirs), new Set(ours)]
  const isSameOrder =
    previous(ours.filter((id) => theirIds.has(id))) === previous(theirs.filter((id) => ourIds.has(id)))
  return isSameOrder ? undefined : { ...conflict, after: { base, ours: previous(ours), theirs: previous(theirs) } }
}

function refreshReusableContent(
  conflict: Extract<Conflict, { on: 'reusable-content' }>,
  mine: SideContent,
  other: SideContent,
): Conflict | undefined {
  const id = conflict.reusableContent
  if (conflict.about === 'existence') {
    const entries = { ours: mine.reusableContentEntry(id), theirs: other.reusableContentEntry(id) }
    return sidesDiffer(entries) ? { ...conflict, ...entries } : undefined
  }
  const [ours, theirs] = [mine.reusableContent(id), other.reusableContent(id)]
  if (!ours || !theirs) return undefined
  if (conflict.about === 'block') {
    return refreshBlock(conflict, mine.blocksOf(ours.document), other.blocksOf(theirs.document))
  }
  const sides = { ours: ours[conflict.field], theirs: theirs[conflict.field] }
  return sidesDiffer(sides) ? { ...conflict, ...sides } : undefined
}

function refreshBlock(
  conflict: Extract<Conflict, { about: 'block' }>,
  mine: BlockIndex,
  other: BlockIndex,
): Conflict | undefined {
  const { block } = conflict
  const { key } = block
  if (block.part === 'place') {
    const [our, their] = [mine.get(key), other.get(key)]
    const places = { ours: our ? toBlockPosition(our) : null, theirs: their ? toBlockPosition(their) : null }
    return sidesDiffer(places) ? { ...conflict, block: { ...block, ...places } } : undefined
  }
  const [ours, theirs] = [mine.get(key)?.block ?? null, other.get(key)?.block ?? null]
  if (isEqualContent(ours, theirs)) return undefined
  return { ...conflict, block: { ...block, ours, theirs, ...refreshConflictingParts(block, ours, theirs) } }
}

/** Returns the parts of a table that conflict now. */
function refreshConflictingParts(
  block: DisputedBlock,
  ours: Block | null,
  theirs: Block | null,
): Pick<DisputedBlock, 'parts'> {
  if (!block.parts || !ours || !theirs) return {}
  if (isEqualContent(block.ours, ours) && isEqualContent(block.theirs, theirs)) return {}
  const { parts = [] } = mergeBlockShallow(block.base ?? undefined, ours, theirs, { prefer: 'ours' })
  return { parts: parts.slice(0, maxConflictingParts) }
}

const sidesDiffer = ({ ours, theirs }: { ours: unknown; theirs: unknown }): boolean => !isSameValue(ours, theirs)

const findOwnValueOrNull = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | null =>
  Object.hasOwn(record, name) ? (record[name] ?? null) : null

const parentOf = ({ ancestors }: LocatedPage): string | null => ancestors.at(-1)?.id ?? null

const toPageLocation = (page: LocatedPage): PageLocation => ({ entry: page.entry, parent: parentOf(page) })

/** The items of a tree that conflicts are about, read in batches. */
class SideContent {
  readonly tree: Tree
  readonly #pages: ReadonlyMap<string, LocatedPage>
  readonly #files: ReadonlyMap<string, ItemEntry>
  readonly #reusableContentEntries: ReadonlyMap<string, ItemEntry>
  readonly #reusableContents = new Map<string, ReusableContentObject>()
  readonly #blocks = new Map<string, BlockIndex>()
  readonly #childIds = new Map<string | null, readonly string[]>()

  private constructor(
    tree: Tree,
    pages: ReadonlyMap<string, LocatedPage>,
    files: ReadonlyMap<string, ItemEntry>,
    contentEntries: ReadonlyMap<string, ItemEntry>,
  ) {
    this.tree = tree
    this.#pages = pages
    this.#files = files
    this.#reusableContentEntries = contentEntries
  }

  static async load(tree: Tree, conflicts: readonly Conflict[]): Promise<SideContent> {
    const { objects, root } = tree
    const [pages, files, contents] = [new Set<string>(), new Set<string>(), new Set<string>()]
    for (const conflict of conflicts) {
      if (conflict.on === 'page') pages.add(conflict.page)
      else if (conflict.on === 'file') files.add(conflict.file)
      else if (conflict.on === 'reusable-content') contents.add(conflict.reusableContent)
    }
    const side = new SideContent(
      tree,
      await findPages(tree, [...pages]),
      await findInSorted(objects, root.files, [...files]),
      await findInSorted(objects, root.reusableContents, [...contents]),
    )
    await side.#readDocuments(conflicts.filter(isConflictAboutBlock))
    await side.#readChildIds(conflicts)
    return side
  }

  async #readDocuments(conflicts: readonly Extract<Conflict, { about: 'block' }>[]): Promise<void> {
    const { objects } = this.tree
    const entries = [...this.#reusableContentEntries.values()]
    const contents = await readObjects(
      objects,
      'reusable-content',
      entries.map(({ hash }) => hash),
    )
    contents.forEach((content, index) => this.#reusableContents.set((entries[index] as ItemEntry).id, content))
    const hashes = new Set<string>()
    for (const conflict of conflicts) {
      const owner =
        conflict.on === 'page' ? this.page(conflict.page)?.page : this.reusableContent(conflict.reusableContent)
      if (owner?.document !== undefined) hashes.add(owner.document)
    }
    const documents = await readObjects(objects, 'document', [...hashes])
    for (const [index, hash] of [...hashes].entries()) {
      const document = documents[index]?.document
      this.#blocks.set(hash, (document && indexBlocks(document)) ?? new Map())
    }
  }

  async #readChildIds(conflicts: readonly Conflict[]): Promise<void> {
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
      this.#childIds.set(
        parent,
        entries.map(({ id }) => id),
      )
    }
  }

  childIdsOf(parent: string | null): readonly string[] {
    return this.#childIds.get(parent) ?? []
  }

  page(id: string): LocatedPage | undefined {
    return this.#pages.get(id)
  }

  blocksOf(hash: string | undefined): BlockIndex {
    return (hash === undefined ? undefined : this.#blocks.get(hash)) ?? new Map()
  }

  file(id: string): ItemEntry | null {
    return this.#files.get(id) ?? null
  }

  reusableContentEntry(id: string): ItemEntry | null {
    return this.#reusableContentEntries.get(id) ?? null
  }

  reusableContent(id: string): ReusableContentObject | undefined {
    return this.#reusableContents.get(id)
  }
}
