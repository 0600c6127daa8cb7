import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Below this a compressed reply is hardly smaller, and fits one packet either way. */
const compressionThreshold = 1400

/** Fast levels: replies are made fresh each time, so the time to compress counts. */
const brotliQuality = 4

export interface Reply {
  status: number
  headers: Record<string, string>
  body: string | null
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
export async function compressed(reply: Reply, acceptEncoding: string | undefined): Promise<Response> {
  const { status, headers, body } = reply
  if (body === null || body.length < compressionThreshold || !acceptEncoding)
    return new Response(body, { status, headers })
  const encoding = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding)
    ? 'br'
    : /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding)
      ? 'gzip'
      : undefined
  if (!encoding) return new Response(body, { status, headers })
  const bytes =
    encoding === 'br'
      ? await compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
      : await compressGzip(body)
  const tag = headers['etag']
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    status,
    headers: {
      ...headers,
      'content-encoding': encoding,
      'content-length': String(bytes.byteLength),
      ...(tag && { etag: `${tag.slice(0, -1)}-${encoding}"` }),
    },
  })
}
