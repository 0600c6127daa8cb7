import type { CustomFetch } from 'openid-client'
import type { Fetch } from '../../fetch/fetch.ts'
import { seconds } from '../../kernel/time.ts'

/** Limits of a reply of a provider: metadata, keys, tokens or claims. */
const limits = { maxBytes: 1024 ** 2, timeout: seconds(10) }

/** Statuses whose replies have no body. */
const emptyStatuses: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])

/** Returns a function like `fetch` that sends requests with the limits of this server and does not follow redirects. */
export const createProviderFetch =
  (fetch: Fetch): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const message = { method, headers, body: toText(body) }
    const reply = await fetch.send(url, message, { ...limits, signal })
    const parts: Uint8Array[] = []
    for await (const part of reply.body) parts.push(part)
    // The body is already decompressed.
    const kept = reply.headers.filter(([name]) => name !== 'content-encoding' && name !== 'content-length')
    const content = emptyStatuses.has(reply.status) ? null : Buffer.concat(parts)
    return new Response(content, { status: reply.status, headers: kept.map(([name, value]) => [name, value]) })
  }

/** Requests to providers contain forms only. */
function toText(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (body instanceof URLSearchParams) return body.toString()
  if (typeof body === 'string') return body
  throw new TypeError('The request to the provider has an unexpected body')
}
