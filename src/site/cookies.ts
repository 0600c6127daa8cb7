import { type VisitorCredentials, visitorParameters, parseClaimParameters } from '../access/visitor-identity.ts'
import type { SiteSession } from '../resources/urls/locate.ts'
import { redirectReply } from './reply.ts'
import type { Output } from './visit.ts'

// A page sets no cookie. Only what a visitor brings in an address, to be shown what is for them, is kept in one, so that
// it holds for the next page and does not stay in the address.

/** The names under which sites that moved here, and the sign-in pages of their owners, know them. */
const names = { token: 'gitbook-visitor-token', claims: 'gitbook-visitor-public', preview: 'octavo-preview' }

/** The part of a cookie header that makes a difference to what is shown. */
export function relevantCookies(header: string | undefined): string {
  if (!header) return ''
  return header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => Object.values(names).some((name) => part.startsWith(name)))
    .join(';')
}

/** What a browser kept of earlier visits. */
export function parseVisitorCookies(header: string | undefined): Pick<VisitorCredentials, 'stored' | 'unsignedClaims'> {
  if (!header) return {}
  const found = new Map<string, string>()
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    // The first one is of the longest path, so it is the site's own.
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

/** What an address brought, as cookies, and the address without it; undefined when it brought nothing. */
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
  // A cookie is for the host that sets it, so what was brought to another one is brought on to the site's own.
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
  // What does not hold is not kept. Tokens that hold consist of letters, digits and dots, which may stand in a header.
  if (identity.newToken !== null) set(names.token, identity.newToken, seconds)
  if (preview === '') set(names.preview, '', 0)
  else if (preview !== null && identity.visitor.isPreviewing) set(names.preview, preview, seconds)
  if (site.adaptive_content === 1 && Object.keys(claims).length > 0) {
    const said = encodeURIComponent(JSON.stringify({ ...known.unsignedClaims, ...claims }))
    if (said.length <= maxClaimsLength) set(names.claims, said, undefined)
  }
  return { location: path + address.search, cookies }
}

/** Browsers keep no longer ones, and claims are cut off at as much. */
const maxClaimsLength = 4000

function cookieOf(name: string, value: string, { protocol, pathname }: URL, age: number | undefined): string {
  return [
    `${name}=${value}`,
    // Without the slash at its end, so that it is sent along to the site's address without one too.
    `Path=${pathname.replace(/(.)\/$/, '$1')}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(protocol === 'https:' ? ['Secure'] : []),
    ...(age === undefined ? [] : [`Max-Age=${age}`]),
  ].join('; ')
}

/** Forgets who a visitor is, and leads them to where the site says that they are signed out everywhere else too. */
export const endVisit: Output = async ({ view: { session } }) => {
  const { site, siteBase } = session
  const own = new URL(siteBase)
  // Sign-in pages of a site's owner may have set theirs for the whole host.
  const places = own.pathname === '/' ? [own] : [own, new URL('/', own)]
  const cookies = places.flatMap((place) => Object.values(names).map((name) => cookieOf(name, '', place, 0)))
  return redirectReply(site.auth_logout_url ?? siteBase, cookies)
}
