import type { AppliedChange, ContentChange } from '../../../contract/content-changes.ts'
import { type ApplyOptions, Batch, type ChangeOf } from './batch.ts'
import * as others from './other-changes.ts'
import * as pages from './pages.ts'
import { revertFiles, revertReusableContent } from './revert-items.ts'
import { revertPage } from './reverts.ts'

export interface ApplyResult {
  changes: AppliedChange[]
  /** Ids of the inserted files. */
  insertedFiles: string[]
}

const appliers: {
  [Operation in ContentChange['operation']]: (batch: Batch, change: ChangeOf<Operation>, index: number) => Promise<void>
} = {
  insert_page: pages.insertPage,
  update_page: pages.updatePage,
  delete_page: pages.deletePage,
  revert_page: revertPage,
  insert_group: pages.insertGroup,
  update_group: pages.updateGroup,
  insert_link: pages.insertLink,
  update_link: pages.updateLink,
  insert_files: others.insertFiles,
  update_file: others.updateFile,
  delete_files: others.deleteFiles,
  revert_files: revertFiles,
  set_variables: others.setVariables,
  set_tags: others.setTags,
  insert_reusable_content: others.insertReusableContent,
  update_reusable_content: others.updateReusableContent,
  delete_reusable_content: others.deleteReusableContent,
  revert_reusable_content: revertReusableContent,
}

/** Applies changes in order. The first change that fails throws an error with its index, and nothing is stored. */
export async function applyChanges(changes: readonly ContentChange[], options: ApplyOptions): Promise<ApplyResult> {
  const batch = new Batch(changes, options)
  for (const [index, change] of changes.entries()) {
    const apply = appliers[change.operation] as (batch: Batch, change: ContentChange, index: number) => Promise<void>
    await batch.runAt(`body.changes.${index}`, () => apply(batch, change, index))
  }
  await batch.runDeferred()
  return { changes: batch.results, insertedFiles: batch.insertedFiles }
}
