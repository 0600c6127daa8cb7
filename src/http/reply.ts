import { hash } from 'node:crypto'
import { Readable, pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { JsonStream } from '../kernel/json-stream.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Below this a compressed reply is hardly smaller, and fits one packet either way. */
const compressionThreshold = 1400

/** Fast levels: replies are made fresh each time, so the time to compress counts. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

export interface Reply {
  status: number
  headers: Record<string, string>
  body: string | JsonStream | null
}

/** A reply whose beginning is known, so that nothing can fail any more before it is sent. */
export interface BegunReply extends Omit<Reply, 'body'> {
  body: string | Readable | null
}

export async function begun(reply: Reply): Promise<BegunReply> {
  const { body } = reply
  return { ...reply, body: body instanceof JsonStream ? await begin(body) : body }
}

/** The entity tag of a representation, without quotes. */
export function entityTag(body: string): string {
  return hash('sha1', body, 'base64url').slice(0, 22)
}

/** Whether an If-Match or If-None-Match header names the tag; the suffixes of compressed variants do not matter. */
export function matchesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some(
    (part) =>
      part
        .trim()
        .replace(/^W\//, '')
        .replace(/-(br|gzip)"$/, '"') === `"${tag}"`,
  )
}

/** Compresses the body when it is worth it and the caller takes it; a variant has an entity tag of its own. */
export async function compressed(
  { status, headers, body }: BegunReply,
  acceptEncoding: string | undefined,
): Promise<Response> {
  const encoding = encodingFor(acceptEncoding)
  if (body === null || !encoding || (typeof body === 'string' && body.length < compressionThreshold)) {
    return new Response(typeof body === 'object' && body ? webStream(body) : body, { status, headers })
  }
  if (typeof body !== 'string') {
    const compressor = encoding === 'br' ? createBrotliCompress(brotliOptions) : createGzip()
    // A failure ends both; what was sent is then cut off, which the client notices.
    pipeline(body, compressor, () => undefined)
    return new Response(webStream(compressor), { status, headers: variantHeaders(headers, encoding) })
  }
  const encoded = await encode({ headers, body }, encoding)
  return new Response(encoded.bytes as Uint8Array<ArrayBuffer>, { status, headers: encoded.headers })
}

/** The headers of a compressed variant, which has an entity tag of its own. */
function variantHeaders(headers: Readonly<Record<string, string>>, encoding: Encoding): Record<string, string> {
  const tag = headers['etag']
  return { ...headers, 'content-encoding': encoding, ...(tag && { etag: `${tag.slice(0, -1)}-${encoding}"` }) }
}

type Encoding = 'br' | 'gzip'

interface Encoded {
  bytes: Uint8Array
  headers: Record<string, string>
}

/** Something that is sent more than once. */
interface Sendable {
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array
  /** Whether it cannot be made smaller. */
  isPacked?: boolean
}

/** Replies in the encodings that were asked for, kept as long as the replies themselves. */
export class Encodings {
  readonly #kept = new WeakMap<object, Map<Encoding | undefined, { made: Promise<Encoded>; encoded?: Encoded }>>()

  /** What was encoded before. */
  known(owner: Sendable, encoding: Encoding | undefined): Encoded | undefined {
    return this.#kept.get(owner)?.get(encoding)?.encoded
  }

  async of(owner: Sendable, encoding: Encoding | undefined): Promise<Encoded> {
    let known = this.#kept.get(owner)
    if (!known) this.#kept.set(owner, (known = new Map()))
    const before = known.get(encoding)
    if (before) return before.made
    const isWorthIt = !owner.isPacked && owner.body.length >= compressionThreshold
    const kept: { made: Promise<Encoded>; encoded?: Encoded } = {
      made: encode(owner, isWorthIt ? encoding : undefined),
    }
    // At once, so that whoever asks meanwhile waits for the same.
    known.set(encoding, kept)
    return (kept.encoded = await kept.made)
  }
}

async function encode({ headers, body }: Sendable, encoding: Encoding | undefined): Promise<Encoded> {
  const whole = typeof body === 'string' ? Buffer.from(body) : body
  if (encoding === undefined) return sized(whole, headers)
  const bytes = encoding === 'br' ? await compressBrotli(whole, brotliOptions) : await compressGzip(whole)
  return sized(bytes, variantHeaders(headers, encoding))
}

const sized = (bytes: Uint8Array, headers: Readonly<Record<string, string>>): Encoded => ({
  bytes,
  headers: { ...headers, 'content-length': String(bytes.byteLength) },
})

export function encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
  if (!acceptEncoding) return undefined
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding)) return 'br'
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding) ? 'gzip' : undefined
}

/** A stream that is short after all is a text like any other. */
async function begin(stream: JsonStream): Promise<string | Readable> {
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

const webStream = (stream: Readable) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>
