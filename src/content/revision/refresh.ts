import { placeOf } from '../document/merge.ts'
import { type Index, indexOf, isSame } from '../document/parts.ts'
import type { Conflict, PageStand } from './conflict.ts'
import { sameValue } from './diff.ts'
import { type NamedEntry, type ReusableContentObject, readObject } from './objects.ts'
import { type Sequence, findInSorted } from './sequence.ts'
import { type LocatedPage, type Tree, findPage } from './tree.ts'

/**
 * What conflicts that were found earlier come to by now: each with what both sides have, or undefined where these no
 * longer differ or one has nothing that could differ.
 */
export async function refreshConflicts(
  conflicts: readonly Conflict[],
  { ours, theirs }: { ours: Tree; theirs: Tree },
): Promise<(Conflict | undefined)[]> {
  const [mine, other] = [new Reader(ours), new Reader(theirs)]
  const refreshed: (Conflict | undefined)[] = []
  for (const conflict of conflicts) refreshed.push(await refresh(conflict, mine, other))
  return refreshed
}

async function refresh(conflict: Conflict, mine: Reader, other: Reader): Promise<Conflict | undefined> {
  switch (conflict.on) {
    case 'page':
      return refreshPage(conflict, mine, other)
    case 'file': {
      const sides = { ours: await mine.file(conflict.file), theirs: await other.file(conflict.file) }
      return differs(sides) ? { ...conflict, ...sides } : undefined
    }
    case 'reusable-content':
      return refreshReusableContent(conflict, mine, other)
    case 'variable': {
      const valueIn = ({ tree }: Reader) => own(tree.root.variables, conflict.name)
      const sides = { ours: valueIn(mine), theirs: valueIn(other) }
      return differs(sides) ? { ...conflict, ...sides } : undefined
    }
    case 'tag': {
      const valueIn = ({ tree }: Reader) => own(tree.root.tags, conflict.slug)
      const sides = { ours: valueIn(mine), theirs: valueIn(other) }
      return differs(sides) ? { ...conflict, ...sides } : undefined
    }
  }
}

async function refreshPage(
  conflict: Extract<Conflict, { on: 'page' }>,
  mine: Reader,
  other: Reader,
): Promise<Conflict | undefined> {
  const [ours, theirs] = [await mine.page(conflict.page), await other.page(conflict.page)]
  if (conflict.about === 'existence') {
    const sides = { ours: ours ? standOf(ours) : null, theirs: theirs ? standOf(theirs) : null }
    return differs(sides) ? { ...conflict, ...sides } : undefined
  }
  // Whether the page is to exist is another conflict.
  if (!ours || !theirs) return undefined
  switch (conflict.about) {
    case 'place': {
      const sides = { ours: parentOf(ours), theirs: parentOf(theirs) }
      return differs(sides) ? { ...conflict, ...sides } : undefined
    }
    case 'field': {
      const valueIn = ({ entry, page }: LocatedPage) =>
        conflict.field === 'slug' ? entry.slug : (page as unknown as Record<string, unknown>)[conflict.field]
      const sides = { ours: valueIn(ours), theirs: valueIn(theirs) }
      return differs(sides) ? { ...conflict, ...sides } : undefined
    }
    case 'block':
      return refreshBlock(conflict, await mine.blocksOf(ours.page.document), await other.blocksOf(theirs.page.document))
  }
}

async function refreshReusableContent(
  conflict: Extract<Conflict, { on: 'reusable-content' }>,
  mine: Reader,
  other: Reader,
): Promise<Conflict | undefined> {
  const id = conflict.reusableContent
  const entries = { ours: await mine.reusableContent(id), theirs: await other.reusableContent(id) }
  if (conflict.about === 'existence') return differs(entries) ? { ...conflict, ...entries } : undefined
  if (!entries.ours || !entries.theirs) return undefined
  const [ours, theirs] = [await mine.read(entries.ours), await other.read(entries.theirs)]
  if (conflict.about === 'block') {
    return refreshBlock(conflict, await mine.blocksOf(ours.document), await other.blocksOf(theirs.document))
  }
  const titles = { ours: ours.title, theirs: theirs.title }
  return differs(titles) ? { ...conflict, ...titles } : undefined
}

function refreshBlock(
  conflict: Extract<Conflict, { about: 'block' }>,
  mine: Index,
  other: Index,
): Conflict | undefined {
  const { key } = conflict.block
  if (conflict.block.part === 'place') {
    const [our, their] = [mine.get(key), other.get(key)]
    const places = { ours: our ? placeOf(our) : null, theirs: their ? placeOf(their) : null }
    return differs(places) ? { ...conflict, block: { ...conflict.block, ...places } } : undefined
  }
  const [ours, theirs] = [mine.get(key)?.block ?? null, other.get(key)?.block ?? null]
  return isSame(ours, theirs) ? undefined : { ...conflict, block: { ...conflict.block, ours, theirs } }
}

const differs = ({ ours, theirs }: { ours: unknown; theirs: unknown }): boolean => !sameValue(ours, theirs)

const own = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | null =>
  Object.hasOwn(record, name) ? (record[name] ?? null) : null

const parentOf = ({ ancestors }: LocatedPage): string | null => ancestors.at(-1)?.id ?? null

const standOf = (page: LocatedPage): PageStand => ({ entry: page.entry, parent: parentOf(page) })

/** Reads a tree; the page and the text that were read last are at hand, as conflicts about one stand together. */
class Reader {
  readonly tree: Tree
  #page: { id: string; found: LocatedPage | undefined } | undefined
  #blocks: { hash: string; index: Index } | undefined

  constructor(tree: Tree) {
    this.tree = tree
  }

  async page(id: string): Promise<LocatedPage | undefined> {
    if (this.#page?.id !== id) this.#page = { id, found: await findPage(this.tree, id) }
    return this.#page.found
  }

  async blocksOf(hash: string | undefined): Promise<Index> {
    if (hash === undefined) return new Map()
    if (this.#blocks?.hash !== hash) {
      const { document } = await readObject(this.tree.objects, 'document', hash)
      this.#blocks = { hash, index: indexOf(document) ?? new Map() }
    }
    return this.#blocks.index
  }

  file(id: string): Promise<NamedEntry | null> {
    return this.#entry(this.tree.root.files, id)
  }

  reusableContent(id: string): Promise<NamedEntry | null> {
    return this.#entry(this.tree.root.reusableContents, id)
  }

  read(entry: NamedEntry): Promise<ReusableContentObject> {
    return readObject(this.tree.objects, 'reusable-content', entry.hash)
  }

  async #entry(entries: Sequence<NamedEntry>, id: string): Promise<NamedEntry | null> {
    return (await findInSorted(this.tree.objects, entries, [id])).get(id) ?? null
  }
}
