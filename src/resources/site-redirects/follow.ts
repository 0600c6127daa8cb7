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

/** The redirect of a path on a site, and where it leads whoever asks. */
export async function followRedirect(context: SiteReadContext, path: string, givenShareKey: string | undefined) {
  const shareKey = await usableShareKey(context, givenShareKey)
  const redirect = await findRedirectOf(context, path)
  const address = redirect && (await addressFor(context, redirect, path, shareKey))
  const rest = redirect?.capture_wildcard === 1 ? wildcardMatch(redirect.source_key, path) : ''
  if (!redirect || address === undefined || hasDots(rest)) throw notFound('redirect')
  return { redirect: presentRedirect(redirect), target: withAppended(address, rest) }
}

/** Of a draft and a live one, those who see drafts get the draft. */
async function findRedirectOf({ db, site, visitor }: SiteReadContext, path: string) {
  const seesDrafts = visitor?.seesDrafts ?? true
  const keys = keysMatching(path)
  const found = await store.findByKeys(db, site, keys)
  const seen = found.filter(({ draft }) => draft === 0 || seesDrafts)
  const place = (row: Row<'site_redirects'>) => 2 * keys.indexOf(row.source_key) - row.draft
  return seen.toSorted((a, b) => place(a) - place(b))[0]
}

/** The address that a redirect leads to; undefined when the caller does not see what is there, or never gets there. */
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
  // What stands on a site moves: a redirect may have come to lead to its own source since it was made.
  if (
    leadsTo === undefined ||
    keyOfPath(leadsTo) === keyOfPath(path) ||
    isCircularRedirect(rule, leadsTo, { isThere: true })
  )
    return undefined
  // Members and those who preview a site go there before it is published.
  return (getPublishedUrl(site, urls, shareKey) ?? urls.site(site)) + leadsTo
}
