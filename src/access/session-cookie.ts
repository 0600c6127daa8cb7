import type { Signer } from '../kernel/signer.ts'

/** Cookies of the server itself: the session, a sign-in that waits for the second factor, and an ID of the browser. */
export type CookieKind = 'session' | 'pending' | 'browser'

/** Returns the name of a cookie. Browsers accept the prefix only from this host over HTTPS, so no other host can set the cookie. */
const cookieName = (kind: CookieKind, isSecure: boolean): string => `${isSecure ? '__Host-' : ''}octavo-${kind}`

/** Whether a URL of the server uses HTTPS, so that its cookies do as well. */
export const isSecureUrl = (url: string): boolean => url.startsWith('https:')

/**
 * Returns the value of a cookie; undefined if it is missing or ambiguous. Without HTTPS, another host of the same domain can add a
 * second cookie with the same name, and the two cannot be distinguished.
 */
export function readCookie(header: string | undefined, kind: CookieKind, isSecure: boolean): string | undefined {
  if (!header) return undefined
  const prefix = `${cookieName(kind, isSecure)}=`
  const values = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
  return values.length === 1 ? values[0]?.slice(prefix.length) : undefined
}

/** Returns the value of a Set-Cookie header; with `maxAge` 0 the browser deletes the cookie. */
export function serializeCookie(
  kind: CookieKind,
  value: string,
  { isSecure, maxAge }: { isSecure: boolean; maxAge: number },
): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${Math.floor(maxAge / 1000)}`]
  if (isSecure) attributes.push('Secure')
  return [`${cookieName(kind, isSecure)}=${value}`, ...attributes].join('; ')
}

/**
 * Header with which pages of the server prove to the API that they sent a request. Published sites may have the same origin, and their
 * scripts would send the cookie too, but they cannot read the proof.
 */
export const sessionProofHeader = 'x-octavo-session'

export const createSessionProof = (signer: Signer, sessionId: string): string => signer.sign(`session ${sessionId}`)

export const isSessionProof = (signer: Signer, sessionId: string, proof: string): boolean =>
  signer.verify(`session ${sessionId}`, proof)

type Header = (name: string) => string | undefined

/**
 * Returns the origins of the pages of a server. A server on the loopback address can also be reached as `localhost`, and passkeys work
 * only there, because they need a domain name.
 */
export function findOwnOrigins(baseUrl: string): string[] {
  const { origin, hostname, protocol, port } = new URL(baseUrl)
  return hostname === '127.0.0.1' || hostname === '[::1]'
    ? [origin, `${protocol}//localhost${port === '' ? '' : `:${port}`}`]
    : [origin]
}

/** Whether the headers of a request show that another origin sent it. */
export function isCrossOrigin(header: Header, ownOrigins: readonly string[]): boolean {
  const origin = header('origin')
  const site = header('sec-fetch-site')
  return (
    (origin !== undefined && !ownOrigins.includes(origin)) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  )
}
