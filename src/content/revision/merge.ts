import { mergeDocuments } from '../document/merge.ts'
import { type Conflict, insertSubtree, withField, withValue } from './conflict.ts'
import {
  type NamedChange,
  type PageChange,
  type PageField,
  type PageState,
  type TreeDiff,
  changedFields,
  diffTrees,
  sameValue,
} from './diff.ts'
import { Draft, type OpenPage } from './draft.ts'
import { type FileObject, type NamedEntry, type Objects, readObject } from './objects.ts'
import { placeLike } from './order.ts'
import { type EntryChange, diffSorted, readSequence } from './sequence.ts'
import { type Tree, findPage, lineageOf, openTree } from './tree.ts'

export interface MergeResult {
  /** The hash of the root of the merged tree. */
  root: string
  conflicts: Conflict[]
}

/**
 * Merges two trees that grew from one. What ours changed is done again on theirs, so the cost follows what ours changed.
 * What both changed, each in its own way, is a conflict: ours stays in place and theirs is told.
 */
export async function mergeTrees(
  objects: Objects,
  hashes: { base: string; ours: string; theirs: string },
): Promise<MergeResult> {
  if (hashes.ours === hashes.base || hashes.ours === hashes.theirs) return { root: hashes.theirs, conflicts: [] }
  if (hashes.theirs === hashes.base) return { root: hashes.ours, conflicts: [] }
  const base = await openTree(objects, hashes.base)
  const ours = await openTree(objects, hashes.ours)
  const theirs = await openTree(objects, hashes.theirs)
  return new Merge(base, ours, theirs).run()
}

class Merge {
  readonly #objects: Objects
  readonly #base: Tree
  readonly #ours: Tree
  readonly #theirs: Tree
  readonly #draft: Draft
  readonly #conflicts: Conflict[] = []
  /** The pages that ours put where they are, by the list they are in. */
  readonly #placed = new Map<string | null, Set<string>>()
  /** Pages that were put back as ours has them, so that nothing is left to do about them. */
  readonly #restored = new Set<string>()

  constructor(base: Tree, ours: Tree, theirs: Tree) {
    this.#objects = ours.objects
    this.#base = base
    this.#ours = ours
    this.#theirs = theirs
    this.#draft = new Draft(theirs, { maxDepth: Infinity })
  }

  async run(): Promise<MergeResult> {
    const diff = await diffTrees(this.#base, this.#ours)
    const removed = new Set(diff.pages.filter(({ after }) => !after).map(({ id }) => id))
    for (const change of diff.pages) if (change.after && !change.before) await this.#addPage(change.after)
    for (const change of diff.pages)
      if (change.before && change.after) await this.#changePage(change, change.before, change.after)
    for (const change of diff.pages) if (change.before && !change.after) await this.#removePage(change.before, removed)
    for (const [parent, ids] of this.#placed) await this.#order(parent, ids)
    for (const change of diff.files) await this.#mergeFile(change)
    for (const change of diff.reusableContents) await this.#mergeReusableContent(change)
    for (const change of diff.variables) this.#mergeVariable(change)
    for (const change of diff.tags) this.#mergeTag(change)
    await this.#keepFormerPaths()
    return { root: await this.#draft.commit(), conflicts: this.#conflicts }
  }

  // Pages

  async #addPage({ entry, page, parent }: PageState): Promise<void> {
    if (this.#restored.has(entry.id)) return
    await this.#restoreIfGone(parent)
    if (this.#restored.has(entry.id)) return
    const there = await this.#draft.findPage(entry.id)
    if (there) return this.#mergeFields(undefined, { entry, page, parent }, there)
    const { kind: _, pages: __, ...body } = page
    await this.#draft.insertPage({ id: entry.id, type: entry.type, slug: entry.slug, body }, { into: parent })
    this.#notePlace(parent, entry.id)
  }

  async #changePage(change: PageChange, before: PageState, after: PageState): Promise<void> {
    await this.#restoreIfGone(change.id)
    if (this.#restored.has(change.id)) return
    const there = await this.#draft.getPage(change.id)
    await this.#mergeFields(before, after, there)
    if (before.parent !== after.parent) await this.#mergePlace(before, after)
    else if (change.isReordered && there.parent === after.parent) this.#notePlace(after.parent, change.id)
  }

  async #removePage(before: PageState, removed: ReadonlySet<string>): Promise<void> {
    const { id } = before.entry
    // Those below a removed page go with it.
    if (before.parent !== null && removed.has(before.parent)) return
    const there = await findPage(this.#theirs, id)
    if (!there) return
    const parent = there.ancestors.at(-1)?.id ?? null
    const isUntouched =
      there.entry.hash === before.entry.hash && there.entry.slug === before.entry.slug && parent === before.parent
    if (!isUntouched) {
      this.#conflicts.push({
        on: 'page',
        page: id,
        about: 'existence',
        base: { entry: before.entry, parent: before.parent },
        ours: null,
        theirs: { entry: there.entry, parent },
      })
    }
    if (await this.#draft.findPage(id)) await this.#draft.deletePage(id)
  }

  /** Where theirs removed what ours still works on, ours is put back: the highest page that is gone, with all below it. */
  async #restoreIfGone(id: string | null): Promise<void> {
    if (id === null) return
    const lineage = (await lineageOf(this.#ours, id)) ?? []
    for (const above of lineage) {
      if (await this.#draft.findPage(above)) continue
      const [base, ours] = [await findPage(this.#base, above), await findPage(this.#ours, above)]
      if (!ours) return
      // A page that ours added is not there because its turn has not come.
      if (!base) return
      const parent = ours.ancestors.at(-1)?.id ?? null
      const stand = { entry: ours.entry, parent }
      this.#conflicts.push({
        on: 'page',
        page: above,
        about: 'existence',
        base: { entry: base.entry, parent: base.ancestors.at(-1)?.id ?? null },
        ours: stand,
        theirs: null,
      })
      for (const inserted of await insertSubtree(this.#ours, this.#draft, stand)) this.#restored.add(inserted)
      this.#notePlace(parent, above)
      return
    }
  }

  async #mergePlace(before: PageState, after: PageState): Promise<void> {
    const { id } = before.entry
    await this.#restoreIfGone(after.parent)
    const there = await this.#draft.getPage(id)
    if (there.parent !== after.parent) {
      if (there.parent !== before.parent) this.#tellPlace(id, before.parent, after.parent, there.parent)
      await this.#breakCircle(id, after.parent)
      await this.#draft.movePage(id, { into: after.parent })
    }
    this.#notePlace(after.parent, id)
  }

  /** When theirs put the page's new parent under the page itself, what theirs moved goes back to where ours has it. */
  async #breakCircle(id: string, target: string | null): Promise<void> {
    for (let next = target; next !== null && next !== id;) {
      const page: OpenPage = await this.#draft.getPage(next)
      if (page.parent === id || (await this.#isBelow(page.parent, id))) {
        const ours = (await lineageOf(this.#ours, next)) ?? []
        const parentInOurs = ours.at(-2) ?? null
        if (parentInOurs !== page.parent && !(await this.#isBelow(parentInOurs, next))) {
          const base = (await lineageOf(this.#base, next)) ?? []
          this.#tellPlace(next, base.at(-2) ?? null, parentInOurs, page.parent)
          await this.#draft.movePage(next, { into: parentInOurs })
        }
      }
      next = (await this.#draft.getPage(next)).parent
    }
  }

  async #isBelow(id: string | null, above: string): Promise<boolean> {
    for (let next = id; next !== null; next = (await this.#draft.findPage(next))?.parent ?? null) {
      if (next === above) return true
    }
    return false
  }

  #tellPlace(page: string, base: string | null, ours: string | null, theirs: string | null): void {
    this.#conflicts.push({ on: 'page', page, about: 'place', base, ours, theirs })
  }

  #notePlace(parent: string | null, id: string): void {
    const placed = this.#placed.get(parent)
    if (placed) placed.add(id)
    else this.#placed.set(parent, new Set([id]))
  }

  async #order(parent: string | null, placed: ReadonlySet<string>): Promise<void> {
    const inOurs = parent === null ? undefined : await findPage(this.#ours, parent)
    const list = parent === null ? this.#ours.root.pages : inOurs?.page.pages
    if (!list || (parent !== null && !(await this.#draft.findPage(parent)))) return
    const model = (await readSequence(this.#objects, list)).map(({ id }) => id)
    const current = (await this.#draft.children(parent)).map(({ id }) => id)
    await this.#draft.reorder(parent, placeLike(current, model, placed))
  }

  async #mergeFields(before: PageState | undefined, after: PageState, there: OpenPage): Promise<void> {
    const page = after.entry.id
    const fields = before ? changedFields(before, after) : allFields(after)
    for (const field of fields) {
      if (field === 'document') {
        await this.#mergeBody(page, before?.page.document, after.page.document, there.body.document)
        continue
      }
      const [base, ours] = [before && fieldOf(before, field), fieldOf(after, field)]
      const theirs = field === 'slug' ? there.slug : there.body[field]
      const merged = mergeValues(base, ours, theirs)
      if (merged.isConflict) this.#conflicts.push({ on: 'page', page, about: 'field', field, base, ours, theirs })
      if (field === 'slug') {
        const slug = await this.#draft.freeSlug(there.parent, String(merged.value), page)
        await this.#draft.renamePage(page, slug)
      } else if (!sameValue(merged.value, theirs)) {
        await this.#draft.updatePage(page, (body) => withField(body, field, merged.value))
      }
    }
    if (fields.length > 0) {
      const updatedAt = [after.page.updatedAt, there.body.updatedAt].sort().at(-1) as string
      await this.#draft.updatePage(page, (body) => (body.updatedAt === updatedAt ? body : { ...body, updatedAt }))
    }
  }

  async #mergeBody(
    page: string,
    base: string | undefined,
    ours: string | undefined,
    theirs: string | undefined,
  ): Promise<void> {
    const merged = await this.#mergeDocuments(base, ours, theirs, (block) =>
      this.#conflicts.push({ on: 'page', page, about: 'block', block }),
    )
    await this.#draft.updatePage(page, (body) => withField(body, 'document', merged))
  }

  /** The hash of the merged document. */
  async #mergeDocuments(
    base: string | undefined,
    ours: string | undefined,
    theirs: string | undefined,
    tell: (conflict: ReturnType<typeof mergeDocuments>['conflicts'][number]) => void,
  ): Promise<string | undefined> {
    if (theirs === base || theirs === ours || theirs === undefined) return ours
    if (ours === undefined) return theirs
    const read = async (hash: string) => (await readObject(this.#objects, 'document', hash)).document
    const { document, conflicts } = mergeDocuments(
      base === undefined ? undefined : await read(base),
      await read(ours),
      await read(theirs),
    )
    conflicts.forEach(tell)
    return this.#objects.write({ kind: 'document', document })
  }

  // The rest

  async #mergeFile({ id, before, after }: EntryChange<NamedEntry>): Promise<void> {
    const theirs = await this.#draft.findFileEntry(id)
    const winner = this.#winner(before, after, theirs)
    if (winner === 'theirs') return
    const read = (entry: NamedEntry) => readObject(this.#objects, 'file', entry.hash)
    if (winner === 'conflict') {
      if (before && after && theirs) {
        const merged = mergeValues(byParts(await read(before)), byParts(await read(after)), byParts(await read(theirs)))
        const { name, content } = merged.value as ReturnType<typeof byParts>
        if (!merged.isConflict) return this.#draft.setFile(id, { name, ...content })
      }
      const sides = { base: before ?? null, ours: after ?? null, theirs: theirs ?? null }
      this.#conflicts.push({ on: 'file', file: id, about: 'existence', ...sides })
    }
    this.#draft.setFile(id, after ? await read(after) : null)
  }

  async #mergeReusableContent({ id, before, after }: EntryChange<NamedEntry>): Promise<void> {
    const theirs = await this.#draft.findReusableContentEntry(id)
    const winner = this.#winner(before, after, theirs)
    if (winner === 'theirs') return
    const read = (entry: NamedEntry) => readObject(this.#objects, 'reusable-content', entry.hash)
    if (winner === 'conflict' && before && after && theirs) {
      const [old, mine, other] = [await read(before), await read(after), await read(theirs)]
      const on = { on: 'reusable-content', reusableContent: id } as const
      const title = mergeValues(old.title, mine.title, other.title)
      if (title.isConflict) {
        const sides = { base: old.title, ours: mine.title, theirs: other.title }
        this.#conflicts.push({ ...on, about: 'field', field: 'title', ...sides })
      }
      const document = await this.#mergeDocuments(old.document, mine.document, other.document, (block) =>
        this.#conflicts.push({ ...on, about: 'block', block }),
      )
      return this.#draft.setReusableContent(id, {
        title: title.value as string,
        document: document ?? mine.document,
      })
    }
    if (winner === 'conflict') {
      const sides = { base: before ?? null, ours: after ?? null, theirs: theirs ?? null }
      this.#conflicts.push({ on: 'reusable-content', reusableContent: id, about: 'existence', ...sides })
    }
    this.#draft.setReusableContent(id, after ? await read(after) : null)
  }

  #winner(
    base: NamedEntry | undefined,
    ours: NamedEntry | undefined,
    theirs: NamedEntry | undefined,
  ): 'ours' | 'theirs' | 'conflict' {
    if (ours?.hash === theirs?.hash) return 'theirs'
    return theirs?.hash === base?.hash ? 'ours' : 'conflict'
  }

  #mergeVariable({ name, before, after }: NamedChange<string | number | boolean>): void {
    const { variables } = this.#draft
    const theirs = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (!sameValue(theirs, before) && !sameValue(theirs, after)) {
      const sides = { base: before ?? null, ours: after ?? null, theirs: theirs ?? null }
      this.#conflicts.push({ on: 'variable', name, ...sides })
    }
    this.#draft.setVariables(withValue(variables, name, after ?? null))
  }

  #mergeTag({ name, before, after }: TreeDiff['tags'][number]): void {
    const { tags } = this.#draft
    const theirs = Object.hasOwn(tags, name) ? tags[name] : undefined
    const merged = mergeValues(before, after, theirs)
    if (merged.isConflict) {
      const sides = { base: before ?? null, ours: after ?? null, theirs: theirs ?? null }
      this.#conflicts.push({ on: 'tag', slug: name, ...sides })
    }
    this.#draft.setTags(withValue(tags, name, (merged.value as typeof after) ?? null))
  }

  async #keepFormerPaths(): Promise<void> {
    const same = (a: { page: string }, b: { page: string }) => a.page === b.page
    const changes = await diffSorted(this.#objects, this.#base.root.formerPaths, this.#ours.root.formerPaths, same)
    for (const { id, after } of changes) if (after) this.#draft.keepFormerPath(id, after.page)
  }
}

function fieldOf({ entry, page }: PageState, field: PageField): unknown {
  return field === 'slug' ? entry.slug : page[field]
}

function allFields({ page }: PageState): PageField[] {
  return Object.keys(page).filter((name) => !['kind', 'pages', 'createdAt', 'updatedAt'].includes(name)) as PageField[]
}

/** A file in the two parts that change independently of each other. */
function byParts({ name, contentType, size, blob, dimensions }: Omit<FileObject, 'kind'>) {
  return { name, content: { contentType, size, blob, ...(dimensions && { dimensions }) } }
}

/** Three-way over values; objects are merged key by key. In a conflict the value is ours as far as both changed it. */
export function mergeValues(base: unknown, ours: unknown, theirs: unknown): { value: unknown; isConflict: boolean } {
  if (sameValue(theirs, base) || sameValue(ours, theirs)) return { value: ours, isConflict: false }
  if (sameValue(ours, base)) return { value: theirs, isConflict: false }
  if (!isRecord(ours) || !isRecord(theirs)) return { value: ours, isConflict: true }
  const former = isRecord(base) ? base : {}
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])]
  const merged = names.map((name) => ({ name, ...mergeValues(former[name], ours[name], theirs[name]) }))
  return {
    value: Object.fromEntries(merged.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    isConflict: merged.some(({ isConflict }) => isConflict),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
