import { type PageChange, changedFields, diffTrees } from '../content/revision/diff.ts'
import { readLineages } from '../content/revision/lineages.ts'
import type { PageObject } from '../content/revision/objects.ts'
import type { Tree } from '../content/revision/tree.ts'
import type { Db } from '../storage/tables.ts'
import { type SpaceKey, findReusing } from './store.ts'

/**
 * The pages that are found by other words in one tree than in another, which what is kept of the space is of; undefined
 * for those that are not found at all.
 */
export async function pagesToReplace(
  db: Db,
  space: SpaceKey,
  before: Tree,
  after: Tree,
): Promise<Map<string, PageObject | undefined>> {
  const { pages, reusableContents } = await diffTrees(before, after)
  const replaced = new Map(pages.filter(isFoundByOthers).map(({ id, after: now }) => [id, searchable(now)]))
  const contentIds = reusableContents.map(({ id }) => id)
  const reusing = [...(await findReusing(db, space, contentIds))].filter((id) => !replaced.has(id))
  for (const [id, lineage] of await readLineages(after, reusing)) replaced.set(id, searchable(lineage.at(-1)))
  return replaced
}

/** Whether a page is found by other words than before; where it stands is looked up when it is found. */
function isFoundByOthers({ before, after }: PageChange): boolean {
  if (!before || !after || before.entry.type !== after.entry.type) return true
  return changedFields(before, after).some(
    (field) => field === 'title' || field === 'description' || field === 'document',
  )
}

/** Groups and links are no pages that somebody reads. */
function searchable(state: { entry: { type: string }; page: PageObject } | undefined): PageObject | undefined {
  return state?.entry.type === 'document' ? state.page : undefined
}
