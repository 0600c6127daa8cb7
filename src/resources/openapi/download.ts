import * as store from '../../domain/openapi/openapi-store.ts'
import type { SpecDownloadRequest } from '../../files/requests.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Blobs } from '../../storage/blobs.ts'
import type { Database } from '../../storage/database.ts'
import { matchesEtag } from '../files/download.ts'

/** Responds with the document of a public specification. */
export async function downloadSpec(
  { database, blobs }: { database: Database; blobs: Blobs },
  { organizationId, name, ifNoneMatch, isHead }: SpecDownloadRequest,
): Promise<Response> {
  const slug = /^(.+)\.json$/.exec(name)?.[1]
  const found = slug === undefined ? undefined : await store.findLatestVersion(database.reader, organizationId, slug)
  // The slug is compared because private specifications are found by their ID too.
  if (!found || found.spec.slug !== slug || found.spec.visibility !== 'public') throw notFound('specification')
  const { document_blob: hash, document_size: size } = found.version
  const etag = `"${hash.slice(0, 32)}"`
  const headers = {
    'content-type': 'application/json',
    etag,
    'cache-control': 'public, no-cache',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  }
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) return new Response(null, { status: 304, headers })
  const init = { headers: { ...headers, 'content-length': String(size) } }
  if (isHead) return new Response(null, init)
  const blob = await blobs.open(hash)
  if (!blob) throw new Error(`The bytes ${hash} of an OpenAPI specification are missing`)
  return new Response(blob.stream, init)
}
