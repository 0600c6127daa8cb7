import { assignKeys } from '../../../content/document/assign-keys.ts'
import { revertBlocks, findUnknownKeys } from '../../../content/document/revert.ts'
import { isSameValue } from '../../../content/revision/diff.ts'
import type { Draft, DraftPage } from '../../../content/revision/draft.ts'
import { TreeError } from '../../../content/revision/tree-error.ts'
import { moveToFormerPosition } from '../../../content/revision/restore.ts'
import { insertSubtree } from '../../../content/revision/subtree.ts'
import { type LocatedPage, type Tree, findPage } from '../../../content/revision/tree.ts'
import { readDocumentObject } from '../body.ts'
import type { Batch, ChangeOf } from './batch.ts'
import { deletePage, recordPageUpdated } from './pages.ts'

/**
 * Reverts a page to a revision: deletes it if it did not exist there, restores it if it was deleted since, otherwise
 * resets it.
 */
export async function revertPage(batch: Batch, change: ChangeOf<'revert_page'>): Promise<void> {
  const { draft, options } = batch
  const formerTree = await options.openRevisionTree(change.revision, `${batch.field}.revision`)
  const [formerPage, currentPage] = [await findPage(formerTree, change.page), await draft.findPage(change.page)]
  if (!formerPage && !currentPage) throw new TreeError('page', `Page ${change.page} was not found`)
  const { block } = change
  if (block) {
    if (!formerPage || !currentPage)
      throw new TreeError('block', 'Blocks can be reverted only when the page exists in both revisions')
    return batch.defer(currentPage.id, () =>
      revertPageBlocks(batch, currentPage.id, formerTree, formerPage.page.document, block),
    )
  }
  if (!formerPage) return deletePage(batch, change)
  if (currentPage) return resetPage(batch, currentPage, formerPage, formerTree)
  const parent = formerPage.ancestors.at(-1)?.id ?? null
  const inserted = await insertSubtree(formerTree, draft, { entry: formerPage.entry, parent })
  await moveToFormerPosition(draft, change.page, formerPage, formerTree)
  for (const id of inserted) batch.record(id, { object: 'created_page', page: batch.presentPage(id) })
}

async function resetPage(
  batch: Batch,
  currentPage: DraftPage,
  formerPage: LocatedPage,
  formerTree: Tree,
): Promise<void> {
  const { draft, options } = batch
  const { kind: _, pages: __, ...body } = formerPage.page
  const parent = formerPage.ancestors.at(-1)?.id ?? null
  batch.discardDeferred(currentPage.id)
  await draft.updatePage(currentPage.id, (current) =>
    isSameValue({ ...body, updatedAt: current.updatedAt }, current) ? current : { ...body, updatedAt: options.now },
  )
  if (currentPage.parent !== parent && (await canMoveInto(draft, currentPage.id, parent)))
    await draft.movePage(currentPage.id, { into: parent })
  await moveToFormerPosition(draft, currentPage.id, formerPage, formerTree)
  if (currentPage.slug !== formerPage.entry.slug) {
    await draft.renamePage(
      currentPage.id,
      await draft.findFreeSlug(currentPage.parent, formerPage.entry.slug, currentPage.id),
    )
  }
  recordPageUpdated(batch, currentPage.id)
}

/** Whether a parent exists and is neither the page itself nor one of its descendants. */
async function canMoveInto(draft: Draft, id: string, parent: string | null): Promise<boolean> {
  if (parent === null) return true
  if (parent === id || !(await draft.findPage(parent))) return false
  return !(await draft.isDescendantOf(parent, id))
}

async function revertPageBlocks(
  batch: Batch,
  id: string,
  formerTree: Tree,
  formerHash: string | undefined,
  keys: readonly string[],
): Promise<void> {
  const { draft, options } = batch
  const page = await draft.findPage(id)
  // A later change may have deleted it.
  if (!page) return
  const document = await readDocumentObject(options.tree, page.body.document)
  const before = await readDocumentObject(formerTree, formerHash)
  const [unknown] = findUnknownKeys(document, before, keys)
  if (unknown !== undefined) throw new TreeError(`block.${keys.indexOf(unknown)}`, `Block ${unknown} was not found`)
  const reverted = assignKeys(document, revertBlocks(document, before, keys))
  const hash = options.tree.objects.write({ kind: 'document', document: reverted })
  await draft.updatePage(id, (body) =>
    body.document === hash ? body : { ...body, document: hash, updatedAt: options.now },
  )
  recordPageUpdated(batch, id)
}
