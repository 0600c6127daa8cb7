import { sql } from 'kysely'
import type { Db, Row } from '../../schema/tables.ts'
import { recordUnusedBlobs } from '../../storage/unused-blobs.ts'

export type PdfKey = Pick<Row<'pdf_files'>, 'organization_id' | 'key'>

export function findPdfFile(db: Db, { organization_id, key }: PdfKey): Promise<Row<'pdf_files'> | undefined> {
  return db
    .selectFrom('pdf_files')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Queues a PDF, even if an earlier attempt failed. */
export async function queuePdfFile(db: Db, { organization_id, key }: PdfKey, name: string, now: string): Promise<void> {
  const queued = {
    name,
    state: 'queued',
    progress: 0,
    error: null,
    blob: null,
    size: 0,
    requested_at: now,
    updated_at: now,
  } as const
  await db
    .insertInto('pdf_files')
    .values({ organization_id, key, ...queued })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'key']).doUpdateSet(queued).where('pdf_files.state', '=', 'failed'),
    )
    .execute()
}

/** Counts the unfinished PDFs of an organization, up to a limit. */
export async function countUnfinishedPdfFiles(db: Db, organizationId: string, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('pdf_files')
    .select('key')
    .where('organization_id', '=', organizationId)
    // The condition of the index, without parameters.
    .where(sql<boolean>`state in ('queued', 'running')`)
    .limit(limit)
    .execute()
  return rows.length
}

export async function updatePdfFile(
  db: Db,
  { organization_id, key }: PdfKey,
  values: Partial<Omit<Row<'pdf_files'>, 'organization_id' | 'key'>>,
): Promise<void> {
  await db
    .updateTable('pdf_files')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('key', '=', key)
    .execute()
}

/** Deletes PDFs that were not requested recently, and lists their blobs as possibly unused. */
export async function deletePdfFilesBefore(db: Db, before: string, now: string): Promise<void> {
  const deleted = await db
    .deleteFrom('pdf_files')
    .where('requested_at', '<', before)
    .returning(['key', 'blob'])
    .execute()
  await recordUnusedBlobs(
    db,
    deleted.flatMap(({ key, blob }) => (blob === null ? [key] : [key, blob])),
    now,
  )
}
