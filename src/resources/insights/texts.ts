import type { ContentRef } from '../../contract/document.ts'
import type { SiteEvent } from './store.ts'

// Values sent by visitors are stored truncated and without URL queries, which may contain tokens.

/** Truncates a string; a character that would be split is replaced. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed()
}

type Address = Pick<
  SiteEvent,
  'url_origin' | 'url_path' | 'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content'
>

export function readAddress(url: string): Address {
  const { origin, pathname, searchParams } = new URL(url)
  const campaign = (name: string) => cut(searchParams.get(`utm_${name}`) ?? '', 100).replaceAll('\0', '') || null
  return {
    url_origin: cut(origin, 270),
    url_path: cut(pathname, 800),
    utm_source: campaign('source'),
    utm_medium: campaign('medium'),
    utm_campaign: campaign('campaign'),
    utm_term: campaign('term'),
    utm_content: campaign('content'),
  }
}

/** Normalizes a URL like those of stored events. */
export function plainAddress(url: string): string {
  if (!URL.canParse(url)) return url
  const { url_origin: origin, url_path: path } = readAddress(url)
  return origin + path
}

/** Parses a referrer; the columns are null if it is missing or invalid. */
export function readReferrer(referrer: string | null): Pick<SiteEvent, 'referrer' | 'referrer_domain'> {
  const domain = referrer && URL.canParse(referrer) ? new URL(referrer).hostname : ''
  if (!referrer || domain === '') return { referrer: null, referrer_domain: null }
  return { referrer: plainReferrer(referrer), referrer_domain: cut(domain, 255) }
}

/** Normalizes a referrer like those of stored events. */
export function plainReferrer(referrer: string): string {
  if (!URL.canParse(referrer)) return referrer
  const { protocol, host, pathname } = new URL(referrer)
  return cut(`${protocol}//${host}${pathname}`, 400)
}

/** Serializes a link target; equal targets give equal strings. */
export function targetText(target: ContentRef): string {
  const parts = Object.entries(target).map(([key, value]) => [key, cut(value, 500)] as const)
  return JSON.stringify(Object.fromEntries(parts.sort(([a], [b]) => (a < b ? -1 : 1))))
}
