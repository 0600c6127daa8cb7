import { toBatches } from '../storage/batches.ts'
import type { Db, Tables } from '../schema/tables.ts'
import type { SpaceKey } from './heads.ts'

/** Tables of rows that are computed from pages. */
type PageTable = 'search_sections' | 'search_reuses' | 'highlighted_code'

// The tables have these columns in common; Kysely's types cannot express a choice between them.
const castTable = (table: PageTable) => table as 'highlighted_code' satisfies keyof Tables

/** Deletes the rows of these pages. */
export async function deletePageRows(
  db: Db,
  tables: readonly PageTable[],
  { organizationId, spaceId }: SpaceKey,
  pageIds: readonly string[],
): Promise<void> {
  for (const ids of toBatches(pageIds)) {
    for (const table of tables) {
      await db
        .deleteFrom(castTable(table))
        .where('organization_id', '=', organizationId)
        .where('space_id', '=', spaceId)
        .where('page_id', 'in', ids)
        .execute()
    }
  }
}

/** Returns the IDs of pages that have rows, in order. */
export async function findPagesWithRows(
  db: Db,
  table: PageTable,
  { organizationId, spaceId }: SpaceKey,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom(castTable(table))
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
