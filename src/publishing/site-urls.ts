import { toSlug } from '../content/markdown/slug.ts'

/** Fields that determine the URL of a site. */
export interface SiteAddress {
  /** Hostname of the organization, or its id if it has no hostname. */
  organization_name: string
  basename: string
  /** Verified custom hostname. */
  hostname: string | null
  proxy: string | null
}

/** Identification of a site by its URL. */
export type SiteLocator =
  | { organization: string; basename: string }
  | { organization: string }
  | { hostname: string }
  | { proxy: string }

/** Base URL and sites domain of this installation. */
export interface UrlSettings {
  /** Base URL without a trailing slash. */
  base: string
  /** Domain whose subdomains are the hosts of organizations, if configured. */
  sitesDomain: string | undefined
}

/** Path prefix of sites without their own host. */
const sitesPrefix = '/sites/'

/** Returns the URL of a site with a trailing slash. Hosts of sites use the protocol and port of the installation. */
export function buildSiteUrl(settings: UrlSettings, site: SiteAddress, { isHosted = true } = {}): string {
  if (site.proxy !== null && isHosted) return `https://${site.proxy}/`
  const { protocol, port } = new URL(settings.base)
  const portSuffix = port === '' ? '' : `:${port}`
  if (site.hostname !== null) return `${protocol}//${site.hostname}${portSuffix}/`
  const { organization_name: organization, basename } = site
  return settings.sitesDomain === undefined
    ? `${settings.base}${sitesPrefix}${organization}/${basename}/`
    : `${protocol}//${organization}.${settings.sitesDomain}${portSuffix}/${basename}/`
}

/** Maximum number of path segments in the proxy address of a site. */
const maxProxySegments = 8

/** Returns the sites that a URL may belong to, most likely first, each with the remaining path segments. */
export function matchSitesByUrl(settings: UrlSettings, url: string): { locator: SiteLocator; segments: string[] }[] {
  if (!URL.canParse(url)) return []
  const { hostname, pathname } = new URL(url)
  const segments = splitPath(pathname)
  const host = hostname.toLowerCase()
  const base = new URL(settings.base)
  const domain = settings.sitesDomain
  const found: { locator: SiteLocator; segments: string[] }[] = []
  if (host === base.hostname) {
    const prefixSegments = splitPath(`${base.pathname}${sitesPrefix}`)
    const isBelow = prefixSegments.every((step, index) => segments[index] === step)
    // Proxy addresses are not allowed below the path that contains the sites of all organizations.
    if (isBelow) return matchSitesOfOrganization(segments.slice(prefixSegments.length))
  } else if (domain !== undefined && host.endsWith(`.${domain}`)) {
    return matchSitesOfOrganization([host.slice(0, -domain.length - 1), ...segments])
  } else {
    found.push({ locator: { hostname: host }, segments })
  }
  // The longest path is first, because one site may be proxied below another.
  for (let length = Math.min(segments.length, maxProxySegments); length > 0; length--) {
    const proxy = [host, ...segments.slice(0, length)].join('/')
    found.push({ locator: { proxy }, segments: segments.slice(length) })
  }
  return found
}

function matchSitesOfOrganization([organization, basename, ...segments]: string[]): {
  locator: SiteLocator
  segments: string[]
}[] {
  if (organization === undefined || organization === '') return []
  const defaultSite = { locator: { organization }, segments: basename === undefined ? [] : [basename, ...segments] }
  if (basename === undefined) return [defaultSite]
  return [{ locator: { organization, basename: basename.toLowerCase() }, segments }, defaultSite]
}

/** Splits a path into decoded segments; a segment that cannot be decoded is unchanged and matches nothing. */
export function splitPath(path: string): string[] {
  return path
    .split('/')
    .filter((step) => step !== '')
    .map(decodeSegment)
}

/** Decodes a path segment; returns it unchanged if it cannot be decoded. */
export function decodeSegment(step: string): string {
  try {
    const text = decodeURIComponent(step)
    return text.includes('\0') ? step : text
  } catch {
    return step
  }
}

/** Joins segments to a path with a trailing slash; empty if there are no segments. */
export function joinSegments(segments: readonly string[]): string {
  return segments.map((step) => `${encodeURIComponent(step)}/`).join('')
}

/** Returns a URL segment made from a title, or `fallback` if no character of the title is allowed in a segment. */
export function toUrlSegment(title: string, fallback: string): string {
  const slug = toSlug(title)
  // `slugOf` returns this for a title without any usable character.
  if (slug === 'undefined') return fallback
  return slug.replace(/\++/g, '-').replace(/^[^a-z0-9]+|-+$/g, '') || fallback
}
