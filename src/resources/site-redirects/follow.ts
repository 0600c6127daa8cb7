import type { SiteReadContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import {
  wildcardMatch,
  hasDots,
  keyOfPath,
  keysMatching,
  isCircularRedirect,
  withAppended,
} from '../../publishing/redirects.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import type { Row } from '../../schema/tables.ts'
import { usableShareKey } from '../site-structure/view.ts'
import { getPublishedUrl } from '../../domain/sites/present-site.ts'
import { Destinations } from './destinations.ts'
import { destinationOf, presentRedirect } from './present.ts'
import * as store from './store.ts'

/** Returns the redirect for a path on a site, and its target URL for the caller. */
export async function followRedirect(context: SiteReadContext, path: string, givenShareKey: string | undefined) {
  const shareKey = await usableShareKey(context, givenShareKey)
  const redirect = await findRedirectOf(context, path)
  const address = redirect && (await addressFor(context, redirect, path, shareKey))
  const rest = redirect?.capture_wildcard === 1 ? wildcardMatch(redirect.source_key, path) : ''
  if (!redirect || address === undefined || hasDots(rest)) throw notFound('redirect')
  return { redirect: presentRedirect(redirect), target: withAppended(address, rest) }
}

/** Finds the redirect that matches a path best; callers who see drafts get the draft rather than the live redirect. */
async function findRedirectOf({ db, site, visitor }: SiteReadContext, path: string) {
  const seesDrafts = visitor?.seesDrafts ?? true
  const keys = keysMatching(path)
  const found = await store.findByKeys(db, site, keys)
  const seen = found.filter(({ draft }) => draft === 0 || seesDrafts)
  const place = (row: Row<'site_redirects'>) => 2 * keys.indexOf(row.source_key) - row.draft
  return seen.toSorted((a, b) => place(a) - place(b))[0]
}

/** Returns the target URL of a redirect; undefined if the caller cannot see the target, or if the redirect is circular. */
async function addressFor(
  context: SiteReadContext,
  redirect: Row<'site_redirects'>,
  path: string,
  shareKey: string | undefined,
): Promise<string | undefined> {
  const { site, urls, visitor } = context
  const destination = destinationOf(redirect)
  if (destination.kind === 'external') return destination.url
  const viewpoint = Viewpoint.ofReader(visitor, { seesDrafts: true })
  const leadsTo = await (await Destinations.open(context)).pathTo(destination, viewpoint)
  const rule = { sourceKey: redirect.source_key, captures: redirect.capture_wildcard === 1 }
  // Items of a site can move, so a redirect may have become circular since it was created.
  if (
    leadsTo === undefined ||
    keyOfPath(leadsTo) === keyOfPath(path) ||
    isCircularRedirect(rule, leadsTo, { isThere: true })
  )
    return undefined
  // Members and visitors of previews are redirected even before the site is published.
  return (getPublishedUrl(site, urls, shareKey) ?? urls.site(site)) + leadsTo
}
