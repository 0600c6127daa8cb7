import type { Insertable } from 'kysely'
import type { Db, Row, Tables } from '../../storage/tables.ts'

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

/** Deletes uploads that nobody fetched in time, and notes their bytes as perhaps unused. */
export async function deleteUploadsBefore(db: Db, before: string, now: string): Promise<void> {
  const deleted = await db.deleteFrom('uploads').where('created_at', '<', before).returning('blob').execute()
  const blobs = [...new Set(deleted.flatMap(({ blob }) => blob ?? []))]
  if (blobs.length === 0) return
  await db
    .insertInto('unused_blobs')
    .values(blobs.map((hash) => ({ hash, since: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findUnusedBlobs(db: Db, before: string): Promise<string[]> {
  const rows = await db.selectFrom('unused_blobs').select('hash').where('since', '<', before).limit(500).execute()
  return rows.map((row) => row.hash)
}

export async function isBlobUsed(db: Db, hash: string): Promise<boolean> {
  const ofFile = await db.selectFrom('objects').select('hash').where('blob', '=', hash).limit(1).executeTakeFirst()
  if (ofFile) return true
  const ofUpload = await db.selectFrom('uploads').select('id').where('blob', '=', hash).limit(1).executeTakeFirst()
  return ofUpload !== undefined
}

export async function forgetUnusedBlob(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('unused_blobs').where('hash', '=', hash).execute()
}

/** The organization of a space that is there. */
export async function findOrganizationOfSpace(db: Db, spaceId: string): Promise<string | undefined> {
  const space = await db
    .selectFrom('spaces')
    .select('organization_id')
    .where('id', '=', spaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return space?.organization_id
}
