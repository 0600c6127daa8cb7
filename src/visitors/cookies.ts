import { type VisitorCredentials, visitorParameters, parseClaimParameters } from './identify-visitor.ts'
import type { SiteSession } from './locate.ts'

// Pages do not set cookies. Only credentials and claims from the query string are stored in cookies, so that they apply to the
// next page and are removed from the URL.

/** Cookie names, compatible with migrated sites and the sign-in pages of their owners. */
const cookieNames = { token: 'gitbook-visitor-token', claims: 'gitbook-visitor-public', preview: 'octavo-preview' }

/** Returns the part of a cookie header that affects replies. */
export function filterVisitorCookies(header: string | undefined): string {
  if (!header) return ''
  return header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => Object.values(cookieNames).some((name) => part.startsWith(name)))
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
  const claims = [...found]
    .filter(([name]) => name.startsWith(cookieNames.claims))
    .map(([, value]) => parseClaimsCookie(value))
  return {
    stored: { jwtToken: found.get(cookieNames.token), preview: found.get(cookieNames.preview) },
    ...(claims.length > 0 && { unsignedClaims: Object.assign({}, ...claims) as Record<string, unknown> }),
  }
}

function parseClaimsCookie(value: string): Record<string, unknown> {
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
export function moveParametersToCookies(
  url: string,
  session: SiteSession,
  stored: Pick<VisitorCredentials, 'unsignedClaims'>,
  now: number,
): { location: string; cookies: string[] } | undefined {
  const { site, siteBase, identity } = session
  const address = new URL(url)
  const query = address.searchParams
  const parameterNames = [...query.keys()].filter(
    (name) =>
      name === visitorParameters.token ||
      name === visitorParameters.preview ||
      name.startsWith(visitorParameters.claims),
  )
  if (parameterNames.length === 0) return undefined
  const path = `${siteBase}${identity.segments.map(encodeURIComponent).join('/')}`
  // Cookies belong to the host that sets them, so parameters on another host are redirected to the host of the site.
  if (new URL(siteBase).hostname !== address.hostname && (site.proxy === null || identity.visitor.isPreviewing)) {
    return { location: path + address.search, cookies: [] }
  }
  const preview = query.get(visitorParameters.preview)
  const claims = parseClaimParameters(query)
  for (const name of parameterNames) query.delete(name)
  const maxAge = Number.isFinite(identity.until) ? Math.max(0, Math.floor((identity.until - now) / 1000)) : undefined
  const cookies: string[] = []
  const set = (name: string, value: string, age: number | undefined) =>
    cookies.push(serializeCookie(name, value, new URL(siteBase), age))
  // Invalid values are not stored. Valid tokens contain only characters that are allowed in a header.
  if (identity.acceptedToken !== null) set(cookieNames.token, identity.acceptedToken, maxAge)
  if (preview === '') set(cookieNames.preview, '', 0)
  else if (preview !== null && identity.visitor.isPreviewing) set(cookieNames.preview, preview, maxAge)
  if (site.adaptive_content === 1 && Object.keys(claims).length > 0) {
    const claimsValue = encodeURIComponent(JSON.stringify({ ...stored.unsignedClaims, ...claims }))
    if (claimsValue.length <= maxClaimsLength) set(cookieNames.claims, claimsValue, undefined)
  }
  return { location: path + address.search, cookies }
}

/** Maximum length of the claims cookie: browsers reject longer cookies, and unsigned claims have about the same limit. */
const maxClaimsLength = 4000

function serializeCookie(name: string, value: string, { protocol, pathname }: URL, maxAge: number | undefined): string {
  return [
    `${name}=${value}`,
    // Without the trailing slash, so that the cookie is also sent to the URL of the site without one.
    `Path=${pathname.replace(/(.)\/$/, '$1')}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(protocol === 'https:' ? ['Secure'] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ].join('; ')
}

/** Returns cookies that delete those of a visitor. */
export function expireVisitorCookies(siteBase: string): string[] {
  const base = new URL(siteBase)
  // Sign-in pages of the owner may have set their cookies for the whole host.
  const urls = base.pathname === '/' ? [base] : [base, new URL('/', base)]
  return urls.flatMap((url) => Object.values(cookieNames).map((name) => serializeCookie(name, '', url, 0)))
}
