import type { ContentRef } from '../../contract/document.ts'
import type { SiteEvent } from './store.ts'

// Values sent by visitors are stored truncated and without URL queries, which may contain tokens.

/** Truncates a string; a character that would be split is replaced. */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed()
}

type UrlColumns = Pick<
  SiteEvent,
  'url_origin' | 'url_path' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content'
>

export function parseEventUrl(url: string): UrlColumns {
  const { origin, pathname, searchParams } = new URL(url)
  const campaign = (name: string) => truncate(searchParams.get(`utm_${name}`) ?? '', 100).replaceAll('\0', '') || null
  return {
    url_origin: truncate(origin, 270),
    url_path: truncate(pathname, 800),
    utm_source: campaign('source'),
    utm_medium: campaign('medium'),
    utm_campaign: campaign('campaign'),
    utm_term: campaign('term'),
    utm_content: campaign('content'),
  }
}

/** Normalizes a URL like those of stored events. */
export function normalizeEventUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { url_origin: origin, url_path: path } = parseEventUrl(url)
  return origin + path
}

/** Parses a referrer; the columns are null if it is missing or invalid. */
export function parseReferrer(referrer: string | null): Pick<SiteEvent, 'referrer' | 'referrer_domain'> {
  const domain = referrer && URL.canParse(referrer) ? new URL(referrer).hostname : ''
  if (!referrer || domain === '') return { referrer: null, referrer_domain: null }
  return { referrer: normalizeReferrer(referrer), referrer_domain: truncate(domain, 255) }
}

/** Normalizes a referrer like those of stored events. */
export function normalizeReferrer(referrer: string): string {
  if (!URL.canParse(referrer)) return referrer
  const { protocol, host, pathname } = new URL(referrer)
  return truncate(`${protocol}//${host}${pathname}`, 400)
}

/** Serializes a link target; equal targets give equal strings. */
export function serializeLinkTarget(target: ContentRef): string {
  const parts = Object.entries(target).map(([key, value]) => [key, truncate(value, 500)] as const)
  return JSON.stringify(Object.fromEntries(parts.sort(([a], [b]) => (a < b ? -1 : 1))))
}
