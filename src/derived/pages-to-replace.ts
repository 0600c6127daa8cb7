import { type PageChange, changedFields, diffTrees } from '../content/revision/diff.ts'
import { readLineages } from '../content/revision/lineages.ts'
import type { PageObject } from '../content/revision/objects.ts'
import type { Tree } from '../content/revision/tree.ts'
import type { Db } from '../schema/tables.ts'
import type { SpaceKey } from './heads.ts'
import { findPagesReusing } from './reuses.ts'

/** Fields of pages from which rows are computed. */
export type PageSourceField = 'title' | 'linkTitle' | 'description' | 'condition' | 'document'

/**
 * Returns the pages whose rows differ between two trees, where `before` is the tree from which the current rows were
 * computed; undefined for pages that have no rows in `after`.
 */
export async function findPagesToReplace(
  db: Db,
  space: SpaceKey,
  { before, after, fields }: { before: Tree; after: Tree; fields: readonly PageSourceField[] },
): Promise<Map<string, PageObject | undefined>> {
  const { pages, reusableContents } = await diffTrees(before, after)
  const changed = pages.filter((change) => hasChanged(change, fields))
  const replaced = new Map(changed.map(({ id, after: now }) => [id, documentPageOf(now)]))
  const contentIds = reusableContents.map(({ id }) => id)
  const reusing = [...(await findPagesReusing(db, space, contentIds))].filter((id) => !replaced.has(id))
  for (const [id, lineage] of await readLineages(after, reusing)) replaced.set(id, documentPageOf(lineage.at(-1)))
  return replaced
}

/**
 * Whether the type or the fields of a page have changed. Its position is ignored, because it is looked up when the rows
 * are used.
 */
function hasChanged({ before, after }: PageChange, fields: readonly string[]): boolean {
  if (!before || !after || before.entry.type !== after.entry.type) return true
  return changedFields(before, after).some((field) => fields.includes(field))
}

/** Returns a page that has a document; groups and links have none. */
function documentPageOf(state: { entry: { type: string }; page: PageObject } | undefined): PageObject | undefined {
  return state?.entry.type === 'document' ? state.page : undefined
}
