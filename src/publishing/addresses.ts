import { slugOf } from '../content/markdown/slug.ts'

/** Fields that determine the URL of a site. */
export interface SitePlace {
  /** Hostname of the organization, or its id if it has no hostname. */
  organization_name: string
  basename: string
  /** Verified custom hostname. */
  hostname: string | null
  proxy: string | null
}

/** Identification of a site by its URL. */
export type SiteName =
  | { organization: string; basename: string }
  | { organization: string }
  | { hostname: string }
  | { proxy: string }

/** Base URL and sites domain of this installation. */
export interface Home {
  /** Base URL without a trailing slash. */
  base: string
  /** Domain whose subdomains are the hosts of organizations, if configured. */
  sitesDomain: string | undefined
}

/** Path prefix of sites that have no host of their own. */
const sitesPrefix = '/sites/'

/** Returns the URL of a site with a trailing slash. Hosts of sites use the protocol and port of the installation. */
export function addressOfSite(home: Home, place: SitePlace, { isHosted = true } = {}): string {
  if (place.proxy !== null && isHosted) return `https://${place.proxy}/`
  const { protocol, port } = new URL(home.base)
  const onPort = port === '' ? '' : `:${port}`
  if (place.hostname !== null) return `${protocol}//${place.hostname}${onPort}/`
  const { organization_name: organization, basename } = place
  return home.sitesDomain === undefined
    ? `${home.base}${sitesPrefix}${organization}/${basename}/`
    : `${protocol}//${organization}.${home.sitesDomain}${onPort}/${basename}/`
}

/** Maximum number of path segments in the proxy address of a site. */
const maxProxySegments = 8

/** Returns the sites that a URL may belong to, most likely first, each with the remaining path segments. */
export function sitesAt(home: Home, url: string): { name: SiteName; segments: string[] }[] {
  if (!URL.canParse(url)) return []
  const { hostname, pathname } = new URL(url)
  const segments = segmentsOf(pathname)
  const host = hostname.toLowerCase()
  const base = new URL(home.base)
  const domain = home.sitesDomain
  const found: { name: SiteName; segments: string[] }[] = []
  if (host === base.hostname) {
    const above = segmentsOf(`${base.pathname}${sitesPrefix}`)
    const isBelow = above.every((step, index) => segments[index] === step)
    // Proxy addresses are not allowed below the path that contains the sites of all organizations.
    if (isBelow) return inOrganization(segments.slice(above.length))
  } else if (domain !== undefined && host.endsWith(`.${domain}`)) {
    return inOrganization([host.slice(0, -domain.length - 1), ...segments])
  } else {
    found.push({ name: { hostname: host }, segments })
  }
  // The longest path is first, because one site may be proxied below another.
  for (let length = Math.min(segments.length, maxProxySegments); length > 0; length--) {
    const proxy = [host, ...segments.slice(0, length)].join('/')
    found.push({ name: { proxy }, segments: segments.slice(length) })
  }
  return found
}

function inOrganization([organization, basename, ...segments]: string[]): { name: SiteName; segments: string[] }[] {
  if (organization === undefined || organization === '') return []
  const itself = { name: { organization }, segments: basename === undefined ? [] : [basename, ...segments] }
  if (basename === undefined) return [itself]
  return [{ name: { organization, basename: basename.toLowerCase() }, segments }, itself]
}

/** Splits a path into decoded segments; a segment that cannot be decoded is unchanged and matches nothing. */
export function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter((step) => step !== '')
    .map(decodedStep)
}

/** Decodes a path segment; returns it unchanged if it cannot be decoded. */
export function decodedStep(step: string): string {
  try {
    const text = decodeURIComponent(step)
    return text.includes('\0') ? step : text
  } catch {
    return step
  }
}

/** Joins segments to a path with a trailing slash; empty if there are no segments. */
export function pathOfSegments(segments: readonly string[]): string {
  return segments.map((step) => `${encodeURIComponent(step)}/`).join('')
}

/** Returns a URL segment made from a title, or `otherwise` if no character of the title is allowed in a segment. */
export function segmentAfter(title: string, otherwise: string): string {
  const slug = slugOf(title)
  // `slugOf` returns this for a title without any usable character.
  if (slug === 'undefined') return otherwise
  return slug.replace(/\++/g, '-').replace(/^[^a-z0-9]+|-+$/g, '') || otherwise
}
