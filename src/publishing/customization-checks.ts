import { findExpressionError } from '../content/expression/index.ts'
import type { ContentRef } from '../contract/document.ts'
import type { ErrorDetail } from '../contract/errors.ts'
import type { ExplicitSettings } from './customization.ts'
import { isPathOnHost } from './links.ts'

/** Maximum length of stored settings, in UTF-16 code units of JSON. */
export const maxSettingsLength = 256 * 1024

const maxUrlLength = 2048
const linkSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** Returns the problems of settings that their schema does not check: URLs and conditions. */
export function findSettingsProblems({ header, footer, announcement }: ExplicitSettings): ErrorDetail[] {
  return [
    ...findRefProblems(header?.primaryLink, 'body.header.primaryLink'),
    ...(header?.links ?? []).flatMap(({ to, links, condition }, index) => [
      ...findRefProblems(to, `body.header.links.${index}.to`),
      ...findLinkListProblems(links, `body.header.links.${index}.links`),
      ...findConditionProblems(condition, `body.header.links.${index}.condition`),
    ]),
    ...(footer?.groups ?? []).flatMap(({ links }, index) =>
      findLinkListProblems(links, `body.footer.groups.${index}.links`),
    ),
    ...findRefProblems(announcement?.link?.to, 'body.announcement.link.to'),
  ]
}

function findLinkListProblems(links: { to: ContentRef }[], path: string): ErrorDetail[] {
  return links.flatMap(({ to }, index) => findRefProblems(to, `${path}.${index}.to`))
}

function findRefProblems(ref: ContentRef | null | undefined, path: string): ErrorDetail[] {
  if (ref?.kind !== 'url') return []
  if (ref.url.length > maxUrlLength)
    return [{ path: `${path}.url`, message: `must have at most ${maxUrlLength} characters` }]
  return isSafeLink(ref.url) ? [] : [{ path: `${path}.url`, message: 'must be a URL or a path' }]
}

/** Whether a link has a safe scheme or is a path on the host of the site as browsers parse it. */
function isSafeLink(url: string): boolean {
  if (URL.canParse(url)) return linkSchemes.has(new URL(url).protocol)
  return isPathOnHost(url.startsWith('/') ? url : `/${url}`)
}

function findConditionProblems(condition: string | undefined, path: string): ErrorDetail[] {
  const message = condition === undefined || condition.trim() === '' ? undefined : findExpressionError(condition)
  return message === undefined ? [] : [{ path, message }]
}
