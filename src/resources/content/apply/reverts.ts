import { identify } from '../../../content/document/identify.ts'
import { revertBlocks, unknownKeys } from '../../../content/document/revert.ts'
import { sameValue } from '../../../content/revision/diff.ts'
import { type Draft, type OpenPage, TreeError } from '../../../content/revision/draft.ts'
import { placeAsBefore } from '../../../content/revision/restore.ts'
import { insertSubtree } from '../../../content/revision/subtree.ts'
import { type LocatedPage, type Tree, findPage } from '../../../content/revision/tree.ts'
import { readDocumentObject } from '../body.ts'
import type { Batch, ChangeOf } from './batch.ts'
import { deletePage, noteUpdated } from './pages.ts'

/**
 * Reverts a page to a revision: deletes it if it did not exist there, restores it if it was deleted since, otherwise
 * resets it.
 */
export async function revertPage(batch: Batch, change: ChangeOf<'revert_page'>): Promise<void> {
  const { draft, applying } = batch
  const former = await applying.revisionTree(change.revision, `${batch.field}.revision`)
  const [was, is] = [await findPage(former, change.page), await draft.findPage(change.page)]
  if (!was && !is) throw new TreeError('page', `Page ${change.page} was not found`)
  const { block } = change
  if (block) {
    if (!was || !is) throw new TreeError('block', 'Blocks can be reverted only when the page exists in both revisions')
    return batch.wait(is.id, () => revertBlocksOf(batch, is.id, former, was.page.document, block))
  }
  if (!was) return deletePage(batch, change)
  if (is) return reset(batch, is, was, former)
  const parent = was.ancestors.at(-1)?.id ?? null
  const inserted = await insertSubtree(former, draft, { entry: was.entry, parent })
  await placeAsBefore(draft, change.page, was, former)
  for (const id of inserted) batch.note(id, { object: 'created_page', page: batch.presentPage(id) })
}

async function reset(batch: Batch, is: OpenPage, was: LocatedPage, former: Tree): Promise<void> {
  const { draft, applying } = batch
  const { kind: _, pages: __, ...body } = was.page
  const parent = was.ancestors.at(-1)?.id ?? null
  batch.forgetWritten(is.id)
  await draft.updatePage(is.id, (current) =>
    sameValue({ ...body, updatedAt: current.updatedAt }, current) ? current : { ...body, updatedAt: applying.now },
  )
  if (is.parent !== parent && (await canStandIn(draft, is.id, parent))) await draft.movePage(is.id, { into: parent })
  await placeAsBefore(draft, is.id, was, former)
  if (is.slug !== was.entry.slug) {
    await draft.renamePage(is.id, await draft.freeSlug(is.parent, was.entry.slug, is.id))
  }
  noteUpdated(batch, is.id)
}

/** Whether a parent exists and is neither the page itself nor one of its descendants. */
async function canStandIn(draft: Draft, id: string, parent: string | null): Promise<boolean> {
  if (parent === null) return true
  if (parent === id || !(await draft.findPage(parent))) return false
  return !(await draft.isBelow(parent, id))
}

async function revertBlocksOf(
  batch: Batch,
  id: string,
  former: Tree,
  formerHash: string | undefined,
  keys: readonly string[],
): Promise<void> {
  const { draft, applying } = batch
  const page = await draft.findPage(id)
  // A later change may have deleted it.
  if (!page) return
  const document = await readDocumentObject(applying.tree, page.body.document)
  const before = await readDocumentObject(former, formerHash)
  const [unknown] = unknownKeys(document, before, keys)
  if (unknown !== undefined) throw new TreeError(`block.${keys.indexOf(unknown)}`, `Block ${unknown} was not found`)
  const reverted = identify(document, revertBlocks(document, before, keys))
  const hash = applying.tree.objects.write({ kind: 'document', document: reverted })
  await draft.updatePage(id, (body) =>
    body.document === hash ? body : { ...body, document: hash, updatedAt: applying.now },
  )
  noteUpdated(batch, id)
}
