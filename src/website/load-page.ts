import type { FetchResponse } from '../fetch/fetch.ts'
import { parsePageUrl } from './crawl-scope.ts'
import { decodeHtml } from './decode-html.ts'
import type { PoliteFetch } from './polite-fetch.ts'

/** HTML of a page with its URL; or the status or content type as the reason why there is none. */
export type LoadResult = { url: URL; html: string } | { status: number } | 'other content'

/** Maximum number of consecutive pages with a meta refresh; more are a loop. */
const maxMetaRefreshes = 3
const maxMetaRefreshLength = 10_000

/** Loads a web page; follows meta refreshes if `mayFollow` allows. */
export async function loadPage(
  fetch: PoliteFetch,
  address: URL,
  { maxBytes, mayFollow }: { maxBytes: number; mayFollow: (url: URL) => boolean },
): Promise<LoadResult> {
  let next = address
  for (let refreshes = 0; ; refreshes++) {
    const reply = await fetch.get(next.href, maxBytes)
    const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(reply.contentType ?? '')
    const url = parsePageUrl(reply.url)
    if (reply.status !== 200 || !isHtml || !url) {
      reply.discard()
      return reply.status === 200 ? 'other content' : { status: reply.status }
    }
    const html = decodeHtml(await readResponseBytes(reply), reply.contentType ?? '')
    const refreshTarget = refreshes < maxMetaRefreshes ? parseMetaRefresh(html, url) : undefined
    if (!refreshTarget || !mayFollow(refreshTarget)) return { url, html }
    next = refreshTarget
  }
}

export async function readResponseBytes({ body }: FetchResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the target of a page that only contains a meta refresh. */
function parseMetaRefresh(html: string, url: URL): URL | undefined {
  if (html.length > maxMetaRefreshLength) return undefined
  const tag = /<meta\s[^>]*http-equiv\s*=\s*["']?refresh\b[^>]*>/i.exec(html)?.[0]
  const match = tag && /content\s*=\s*(?:"\s*0\s*[;,]\s*url=([^"]*)"|'\s*0\s*[;,]\s*url=([^']*)')/i.exec(tag)
  const target = match && (match[1] ?? match[2])?.trim().replaceAll('&amp;', '&')
  const refreshTarget = target ? parsePageUrl(target.replace(/^['"]|['"]$/g, ''), url.href) : undefined
  return refreshTarget && refreshTarget.href !== url.href ? refreshTarget : undefined
}
