import { FetchError } from '../fetch/errors.ts'
import type { Fetch } from '../fetch/fetch.ts'
import type { SiteReply } from '../kernel/site-http.ts'
import { seconds } from '../kernel/time.ts'
import { type BuiltBody, type BuiltRequest, joinSecrets, toFetchBody } from '../openapi/try-it/build-request.ts'

/** Maximum number of bytes of a response that are returned. */
const maxResponseBytes = 1_000_000

const requestTimeout = seconds(20)

/** Sends requests to APIs and counts them by their result. */
export class ApiClient {
  readonly #fetch: Fetch
  readonly counts = { answered: 0, failed: 0 }

  constructor(fetch: Fetch) {
    this.#fetch = fetch
  }

  /** Sends a request and returns the response as JSON; redirects are not followed. */
  async send(request: BuiltRequest): Promise<SiteReply> {
    const startTime = performance.now()
    try {
      const { bytes, contentType } = await encodeBody(request.body)
      const response = await this.#fetch.send(
        joinSecrets(request.url),
        { method: request.method, headers: { ...toHeaders(request), ...contentType }, body: bytes },
        { maxBytes: Infinity, timeout: requestTimeout },
      )
      const { body, isTruncated } = await readBody(response.body)
      this.counts.answered++
      const { status, headers } = response
      const milliseconds = performance.now() - startTime
      return jsonReply(200, { status, headers, body: body.toString('base64'), isTruncated, milliseconds })
    } catch (error) {
      this.counts.failed++
      if (error instanceof FetchError) return errorReply(424, error.message)
      throw error
    }
  }
}

function toHeaders({ headers, cookies }: BuiltRequest): Record<string, string> {
  const cookie = cookies.map(({ name, value }) => `${name}=${joinSecrets(value)}`).join('; ')
  return {
    ...Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), joinSecrets(value)])),
    ...(cookie !== '' && { cookie }),
  }
}

async function encodeBody(
  body: BuiltBody | undefined,
): Promise<{ bytes?: Uint8Array; contentType?: { 'content-type': string } }> {
  if (!body) return {}
  const encoded = new Response(toFetchBody(body))
  const boundary = body.kind === 'multipart' ? encoded.headers.get('content-type') : null
  return {
    bytes: new Uint8Array(await encoded.arrayBuffer()),
    ...(boundary !== null && { contentType: { 'content-type': boundary } }),
  }
}

/** Reads a body up to the maximum size, then closes the connection. */
async function readBody(chunks: AsyncIterable<Uint8Array>): Promise<{ body: Buffer; isTruncated: boolean }> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    size += chunk.length
    if (size > maxResponseBytes) break
  }
  return { body: Buffer.concat(parts).subarray(0, maxResponseBytes), isTruncated: size > maxResponseBytes }
}

/** Returns a reply that browsers neither show as a page of this origin nor store. */
const jsonReply = (status: number, value: unknown): SiteReply => ({
  status,
  headers: {
    'content-type': 'application/json',
    'content-disposition': 'attachment; filename="response.json"',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  },
  body: JSON.stringify(value),
})

export const errorReply = (status: number, message: string): SiteReply =>
  jsonReply(status, { error: { code: status, message } })
