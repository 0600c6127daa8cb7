import type { Db } from '../../schema/tables.ts'
import { listUnusedBlobs } from '../../storage/unused-blobs.ts'

export async function findHashes(db: Db, organizationId: string, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('objects')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('hash', '>', after)
    .orderBy('hash')
    .limit(500)
    .execute()
  return rows.map((row) => row.hash)
}

/** Deletes those of the objects that were not written again since; their blobs may have become unused with them. */
export async function deleteObjects(
  db: Db,
  organizationId: string,
  hashes: readonly string[],
  { before, now }: { before: string; now: string },
): Promise<number> {
  const deleted = await db
    .deleteFrom('objects')
    .where('organization_id', '=', organizationId)
    .where('hash', 'in', hashes)
    .where('written_at', '<', before)
    .returning('blob')
    .execute()
  await listUnusedBlobs(
    db,
    deleted.flatMap(({ blob }) => blob ?? []),
    now,
  )
  return deleted.length
}
