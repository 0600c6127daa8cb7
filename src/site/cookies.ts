import { type VisitorCredentials, visitorParameters, parseClaimParameters } from '../access/visitor-identity.ts'
import type { SiteSession } from '../resources/urls/locate.ts'
import { redirectReply } from './reply.ts'
import type { Output } from './visit.ts'

// Pages do not set cookies. Only credentials and claims from the query string are stored in cookies, so that they apply to the
// next page and are removed from the URL.

/** Cookie names, compatible with migrated sites and the sign-in pages of their owners. */
const names = { token: 'gitbook-visitor-token', claims: 'gitbook-visitor-public', preview: 'octavo-preview' }

/** Returns the part of a cookie header that affects replies. */
export function relevantCookies(header: string | undefined): string {
  if (!header) return ''
  return header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => Object.values(names).some((name) => part.startsWith(name)))
    .join(';')
}

/** Parses the cookies of earlier visits. */
export function parseVisitorCookies(header: string | undefined): Pick<VisitorCredentials, 'stored' | 'unsignedClaims'> {
  if (!header) return {}
  const found = new Map<string, string>()
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    // The first cookie of a name has the longest path, so it belongs to this site.
    if (at > 0 && !found.has(name)) found.set(name, part.slice(at + 1).trim())
  }
  const claims = [...found].filter(([name]) => name.startsWith(names.claims)).map(([, value]) => claimsOf(value))
  return {
    stored: { jwtToken: found.get(names.token), preview: found.get(names.preview) },
    ...(claims.length > 0 && { unsignedClaims: Object.assign({}, ...claims) as Record<string, unknown> }),
  }
}

function claimsOf(value: string): Record<string, unknown> {
  try {
    const claims: unknown = JSON.parse(decodeURIComponent(value))
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims)
      ? (claims as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}

/** Returns cookies for the credentials and claims of a URL, and the URL without them; undefined if it contains none. */
export function moveToCookies(
  url: string,
  session: SiteSession,
  known: Pick<VisitorCredentials, 'unsignedClaims'>,
  now: number,
): { location: string; cookies: string[] } | undefined {
  const { site, siteBase, identity } = session
  const address = new URL(url)
  const query = address.searchParams
  const brought = [...query.keys()].filter(
    (name) =>
      name === visitorParameters.token ||
      name === visitorParameters.preview ||
      name.startsWith(visitorParameters.claims),
  )
  if (brought.length === 0) return undefined
  const path = `${siteBase}${identity.segments.map(encodeURIComponent).join('/')}`
  // Cookies belong to the host that sets them, so parameters on another host are redirected to the host of the site.
  if (new URL(siteBase).hostname !== address.hostname && (site.proxy === null || identity.visitor.isPreviewing)) {
    return { location: path + address.search, cookies: [] }
  }
  const preview = query.get(visitorParameters.preview)
  const claims = parseClaimParameters(query)
  for (const name of brought) query.delete(name)
  const seconds = Number.isFinite(identity.until) ? Math.max(0, Math.floor((identity.until - now) / 1000)) : undefined
  const cookies: string[] = []
  const set = (name: string, value: string, age: number | undefined) =>
    cookies.push(cookieOf(name, value, new URL(siteBase), age))
  // Invalid values are not stored. Valid tokens contain only characters that are allowed in a header.
  if (identity.newToken !== null) set(names.token, identity.newToken, seconds)
  if (preview === '') set(names.preview, '', 0)
  else if (preview !== null && identity.visitor.isPreviewing) set(names.preview, preview, seconds)
  if (site.adaptive_content === 1 && Object.keys(claims).length > 0) {
    const said = encodeURIComponent(JSON.stringify({ ...known.unsignedClaims, ...claims }))
    if (said.length <= maxClaimsLength) set(names.claims, said, undefined)
  }
  return { location: path + address.search, cookies }
}

/** Maximum length of the claims cookie: browsers reject longer cookies, and unsigned claims have about the same limit. */
const maxClaimsLength = 4000

function cookieOf(name: string, value: string, { protocol, pathname }: URL, age: number | undefined): string {
  return [
    `${name}=${value}`,
    // Without the trailing slash, so that the cookie is also sent to the URL of the site without one.
    `Path=${pathname.replace(/(.)\/$/, '$1')}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(protocol === 'https:' ? ['Secure'] : []),
    ...(age === undefined ? [] : [`Max-Age=${age}`]),
  ].join('; ')
}

/** Deletes the cookies of a visitor and redirects to the configured sign-out URL, or to the site. */
export const endVisit: Output = async ({ view: { session } }) => {
  const { site, siteBase } = session
  const own = new URL(siteBase)
  // Sign-in pages of the owner may have set their cookies for the whole host.
  const places = own.pathname === '/' ? [own] : [own, new URL('/', own)]
  const cookies = places.flatMap((place) => Object.values(names).map((name) => cookieOf(name, '', place, 0)))
  return redirectReply(site.auth_logout_url ?? siteBase, cookies)
}
