import type { SiteRedirectInputDestination } from '../../../../contract/site-redirects.ts'
import type { Site } from '../../../../contract/site.ts'

/** Valid source paths of redirects; the API refuses others. */
const sourcePattern =
  /^\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+)*(?:\/\*|\*)?$/
const maxSourceLength = 512

const encodeSegment = (segment: string): string => {
  let text = segment
  try {
    text = decodeURIComponent(segment)
  } catch {
    // A percent sign that encodes nothing is part of the text.
  }
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%2B', '+')
}

/** Removes the address of the site from a URL of one of its pages. */
function toSitePath(text: string, site: Site): string {
  const trimmed = text.trim()
  const base = site.urls.published
  if (base !== undefined && `${trimmed}/`.startsWith(base)) return `/${trimmed.slice(base.length)}`
  return trimmed
}

/** Returns the source path of a redirect in the format of the API; undefined if it is not valid. */
export function toSource(text: string, site: Site): string | undefined {
  const path = toSitePath(text, site)
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || /[?#]/.test(path)) return undefined
  const [, start = '', wildcard = ''] = /^(.*?)(\/\*|\*)?$/.exec(path) ?? []
  const segments = start.split('/').filter((segment) => segment !== '')
  const source = `/${segments.map(encodeSegment).join('/')}${wildcard}`
  return source.length <= maxSourceLength && sourcePattern.test(source) ? source : undefined
}

/** Maximum length of the path or URL of a destination. */
const maxTargetLength = 2048

/** Whether a text can be the destination of a redirect: a path, or a complete URL. */
export const isTarget = (text: string): boolean =>
  text.length <= maxTargetLength && (!/^https?:/i.test(text) || URL.canParse(text))

/** Returns the destination of a path of the site, or of a URL. */
export function toDestination(text: string, site: Site): SiteRedirectInputDestination {
  const path = toSitePath(text, site)
  return /^https?:\/\//i.test(path)
    ? { kind: 'external', url: path }
    : { kind: 'site-path', path: path.replace(/[?#].*$/, '') }
}
