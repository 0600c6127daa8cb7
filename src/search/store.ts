import type { SpaceKey } from '../derived/heads.ts'
import { batches } from '../storage/batches.ts'
import type { Db } from '../storage/tables.ts'

/** Removes the rows of these pages. */
export async function deletePages(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  pageIds: readonly string[],
): Promise<void> {
  for (const ids of batches(pageIds)) {
    for (const table of ['search_sections', 'search_reuses'] as const) {
      await db
        .deleteFrom(table)
        .where('organization_id', '=', organizationId)
        .where('space_id', '=', spaceId)
        .where('page_id', 'in', ids)
        .execute()
    }
  }
}

/** The pages that have rows, in the order of their ids. */
export async function findIndexedPages(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('search_sections')
    .select('page_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('page_id', '>', after)
    .orderBy('page_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.page_id)
}
