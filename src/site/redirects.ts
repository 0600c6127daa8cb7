import { visitorParameters } from '../visitors/identify-visitor.ts'
import { AppError } from '../kernel/errors.ts'
import type { SiteReply } from '../kernel/site-http.ts'
import { toPathKey } from '../publishing/redirects.ts'
import { followRedirect } from '../resources/site-redirects/follow-redirect.ts'
import { redirectReply } from './reply.ts'
import type { SiteVisit } from './visit.ts'
import { toReadContext } from './space-for-path.ts'
import type { SiteView } from './view.ts'

type ResolvedRedirect = Awaited<ReturnType<typeof followRedirect>>

/** Returns the redirect for a path without content, if the site has one. */
export async function findRedirectReply({ view, request, segments }: SiteVisit): Promise<SiteReply | undefined> {
  const path = `/${segments.map(encodeURIComponent).join('/')}`
  const followed = segments.length === 0 ? undefined : await resolveRedirect(view, path)
  if (!followed) return undefined
  const location = withQuery(followed.target, new URL(request.url).searchParams)
  // The target of the redirect may meanwhile resolve to the requested URL.
  if (isSamePath(location, request.url)) return undefined
  return { ...redirectReply(location), status: followed.redirect.permanent ? 308 : 307 }
}

const markdownEnding = /\.md$/i

/**
 * Resolves the redirect of a path; a request for Markdown is redirected to the Markdown of the target page, unless a redirect has
 * exactly this path.
 */
async function resolveRedirect(view: SiteView, path: string): Promise<ResolvedRedirect | undefined> {
  const followed = await tryFollowRedirect(view, path)
  if (!markdownEnding.test(path) || (followed && !followed.redirect.source.endsWith('*'))) return followed
  const pageRedirect = await tryFollowRedirect(view, path.replace(markdownEnding, ''))
  if (pageRedirect?.redirect.destination.kind !== 'site-page' || pageRedirect.target.endsWith('/'))
    return followed ?? pageRedirect
  return { ...pageRedirect, target: `${pageRedirect.target}.md` }
}

async function tryFollowRedirect(view: SiteView, path: string): Promise<ResolvedRedirect | undefined> {
  try {
    return await followRedirect(toReadContext(view), path, undefined)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Adds the query of the request to a redirect target, without the credentials of the visitor, which are only for this site. */
function withQuery(target: string, query: URLSearchParams): string {
  const address = new URL(target)
  const ownNames = new Set(address.searchParams.keys())
  const { token, preview, claims } = visitorParameters
  for (const [name, value] of query) {
    if (name === token || name === preview || name.startsWith(claims) || ownNames.has(name)) continue
    address.searchParams.append(name, value)
  }
  return address.href
}

function isSamePath(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  return a.host === b.host && toPathKey(a.pathname) === toPathKey(b.pathname)
}
