import { assignKeys } from '../document/assign-keys.ts'
import { assertWithinLimits } from '../document/limits.ts'
import type { BlockConflict as DisputedBlock } from '../document/merge.ts'
import type { Block, Document } from '../document/nodes.ts'
import { indexBlocks } from '../document/block-groups.ts'
import { replaceBlocks, resolveDocumentConflicts } from '../document/resolve-document-conflicts.ts'
import {
  type ConflictAboutBlock,
  type Conflict,
  type Side,
  isConflictAboutBlock,
  nameOfConflict,
  withPageField,
  withRecordValue,
} from './conflict.ts'
import { Draft, type DraftPage, type PageBody } from './draft.ts'
import { TreeError, createTooDeepError, maxPageDepth } from './tree-error.ts'
import { maxVariablesOrTags } from './merge-values.ts'
import { readObject } from './objects.ts'
import { findInSorted } from './sequence.ts'
import {
  type PageLocation,
  toPageBody,
  readSubtreeIds,
  insertSubtree,
  findNearestExisting,
  removeSubtree,
} from './subtree.ts'
import { type Tree, readTreeDepth, findPages } from './tree.ts'

/** Content and decisions that resolving a conflict depends on. */
export interface ConflictContext {
  /** Content of the change request, to which the resolution is applied. */
  ours: Tree
  /** Content of the space. */
  theirs: Tree
  /** Decisions about all conflicts, by name; null if a conflict is open. */
  others?: ReadonlyMap<string, string | null>
}

/** Resolves conflicts with one side; returns the hash of the new root. */
export async function resolveConflicts(
  context: ConflictContext,
  conflicts: readonly Conflict[],
  side: Side,
): Promise<string> {
  const draft = new Draft(context.ours, { maxDepth: Infinity })
  await new ConflictResolver(context, draft).resolveWith(conflicts, side)
  return draft.commit()
}

export class ConflictResolver {
  readonly #ours: Tree
  readonly #theirs: Tree
  readonly #decisions: ReadonlyMap<string, string | null>
  readonly #draft: Draft

  constructor({ ours, theirs, others = new Map() }: ConflictContext, draft: Draft) {
    this.#ours = ours
    this.#theirs = theirs
    this.#decisions = others
    this.#draft = draft
  }

  /**
   * Runs a function that changes the draft. Throws if pages become too deep, if pages with a conflict about their position remain
   * too deep, or if there are too many tags.
   */
  async runWithinLimits(conflicts: readonly Conflict[], change: () => Promise<void>): Promise<void> {
    const limit = Math.max(maxPageDepth, await readTreeDepth(this.#theirs))
    const before = new Set((await this.#draft.findLineagesDeeperThan(limit)).map((lineage) => lineage.at(-1)))
    await change()
    const pagesWithPlaceConflict = new Set(
      conflicts.flatMap((one) => ('page' in one && one.about === 'place' ? [one.page] : [])),
    )
    this.#checkTagCount(conflicts)
    const after = await this.#draft.findLineagesDeeperThan(limit)
    if (after.some((lineage) => !before.has(lineage.at(-1)) || lineage.some((id) => pagesWithPlaceConflict.has(id))))
      throw createTooDeepError(limit)
  }

  /** Throws if there are too many tags and one that is in conflict for that reason is kept. */
  #checkTagCount(conflicts: readonly Conflict[]): void {
    const { tags } = this.#draft
    if (Object.keys(tags).length <= maxVariablesOrTags) return
    const isKeptTag = (one: Conflict) => one.on === 'tag' && one.message !== undefined && Object.hasOwn(tags, one.slug)
    if (conflicts.some(isKeptTag)) throw new TreeError('tags', `A space can have at most ${maxVariablesOrTags} tags`)
  }

  /** Resolves conflicts with one side. */
  async resolveWith(conflicts: readonly Conflict[], side: Side): Promise<void> {
    const blocks = new Map<string, ConflictAboutBlock[]>()
    for (const conflict of conflicts) {
      if (!isConflictAboutBlock(conflict)) await this.#applySide(conflict, side)
      else {
        const owner = conflict.on === 'page' ? conflict.page : conflict.reusableContent
        const conflictsOfOwner = blocks.get(owner)
        if (conflictsOfOwner) conflictsOfOwner.push(conflict)
        else blocks.set(owner, [conflict])
      }
    }
    // Each document is read and written once, however many conflicts it has; conflicts about its existence are resolved by now.
    for (const conflictsOfOwner of blocks.values()) await this.#applyToDocument(conflictsOfOwner, side)
  }

  async #applySide(conflict: Exclude<Conflict, ConflictAboutBlock>, side: Side): Promise<void> {
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
        return draft.setVariables(withRecordValue(draft.variables, conflict.name, conflict[side]))
      case 'tag':
        return draft.setTags(withRecordValue(draft.tags, conflict.slug, conflict[side]))
    }
  }

  async #applyToPage(
    conflict: Exclude<Extract<Conflict, { on: 'page' }>, ConflictAboutBlock>,
    side: Side,
  ): Promise<void> {
    const draft = this.#draft
    if (conflict.about === 'existence') return this.#applyExistence(conflict, side)
    const page = await draft.findPage(conflict.page)
    if (!page) return
    switch (conflict.about) {
      case 'place':
        await this.#movePage(page, await findNearestExisting(this.#theirs, draft, conflict[side]))
        return conflict.after && this.#movePageAfter(page, conflict.after[side])
      case 'field': {
        const { field } = conflict
        const value = conflict[side]
        if (field === 'slug') {
          return draft.renamePage(page.id, await draft.findFreeSlug(page.parent, String(value), page.id))
        }
        return draft.updatePage(page.id, (body) => withPageField(withoutOtherSymbol(body, field, value), field, value))
      }
    }
  }

  async #applyExistence(conflict: ExistenceConflict, side: Side): Promise<void> {
    const { objects } = this.#ours
    const location = conflict[side]
    const disputed = conflict.base ? await readSubtreeIds(objects, conflict.base) : new Set([conflict.page])
    const present = await this.#draft.findPage(conflict.page)
    if (!location) {
      if (!present) return
      // Pages below the removed one that still exist in the space were only moved there, so they are kept.
      const existingInTheirs = await findInSorted(objects, this.#theirs.root.parents, [...disputed])
      await removeSubtree(this.#draft, present.id, (id) => disputed.has(id) && !existingInTheirs.has(id))
      return
    }
    if (present) await this.#replacePage(present, location)
    await insertSubtree(this.#theirs, this.#draft, location, {
      // Pages that the merge moved up and that were deleted since remain deleted; conflicts without a `baseRevision` are from
      // older merges, which moved none up.
      shouldInsert: (id) =>
        disputed.has(id) || (conflict.baseRevision === undefined && !this.#hasExistenceConflict(id)),
      shouldMoveBack: (id) => !disputed.has(id) && !this.#hasOtherPositionDecision(id, side),
    })
  }

  #hasExistenceConflict(page: string): boolean {
    return this.#decisions.has(
      nameOfConflict({ on: 'page', page, about: 'existence', base: null, ours: null, theirs: null }),
    )
  }

  /** Whether another conflict about the position of a page is open or was resolved with another side. */
  #hasOtherPositionDecision(page: string, side: Side): boolean {
    const name = nameOfConflict({ on: 'page', page, about: 'place', base: null, ours: null, theirs: null })
    return this.#decisions.has(name) && this.#decisions.get(name) !== side
  }

  /** Reverts the resolution of a conflict to ours, given the tree before it was resolved. */
  async undo(conflict: Conflict, decision: Side | 'own', before: Tree): Promise<void> {
    if (decision === 'ours') return
    if ('about' in conflict && conflict.on === 'page' && conflict.about === 'existence') {
      return this.#undoExistence(conflict, decision, before)
    }
    await this.resolveWith([conflict], 'ours')
    if (conflict.on === 'page' && conflict.about === 'field') await this.#undoSymbol(conflict, before)
    if (isConflictAboutBlock(conflict) && conflict.addedBlocks) {
      await this.#editDocument(conflict, (document) => withoutBlocks(document, new Set(conflict.addedBlocks)))
    }
  }

  /** Restores the other symbol: choosing an emoji removed an icon, or the reverse. */
  async #undoSymbol(
    { page: id, field }: Extract<Conflict, { about: 'field'; on: 'page' }>,
    before: Tree,
  ): Promise<void> {
    const other = otherSymbols.get(field)
    const page = other && (await findPages(before, [id])).get(id)?.page
    if (!page || !(await this.#draft.findPage(id))) return
    await this.#draft.updatePage(id, (body) => withPageField(body, other, page[other]))
  }

  async #undoExistence(conflict: ExistenceConflict, decision: Side | 'own', before: Tree): Promise<void> {
    const draft = this.#draft
    const { objects } = this.#ours
    const present = await draft.findPage(conflict.page)
    const disputed = conflict.base ? await readSubtreeIds(objects, conflict.base) : new Set([conflict.page])
    if (!conflict.ours) {
      const location = decision === 'own' ? (conflict.theirs ?? conflict.base) : conflict[decision]
      if (!present || !location) return
      const restoredIds = await readSubtreeIds(objects, location)
      const existedBefore = await findInSorted(objects, before.root.parents, [...restoredIds])
      await removeSubtree(draft, present.id, (id) => restoredIds.has(id) && !existedBefore.has(id))
      return
    }
    if (present && decision === 'own') {
      const { document } = await readObject(objects, 'page', conflict.ours.entry.hash)
      return draft.updatePage(present.id, (body) => withPageField(body, 'document', document))
    }
    if (present) await this.#replacePage(present, conflict.ours)
    await insertSubtree(before, draft, conflict.ours, {
      shouldInsert: (id) => disputed.has(id),
      shouldMoveBack: (id) => !disputed.has(id),
    })
  }

  /** Sets the fields and the position of a page that exists on both sides to those of one side. */
  async #replacePage(page: DraftPage, { entry, parent }: PageLocation): Promise<void> {
    const stored = await readObject(this.#ours.objects, 'page', entry.hash)
    await this.#draft.updatePage(page.id, () => toPageBody({ page: stored }))
    await this.#movePage(page, await findNearestExisting(this.#theirs, this.#draft, parent))
    await this.#draft.renamePage(page.id, await this.#draft.findFreeSlug(page.parent, entry.slug, page.id))
  }

  async #movePage(page: DraftPage, into: string | null): Promise<void> {
    await moveBranchOut(this.#draft, page, into)
    await this.#draft.movePage(page.id, { into })
  }

  /** Moves a page after a sibling, or to the start (null); does nothing if the sibling does not exist. */
  async #movePageAfter({ id, parent }: DraftPage, previous: string | null): Promise<void> {
    const others = (await this.#draft.children(parent)).map((entry) => entry.id).filter((one) => one !== id)
    const at = previous === null ? 0 : others.indexOf(previous) + 1
    if (at > 0 || previous === null) await this.#draft.movePage(id, { into: parent, at })
  }

  async #applyToReusableContent(
    conflict: Exclude<Extract<Conflict, { on: 'reusable-content' }>, ConflictAboutBlock>,
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

  async #applyToDocument(conflicts: readonly ConflictAboutBlock[], side: Side): Promise<void> {
    const [first] = conflicts
    const blocks = conflicts.map(({ block }) => block)
    if (first) await this.#editDocument(first, (document) => resolveDocumentConflicts(document, blocks, side))
  }

  /** Replaces a conflicting block with custom blocks; returns the keys of the additional blocks. */
  async replaceBlock(conflict: ConflictAboutBlock, block: DisputedBlock, blocks: readonly Block[]): Promise<string[]> {
    const { key } = block
    let added: string[] = []
    await this.#editDocument(conflict, (document) => {
      const existing = indexBlocks(document) ?? new Map<string, unknown>()
      const replaced = assignKeys(document, withReplacedBlock(document, block, blocks))
      const index = indexBlocks(replaced)
      const place = index?.get(key)
      const following = place?.siblings.slice(place.index + 1, place.index + blocks.length) ?? []
      added = following.flatMap((one) => (one.key === undefined || existing.has(one.key) ? [] : [one.key]))
      return replaced
    })
    return added
  }

  /** Edits the document that a block conflict is about; throws if the result is too large. */
  async #editDocument(owner: ConflictAboutBlock, edit: (document: Document) => Document): Promise<void> {
    const { objects } = this.#ours
    const writeEdited = async (hash: string) => {
      const document = edit((await readObject(objects, 'document', hash)).document)
      assertWithinLimits(document)
      return objects.write({ kind: 'document', document })
    }
    if (owner.on === 'page') {
      const page = await this.#draft.findPage(owner.page)
      if (page?.body.document === undefined) return
      const document = await writeEdited(page.body.document)
      return this.#draft.updatePage(page.id, (body) => (document === body.document ? body : { ...body, document }))
    }
    const content = await this.#draft.reusableContents.find(owner.reusableContent)
    if (!content) return
    const document = await writeEdited(content.document)
    this.#draft.reusableContents.set(owner.reusableContent, { ...content, document })
  }
}

/** The other symbol for each symbol: a page can have only one of them. */
const otherSymbols: ReadonlyMap<string, 'emoji' | 'icon'> = new Map([
  ['emoji', 'icon'],
  ['icon', 'emoji'],
])

function withoutOtherSymbol(body: PageBody, field: string, value: unknown): PageBody {
  const other = otherSymbols.get(field)
  return other && value !== undefined && value !== null ? withPageField(body, other, undefined) : body
}

/** Returns a document with blocks in place of a conflicting one, or at its former position. */
function withReplacedBlock(document: Document, conflict: DisputedBlock, blocks: readonly Block[]): Document {
  const [first, ...others] = blocks
  const { key } = conflict
  if (!first) return withoutBlocks(document, new Set([key]))
  const replacement = [{ ...first, key }, ...others]
  const isPresent = indexBlocks(document)?.has(key) ?? false
  const withBlock = isPresent
    ? document
    : resolveDocumentConflicts(document, [{ ...conflict, theirs: { ...first, key } }], 'theirs')
  return {
    ...withBlock,
    nodes: replaceBlocks(withBlock.nodes, (block) => (block.key === key ? replacement : undefined)),
  }
}

const withoutBlocks = (document: Document, keys: ReadonlySet<string>): Document => ({
  ...document,
  nodes: replaceBlocks(document.nodes, ({ key = '' }) => (keys.has(key) ? [] : undefined)),
})

type ExistenceConflict = Extract<Conflict, { on: 'page'; about: 'existence' }>

/** If the new parent of a page is below the page, moves the branch that contains it to the parent of the page first. */
async function moveBranchOut(draft: Draft, page: DraftPage, into: string | null): Promise<void> {
  for (let next = into; next !== null;) {
    const parent: string | null = (await draft.findPage(next))?.parent ?? null
    if (parent === page.id) return draft.movePage(next, { into: page.parent })
    next = parent
  }
}
