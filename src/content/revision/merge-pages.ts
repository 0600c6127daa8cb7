import { mergeOrder, mapPredecessors } from '../document/merge-order.ts'
import { type Conflict, type Sides, withPageField } from './conflict.ts'
import { type PageChange, type PageField, type PageState, changedFields, fieldsOfPage, isSameValue } from './diff.ts'
import type { Draft, DraftPage, PageBody } from './draft.ts'
import { maxPageDepth } from './tree-error.ts'
import {
  type BlockAddress,
  type MergeOptions,
  hasEmojiAndIcon,
  maxVariablesOrTags,
  mergeFieldValues,
  mergeStoredDocuments,
  emojiAndIconMessage,
} from './merge-values.ts'
import { type Objects, type PageEntry, readObjects } from './objects.ts'
import { findInSorted, readSequence } from './sequence.ts'
import { type PageLocation, readSubtreeIds, insertSubtree, removeSubtree } from './subtree.ts'
import { type LocatedPage, type Tree, readTreeDepth, findPage, findPages, findLineageIds } from './tree.ts'

export interface TreesToMerge {
  base: Tree
  ours: Tree
  theirs: Tree
}

/** Applies the page changes of ours to a draft of theirs. */
export async function mergePages(
  trees: TreesToMerge,
  draft: Draft,
  changes: readonly PageChange[],
  context: MergeContext,
): Promise<void> {
  await new PageMerge(trees, draft, changes, context).run()
}

/** Options of a merge, with callbacks that collect its results. */
export interface MergeContext extends MergeOptions {
  addConflict: (conflict: Conflict) => void
  addCombined: (block: BlockAddress) => void
}

/** Number of changes that are prefetched at once; their documents are in memory together. */
const prefetchBatchSize = 200

class PageMerge {
  readonly #objects: Objects
  readonly #base: Tree
  readonly #ours: Tree
  readonly #theirs: Tree
  readonly #draft: Draft
  readonly #changes: readonly PageChange[]
  readonly #context: MergeContext
  /** Pages added by ours. */
  readonly #added: ReadonlyMap<string, PageState>
  /** Pages that were inserted as they are in ours and need no further merging. */
  readonly #mergedIds = new Set<string>()
  /** Parents (null is the top level) whose children are sorted again, because ours inserted, moved or reordered pages in them. */
  readonly #rearrangedParents = new Set<string | null>()
  /** Pages with a conflict about their position. */
  readonly #placeConflictIds = new Set<string>()
  /** Slugs that are set after all pages are in place; until then, another page may still have one of them. */
  readonly #pendingSlugs = new Map<string, string>()

  constructor(
    { base, ours, theirs }: TreesToMerge,
    draft: Draft,
    changes: readonly PageChange[],
    context: MergeContext,
  ) {
    this.#objects = ours.objects
    this.#base = base
    this.#ours = ours
    this.#theirs = theirs
    this.#draft = draft
    this.#changes = changes
    this.#context = context
    this.#added = new Map(changes.flatMap(({ id, before, after }) => (after && !before ? [[id, after]] : [])))
  }

  #addConflict(conflict: Conflict): void {
    this.#context.addConflict(conflict)
  }

  async run(): Promise<void> {
    for (const after of this.#added.values()) await this.#mergePage(undefined, after, false)
    for (let start = 0; start < this.#changes.length; start += prefetchBatchSize) {
      const batch = this.#changes.slice(start, start + prefetchBatchSize)
      await this.#prefetch(batch)
      for (const { before, after, isReordered } of batch) {
        if (before && after) await this.#mergePage(before, after, isReordered)
        await this.#context.yieldIfDue?.()
      }
    }
    // Removed last, so that pages that either side moved out of a removed page are not removed with it.
    for (const { before, after } of this.#changes) if (before && !after) await this.#removePage(before)
    await this.#limitDepth()
    for (const parent of this.#rearrangedParents) await this.#mergeChildOrder(parent)
    await this.#draft.renamePages(this.#pendingSlugs)
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

  async #mergePage(before: PageState | undefined, after: PageState, isReordered: boolean): Promise<void> {
    const { id } = after.entry
    await this.#ensurePage(id)
    if (this.#mergedIds.has(id)) return
    const draftPage = await this.#draft.getPage(id)
    if (before?.parent !== after.parent) await this.#mergePosition(before, after, draftPage)
    else if (isReordered && draftPage.parent === after.parent) this.#rearrangedParents.add(after.parent)
    await this.#mergeFields(before, after, draftPage)
  }

  /** Inserts a page of ours and its ancestors if they are missing, because ours added them or theirs removed them. */
  async #ensurePage(id: string | null): Promise<void> {
    if (id === null || (await this.#draft.findPage(id))) return
    for (const one of (await findLineageIds(this.#ours, id)) ?? []) {
      if (await this.#draft.findPage(one)) continue
      const added = this.#added.get(one)
      if (added) await this.#insertAddedPage(added)
      else await this.#restoreRemovedPage(one)
    }
  }

  async #insertAddedPage({ entry, page, parent }: PageState): Promise<void> {
    const { kind: _, pages: __, ...body } = page
    const { id, type, slug } = entry
    await this.#draft.insertPage({ id, type, slug, body }, { into: parent })
    this.#mergedIds.add(id)
    this.#pendingSlugs.set(id, slug)
    this.#rearrangedParents.add(parent)
  }

  /** Restores a page that theirs removed and ours changed, with all pages below it, and adds a conflict. */
  async #restoreRemovedPage(id: string): Promise<void> {
    const [base, ours] = [await findPage(this.#base, id), await findPage(this.#ours, id)]
    if (!base || !ours) throw new Error(`The page ${id} is in a tree and yet not found`)
    const ourLocation = toPageLocation(ours)
    const inserted = await insertSubtree(this.#ours, this.#draft, ourLocation)
    for (const one of inserted) this.#mergedIds.add(one)
    this.#pendingSlugs.set(id, ours.entry.slug)
    this.#rearrangedParents.add(ourLocation.parent)
    this.#addConflict({
      on: 'page',
      page: id,
      about: 'existence',
      base: toPageLocation(base),
      ours: ourLocation,
      theirs: null,
    })
    await this.#addMovedInConflicts(inserted, await readSubtreeIds(this.#objects, base))
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
        base: toPageLocation(base),
        ours: toPageLocation(ours),
        theirs: null,
      })
      for (const one of await readSubtreeIds(this.#objects, base)) disputed.add(one)
    }
  }

  async #removePage(before: PageState): Promise<void> {
    const { id } = before.entry
    // Pages below a removed page were removed with it, except those that theirs moved away.
    if (!(await this.#draft.findPage(id))) return
    const located = await findPage(this.#theirs, id)
    if (!located) return
    const theirLocation = toPageLocation(located)
    const isMoved = theirLocation.parent !== before.parent || theirLocation.entry.slug !== before.entry.slug
    if (isMoved || (await this.#isSubtreeChanged(before.entry, theirLocation.entry))) {
      const base = { entry: before.entry, parent: before.parent }
      this.#addConflict({ on: 'page', page: id, about: 'existence', base, ours: null, theirs: theirLocation })
    }
    const below = await this.#draft.descendantIds(id)
    const existingInOurs = await findInSorted(this.#objects, this.#ours.root.parents, below)
    for (const one of below) if (existingInOurs.has(one)) await this.#moveOutOf(one, id)
    const removed = await readSubtreeIds(this.#objects, before)
    const movedSlugs = await removeSubtree(this.#draft, id, (one) => removed.has(one))
    for (const [one, slug] of movedSlugs) this.#pendingSlugs.set(one, this.#pendingSlugs.get(one) ?? slug)
  }

  /**
   * Whether theirs changed a page or one below it, or inserted a page below it. Pages that theirs removed from there do not
   * count.
   */
  async #isSubtreeChanged(before: PageEntry, after: PageEntry): Promise<boolean> {
    const pending: [PageEntry, PageEntry][] = [[before, after]]
    for (let pair = pending.pop(); pair; pair = pending.pop()) {
      const [entry, current] = pair
      if (entry.hash === current.hash) continue
      const [oldPage, newPage] = await readObjects(this.#objects, 'page', [entry.hash, current.hash])
      if (!oldPage || !newPage) return true
      const fields = changedFields(
        { entry, page: oldPage, parent: null },
        { entry: current, page: newPage, parent: null },
      )
      if (fields.length > 0) return true
      const children = new Map((await readSequence(this.#objects, oldPage.pages)).map((child) => [child.id, child]))
      for (const child of await readSequence(this.#objects, newPage.pages)) {
        const former = children.get(child.id)
        if (!former) return true
        pending.push([former, child])
      }
    }
    return false
  }

  async #mergePosition(before: PageState | undefined, after: PageState, draftPage: DraftPage): Promise<void> {
    await this.#ensurePage(after.parent)
    if (draftPage.parent === after.parent) {
      if (before) this.#rearrangedParents.add(after.parent)
      return
    }
    if (draftPage.parent !== before?.parent) {
      this.#addPlaceConflict(draftPage.id, {
        base: before?.parent ?? null,
        ours: after.parent,
        theirs: draftPage.parent,
      })
    }
    // Theirs may have moved the new parent below the page itself.
    if (after.parent !== null) await this.#moveOutOf(after.parent, draftPage.id)
    await this.#movePage(draftPage, after.parent)
  }

  /**
   * Moves a page that is below another one to its position in ours. Its ancestors in ours are moved first, from the top level, so
   * that no page is moved below itself.
   */
  async #moveOutOf(id: string, from: string): Promise<void> {
    const lineage = (await findLineageIds(this.#ours, id)) ?? []
    for (const [depth, one] of lineage.entries()) {
      const into = lineage[depth - 1] ?? null
      await this.#ensurePage(one)
      if (!(await this.#draft.isDescendantOf(one, from))) continue
      const page = await this.#draft.getPage(one)
      const [base, theirs] = [await findParent(this.#base, one), await findParent(this.#theirs, one)]
      if (theirs !== undefined && theirs !== base)
        this.#addPlaceConflict(one, { base: base ?? null, ours: into, theirs })
      await this.#movePage(page, into)
    }
  }

  async #movePage(page: DraftPage, into: string | null): Promise<void> {
    this.#pendingSlugs.set(page.id, this.#slugOf(page))
    this.#rearrangedParents.add(into)
    await this.#draft.movePage(page.id, { into })
  }

  #addPlaceConflict(
    page: string,
    sides: Sides<string | null>,
    details: { message?: string; after?: Sides<string | null> } = {},
  ): void {
    if (this.#placeConflictIds.has(page)) return
    this.#placeConflictIds.add(page)
    this.#addConflict({ on: 'page', page, about: 'place', ...sides, ...details })
  }

  /**
   * Adds conflicts for pages that are too deep only because both sides moved pages. A page that theirs moved is moved back to its
   * position in ours; a page that ours moved remains, and cannot be merged while it is too deep.
   */
  async #limitDepth(): Promise<void> {
    const limit = Math.max(maxPageDepth, await readTreeDepth(this.#base), await readTreeDepth(this.#theirs))
    const message = `Pages of both sides combined would be nested deeper than ${limit} levels`
    const unresolvedIds = new Set<string>()
    for (;;) {
      const lineages = await this.#draft.findLineagesDeeperThan(limit)
      const lineage = lineages.find((ids) => !ids.some((id) => unresolvedIds.has(id)))
      if (!lineage) return
      const moved = await this.#findMovedPages(lineage)
      const toMoveBack = moved.find(({ ours, now }) => now !== ours)
      const disputed = toMoveBack ?? moved.at(-1)
      if (!disputed) unresolvedIds.add(lineage.at(-1) as string)
      else {
        const { id, base, ours, theirs } = disputed
        this.#addPlaceConflict(id, { base, ours, theirs }, { message })
        if (!toMoveBack) unresolvedIds.add(id)
        else {
          await this.#ensurePage(ours)
          if (ours !== null) await this.#moveOutOf(ours, id)
          await this.#movePage(await this.#draft.getPage(id), ours)
        }
      }
    }
  }

  /** Returns the pages that have different parents in ours and theirs. */
  async #findMovedPages(ids: readonly string[]) {
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

  #slugOf(page: DraftPage): string {
    return this.#pendingSlugs.get(page.id) ?? page.slug
  }

  async #mergeChildOrder(parent: string | null): Promise<void> {
    const existingIds = new Set((await this.#draft.children(parent)).map(({ id }) => id))
    const readChildIds = async (tree: Tree) => {
      const pages = parent === null ? tree.root.pages : (await findPage(tree, parent))?.page.pages
      return pages ? (await readSequence(this.#objects, pages)).map(({ id }) => id) : []
    }
    const [base, ours, theirs] = [
      await readChildIds(this.#base),
      await readChildIds(this.#ours),
      await readChildIds(this.#theirs),
    ]
    const { order, conflicts } = mergeOrder(base, ours, theirs, (id) => existingIds.has(id))
    const predecessorMaps = conflicts.length > 0 ? [base, ours, theirs].map(mapPredecessors) : []
    for (const id of conflicts) {
      const [inBase = null, inOurs = null, inTheirs = null] = predecessorMaps.map((predecessors) =>
        predecessors.get(id),
      )
      const after = { base: inBase, ours: inOurs, theirs: inTheirs }
      this.#addPlaceConflict(id, { base: parent, ours: parent, theirs: parent }, { after })
    }
    await this.#draft.reorder(parent, order)
  }

  async #mergeFields(before: PageState | undefined, after: PageState, draftPage: DraftPage): Promise<void> {
    const page = after.entry.id
    const theirBody = draftPage.body
    const fields = before ? changedFields(before, after) : fieldsOfPage(after)
    for (const field of fields) {
      const [base, ours] = [before && fieldOf(before, field), fieldOf(after, field)]
      const theirs = field === 'slug' ? this.#slugOf(draftPage) : theirBody[field]
      if (field === 'document') {
        await this.#mergeDocument(page, {
          base: before?.page.document,
          ours: after.page.document,
          theirs: theirBody.document,
        })
        continue
      }
      const { value, isConflict } = mergeFieldValues(field, { base, ours, theirs }, this.#context)
      if (isConflict) this.#addConflict({ on: 'page', page, about: 'field', field, base, ours, theirs })
      if (field === 'slug') this.#pendingSlugs.set(page, String(value))
      else if (field === 'variables' && hasTooManyVariables(value, ours, theirs)) {
        const message = `Both sides combined have more than ${maxVariablesOrTags} variables`
        if (!isConflict) this.#addConflict({ on: 'page', page, about: 'field', field, base, ours, theirs, message })
        await this.#draft.updatePage(page, (body) => withPageField(body, field, ours))
      } else if (!isSameValue(value, theirs))
        await this.#draft.updatePage(page, (body) => withPageField(body, field, value))
    }
    await this.#limitToOneSymbol(before, after, theirBody)
    if (fields.length > 0) {
      const updatedAt = [after.page.updatedAt, theirBody.updatedAt].sort().at(-1) as string
      await this.#draft.updatePage(page, (body) => (body.updatedAt === updatedAt ? body : { ...body, updatedAt }))
    }
  }

  async #mergeDocument(page: string, hashes: Sides<string | undefined>): Promise<void> {
    const field = 'document'
    const { document, conflicts, combined, message } = await mergeStoredDocuments(this.#objects, hashes, this.#context)
    if (message !== undefined) this.#addConflict({ on: 'page', page, about: 'field', field, ...hashes, message })
    for (const block of conflicts) this.#addConflict({ on: 'page', page, about: 'block', block })
    for (const block of combined) this.#context.addCombined({ page, block })
    await this.#draft.updatePage(page, (body) => withPageField(body, field, document))
  }

  /** Keeps the symbol of ours if one side set an emoji and the other an icon, and adds a conflict. */
  async #limitToOneSymbol(
    before: PageState | undefined,
    { entry, page }: PageState,
    theirBody: PageBody,
  ): Promise<void> {
    const { body } = await this.#draft.getPage(entry.id)
    if (!hasEmojiAndIcon(body) || hasEmojiAndIcon(page) || hasEmojiAndIcon(theirBody)) return
    const field = page.emoji === undefined ? 'emoji' : 'icon'
    const sides = { base: before?.page[field], ours: page[field], theirs: theirBody[field] }
    this.#addConflict({ on: 'page', page: entry.id, about: 'field', field, ...sides, message: emojiAndIconMessage })
    await this.#draft.updatePage(entry.id, (one) => withPageField(one, field, undefined))
  }
}

const countKeys = (value: unknown): number => Object.keys(value ?? {}).length

/** Whether there are more merged variables than a page may have and than either side has. */
function hasTooManyVariables(merged: unknown, ...sides: readonly unknown[]): boolean {
  return countKeys(merged) > Math.max(maxVariablesOrTags, ...sides.map(countKeys))
}

function fieldOf({ entry, page }: PageState, field: PageField): unknown {
  return field === 'slug' ? entry.slug : page[field]
}

function toPageLocation({ entry, ancestors }: LocatedPage): PageLocation {
  return { entry, parent: ancestors.at(-1)?.id ?? null }
}

async function findParent({ objects, root }: Tree, id: string): Promise<string | null | undefined> {
  return (await findInSorted(objects, root.parents, [id])).get(id)?.parent
}
