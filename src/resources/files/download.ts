import type { OpenObjects } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Signer } from '../../kernel/signer.ts'
import { timestamp } from '../../kernel/time.ts'
import { readObject } from '../../content/revision/objects.ts'
import type { DownloadRequest } from '../../files/requests.ts'
import { parseRange, servingHeaders } from '../../files/serving.ts'
import type { Blobs } from '../../storage/blobs.ts'
import type { Database } from '../../storage/database.ts'
import { mayDownload } from '../content/addresses.ts'
import { findOrganizationOfSpace } from './store.ts'

export interface DownloadServices {
  database: Database
  blobs: Blobs
  openObjects: OpenObjects
  signer: Signer
  clock: () => number
}

/** A file never changes under its address, but the address is for those who were given it. */
const caching = 'private, max-age=604800, immutable'

/** Answers with a file, or a part of it, in a way that it cannot act as this server. */
export async function downloadFile(services: DownloadServices, request: DownloadRequest): Promise<Response> {
  const { database, blobs, openObjects, signer, clock } = services
  if (!mayDownload({ signer, now: () => timestamp(clock()) }, request)) throw notFound('file')
  const organizationId = await findOrganizationOfSpace(database.reader, request.spaceId)
  if (organizationId === undefined) throw notFound('file')
  const file = await readObject(openObjects(database.reader, organizationId), 'file', request.hash)
  const etag = `"${file.blob.slice(0, 32)}"`
  const headers: Record<string, string> = {
    ...servingHeaders(file.contentType, file.name),
    etag,
    'accept-ranges': 'bytes',
    'cache-control': caching,
    'access-control-allow-origin': '*',
  }
  if (request.ifNoneMatch !== undefined && namesTag(request.ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers })
  }
  // Ranges are for GET only, and for those whose earlier part is of the same file.
  const takesRange = !request.isHead && (request.ifRange === undefined || request.ifRange === etag)
  const range = takesRange ? parseRange(request.range, file.size) : undefined
  if (range === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${file.size}` } })
  }
  const partial = range && { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` }
  const length = range ? range.end - range.start + 1 : file.size
  const answer = { status: range ? 206 : 200, headers: { ...headers, ...partial, 'content-length': String(length) } }
  if (request.isHead || length === 0) return new Response(null, answer)
  const blob = await blobs.open(file.blob, range)
  if (!blob) throw new Error(`The bytes ${file.blob} of a file are missing`)
  return new Response(blob.stream, answer)
}

/** Whether an If-None-Match header names the tag; a weak one will do. */
function namesTag(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}
