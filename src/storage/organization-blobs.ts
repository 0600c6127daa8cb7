import type { Db } from '../schema/tables.ts'
import { recordUnusedBlobs } from './unused-blobs.ts'

/** Number of blobs that are listed in one transaction. */
const portionSize = 500

/**
 * Lists a portion of the files and PDFs of an organization that is deleted as unused, so that a sweep removes their bytes unless another
 * organization has the same; returns whether there may be more. Nothing else may refer to them any more.
 */
export async function abandonBlobs(db: Db, organizationId: string, now: string): Promise<boolean> {
  const files = await db
    .selectFrom('organization_blobs')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .limit(portionSize)
    .execute()
  const pdfs = await db
    .selectFrom('pdf_files')
    .select(['key', 'blob'])
    .where('organization_id', '=', organizationId)
    .limit(portionSize)
    .execute()
  const [hashes, keys] = [files.map(({ hash }) => hash), pdfs.map(({ key }) => key)]
  await recordUnusedBlobs(db, [...hashes, ...keys, ...pdfs.flatMap(({ blob }) => blob ?? [])], now)
  if (hashes.length > 0)
    await db
      .deleteFrom('organization_blobs')
      .where('organization_id', '=', organizationId)
      .where('hash', 'in', hashes)
      .execute()
  if (keys.length > 0)
    await db.deleteFrom('pdf_files').where('organization_id', '=', organizationId).where('key', 'in', keys).execute()
  return hashes.length > 0 || keys.length > 0
}
