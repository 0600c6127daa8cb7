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
import { mayDownload } from '../content/addresses.ts'
import { findOrganizationIdOfSpace } from '../../domain/spaces/space-queries.ts'

export interface DownloadServices {
  database: Database
  blobs: Blobs
  openObjects: OpenObjects
  signer: Signer
  clock: () => number
  pictures: Pictures
}

/** Who makes pictures smaller. */
export interface Pictures {
  /** A picture in a width; undefined when the original is as good, or it cannot be made. */
  get(source: SourcePicture, width: number): Promise<{ bytes: Uint8Array; contentType: string } | undefined>
}

export interface SourcePicture {
  /** Names the bytes. */
  blob: string
  contentType: string
  size: number
  read(): Promise<Uint8Array | undefined>
}

/** What is sent: a file as it is, or a picture that was made from it. */
interface Sent {
  headers: Record<string, string>
  etag: string
  size: number
  open(range: ByteRange | undefined): Promise<ReadableStream<Uint8Array> | Uint8Array>
}

/** A file never changes under its address, but the address is for those who were given it. */
const caching = 'private, max-age=604800, immutable'

/** Answers with a file, or a part of it, in a way that it cannot act as this server. */
export async function downloadFile(services: DownloadServices, request: DownloadRequest): Promise<Response> {
  const { database, openObjects, signer, clock } = services
  if (!mayDownload({ signer, now: () => timestamp(clock()) }, request)) throw notFound('file')
  const organizationId = await findOrganizationIdOfSpace(database.reader, request.spaceId)
  if (organizationId === undefined) throw notFound('file')
  const file = await readObject(openObjects(database.reader, organizationId), 'file', request.hash)
  return respond((await smaller(services, file, request.width)) ?? original(services, file), request)
}

async function respond(sent: Sent, request: DownloadRequest): Promise<Response> {
  const { headers, etag, size } = sent
  if (request.ifNoneMatch !== undefined && namesTag(request.ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers })
  }
  // Ranges are for GET only, and for those whose earlier part is of the same file.
  const takesRange = !request.isHead && (request.ifRange === undefined || request.ifRange === etag)
  const range = takesRange ? parseRange(request.range, size) : undefined
  if (range === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } })
  }
  const partial = range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }
  const length = range ? range.end - range.start + 1 : size
  const answer = { status: range ? 206 : 200, headers: { ...headers, ...partial, 'content-length': String(length) } }
  return new Response(request.isHead || length === 0 ? null : await sent.open(range), answer)
}

function original({ blobs }: DownloadServices, file: FileObject): Sent {
  const etag = `"${file.blob.slice(0, 32)}"`
  return {
    headers: headersOf(file, etag),
    etag,
    size: file.size,
    async open(range) {
      const blob = await blobs.open(file.blob, range)
      if (!blob) throw new Error(`The bytes ${file.blob} of a file are missing`)
      return blob.stream
    },
  }
}

/** A picture in the width that is asked for, where it saves something. */
async function smaller(
  { blobs, pictures }: DownloadServices,
  { blob, name, contentType, size }: FileObject,
  asked: string | undefined,
): Promise<Sent | undefined> {
  const width = Number(asked)
  if (asked === undefined || !Number.isInteger(width)) return undefined
  const picture = await pictures.get({ blob, contentType, size, read: () => blobs.get(blob) }, width)
  if (!picture) return undefined
  const etag = `"${blob.slice(0, 32)}-${width}"`
  return {
    headers: headersOf({ name: name.replace(/\.[^.]*$/, '.webp'), contentType: picture.contentType }, etag),
    etag,
    size: picture.bytes.length,
    open: (range) => Promise.resolve(range ? picture.bytes.subarray(range.start, range.end + 1) : picture.bytes),
  }
}

const headersOf = ({ name, contentType }: Pick<FileObject, 'name' | 'contentType'>, etag: string) => ({
  ...servingHeaders(contentType, name),
  etag,
  'accept-ranges': 'bytes',
  'cache-control': caching,
  'access-control-allow-origin': '*',
})

/** Whether an If-None-Match header names the tag; a weak one will do. */
function namesTag(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}
