import { TreeError } from '../../../content/revision/tree-error.ts'
import { readObject } from '../../../content/revision/objects.ts'
import { findInSorted } from '../../../content/revision/sequence.ts'
import type { Batch, ChangeOf } from './batch.ts'

/** Reverts files to a revision that contains them; deleted files are restored. */
export async function revertFiles(batch: Batch, { files, revision }: ChangeOf<'revert_files'>): Promise<void> {
  const { objects, root } = await batch.options.openRevisionTree(revision, `${batch.field}.revision`)
  const entries = await findInSorted(objects, root.files, [...new Set(files)].sort())
  for (const [index, id] of files.entries()) {
    const entry = entries.get(id)
    if (!entry) throw new TreeError(`files.${index}`, `The revision does not contain the file ${id}`)
    const { kind: _, ...file } = await readObject(objects, 'file', entry.hash)
    batch.draft.files.set(id, file)
    batch.record(id, { object: 'updated_file', file: id })
  }
}

/** Reverts a reusable content to a revision that contains it; a deleted one is restored. */
export async function revertReusableContent(batch: Batch, change: ChangeOf<'revert_reusable_content'>): Promise<void> {
  const { reusableContent: id, revision } = change
  const { objects, root } = await batch.options.openRevisionTree(revision, `${batch.field}.revision`)
  const entry = (await findInSorted(objects, root.reusableContents, [id])).get(id)
  if (!entry) throw new TreeError('reusableContent', `The revision does not contain the reusable content ${id}`)
  const { kind: _, ...content } = await readObject(objects, 'reusable-content', entry.hash)
  batch.discardDeferred(id)
  batch.draft.reusableContents.set(id, content)
  batch.record(id, { object: 'updated_reusable_content', reusableContent: id })
}
