import { batches } from './batches.ts'
import { releaseUnusedBlob } from './storage-usage.ts'
import type { Db } from '../schema/tables.ts'

// A blob is listed here before its bytes are kept, and again when something stops referring to it. A job looks at those
// that have been listed long enough. It marks one as being deleted in the transaction in which it finds it unused, and
// only then deletes the bytes: as the same bytes are listed anew before they are kept anew, whoever brings them either
// comes first, and they stay, or learns of the mark, and waits until they are gone.

/** Lists blobs as perhaps unused from now on; returns those that are just being deleted, and so must not be kept now. */
export async function listUnusedBlobs(db: Db, hashes: readonly string[], now: string): Promise<string[]> {
  const listed = new Set<string>()
  for (const some of batches([...new Set(hashes)])) {
    const rows = await db
      .insertInto('unused_blobs')
      .values(some.map((hash) => ({ hash, since: now, is_deleting: 0 })))
      .onConflict((conflict) =>
        conflict.column('hash').doUpdateSet({ since: now }).where('unused_blobs.is_deleting', '=', 0),
      )
      .returning('hash')
      .execute()
    for (const { hash } of rows) listed.add(hash)
  }
  return hashes.filter((hash) => !listed.has(hash))
}

export async function findUnusedBlobs(db: Db, before: string): Promise<string[]> {
  const rows = await db.selectFrom('unused_blobs').select('hash').where('since', '<', before).limit(500).execute()
  return rows.map((row) => row.hash)
}

/** Marks a blob as being deleted, unless something refers to it or it was listed anew; returns whether it is marked. */
export async function markForDeletion(db: Db, hash: string, before: string): Promise<boolean> {
  const listed = await db
    .selectFrom('unused_blobs')
    .select('hash')
    .where('hash', '=', hash)
    .where('since', '<', before)
    .executeTakeFirst()
  // A process that has listed it again may be about to use it.
  if (!listed) return false
  await releaseUnusedBlob(db, hash)
  if (await isBlobUsed(db, hash)) {
    await forgetUnusedBlob(db, hash)
    return false
  }
  const marked = await db
    .updateTable('unused_blobs')
    .set({ is_deleting: 1 })
    .where('hash', '=', hash)
    .where('since', '<', before)
    .returning('hash')
    .executeTakeFirst()
  return marked !== undefined
}

export async function forgetUnusedBlob(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('unused_blobs').where('hash', '=', hash).execute()
}

async function isBlobUsed(db: Db, hash: string): Promise<boolean> {
  const ofFile = await db.selectFrom('objects').select('hash').where('blob', '=', hash).limit(1).executeTakeFirst()
  if (ofFile) return true
  const ofUpload = await db.selectFrom('uploads').select('id').where('blob', '=', hash).limit(1).executeTakeFirst()
  return ofUpload !== undefined
}
