import { ReadableStream } from 'node:stream/web'
import type { OpenObjects } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Signer } from '../../kernel/signer.ts'
import { timestamp } from '../../kernel/time.ts'
import { type FileObject, readObject } from '../../content/revision/objects.ts'
import type { DownloadRequest } from '../../files/requests.ts'
import { type ByteRange, parseRange, servingHeaders } from '../../files/serving.ts'
import type { Blobs } from '../../storage/blobs.ts'
import type { Database } from '../../storage/database.ts'
import { isValidDownload } from '../content/signed-links.ts'
import { findOrganizationIdOfSpace } from '../../domain/spaces/space-queries.ts'

export interface DownloadServices {
  database: Database
  blobs: Blobs
  openObjects: OpenObjects
  signer: Signer
  clock: () => number
  pictures: Pictures
}

/** Image resizer. */
export interface Pictures {
  /** Returns an image resized to a width; undefined if the original should be sent or the image cannot be resized. */
  get(source: SourcePicture, width: number): Promise<{ bytes: Uint8Array; contentType: string } | undefined>
}

export interface SourcePicture {
  /** Hash of the bytes. */
  blob: string
  contentType: string
  size: number
  read(): Promise<Uint8Array | undefined>
}

/** Content of a response: an original file or a resized image. */
interface FileResponse {
  headers: Record<string, string>
  etag: string
  size: number
  open(range: ByteRange | undefined): Promise<ReadableStream<Uint8Array> | Uint8Array>
}

/** Download URLs are immutable, but private because only their recipients may read the file. */
const cacheControl = 'private, max-age=604800, immutable'

/** Responds with a file or a range of it; the headers prevent it from running as content of this origin. */
export async function downloadFile(services: DownloadServices, request: DownloadRequest): Promise<Response> {
  const { database, openObjects, signer, clock } = services
  if (!isValidDownload({ signer, now: () => timestamp(clock()) }, request)) throw notFound('file')
  const organizationId = await findOrganizationIdOfSpace(database.reader, request.spaceId)
  if (organizationId === undefined) throw notFound('file')
  const file = await readObject(openObjects(database.reader, organizationId), 'file', request.hash)
  return createResponse(
    (await createResizedResponse(services, file, request.width)) ?? createOriginalResponse(services, file),
    request,
  )
}

/** Responds with a file that the caller may read. */
export const respondWithFile = (
  services: Pick<DownloadServices, 'blobs'>,
  file: FileObject,
  request: TransferRequest,
): Promise<Response> => createResponse(createOriginalResponse(services, file), request)

type TransferRequest = Pick<DownloadRequest, 'range' | 'ifNoneMatch' | 'ifRange' | 'isHead'>

async function createResponse(fileResponse: FileResponse, request: TransferRequest): Promise<Response> {
  const { headers, etag, size } = fileResponse
  if (request.ifNoneMatch !== undefined && matchesEtag(request.ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers })
  }
  // Ranges apply to GET only, and with `If-Range` only if the file is still the same.
  const allowsRange = !request.isHead && (request.ifRange === undefined || request.ifRange === etag)
  const range = allowsRange ? parseRange(request.range, size) : undefined
  if (range === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } })
  }
  const partial = range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }
  const length = range ? range.end - range.start + 1 : size
  const init = { status: range ? 206 : 200, headers: { ...headers, ...partial, 'content-length': String(length) } }
  return new Response(request.isHead || length === 0 ? null : await fileResponse.open(range), init)
}

function createOriginalResponse({ blobs }: Pick<DownloadServices, 'blobs'>, file: FileObject): FileResponse {
  const etag = `"${file.blob.slice(0, 32)}"`
  return {
    headers: createHeaders(file, etag),
    etag,
    size: file.size,
    async open(range) {
      const blob = await blobs.open(file.blob, range)
      if (!blob) throw new Error(`The bytes ${file.blob} of a file are missing`)
      return blob.stream
    },
  }
}

/** Returns the image resized to the requested width; undefined if the original should be sent. */
async function createResizedResponse(
  { blobs, pictures }: DownloadServices,
  { blob, name, contentType, size }: FileObject,
  requestedWidth: string | undefined,
): Promise<FileResponse | undefined> {
  const width = Number(requestedWidth)
  if (requestedWidth === undefined || !Number.isInteger(width)) return undefined
  const picture = await pictures.get({ blob, contentType, size, read: () => blobs.get(blob) }, width)
  if (!picture) return undefined
  const etag = `"${blob.slice(0, 32)}-${width}"`
  return {
    headers: createHeaders({ name: name.replace(/\.[^.]*$/, '.webp'), contentType: picture.contentType }, etag),
    etag,
    size: picture.bytes.length,
    open: (range) => Promise.resolve(range ? picture.bytes.subarray(range.start, range.end + 1) : picture.bytes),
  }
}

const createHeaders = ({ name, contentType }: Pick<FileObject, 'name' | 'contentType'>, etag: string) => ({
  ...servingHeaders(contentType, name),
  etag,
  'accept-ranges': 'bytes',
  'cache-control': cacheControl,
  'access-control-allow-origin': '*',
})

/** Whether an If-None-Match header contains the tag, strong or weak. */
export function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}
