import { hash } from 'node:crypto'
import type { SiteReply } from '../kernel/site-http.ts'
import { frameOrigins } from '../render/embeds.ts'
import { themeScript } from '../render/shell/page.ts'

const themeScriptHash = `'sha256-${hash('sha256', themeScript, 'base64')}'`

/** What a page has to do with, beside the host that it is read on. */
interface Origins {
  /** Where files in it come from. */
  fileOrigins?: readonly string[]
  fontOrigins?: readonly string[]
  /** Where its search leads. */
  formOrigins?: readonly string[]
}

/** Pages run our scripts only, ask nobody else for anything but pictures that somebody put into them, and stand in no frame. */
function policyOf(page: string, { fileOrigins = [], fontOrigins = [], formOrigins = [] }: Origins): string {
  const files = fileOrigins.join(' ')
  return [
    "default-src 'none'",
    `script-src 'self' ${themeScriptHash}`,
    ["style-src 'self'", ...styleHashes(page)].join(' '),
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' ${files} https: data:`,
    `media-src 'self' ${files} https:`,
    ["font-src 'self'", ...fontOrigins].join(' '),
    "connect-src 'self'",
    ['frame-src', ...frameOrigins].join(' '),
    "manifest-src 'self'",
    "base-uri 'none'",
    ["form-action 'self'", ...formOrigins].join(' '),
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The styles that a page carries. They are the first, so that nothing an author wrote stands before them. */
function styleHashes(page: string): string[] {
  const styles = /<style>([^]*?)<\/style>/.exec(page)?.[1]
  return styles === undefined ? [] : [`'sha256-${hash('sha256', styles, 'base64')}'`]
}

const guarded = {
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-content-type-options': 'nosniff',
}

/** What says how a reply may be used. */
export interface Handling {
  /** Whether everybody gets the same. */
  isPublic: boolean
  isIndexed: boolean
}

const tagOf = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

function handled({ isPublic, isIndexed }: Handling): Record<string, string> {
  return {
    ...guarded,
    'cache-control': isPublic ? 'public, no-cache' : 'private, no-cache',
    vary: 'accept, accept-encoding, cookie',
    ...(!isIndexed && { 'x-robots-tag': 'noindex' }),
  }
}

/** A page. */
export function htmlReply(
  body: string,
  handling: Handling & Origins & { status?: number; isCacheable?: boolean },
): SiteReply {
  const headers = {
    ...handled(handling),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(body, handling),
    etag: tagOf(body),
  }
  return { status: handling.status ?? 200, headers, body, isCacheable: handling.isCacheable === true }
}

/** A text for machines. */
export function textReply(body: string, contentType: string, handling: Handling): SiteReply {
  const headers = {
    ...handled(handling),
    'content-type': `${contentType}; charset=utf-8`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    etag: tagOf(body),
  }
  return { status: 200, headers, body, isCacheable: true }
}

export const redirectReply = (location: string, cookies: readonly string[] = []): SiteReply => ({
  status: 307,
  headers: { ...guarded, location: forHeader(location), 'cache-control': 'no-store' },
  cookies,
  body: '',
})

/** An address as it may be in a header: its author may have used any letters. A path never names another host. */
const forHeader = (address: string): string =>
  address
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/^[/\\]{2,}/, '/')
