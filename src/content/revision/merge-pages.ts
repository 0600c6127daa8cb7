import { mergeOrder, predecessorsIn } from '../document/merge-order.ts'
import { type Conflict, type Sides, withField } from './conflict.ts'
import { type PageChange, type PageField, type PageState, changedFields, fieldsOfPage, sameValue } from './diff.ts'
import { type Draft, type OpenPage, type PageBody, maxPageDepth } from './draft.ts'
import {
  type BlockAddress,
  type MergeOptions,
  hasTwoSymbols,
  maxNamed,
  mergeBodies,
  mergeValues,
  oneSymbol,
} from './merge-values.ts'
import { type Objects, type PageEntry, readObjects } from './objects.ts'
import { findInSorted, readSequence } from './sequence.ts'
import { type PageLocation, idsOf, insertSubtree, removeSubtree } from './subtree.ts'
import { type LocatedPage, type Tree, depthOf, findPage, findPages, lineageOf } from './tree.ts'

export interface MergedTrees {
  base: Tree
  ours: Tree
  theirs: Tree
}

/** Applies the page changes of ours to a draft of theirs. */
export async function mergePages(
  trees: MergedTrees,
  draft: Draft,
  changes: readonly PageChange[],
  report: MergeReport,
): Promise<void> {
  await new PageMerge(trees, draft, changes, report).run()
}

/** Options of a merge, with callbacks that collect its results. */
export interface MergeReport extends MergeOptions {
  addConflict: (conflict: Conflict) => void
  addCombined: (block: BlockAddress) => void
}

/** Number of changes that are prefetched at once; their documents are in memory together. */
const changesAtOnce = 200

class PageMerge {
  readonly #objects: Objects
  readonly #base: Tree
  readonly #ours: Tree
  readonly #theirs: Tree
  readonly #draft: Draft
  readonly #changes: readonly PageChange[]
  readonly #report: MergeReport
  /** Pages added by ours. */
  readonly #added: ReadonlyMap<string, PageState>
  /** Pages that were inserted as they are in ours and need no further merging. */
  readonly #settled = new Set<string>()
  /** Parents (null is the top level) whose children are sorted again, because ours inserted, moved or reordered pages in them. */
  readonly #rearranged = new Set<string | null>()
  /** Pages with a conflict about their position. */
  readonly #placed = new Set<string>()
  /** Slugs that are set after all pages are in place; until then, another page may still have one of them. */
  readonly #slugs = new Map<string, string>()

  constructor({ base, ours, theirs }: MergedTrees, draft: Draft, changes: readonly PageChange[], report: MergeReport) {
    this.#objects = ours.objects
    this.#base = base
    this.#ours = ours
    this.#theirs = theirs
    this.#draft = draft
    this.#changes = changes
    this.#report = report
    this.#added = new Map(changes.flatMap(({ id, before, after }) => (after && !before ? [[id, after]] : [])))
  }

  #addConflict(conflict: Conflict): void {
    this.#report.addConflict(conflict)
  }

  async run(): Promise<void> {
    for (const after of this.#added.values()) await this.#changePage(undefined, after, false)
    for (let start = 0; start < this.#changes.length; start += changesAtOnce) {
      const some = this.#changes.slice(start, start + changesAtOnce)
      await this.#prefetch(some)
      for (const { before, after, isReordered } of some) {
        if (before && after) await this.#changePage(before, after, isReordered)
        await this.#report.breathe?.()
      }
    }
    // Removed last, so that pages that either side moved out of a removed page are not removed with it.
    for (const { before, after } of this.#changes) if (before && !after) await this.#removePage(before)
    await this.#limitDepth()
    for (const parent of this.#rearranged) await this.#order(parent)
    await this.#draft.renamePages(this.#slugs)
  }

  /** Reads the pages and documents needed to merge some changes into the cache, with few queries. */
  async #prefetch(changes: readonly PageChange[]): Promise<void> {
    const pages = await findPages(
      this.#theirs,
      changes.map(({ id }) => id),
    )
    const hashes = changes.flatMap(({ id, before, after }) => {
      const sides = [before, after, pages.get(id)].map((side) => side?.page.document)
      const [base, ours, theirs] = sides
      if (ours === undefined || theirs === undefined) return []
      return theirs === base || theirs === ours || ours === base ? [] : sides.filter((hash) => hash !== undefined)
    })
    await readObjects(this.#objects, 'document', [...new Set(hashes)])
  }

  async #changePage(before: PageState | undefined, after: PageState, isReordered: boolean): Promise<void> {
    const { id } = after.entry
    await this.#ensure(id)
    if (this.#settled.has(id)) return
    const there = await this.#draft.getPage(id)
    if (before?.parent !== after.parent) await this.#mergePlace(before, after, there)
    else if (isReordered && there.parent === after.parent) this.#rearranged.add(after.parent)
    await this.#mergeFields(before, after, there)
  }

  /** Inserts a page of ours and its ancestors if they are missing, because ours added them or theirs removed them. */
  async #ensure(id: string | null): Promise<void> {
    if (id === null || (await this.#draft.findPage(id))) return
    for (const one of (await lineageOf(this.#ours, id)) ?? []) {
      if (await this.#draft.findPage(one)) continue
      const added = this.#added.get(one)
      if (added) await this.#insert(added)
      else await this.#putBack(one)
    }
  }

  async #insert({ entry, page, parent }: PageState): Promise<void> {
    const { kind: _, pages: __, ...body } = page
    const { id, type, slug } = entry
    await this.#draft.insertPage({ id, type, slug, body }, { into: parent })
    this.#settled.add(id)
    this.#slugs.set(id, slug)
    this.#rearranged.add(parent)
  }

  /** Restores a page that theirs removed and ours changed, with all pages below it, and adds a conflict. */
  async #putBack(id: string): Promise<void> {
    const [base, ours] = [await findPage(this.#base, id), await findPage(this.#ours, id)]
    if (!base || !ours) throw new Error(`The page ${id} is in a tree and yet not found`)
    const placed = placedPageOf(ours)
    const inserted = await insertSubtree(this.#ours, this.#draft, placed)
    for (const one of inserted) this.#settled.add(one)
    this.#slugs.set(id, ours.entry.slug)
    this.#rearranged.add(placed.parent)
    this.#addConflict({
      on: 'page',
      page: id,
      about: 'existence',
      base: placedPageOf(base),
      ours: placed,
      theirs: null,
    })
    await this.#addMovedInConflicts(inserted, await idsOf(this.#objects, base))
  }

  /** Adds separate conflicts for pages that ours moved below a restored page and that theirs removed too. */
  async #addMovedInConflicts(inserted: readonly string[], disputed: Set<string>): Promise<void> {
    for (const id of inserted) {
      if (disputed.has(id)) continue
      const [base, ours] = [await findPage(this.#base, id), await findPage(this.#ours, id)]
      if (!base || !ours) continue
      this.#addConflict({
        on: 'page',
        page: id,
        about: 'existence',
        base: placedPageOf(base),
        ours: placedPageOf(ours),
        theirs: null,
      })
      for (const one of await idsOf(this.#objects, base)) disputed.add(one)
    }
  }

  async #removePage(before: PageState): Promise<void> {
    const { id } = before.entry
    // Pages below a removed page were removed with it, except those that theirs moved away.
    if (!(await this.#draft.findPage(id))) return
    const located = await findPage(this.#theirs, id)
    if (!located) return
    const there = placedPageOf(located)
    const isMoved = there.parent !== before.parent || there.entry.slug !== before.entry.slug
    if (isMoved || (await this.#hasNews(before.entry, there.entry))) {
      const base = { entry: before.entry, parent: before.parent }
      this.#addConflict({ on: 'page', page: id, about: 'existence', base, ours: null, theirs: there })
    }
    const below = await this.#draft.idsBelow(id)
    const kept = await findInSorted(this.#objects, this.#ours.root.parents, below)
    for (const one of below) if (kept.has(one)) await this.#takeOut(one, id)
    const removed = await idsOf(this.#objects, before)
    const raised = await removeSubtree(this.#draft, id, (one) => removed.has(one))
    for (const [one, slug] of raised) this.#slugs.set(one, this.#slugs.get(one) ?? slug)
  }

  /**
   * Whether theirs changed a page or one below it, or inserted a page below it. Pages that theirs removed from there do not
   * count.
   */
  async #hasNews(before: PageEntry, after: PageEntry): Promise<boolean> {
    const waiting: [PageEntry, PageEntry][] = [[before, after]]
    for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
      const [entry, now] = pair
      if (entry.hash === now.hash) continue
      const [oldPage, newPage] = await readObjects(this.#objects, 'page', [entry.hash, now.hash])
      if (!oldPage || !newPage) return true
      const fields = changedFields({ entry, page: oldPage, parent: null }, { entry: now, page: newPage, parent: null })
      if (fields.length > 0) return true
      const children = new Map((await readSequence(this.#objects, oldPage.pages)).map((child) => [child.id, child]))
      for (const child of await readSequence(this.#objects, newPage.pages)) {
        const former = children.get(child.id)
        if (!former) return true
        waiting.push([former, child])
      }
    }
    return false
  }

  async #mergePlace(before: PageState | undefined, after: PageState, there: OpenPage): Promise<void> {
    await this.#ensure(after.parent)
    if (there.parent === after.parent) {
      if (before) this.#rearranged.add(after.parent)
      return
    }
    if (there.parent !== before?.parent) {
      this.#addPlaceConflict(there.id, { base: before?.parent ?? null, ours: after.parent, theirs: there.parent })
    }
    // Theirs may have moved the new parent below the page itself.
    if (after.parent !== null) await this.#takeOut(after.parent, there.id)
    await this.#move(there, after.parent)
  }

  /**
   * Moves a page that is below another one to its position in ours. Its ancestors in ours are moved first, from the top level, so
   * that no page is moved below itself.
   */
  async #takeOut(id: string, from: string): Promise<void> {
    const lineage = (await lineageOf(this.#ours, id)) ?? []
    for (const [depth, one] of lineage.entries()) {
      const into = lineage[depth - 1] ?? null
      await this.#ensure(one)
      if (!(await this.#draft.isBelow(one, from))) continue
      const page = await this.#draft.getPage(one)
      const [base, theirs] = [await parentIn(this.#base, one), await parentIn(this.#theirs, one)]
      if (theirs !== undefined && theirs !== base)
        this.#addPlaceConflict(one, { base: base ?? null, ours: into, theirs })
      await this.#move(page, into)
    }
  }

  async #move(page: OpenPage, into: string | null): Promise<void> {
    this.#slugs.set(page.id, this.#slugOf(page))
    this.#rearranged.add(into)
    await this.#draft.movePage(page.id, { into })
  }

  #addPlaceConflict(
    page: string,
    sides: Sides<string | null>,
    more: { message?: string; after?: Sides<string | null> } = {},
  ): void {
    if (this.#placed.has(page)) return
    this.#placed.add(page)
    this.#addConflict({ on: 'page', page, about: 'place', ...sides, ...more })
  }

  /**
   * Adds conflicts for pages that are too deep only because both sides moved pages. A page that theirs moved is moved back to its
   * position in ours; a page that ours moved remains, and cannot be merged while it is too deep.
   */
  async #limitDepth(): Promise<void> {
    const limit = Math.max(maxPageDepth, await depthOf(this.#base), await depthOf(this.#theirs))
    const message = `Pages of both sides combined would be nested deeper than ${limit} levels`
    const left = new Set<string>()
    for (;;) {
      const lineages = await this.#draft.lineagesBeyond(limit)
      const lineage = lineages.find((ids) => !ids.some((id) => left.has(id)))
      if (!lineage) return
      const moved = await this.#movedBySides(lineage)
      const back = moved.find(({ ours, now }) => now !== ours)
      const disputed = back ?? moved.at(-1)
      if (!disputed) left.add(lineage.at(-1) as string)
      else {
        const { id, base, ours, theirs } = disputed
        this.#addPlaceConflict(id, { base, ours, theirs }, { message })
        if (!back) left.add(id)
        else {
          await this.#ensure(ours)
          if (ours !== null) await this.#takeOut(ours, id)
          await this.#move(await this.#draft.getPage(id), ours)
        }
      }
    }
  }

  /** Returns the pages that have different parents in ours and theirs. */
  async #movedBySides(ids: readonly string[]) {
    const [base, ours, theirs] = [
      await findInSorted(this.#objects, this.#base.root.parents, ids),
      await findInSorted(this.#objects, this.#ours.root.parents, ids),
      await findInSorted(this.#objects, this.#theirs.root.parents, ids),
    ]
    const moved: ({ id: string; now: string | null } & Sides<string | null>)[] = []
    for (const [at, id] of ids.entries()) {
      const [mine, other] = [ours.get(id), theirs.get(id)]
      if (!mine || !other || mine.parent === other.parent) continue
      const sides = { base: base.get(id)?.parent ?? null, ours: mine.parent, theirs: other.parent }
      moved.push({ id, now: ids[at - 1] ?? null, ...sides })
    }
    return moved
  }

  #slugOf(page: OpenPage): string {
    return this.#slugs.get(page.id) ?? page.slug
  }

  async #order(parent: string | null): Promise<void> {
    const here = new Set((await this.#draft.children(parent)).map(({ id }) => id))
    const idsIn = async (tree: Tree) => {
      const pages = parent === null ? tree.root.pages : (await findPage(tree, parent))?.page.pages
      return pages ? (await readSequence(this.#objects, pages)).map(({ id }) => id) : []
    }
    const [base, ours, theirs] = [await idsIn(this.#base), await idsIn(this.#ours), await idsIn(this.#theirs)]
    const { order, disputed } = mergeOrder(base, ours, theirs, (id) => here.has(id))
    const before = disputed.length > 0 ? [base, ours, theirs].map(predecessorsIn) : []
    for (const id of disputed) {
      const [inBase = null, inOurs = null, inTheirs = null] = before.map((predecessors) => predecessors.get(id))
      const after = { base: inBase, ours: inOurs, theirs: inTheirs }
      this.#addPlaceConflict(id, { base: parent, ours: parent, theirs: parent }, { after })
    }
    await this.#draft.reorder(parent, order)
  }

  async #mergeFields(before: PageState | undefined, after: PageState, open: OpenPage): Promise<void> {
    const page = after.entry.id
    const there = open.body
    const fields = before ? changedFields(before, after) : fieldsOfPage(after)
    for (const field of fields) {
      const [base, ours] = [before && fieldOf(before, field), fieldOf(after, field)]
      const theirs = field === 'slug' ? this.#slugOf(open) : there[field]
      if (field === 'document') {
        await this.#mergeText(page, { base: before?.page.document, ours: after.page.document, theirs: there.document })
        continue
      }
      const { value, isConflict } = mergeValues(base, ours, theirs)
      if (isConflict) this.#addConflict({ on: 'page', page, about: 'field', field, base, ours, theirs })
      if (field === 'slug') this.#slugs.set(page, String(value))
      else if (field === 'variables' && hasTooMany(value, ours, theirs)) {
        const message = `Both sides combined have more than ${maxNamed} variables`
        if (!isConflict) this.#addConflict({ on: 'page', page, about: 'field', field, base, ours, theirs, message })
        await this.#draft.updatePage(page, (body) => withField(body, field, ours))
      } else if (!sameValue(value, theirs)) await this.#draft.updatePage(page, (body) => withField(body, field, value))
    }
    await this.#limitSymbols(before, after, there)
    if (fields.length > 0) {
      const updatedAt = [after.page.updatedAt, there.updatedAt].sort().at(-1) as string
      await this.#draft.updatePage(page, (body) => (body.updatedAt === updatedAt ? body : { ...body, updatedAt }))
    }
  }

  async #mergeText(page: string, hashes: Sides<string | undefined>): Promise<void> {
    const field = 'document'
    const { document, conflicts, combined, message } = await mergeBodies(this.#objects, hashes, this.#report)
    if (message !== undefined) this.#addConflict({ on: 'page', page, about: 'field', field, ...hashes, message })
    for (const block of conflicts) this.#addConflict({ on: 'page', page, about: 'block', block })
    for (const block of combined) this.#report.addCombined({ page, block })
    await this.#draft.updatePage(page, (body) => withField(body, field, document))
  }

  /** Keeps the symbol of ours if one side set an emoji and the other an icon, and adds a conflict. */
  async #limitSymbols(before: PageState | undefined, { entry, page }: PageState, there: PageBody): Promise<void> {
    const { body } = await this.#draft.getPage(entry.id)
    if (!hasTwoSymbols(body) || hasTwoSymbols(page) || hasTwoSymbols(there)) return
    const field = page.emoji === undefined ? 'emoji' : 'icon'
    const sides = { base: before?.page[field], ours: page[field], theirs: there[field] }
    this.#addConflict({ on: 'page', page: entry.id, about: 'field', field, ...sides, message: oneSymbol })
    await this.#draft.updatePage(entry.id, (one) => withField(one, field, undefined))
  }
}

const count = (value: unknown): number => Object.keys(value ?? {}).length

/** Whether there are more merged variables than a page may have and than either side has. */
function hasTooMany(merged: unknown, ...sides: readonly unknown[]): boolean {
  return count(merged) > Math.max(maxNamed, ...sides.map(count))
}

function fieldOf({ entry, page }: PageState, field: PageField): unknown {
  return field === 'slug' ? entry.slug : page[field]
}

function placedPageOf({ entry, ancestors }: LocatedPage): PageLocation {
  return { entry, parent: ancestors.at(-1)?.id ?? null }
}

async function parentIn({ objects, root }: Tree, id: string): Promise<string | null | undefined> {
  return (await findInSorted(objects, root.parents, [id])).get(id)?.parent
}
