import { hash } from 'node:crypto'
import type { SiteReply } from '../kernel/site-http.ts'
import { frameOrigins } from '../content/document/embed-players.ts'
import { headScript } from '../render/shell/head-script.ts'

const headScriptHash = `'sha256-${hash('sha256', headScript, 'base64')}'`

/** Origins that a page uses besides its own host. */
interface Origins {
  /** Origins of embedded files. */
  fileOrigins?: readonly string[]
  fontOrigins?: readonly string[]
  /** Origins that scripts of the page send requests to. */
  connectOrigins?: readonly string[]
  /** Origins of form targets, such as the search. */
  formOrigins?: readonly string[]
  /** Whether the page shows pages of the same origin in frames. */
  framesOwnPages?: boolean
}

/**
 * Returns the Content-Security-Policy of a page: only its own scripts, no requests to other hosts except for embedded media,
 * fonts and frames, and no embedding in frames.
 */
function createContentSecurityPolicy(
  page: string,
  { fileOrigins = [], fontOrigins = [], connectOrigins = [], formOrigins = [], framesOwnPages = false }: Origins,
): string {
  const files = fileOrigins.join(' ')
  return [
    // Firefox applies this directive to prefetching. All other kinds of requests have their own directive.
    "default-src 'self'",
    "object-src 'none'",
    `script-src 'self' ${headScriptHash}`,
    ["style-src 'self'", ...styleHashes(page)].join(' '),
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' ${files} https: data:`,
    `media-src 'self' ${files} https:`,
    ["font-src 'self'", ...fontOrigins].join(' '),
    ["connect-src 'self'", ...connectOrigins].join(' '),
    ['frame-src', ...(framesOwnPages ? ["'self'"] : []), ...frameOrigins].join(' '),
    "manifest-src 'self'",
    "base-uri 'none'",
    ["form-action 'self'", ...formOrigins].join(' '),
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Returns the hash of the inline styles. They are the first style element, so no element of an author can precede them. */
function styleHashes(page: string): string[] {
  const styles = /<style>([^]*?)<\/style>/.exec(page)?.[1]
  return styles === undefined ? [] : [`'sha256-${hash('sha256', styles, 'base64')}'`]
}

const securityHeaders = {
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-content-type-options': 'nosniff',
}

/** Caching and indexing of a reply. */
export interface ReplyPolicy {
  /** Whether all visitors get the same reply. */
  isPublic: boolean
  isIndexed: boolean
}

const etagOf = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

function policyHeaders({ isPublic, isIndexed }: ReplyPolicy): Record<string, string> {
  return {
    ...securityHeaders,
    'cache-control': isPublic ? 'public, no-cache' : 'private, no-cache',
    vary: 'accept, accept-encoding, cookie',
    ...(!isIndexed && { 'x-robots-tag': 'noindex' }),
  }
}

/** Returns the reply for an HTML page. */
export function htmlReply(
  body: string,
  policy: ReplyPolicy & Origins & { status?: number; isCacheable?: boolean },
): SiteReply {
  const headers = {
    ...policyHeaders(policy),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': createContentSecurityPolicy(body, policy),
    etag: etagOf(body),
  }
  return { status: policy.status ?? 200, headers, body, isCacheable: policy.isCacheable === true }
}

/** Returns the reply for a text that is not HTML. */
export function textReply(body: string, contentType: string, policy: ReplyPolicy): SiteReply {
  const headers = {
    ...policyHeaders(policy),
    'content-type': `${contentType}; charset=utf-8`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    etag: etagOf(body),
  }
  return { status: 200, headers, body, isCacheable: true }
}

/** Returns a reply that only pages of the same origin may show in a frame, and that no cache stores. */
export function toFramedReply(reply: SiteReply): SiteReply {
  const policy = reply.headers['content-security-policy']
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'cache-control': 'no-store',
      ...(policy !== undefined && {
        'content-security-policy': policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
      }),
    },
    isCacheable: false,
  }
}

export const redirectReply = (location: string, cookies: readonly string[] = []): SiteReply => ({
  status: 307,
  headers: { ...securityHeaders, location: encodeForHeader(location), 'cache-control': 'no-store' },
  cookies,
  body: '',
})

/**
 * Encodes a URL for a header, since it may contain any characters. Leading slashes are reduced to one, so that a path never names
 * another host.
 */
const encodeForHeader = (address: string): string =>
  address
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/^[/\\]{2,}/, '/')
