import { hash } from 'node:crypto'
import { Readable, pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { JsonStream } from '../kernel/json-stream.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Minimum length of a body that is compressed; shorter ones fit into one packet anyway. */
const compressionThreshold = 1400

/** A fast level, because most replies are compressed once for each request. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Assets are compressed once and sent often. A higher level would save another 7 percent, but take ten times as long. */
const assetBrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** A screen of the web app consists of many small modules, which together do not fit into one packet. */
const assetCompressionThreshold = 256

export interface Reply {
  status: number
  headers: Record<string, string>
  body: string | JsonStream | Readable | null
}

/** A reply whose first chunk was read, so that errors before it can still change the status. */
export interface PrefetchedReply extends Omit<Reply, 'body'> {
  body: string | Readable | null
}

export async function prefetchReply(reply: Reply): Promise<PrefetchedReply> {
  const { body } = reply
  return { ...reply, body: body instanceof JsonStream ? await prefetchFirstChunk(body) : body }
}

/** The entity tag of a representation, without quotes. */
export function computeEntityTag(body: string): string {
  return hash('sha1', body, 'base64url').slice(0, 22)
}

/** Whether an If-Match or If-None-Match header contains the tag, with or without the suffix of a compressed variant. */
export function matchesEntityTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some(
    (part) =>
      part
        .trim()
        .replace(/^W\//, '')
        .replace(/-(br|gzip)"$/, '"') === `"${tag}"`,
  )
}

/** Compresses a body above the threshold in an encoding that the caller accepts, unless its headers forbid it. */
export async function toCompressedResponse(
  { status, headers, body }: PrefetchedReply,
  acceptEncoding: string | undefined,
): Promise<Response> {
  const isCompressible = !headers['cache-control']?.includes('no-transform')
  const encoding = isCompressible ? negotiateEncoding(acceptEncoding) : undefined
  if (body === null || !encoding || (typeof body === 'string' && body.length < compressionThreshold)) {
    return new Response(typeof body === 'object' && body ? toWebStream(body) : body, { status, headers })
  }
  if (typeof body !== 'string') {
    const compressor = encoding === 'br' ? createBrotliCompress(brotliOptions) : createGzip()
    // An error destroys both streams, so the client sees an incomplete reply.
    pipeline(body, compressor, () => undefined)
    return new Response(toWebStream(compressor), { status, headers: variantHeaders(headers, encoding) })
  }
  const encoded = await encode({ headers, body }, encoding)
  return new Response(encoded.bytes as Uint8Array<ArrayBuffer>, { status, headers: encoded.headers })
}

/** Returns the headers of a compressed variant, which has its own entity tag. */
function variantHeaders(headers: Readonly<Record<string, string>>, encoding: Encoding): Record<string, string> {
  const tag = headers['etag']
  return { ...headers, 'content-encoding': encoding, ...(tag && { etag: `${tag.slice(0, -1)}-${encoding}"` }) }
}

type Encoding = 'br' | 'gzip'

interface EncodedBody {
  bytes: Uint8Array
  headers: Record<string, string>
}

/** A complete reply that may be sent more than once. */
interface CacheableReply {
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array
  /** Whether the body is in a compressed format already, such as an image. */
  isCompressed?: boolean
  /** Whether it is the same for everybody until the next version of the server. */
  isAsset?: boolean
}

/** Caches the encoded bytes of replies, as long as the replies themselves are in memory. */
export class EncodedReplies {
  readonly #entries = new WeakMap<
    object,
    Map<Encoding | undefined, { pending: Promise<EncodedBody>; encoded?: EncodedBody }>
  >()

  /** Returns the bytes if they were encoded before. */
  findEncoded(owner: CacheableReply, encoding: Encoding | undefined): EncodedBody | undefined {
    return this.#entries.get(owner)?.get(encoding)?.encoded
  }

  async encode(owner: CacheableReply, encoding: Encoding | undefined): Promise<EncodedBody> {
    let byEncoding = this.#entries.get(owner)
    if (!byEncoding) this.#entries.set(owner, (byEncoding = new Map()))
    const cached = byEncoding.get(encoding)
    if (cached) return cached.pending
    const threshold = owner.isAsset ? assetCompressionThreshold : compressionThreshold
    const isCompressible = !owner.isCompressed && owner.body.length >= threshold
    const entry: { pending: Promise<EncodedBody>; encoded?: EncodedBody } = {
      pending: encode(owner, isCompressible ? encoding : undefined),
    }
    // Stored before it is complete, so that concurrent requests share one compression.
    byEncoding.set(encoding, entry)
    return (entry.encoded = await entry.pending)
  }
}

async function encode(reply: CacheableReply, encoding: Encoding | undefined): Promise<EncodedBody> {
  const { headers, body, isAsset } = reply
  const uncompressed = typeof body === 'string' ? Buffer.from(body) : body
  if (encoding === undefined) return withContentLength(uncompressed, headers)
  const options = isAsset ? assetBrotliOptions : brotliOptions
  const bytes = encoding === 'br' ? await compressBrotli(uncompressed, options) : await compressGzip(uncompressed)
  return withContentLength(bytes, variantHeaders(headers, encoding))
}

const withContentLength = (bytes: Uint8Array, headers: Readonly<Record<string, string>>): EncodedBody => ({
  bytes,
  headers: { ...headers, 'content-length': String(bytes.byteLength) },
})

export function negotiateEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (!acceptEncoding) return undefined
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding)) return 'br'
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding) ? 'gzip' : undefined
}

/** Reads the first chunk of a stream; returns a string when there is no second one. */
async function prefetchFirstChunk(stream: JsonStream): Promise<string | Readable> {
  const chunks = stream.chunks()
  const [first, second] = [await chunks.next(), await chunks.next()]
  if (second.done) return first.done ? '' : first.value
  return Readable.from(
    (async function* () {
      yield first.value as string
      yield second.value
      yield* chunks
    })(),
    { objectMode: false },
  )
}

const toWebStream = (stream: Readable) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>
