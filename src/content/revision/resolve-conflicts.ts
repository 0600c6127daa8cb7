import { identify } from '../document/identify.ts'
import { assertWithinLimits } from '../document/limits.ts'
import type { BlockConflict as DisputedBlock } from '../document/merge.ts'
import type { Block, Document } from '../document/nodes.ts'
import { indexOf } from '../document/parts.ts'
import { editBlocks, resolveAllWith } from '../document/resolve.ts'
import {
  type BlockConflict,
  type Conflict,
  type Side,
  isAboutBlock,
  nameOfConflict,
  withField,
  withValue,
} from './conflict.ts'
import { Draft, type OpenPage, type PageBody, TreeError, maxPageDepth, tooDeep } from './draft.ts'
import { maxNamed } from './merge-values.ts'
import { readObject } from './objects.ts'
import { findInSorted } from './sequence.ts'
import { type PlacedPage, bodyOf, idsOf, insertSubtree, nearestAbove, removeSubtree } from './subtree.ts'
import { type Tree, depthOf, findPages } from './tree.ts'

/** What a decision rests on besides the conflict itself. */
export interface Surroundings {
  /** The content of the change request, to which the decision is applied. */
  ours: Tree
  /** The content of the space. */
  theirs: Tree
  /** What was decided about all conflicts, by their names; null where nothing was decided yet. */
  others?: ReadonlyMap<string, string | null>
}

/** The tree with one side of conflicts put in place; returns the hash of its root. */
export async function resolveConflicts(
  surroundings: Surroundings,
  conflicts: readonly Conflict[],
  side: Side,
): Promise<string> {
  const draft = new Draft(surroundings.ours, { maxDepth: Infinity })
  await new Resolution(surroundings, draft).take(conflicts, side)
  return draft.commit()
}

export class Resolution {
  readonly #ours: Tree
  readonly #theirs: Tree
  readonly #others: ReadonlyMap<string, string | null>
  readonly #draft: Draft

  constructor({ ours, theirs, others = new Map() }: Surroundings, draft: Draft) {
    this.#ours = ours
    this.#theirs = theirs
    this.#others = others
    this.#draft = draft
  }

  /** Does some work on the draft; fails when it leaves pages too deep, or leaves some so that are disputed for it. */
  async withinLimits(conflicts: readonly Conflict[], work: () => Promise<void>): Promise<void> {
    const limit = Math.max(maxPageDepth, await depthOf(this.#theirs))
    const before = new Set((await this.#draft.lineagesBeyond(limit)).map((lineage) => lineage.at(-1)))
    await work()
    const placed = new Set(conflicts.flatMap((one) => ('page' in one && one.about === 'place' ? [one.page] : [])))
    this.#checkTags(conflicts)
    const after = await this.#draft.lineagesBeyond(limit)
    if (after.some((lineage) => !before.has(lineage.at(-1)) || lineage.some((id) => placed.has(id))))
      throw tooDeep(limit)
  }

  /** Fails when tags are kept that are disputed because there are too many. */
  #checkTags(conflicts: readonly Conflict[]): void {
    const { tags } = this.#draft
    if (Object.keys(tags).length <= maxNamed) return
    const isKept = (one: Conflict) => one.on === 'tag' && one.message !== undefined && Object.hasOwn(tags, one.slug)
    if (conflicts.some(isKept)) throw new TreeError('tags', `A space can have at most ${maxNamed} tags`)
  }

  /** Puts one side of conflicts in place. */
  async take(conflicts: readonly Conflict[], side: Side): Promise<void> {
    const blocks = new Map<string, BlockConflict[]>()
    for (const conflict of conflicts) {
      if (!isAboutBlock(conflict)) await this.#apply(conflict, side)
      else {
        const owner = conflict.on === 'page' ? conflict.page : conflict.reusableContent
        const inOwner = blocks.get(owner)
        if (inOwner) inOwner.push(conflict)
        else blocks.set(owner, [conflict])
      }
    }
    // A text is read and written once, however much of it is disputed; whether it exists is settled by now.
    for (const inOwner of blocks.values()) await this.#applyToText(inOwner, side)
  }

  async #apply(conflict: Exclude<Conflict, BlockConflict>, side: Side): Promise<void> {
    const draft = this.#draft
    switch (conflict.on) {
      case 'page':
        return this.#applyToPage(conflict, side)
      case 'file': {
        const entry = conflict[side]
        return draft.files.set(conflict.file, entry && (await readObject(this.#ours.objects, 'file', entry.hash)))
      }
      case 'reusable-content':
        return this.#applyToReusableContent(conflict, side)
      case 'variable':
        return draft.setVariables(withValue(draft.variables, conflict.name, conflict[side]))
      case 'tag':
        return draft.setTags(withValue(draft.tags, conflict.slug, conflict[side]))
    }
  }

  async #applyToPage(conflict: Exclude<Extract<Conflict, { on: 'page' }>, BlockConflict>, side: Side): Promise<void> {
    const draft = this.#draft
    if (conflict.about === 'existence') return this.#applyExistence(conflict, side)
    const page = await draft.findPage(conflict.page)
    if (!page) return
    switch (conflict.about) {
      case 'place':
        await this.#place(page, await nearestAbove(this.#theirs, draft, conflict[side]))
        return conflict.after && this.#putAfter(page, conflict.after[side])
      case 'field': {
        const { field } = conflict
        const value = conflict[side]
        if (field === 'slug') {
          return draft.renamePage(page.id, await draft.freeSlug(page.parent, String(value), page.id))
        }
        return draft.updatePage(page.id, (body) => withField(withoutOtherSymbol(body, field, value), field, value))
      }
    }
  }

  async #applyExistence(conflict: ExistenceConflict, side: Side): Promise<void> {
    const { objects } = this.#ours
    const placed = conflict[side]
    const disputed = conflict.base ? await idsOf(objects, conflict.base) : new Set([conflict.page])
    const present = await this.#draft.findPage(conflict.page)
    if (!placed) {
      if (!present) return
      // Of the disputed pages, those that the space still has are only elsewhere there.
      const kept = await findInSorted(objects, this.#theirs.root.parents, [...disputed])
      await removeSubtree(this.#draft, present.id, (id) => disputed.has(id) && !kept.has(id))
      return
    }
    if (present) await this.#replace(present, placed)
    await insertSubtree(this.#theirs, this.#draft, placed, {
      // Pages that the merge moved up and an edit has removed since stay removed; earlier merges moved none up.
      mayInsert: (id) => disputed.has(id) || (conflict.baseRevision === undefined && !this.#isDisputed(id)),
      mayReturn: (id) => !disputed.has(id) && !this.#isPlacedOtherwise(id, side),
    })
  }

  #isDisputed(page: string): boolean {
    return this.#others.has(
      nameOfConflict({ on: 'page', page, about: 'existence', base: null, ours: null, theirs: null }),
    )
  }

  /** Whether another conflict is about where a page belongs, and was not decided for this side. */
  #isPlacedOtherwise(page: string, side: Side): boolean {
    const name = nameOfConflict({ on: 'page', page, about: 'place', base: null, ours: null, theirs: null })
    return this.#others.has(name) && this.#others.get(name) !== side
  }

  /** Puts back what ours had when a conflict was decided, given the tree that it had then. */
  async undo(conflict: Conflict, decided: Side | 'own', before: Tree): Promise<void> {
    if (decided === 'ours') return
    if ('about' in conflict && conflict.on === 'page' && conflict.about === 'existence') {
      return this.#undoExistence(conflict, decided, before)
    }
    await this.take([conflict], 'ours')
    if (conflict.on === 'page' && conflict.about === 'field') await this.#undoSymbol(conflict, before)
    if (isAboutBlock(conflict) && conflict.addedBlocks) {
      await this.#editText(conflict, (document) => withoutBlocks(document, new Set(conflict.addedBlocks)))
    }
  }

  /** The decision for an emoji has removed an icon, or the other way round. */
  async #undoSymbol(
    { page: id, field }: Extract<Conflict, { about: 'field'; on: 'page' }>,
    before: Tree,
  ): Promise<void> {
    const other = symbols.get(field)
    const page = other && (await findPages(before, [id])).get(id)?.page
    if (!page || !(await this.#draft.findPage(id))) return
    await this.#draft.updatePage(id, (body) => withField(body, other, page[other]))
  }

  async #undoExistence(conflict: ExistenceConflict, decided: Side | 'own', before: Tree): Promise<void> {
    const draft = this.#draft
    const { objects } = this.#ours
    const present = await draft.findPage(conflict.page)
    const disputed = conflict.base ? await idsOf(objects, conflict.base) : new Set([conflict.page])
    if (!conflict.ours) {
      const placed = decided === 'own' ? (conflict.theirs ?? conflict.base) : conflict[decided]
      if (!present || !placed) return
      const putBack = await idsOf(objects, placed)
      const known = await findInSorted(objects, before.root.parents, [...putBack])
      await removeSubtree(draft, present.id, (id) => putBack.has(id) && !known.has(id))
      return
    }
    if (present && decided === 'own') {
      const { document } = await readObject(objects, 'page', conflict.ours.entry.hash)
      return draft.updatePage(present.id, (body) => withField(body, 'document', document))
    }
    if (present) await this.#replace(present, conflict.ours)
    await insertSubtree(before, draft, conflict.ours, {
      mayInsert: (id) => disputed.has(id),
      mayReturn: (id) => !disputed.has(id),
    })
  }

  /** Gives a page that both sides have the fields and the place of one side. */
  async #replace(page: OpenPage, { entry, parent }: PlacedPage): Promise<void> {
    const stored = await readObject(this.#ours.objects, 'page', entry.hash)
    await this.#draft.updatePage(page.id, () => bodyOf({ page: stored }))
    await this.#place(page, await nearestAbove(this.#theirs, this.#draft, parent))
    await this.#draft.renamePage(page.id, await this.#draft.freeSlug(page.parent, entry.slug, page.id))
  }

  async #place(page: OpenPage, into: string | null): Promise<void> {
    await makeWay(this.#draft, page, into)
    await this.#draft.movePage(page.id, { into })
  }

  /** Puts a page behind another one beside it, or (null) before all others; one that is not there changes nothing. */
  async #putAfter({ id, parent }: OpenPage, previous: string | null): Promise<void> {
    const others = (await this.#draft.children(parent)).map((entry) => entry.id).filter((one) => one !== id)
    const at = previous === null ? 0 : others.indexOf(previous) + 1
    if (at > 0 || previous === null) await this.#draft.movePage(id, { into: parent, at })
  }

  async #applyToReusableContent(
    conflict: Exclude<Extract<Conflict, { on: 'reusable-content' }>, BlockConflict>,
    side: Side,
  ): Promise<void> {
    const { reusableContents } = this.#draft
    const id = conflict.reusableContent
    if (conflict.about === 'existence') {
      const entry = conflict[side]
      return reusableContents.set(id, entry && (await readObject(this.#ours.objects, 'reusable-content', entry.hash)))
    }
    const content = await reusableContents.find(id)
    const value = conflict[side]
    if (content && value !== null) reusableContents.set(id, { ...content, [conflict.field]: value })
  }

  async #applyToText(conflicts: readonly BlockConflict[], side: Side): Promise<void> {
    const [first] = conflicts
    const blocks = conflicts.map(({ block }) => block)
    if (first) await this.#editText(first, (document) => resolveAllWith(document, blocks, side))
  }

  /** Puts blocks of one's own in the place of a disputed block; returns the keys of those that are added by it. */
  async replaceBlock(conflict: BlockConflict, block: DisputedBlock, blocks: readonly Block[]): Promise<string[]> {
    const { key } = block
    let added: string[] = []
    await this.#editText(conflict, (document) => {
      const known = indexOf(document) ?? new Map<string, unknown>()
      const replaced = identify(document, withBlocks(document, block, blocks))
      const index = indexOf(replaced)
      const place = index?.get(key)
      const behind = place?.siblings.slice(place.index + 1, place.index + blocks.length) ?? []
      added = behind.flatMap((one) => (one.key === undefined || known.has(one.key) ? [] : [one.key]))
      return replaced
    })
    return added
  }

  /** Changes the text that a block conflict is about; a text that is too large is refused. */
  async #editText(owner: BlockConflict, edit: (document: Document) => Document): Promise<void> {
    const { objects } = this.#ours
    const edited = async (hash: string) => {
      const document = edit((await readObject(objects, 'document', hash)).document)
      assertWithinLimits(document)
      return objects.write({ kind: 'document', document })
    }
    if (owner.on === 'page') {
      const page = await this.#draft.findPage(owner.page)
      if (page?.body.document === undefined) return
      const document = await edited(page.body.document)
      return this.#draft.updatePage(page.id, (body) => (document === body.document ? body : { ...body, document }))
    }
    const content = await this.#draft.reusableContents.find(owner.reusableContent)
    if (!content) return
    const document = await edited(content.document)
    this.#draft.reusableContents.set(owner.reusableContent, { ...content, document })
  }
}

/** Of these two, a page has one. */
const symbols: ReadonlyMap<string, 'emoji' | 'icon'> = new Map([
  ['emoji', 'icon'],
  ['icon', 'emoji'],
])

function withoutOtherSymbol(body: PageBody, field: string, value: unknown): PageBody {
  const other = symbols.get(field)
  return other && value !== undefined && value !== null ? withField(body, other, undefined) : body
}

/** The document with blocks in the place of a disputed one, or where that one was. */
function withBlocks(document: Document, conflict: DisputedBlock, blocks: readonly Block[]): Document {
  const [first, ...others] = blocks
  const { key } = conflict
  if (!first) return withoutBlocks(document, new Set([key]))
  const own = [{ ...first, key }, ...others]
  const isThere = indexOf(document)?.has(key) ?? false
  const found = isThere ? document : resolveAllWith(document, [{ ...conflict, theirs: { ...first, key } }], 'theirs')
  return { ...found, nodes: editBlocks(found.nodes, (block) => (block.key === key ? own : undefined)) }
}

const withoutBlocks = (document: Document, keys: ReadonlySet<string>): Document => ({
  ...document,
  nodes: editBlocks(document.nodes, ({ key = '' }) => (keys.has(key) ? [] : undefined)),
})

type ExistenceConflict = Extract<Conflict, { on: 'page'; about: 'existence' }>

/** When a page is to go under one that is below it, that branch first takes the place of the page. */
async function makeWay(draft: Draft, page: OpenPage, into: string | null): Promise<void> {
  for (let next = into; next !== null;) {
    const above: string | null = (await draft.findPage(next))?.parent ?? null
    if (above === page.id) return draft.movePage(next, { into: page.parent })
    next = above
  }
}
