import type { Fetched } from '../fetch/fetch.ts'
import { parseAddress } from './scope.ts'
import type { PoliteFetch } from './host.ts'

/** HTML of a page with its URL; or the status or content type as the reason why there is none. */
export type Loaded = { url: URL; html: string } | { status: number } | 'other content'

/** Maximum number of consecutive pages with a meta refresh; more are a loop. */
const maxForwards = 3
const maxForwardLength = 10_000

/** Loads a web page; follows meta refreshes if `mayFollow` allows. */
export async function loadPage(
  host: PoliteFetch,
  address: URL,
  { maxBytes, mayFollow }: { maxBytes: number; mayFollow: (url: URL) => boolean },
): Promise<Loaded> {
  let next = address
  for (let forwards = 0; ; forwards++) {
    const reply = await host.get(next.href, maxBytes)
    const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(reply.contentType ?? '')
    const url = parseAddress(reply.url)
    if (reply.status !== 200 || !isHtml || !url) {
      reply.discard()
      return reply.status === 200 ? 'other content' : { status: reply.status }
    }
    const html = decode(await bytesOf(reply), reply.contentType ?? '')
    const forward = forwards < maxForwards ? forwardOf(html, url) : undefined
    if (!forward || !mayFollow(forward)) return { url, html }
    next = forward
  }
}

export async function bytesOf({ body }: Fetched): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the target of a page that only contains a meta refresh. */
function forwardOf(html: string, url: URL): URL | undefined {
  if (html.length > maxForwardLength) return undefined
  const tag = /<meta\s[^>]*http-equiv\s*=\s*["']?refresh\b[^>]*>/i.exec(html)?.[0]
  const written = tag && /content\s*=\s*(?:"\s*0\s*[;,]\s*url=([^"]*)"|'\s*0\s*[;,]\s*url=([^']*)')/i.exec(tag)
  const target = written && (written[1] ?? written[2])?.trim().replaceAll('&amp;', '&')
  const forward = target ? parseAddress(target.replace(/^['"]|['"]$/g, ''), url.href) : undefined
  return forward && forward.href !== url.href ? forward : undefined
}

/** Number of bytes in which a page may declare its encoding. */
const headLength = 1024

function decode(bytes: Buffer, contentType: string): string {
  const said =
    /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ??
    /<meta\s[^>]*charset\s*=\s*["']?([\w:.-]+)/i.exec(bytes.toString('latin1', 0, headLength))?.[1]
  try {
    return new TextDecoder(said).decode(bytes)
  } catch {
    // The encoding is unknown.
    return new TextDecoder().decode(bytes)
  }
}
