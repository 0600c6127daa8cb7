import type { SiteReadContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import {
  extractWildcardMatch,
  hasDotSegments,
  toPathKey,
  listCandidateKeys,
  isCircularRedirect,
  appendToUrlPath,
} from '../../publishing/redirects.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import type { Row } from '../../schema/tables.ts'
import { resolveShareKey } from '../site-structure/structure-view.ts'
import { getPublishedUrl } from '../../domain/sites/present-site.ts'
import { DestinationResolver } from './destination-resolver.ts'
import { parseDestination, presentRedirect } from './present.ts'
import * as store from './store.ts'

/** Returns the redirect for a path on a site, and its target URL for the caller. */
export async function followRedirect(context: SiteReadContext, path: string, givenShareKey: string | undefined) {
  const shareKey = await resolveShareKey(context, givenShareKey)
  const redirect = await findBestRedirect(context, path)
  const targetUrl = redirect && (await findTargetUrl(context, redirect, path, shareKey))
  const capturedPath = redirect?.capture_wildcard === 1 ? extractWildcardMatch(redirect.source_key, path) : ''
  if (!redirect || targetUrl === undefined || hasDotSegments(capturedPath)) throw notFound('redirect')
  return { redirect: presentRedirect(redirect), target: appendToUrlPath(targetUrl, capturedPath) }
}

/** Finds the redirect that matches a path best; callers who see drafts get the draft rather than the live redirect. */
async function findBestRedirect({ db, site, visitor }: SiteReadContext, path: string) {
  const seesDrafts = visitor?.seesDrafts ?? true
  const keys = listCandidateKeys(path)
  const found = await store.findRedirectsByKeys(db, site, keys)
  const visible = found.filter(({ draft }) => draft === 0 || seesDrafts)
  const precedenceOf = (row: Row<'site_redirects'>) => 2 * keys.indexOf(row.source_key) - row.draft
  return visible.toSorted((a, b) => precedenceOf(a) - precedenceOf(b))[0]
}

/** Returns the target URL of a redirect; undefined if the caller cannot see the target, or if the redirect is circular. */
async function findTargetUrl(
  context: SiteReadContext,
  redirect: Row<'site_redirects'>,
  path: string,
  shareKey: string | undefined,
): Promise<string | undefined> {
  const { site, urls, visitor } = context
  const destination = parseDestination(redirect)
  if (destination.kind === 'external') return destination.url
  const viewpoint = Viewpoint.ofReader(visitor, { seesDrafts: true })
  const targetPath = await (await DestinationResolver.open(context)).findPath(destination, viewpoint)
  const rule = { sourceKey: redirect.source_key, captures: redirect.capture_wildcard === 1 }
  // Items of a site can move, so a redirect may have become circular since it was created.
  if (
    targetPath === undefined ||
    toPathKey(targetPath) === toPathKey(path) ||
    isCircularRedirect(rule, targetPath, { isThere: true })
  )
    return undefined
  // Members and visitors of previews are redirected even before the site is published.
  return (getPublishedUrl(site, urls, shareKey) ?? urls.site(site)) + targetPath
}
