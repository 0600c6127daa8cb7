import type { Blobs } from '../../storage/blobs.ts'
import type { SpecVersionRow } from './openapi-store.ts'

/** Returns the bundled document of a version as JSON. */
export const readDocumentText = (blobs: Blobs, { document_blob }: SpecVersionRow): Promise<string> =>
  readText(blobs, document_blob)

/** Returns the text from which a version was made. */
export const readSourceText = (blobs: Blobs, { source_blob }: SpecVersionRow): Promise<string> =>
  readText(blobs, source_blob)

async function readText(blobs: Blobs, hash: string): Promise<string> {
  const bytes = await blobs.get(hash)
  if (!bytes) throw new Error(`The bytes ${hash} of an OpenAPI specification are missing`)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
