import { invalid } from '../../kernel/errors.ts'
import type { Db } from '../../schema/tables.ts'
import type { StoredFile } from './store-file.ts'
import { findUpload } from './upload-store.ts'

/** Returns a finished upload as a file, named after the upload unless a name is given. */
export async function getUploadedFile(
  db: Db,
  organizationId: string,
  { key, name, field }: { key: string; name?: string; field: string },
): Promise<StoredFile> {
  const upload = await findUpload(db, organizationId, key)
  if (!upload) throw invalid(field, 'was not found')
  if (upload.blob === null) throw invalid(field, 'is not complete: upload the bytes first')
  return {
    name: name ?? upload.name,
    contentType: upload.content_type,
    size: upload.size,
    blob: upload.blob,
    ...(upload.dimensions !== null && {
      dimensions: JSON.parse(upload.dimensions) as { width: number; height: number },
    }),
  }
}
