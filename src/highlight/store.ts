import type { SpaceKey } from '../derived/heads.ts'
import { toBatches } from '../storage/batches.ts'
import type { Db, Row } from '../schema/tables.ts'

/** Finds the highlighted code of a page by key; null for code that cannot be highlighted. */
export async function findHighlightedCode(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  pageId: string,
): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('highlighted_code')
    .select(['key', 'html'])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('page_id', '=', pageId)
    .execute()
  return new Map(rows.map(({ key, html }) => [key, html]))
}

export async function insertHighlightedCode(db: Db, rows: readonly Row<'highlighted_code'>[]): Promise<void> {
  for (const batch of toBatches(rows, 100)) await db.insertInto('highlighted_code').values(batch).execute()
}
