import type { Insertable } from 'kysely'
import type { Db, Row, Tables } from '../../schema/tables.ts'
import { recordUnusedBlobs } from '../../storage/unused-blobs.ts'

export async function insertUpload(db: Db, upload: Insertable<Tables['uploads']>): Promise<void> {
  await db.insertInto('uploads').values(upload).execute()
}

export function findUpload(db: Db, organizationId: string, id: string): Promise<Row<'uploads'> | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function finishUpload(
  db: Db,
  { organization_id, id }: Pick<Row<'uploads'>, 'organization_id' | 'id'>,
  stored: Pick<Row<'uploads'>, 'content_type' | 'size' | 'blob' | 'dimensions'>,
): Promise<void> {
  await db
    .updateTable('uploads')
    .set(stored)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Deletes uploads that were not used in time, and lists their blobs as possibly unused. */
export async function deleteUploadsBefore(db: Db, before: string, now: string): Promise<void> {
  const deleted = await db.deleteFrom('uploads').where('created_at', '<', before).returning('blob').execute()
  await recordUnusedBlobs(
    db,
    deleted.flatMap(({ blob }) => blob ?? []),
    now,
  )
}
