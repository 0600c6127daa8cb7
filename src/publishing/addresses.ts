import { slugOf } from '../content/markdown/slug.ts'

/** What decides about the address of a site. */
export interface SitePlace {
  /** The hostname of its organization, or else its id. */
  organization_name: string
  basename: string
  /** A verified hostname of its own. */
  hostname: string | null
  proxy: string | null
}

/** What an address says of the site that it belongs to. */
export type SiteName =
  | { organization: string; basename: string }
  | { organization: string }
  | { hostname: string }
  | { proxy: string }

/** Where this installation is reached. */
export interface Home {
  /** Without a slash at the end. */
  base: string
  /** Below which every organization has a host of its own, if such a domain was configured. */
  sitesDomain: string | undefined
}

/** What addresses of sites begin with that have no host of their own. */
const sitesPrefix = '/sites/'

/** The address of a site, ending with a slash. Hosts of sites are reached by the protocol and port of the installation itself. */
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

/** Longer paths of other domains have no sites below them. */
const maxProxySegments = 8

/** Which sites an address may belong to, the likeliest first, each with the segments of the path below it. */
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
    // Nobody is hosted where sites of other organizations have their addresses.
    if (isBelow) return inOrganization(segments.slice(above.length))
  } else if (domain !== undefined && host.endsWith(`.${domain}`)) {
    return inOrganization([host.slice(0, -domain.length - 1), ...segments])
  } else {
    found.push({ name: { hostname: host }, segments })
  }
  // The longest path first: sites may be hosted one below the other.
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

/** The parts of a path, decoded; one that says nothing stays as it was written, and nothing is found there. */
export function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter((step) => step !== '')
    .map(decodedStep)
}

/** A part of a path, decoded; as it was written when it says nothing. */
export function decodedStep(step: string): string {
  try {
    const text = decodeURIComponent(step)
    return text.includes('\0') ? step : text
  } catch {
    return step
  }
}

/** A path of these segments, ending with a slash unless it is empty. */
export function pathOfSegments(segments: readonly string[]): string {
  return segments.map((step) => `${encodeURIComponent(step)}/`).join('')
}

/** A segment of an address after a title; `otherwise` when nothing of the title can stand in one. */
export function segmentAfter(title: string, otherwise: string): string {
  const slug = slugOf(title)
  // What slugs say for a title that leaves nothing.
  if (slug === 'undefined') return otherwise
  return slug.replace(/\++/g, '-').replace(/^[^a-z0-9]+|-+$/g, '') || otherwise
}
