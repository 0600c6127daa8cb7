import { slugOf } from '../markdown/slug.ts'
import { type PageChange, type PageState, changedFields } from '../revision/diff.ts'
import { metadataOf } from './export-text.ts'

/** An empty page needs no file if the text of its entry in the table of contents contains all of it. */
export function needsFile(state: PageState): boolean {
  const { title, linkTitle } = state.page
  return hasText(state) || linkTitle !== undefined || state.entry.slug !== slugOf(title)
}

/** Whether a page says something that stands in its file. */
export function hasText({ page }: PageState): boolean {
  return page.document !== undefined || Object.keys(metadataOf(page)).length > 0
}

/** Whether a table of contents has to say something else, apart from a title. */
export function isStructural({ before, after, isReordered }: PageChange): boolean {
  if (!before || !after || isReordered || before.parent !== after.parent) return true
  const fields: readonly string[] = changedFields(before, after)
  return (
    ['slug', 'linkTitle', 'target', 'computed'].some((field) => fields.includes(field)) || isRenamedGroup(before, after)
  )
}

/** Groups, links and pages without files are called what the table of contents says. */
function isRenamedGroup(before: PageState, after: PageState): boolean {
  return after.entry.type !== 'document' && before.page.title !== after.page.title
}
