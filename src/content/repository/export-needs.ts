import { toSlug } from '../markdown/slug.ts'
import { type PageChange, type PageState, changedFields } from '../revision/diff.ts'
import { metadataOf } from './export-text.ts'

/** Whether a page needs a file. An empty page does not if its entry in the table of contents contains all of it. */
export function needsFile(state: PageState): boolean {
  const { title, linkTitle } = state.page
  return hasFileContent(state) || linkTitle !== undefined || state.entry.slug !== toSlug(title)
}

/** Whether a page has content that is stored in its file. */
export function hasFileContent({ page }: PageState): boolean {
  return page.document !== undefined || Object.keys(metadataOf(page)).length > 0
}

/** Whether a change requires an update of the table of contents, apart from titles. */
export function isStructuralChange({ before, after, isReordered }: PageChange): boolean {
  if (!before || !after || isReordered || before.parent !== after.parent) return true
  const fields: readonly string[] = changedFields(before, after)
  return (
    ['slug', 'linkTitle', 'target', 'computed'].some((field) => fields.includes(field)) || isRenamedGroup(before, after)
  )
}

/** Whether the title of a page that is not a document changed; such titles are stored in the table of contents. */
function isRenamedGroup(before: PageState, after: PageState): boolean {
  return after.entry.type !== 'document' && before.page.title !== after.page.title
}
