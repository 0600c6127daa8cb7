import type { AppliedChange, ContentChange } from '../../../contract/content-changes.ts'
import { type Applying, Batch, type ChangeOf } from './batch.ts'
import * as beside from './beside-pages.ts'
import * as pages from './pages.ts'
import { revertPage } from './reverts.ts'

export interface Applied {
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
  insert_files: beside.insertFiles,
  update_file: beside.updateFile,
  delete_files: beside.deleteFiles,
  set_variables: beside.setVariables,
  set_tags: beside.setTags,
  insert_reusable_content: beside.insertReusableContent,
  update_reusable_content: beside.updateReusableContent,
  delete_reusable_content: beside.deleteReusableContent,
}

/** Applies changes in order. The first change that fails throws an error with its index, and nothing is stored. */
export async function applyChanges(changes: readonly ContentChange[], applying: Applying): Promise<Applied> {
  const batch = new Batch(changes, applying)
  for (const [index, change] of changes.entries()) {
    const apply = appliers[change.operation] as (batch: Batch, change: ContentChange, index: number) => Promise<void>
    await batch.at(`body.changes.${index}`, () => apply(batch, change, index))
  }
  await batch.doWaiting()
  return { changes: batch.touched, insertedFiles: batch.insertedFiles }
}
