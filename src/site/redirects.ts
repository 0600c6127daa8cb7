import { visitorParameters } from '../access/visitor-identity.ts'
import { AppError } from '../kernel/errors.ts'
import type { SiteReply } from '../kernel/site-http.ts'
import { keyOfPath } from '../publishing/redirects.ts'
import { followRedirect } from '../resources/site-redirects/follow.ts'
import { redirectReply } from './reply.ts'
import type { SiteVisit } from './visit.ts'
import { toReadContext } from './space-for-path.ts'
import type { SiteView } from './view.ts'

type Followed = Awaited<ReturnType<typeof followRedirect>>

/** Leads on from a path at which nothing is, as the redirects of the site say. */
export async function redirectOf({ view, request, segments }: SiteVisit): Promise<SiteReply | undefined> {
  const path = `/${segments.map(encodeURIComponent).join('/')}`
  const followed = segments.length === 0 ? undefined : await followTo(view, path)
  if (!followed) return undefined
  const location = withQuery(followed.target, new URL(request.url).searchParams)
  // What was elsewhere when the redirect was made may be this very place by now.
  if (isSamePlace(location, request.url)) return undefined
  return { ...redirectReply(location), status: followed.redirect.permanent ? 308 : 307 }
}

const markdownEnding = /\.md$/i

/** Whoever asks for a page as Markdown is led to the Markdown of where the page leads, unless a redirect says otherwise. */
async function followTo(view: SiteView, path: string): Promise<Followed | undefined> {
  const followed = await follow(view, path)
  if (!markdownEnding.test(path) || (followed && !followed.redirect.source.endsWith('*'))) return followed
  const ofPage = await follow(view, path.replace(markdownEnding, ''))
  if (ofPage?.redirect.destination.kind !== 'site-page' || ofPage.target.endsWith('/')) return followed ?? ofPage
  return { ...ofPage, target: `${ofPage.target}.md` }
}

async function follow(view: SiteView, path: string): Promise<Followed | undefined> {
  try {
    return await followRedirect(toReadContext(view), path, undefined)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** An address with what was asked of the one that led there; what visitors prove about themselves is for the site alone. */
function withQuery(target: string, asked: URLSearchParams): string {
  const address = new URL(target)
  const own = new Set(address.searchParams.keys())
  const { token, preview, claims } = visitorParameters
  for (const [name, value] of asked) {
    if (name === token || name === preview || name.startsWith(claims) || own.has(name)) continue
    address.searchParams.append(name, value)
  }
  return address.href
}

function isSamePlace(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  return a.host === b.host && keyOfPath(a.pathname) === keyOfPath(b.pathname)
}
