import { type PageChange, type TreeDiff, changedFields } from '../content/revision/diff.ts'
import type { ItemEntry } from '../content/revision/objects.ts'
import { type EntryChange, findInSorted } from '../content/revision/sequence.ts'
import { type Tree, findPages } from '../content/revision/tree.ts'

/** IDs of pages and reusable contents, and slugs of tags. */
export interface RetriedItems {
  pages: ReadonlySet<string>
  reusableContents: ReadonlySet<string>
  tags: ReadonlySet<string>
}

/** Items to translate, without removed ones. */
export interface ChangedItems {
  pages: readonly PageChange[]
  reusableContents: readonly EntryChange<ItemEntry>[]
  /** Slugs of tags. */
  tags: readonly string[]
}

export const findChangedItems = ({ pages, reusableContents, tags }: TreeDiff): ChangedItems => ({
  pages: pages.filter(hasChangedFields),
  reusableContents: reusableContents.filter(({ after }) => after !== undefined),
  tags: tags.flatMap(({ name, after }) => (after ? [name] : [])),
})

/** Adds items as if they were new, so that nothing of their previous translation is used; missing ones are omitted. */
export async function withRetriedItems(
  source: Tree,
  changed: ChangedItems,
  retried: RetriedItems,
): Promise<ChangedItems> {
  const pages = await findPages(source, [...retried.pages])
  const { objects, root } = source
  const contents = await findInSorted(objects, root.reusableContents, [...retried.reusableContents])
  return {
    pages: [
      ...changed.pages.filter(({ id }) => !retried.pages.has(id)),
      ...Array.from(pages, ([id, { entry, page, ancestors }]) => ({
        id,
        before: undefined,
        after: { entry, page, parent: ancestors.at(-1)?.id ?? null },
        isReordered: false,
      })),
    ],
    reusableContents: [
      ...changed.reusableContents.filter(({ id }) => !retried.reusableContents.has(id)),
      ...Array.from(contents, ([id, after]) => ({ id, before: undefined, after })),
    ],
    tags: [...new Set([...changed.tags, ...[...retried.tags].filter((slug) => Object.hasOwn(root.tags, slug))])],
  }
}

/** Whether anything but the position of a page has changed. */
const hasChangedFields = ({ before, after }: PageChange): boolean =>
  after !== undefined && (before === undefined || changedFields(before, after).length > 0)
