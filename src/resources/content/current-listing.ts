import { exportRepository } from '../../content/repository/export.ts'
import type { ListedContent } from '../../content/repository/import.ts'
import type { FileUrlMapping } from '../../content/repository/references.ts'
import type { Objects } from '../../content/revision/objects.ts'
import type { Blobs } from '../../storage/blobs.ts'
import type { Row } from '../../schema/tables.ts'
import { listedContentOf } from '../../domain/revisions/revisions.ts'
import { hashGitBlob, hashGitBlobChunks } from './folder.ts'

/**
 * Returns the content of a revision with the listing that an export would produce. The stored listing can describe an
 * earlier state, and later edits must not be mistaken for the content of files.
 */
export async function computeCurrentListing(
  objects: Objects,
  blobs: Blobs,
  revision: Row<'revisions'>,
  fileUrls?: FileUrlMapping,
): Promise<ListedContent> {
  const root = revision.root_hash
  const before = listedContentOf(revision)
  if (!before || before.root === root) return { root, listing: before?.listing }
  const exported = await exportRepository(objects, { before, after: root, isTaken: () => false, fileUrls })
  const oids = new Map<string, string>()
  for (const change of exported.changes) {
    if ('text' in change) oids.set(change.path, hashGitBlob(Buffer.from(change.text)))
    if ('blob' in change) oids.set(change.path, await hashStoredGitBlob(blobs, change.blob))
  }
  return { root, listing: await exported.list(oids) }
}

/** Returns the Git object id of a blob; an empty string, which matches no file, if the blob is missing. */
export async function hashStoredGitBlob(blobs: Pick<Blobs, 'open'>, blob: string): Promise<string> {
  const opened = await blobs.open(blob)
  return opened ? hashGitBlobChunks(opened.stream, opened.size, 'sha1') : ''
}
