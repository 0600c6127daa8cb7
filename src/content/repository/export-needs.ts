import { slugOf } from '../markdown/slug.ts'
import { type PageChange, type PageState, changedFields } from '../revision/diff.ts'
import { metadataOf } from './export-text.ts'

/** An empty page of which the table of contents says everything needs no file. */
export function needsFile(state: PageState): boolean {
  return hasText(state) || state.entry.slug !== slugOf(state.page.title)
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
