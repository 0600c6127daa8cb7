import { toBatches } from './batches.ts'
import { releaseUnusedBlob } from './storage-usage.ts'
import type { Db } from '../schema/tables.ts'

// A blob is listed here before its bytes are stored, and again when a reference to it is removed. A job checks the
// blobs that have been listed long enough. It marks a blob as being deleted in the transaction that finds it unused,
// and deletes the bytes afterwards. The same bytes are listed again before they are stored again: if that happens
// before the mark, they are kept; otherwise the upload sees the mark and waits until they are deleted.

/** Lists blobs as possibly unused from now on; returns those that are being deleted and must not be stored now. */
export async function recordUnusedBlobs(db: Db, hashes: readonly string[], now: string): Promise<string[]> {
  const recordedHashes = new Set<string>()
  for (const batch of toBatches([...new Set(hashes)])) {
    const rows = await db
      .insertInto('unused_blobs')
      .values(batch.map((hash) => ({ hash, since: now, is_deleting: 0 })))
      .onConflict((conflict) =>
        conflict.column('hash').doUpdateSet({ since: now }).where('unused_blobs.is_deleting', '=', 0),
      )
      .returning('hash')
      .execute()
    for (const { hash } of rows) recordedHashes.add(hash)
  }
  return hashes.filter((hash) => !recordedHashes.has(hash))
}

export async function findUnusedBlobs(db: Db, before: string): Promise<string[]> {
  const rows = await db.selectFrom('unused_blobs').select('hash').where('since', '<', before).limit(500).execute()
  return rows.map((row) => row.hash)
}

/** Marks a blob as being deleted unless it is referenced or was listed again; returns whether it is marked. */
export async function markBlobForDeletion(db: Db, hash: string, before: string): Promise<boolean> {
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
    await deleteUnusedBlobRecord(db, hash)
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

export async function deleteUnusedBlobRecord(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('unused_blobs').where('hash', '=', hash).execute()
}

async function isBlobUsed(db: Db, hash: string): Promise<boolean> {
  const file = await db.selectFrom('objects').select('hash').where('blob', '=', hash).limit(1).executeTakeFirst()
  if (file) return true
  const upload = await db.selectFrom('uploads').select('id').where('blob', '=', hash).limit(1).executeTakeFirst()
  if (upload) return true
  const pdf = await db
    .selectFrom('pdf_files')
    .select('key')
    .where((eb) => eb.or([eb('key', '=', hash), eb('blob', '=', hash)]))
    .limit(1)
    .executeTakeFirst()
  if (pdf) return true
  const spec = await db
    .selectFrom('openapi_specs')
    .select('id')
    .where('source_blob', '=', hash)
    .limit(1)
    .executeTakeFirst()
  if (spec) return true
  const version = await db
    .selectFrom('openapi_versions')
    .select('id')
    .where((eb) => eb.or([eb('source_blob', '=', hash), eb('document_blob', '=', hash)]))
    .limit(1)
    .executeTakeFirst()
  if (version) return true
  const linked = await db
    .selectFrom('linked_specs')
    .select('key')
    .where('document_blob', '=', hash)
    .limit(1)
    .executeTakeFirst()
  return linked !== undefined
}
