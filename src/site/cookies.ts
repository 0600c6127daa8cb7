import { type Arrival, arrivalParameters, claimsIn } from '../access/arrivals.ts'
import type { Entered } from '../resources/urls/locate.ts'

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
export function keptIn(header: string | undefined): Pick<Arrival, 'kept' | 'unsignedClaims'> {
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
    kept: { jwtToken: found.get(names.token), preview: found.get(names.preview) },
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
  { site, siteBase, arrived }: Entered,
  known: Pick<Arrival, 'unsignedClaims'>,
  now: number,
): { location: string; cookies: string[] } | undefined {
  const address = new URL(url)
  const query = address.searchParams
  const brought = [...query.keys()].filter(
    (name) =>
      name === arrivalParameters.token ||
      name === arrivalParameters.preview ||
      name.startsWith(arrivalParameters.claims),
  )
  if (brought.length === 0) return undefined
  const written = (name: string) => {
    const value = query.get(name)
    // Nothing else is a token, and nothing else may stand in a header.
    return value !== null && /^[\w.~-]*$/.test(value) ? value : null
  }
  const [token, preview] = [written(arrivalParameters.token), written(arrivalParameters.preview)]
  const claims = claimsIn(query)
  const isSaid = site.adaptive_content === 1 && Object.keys(claims).length > 0
  for (const name of brought) query.delete(name)
  const { protocol, pathname } = new URL(siteBase)
  const seconds = Number.isFinite(arrived.until) ? Math.max(0, Math.floor((arrived.until - now) / 1000)) : undefined
  const cookie = (name: string, value: string, age = seconds) =>
    [
      `${name}=${value}`,
      `Path=${pathname}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(protocol === 'https:' ? ['Secure'] : []),
      ...(age === undefined ? [] : [`Max-Age=${age}`]),
    ].join('; ')
  const path = arrived.segments.map(encodeURIComponent).join('/')
  return {
    location: `${siteBase}${path}${address.search}`,
    cookies: [
      ...(token === null ? [] : [cookie(names.token, token)]),
      // An empty one ends the preview.
      ...(preview === null ? [] : [cookie(names.preview, preview, preview === '' ? 0 : seconds)]),
      ...(isSaid
        ? [cookie(names.claims, encodeURIComponent(JSON.stringify({ ...known.unsignedClaims, ...claims })), undefined)]
        : []),
    ],
  }
}
