import type { Fetched } from '../fetch/fetch.ts'
import { parseAddress } from './scope.ts'
import type { PoliteFetch } from './host.ts'

/** The HTML that was found, and where; or why there is none, with the status if that is why. */
export type Loaded = { url: URL; html: string } | { status: number } | 'other content'

/** Pages that only lead on to another one: more of these in a row are a loop. */
const maxForwards = 3
const maxForwardLength = 10_000

/** Loads a web page; one that only leads on to another one is followed, when `mayFollow` allows. */
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

/** Where a page leads on to that has nothing else to say. */
function forwardOf(html: string, url: URL): URL | undefined {
  if (html.length > maxForwardLength) return undefined
  const tag = /<meta\s[^>]*http-equiv\s*=\s*["']?refresh\b[^>]*>/i.exec(html)?.[0]
  const written = tag && /content\s*=\s*(?:"\s*0\s*[;,]\s*url=([^"]*)"|'\s*0\s*[;,]\s*url=([^']*)')/i.exec(tag)
  const target = written && (written[1] ?? written[2])?.trim().replaceAll('&amp;', '&')
  const forward = target ? parseAddress(target.replace(/^['"]|['"]$/g, ''), url.href) : undefined
  return forward && forward.href !== url.href ? forward : undefined
}

/** How far into a page it may say how it is encoded. */
const headLength = 1024

function decode(bytes: Buffer, contentType: string): string {
  const said =
    /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ??
    /<meta\s[^>]*charset\s*=\s*["']?([\w:.-]+)/i.exec(bytes.toString('latin1', 0, headLength))?.[1]
  try {
    return new TextDecoder(said).decode(bytes)
  } catch {
    // There is no such encoding.
    return new TextDecoder().decode(bytes)
  }
}
