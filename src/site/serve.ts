import { findSiteByLocator } from '../access/sites.ts'
import type { BaseContext, Principal } from '../kernel/context.ts'
import type { SiteReply, SiteRequest } from '../kernel/site-http.ts'
import { renderPage } from '../render/shell/page.ts'
import { type SiteSession, type SiteLocation, buildSiteItemUrl, openSession, locatePath } from '../visitors/locate.ts'
import { notFoundReply, signInRequiredReply } from './not-found.ts'
import { ReplyCache, replyKeyOf } from './cache.ts'
import { openCustomizationPreview, parsePreviewUrl } from '../visitors/customization-preview.ts'
import { parseVisitorCookies, moveParametersToCookies } from '../visitors/cookies.ts'
import { servePageFormat } from './machines/page-formats.ts'
import { prefersMarkdown, serveMarkdown } from './machines/markdown.ts'
import type { ApiClient } from './api-client.ts'
import { type SiteLimits, notFoundCost } from './limits.ts'
import { isMcpUrl } from './mcp/mcp.ts'
import { type RequestKey, findOutput, findPreviewOutput, toRequestKey } from './outputs.ts'
import type { Renderers } from '../resources/rendered/render-content.ts'
import { readFramedPage } from './page/page.ts'
import { pageReply } from './page-reply.ts'
import { findRedirectReply } from './redirects.ts'
import { ResolvedReferences } from '../resources/rendered/references.ts'
import { redirectReply, toFramedReply } from './reply.ts'
import { pagesSitemapName, serveSpaceSitemap } from './machines/sitemap.ts'
import { type SitePage, SiteView, type SiteViewContext, type SpaceView } from './view.ts'
import type { RequestPdf, SiteVisit, Transaction } from './visit.ts'

const allowedMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])
const methodNotAllowed: SiteReply = { status: 405, headers: { allow: [...allowedMethods].join(', ') }, body: '' }

interface Services {
  context: () => SiteViewContext
  /** Returns the current time in milliseconds. */
  now: () => number
  /** Returns the cache mark of the database; see `Database.mark`. */
  mark: () => Promise<string> | string
  transaction: Transaction
  /** Returns the user of the session in a cookie header. */
  findPrincipal: (cookies: string | undefined) => Promise<Principal | undefined>
  renderers: Renderers
  limits: SiteLimits
  requestPdf: RequestPdf
  apiClient: ApiClient
}

interface ReplyInput {
  context: SiteViewContext
  mark: string
  now: number
  /** Cache key of the reply, if it may be cached. */
  key?: RequestKey | undefined
  /** Cost of the reply; a page costs 1. */
  cost: number
}

/** Serves requests to published sites. */
export class SiteServer {
  readonly #services: Services
  readonly #replies = new ReplyCache()
  /** Replies in progress, so that many concurrent requests for a changed page make it once. */
  readonly #inProgress = new Map<string, Promise<SiteReply>>()

  constructor(services: Services) {
    this.#services = services
  }

  /** Whether a URL belongs to a site: below the path of sites, on its hostname, or below a path that is proxied to it. */
  async #isSiteUrl({ db, urls }: BaseContext, url: string): Promise<boolean> {
    for (const { locator } of urls.sitesAt(url)) {
      if ('organization' in locator) return true
      if (await findSiteByLocator(db, locator)) return true
    }
    return false
  }

  /** Returns the reply to an earlier equal request, if nothing has been committed since. */
  findCachedReply(
    request: Pick<SiteRequest, 'url' | 'method' | 'header'>,
  ): SiteReply | undefined | Promise<SiteReply | undefined> {
    if (!isReadMethod(request)) return undefined
    const key = toRequestKey(request)
    if (!this.#replies.isKnown(key)) return undefined
    const mark = this.#services.mark()
    const find = (current: string) => this.#replies.find(key, current, this.#services.now())
    return typeof mark === 'string' ? find(mark) : mark.then(find)
  }

  /** Returns the reply to a request; undefined if its URL does not belong to a site. */
  async serve(request: SiteRequest): Promise<SiteReply | undefined> {
    const context = this.#services.context()
    // Read before anything else, so that a commit during this request invalidates the reply that is cached under it.
    const mark = await this.#services.mark()
    const key = toRequestKey(request)
    const now = this.#services.now()
    const cached = isReadMethod(request) ? this.#replies.find(key, mark, now) : undefined
    if (cached) return cached
    const previewAddress = parsePreviewUrl(context.urls, request.url)
    if (previewAddress) {
      // Depends on the session of the user, so the reply is neither cached nor shared with concurrent requests.
      return this.#services.limits.runQueued(request.clientNetwork, 1, async () => {
        const principal = await this.#services.findPrincipal(request.header('cookie'))
        const session = await openCustomizationPreview(context, principal, previewAddress)
        this.#services.limits.charge(request.clientNetwork, 1)
        if (!session) return notFoundReply(undefined)
        if (!isReadMethod(request)) return methodNotAllowed
        return toFramedReply((await this.#routeRequest(context, session, request)).reply)
      })
    }
    const configuredUrl = toConfiguredHost(request.url, context.urls.plain('/'))
    if (!(await this.#isSiteUrl(context, configuredUrl ?? request.url))) return undefined
    if (configuredUrl !== undefined) return redirectReply(configuredUrl)
    const { limits } = this.#services
    const { clientNetwork } = request
    const cost = key.output?.cost ?? 1
    if (!isReadMethod(request)) {
      // The body is received before the request is queued.
      const buffered = key.output?.acceptsBody === true ? await readBody(request) : request
      const makeUncached = () => this.#makeReply(buffered, { context, mark, now, cost })
      return key.output?.hasParts === true ? makeUncached() : limits.runQueued(clientNetwork, cost, makeUncached)
    }
    const make = () => this.#makeReply(request, { context, mark, now, key, cost })
    return this.#shareConcurrent(`${mark}\n${key.address}\n${key.cookies}`, () =>
      limits.runQueued(clientNetwork, cost, make),
    )
  }

  /** Makes a reply, or waits for an equal request in progress and returns its reply if it may be shared. */
  async #shareConcurrent(key: string, make: () => Promise<SiteReply>): Promise<SiteReply> {
    const concurrent = await this.#inProgress.get(key)?.catch(() => undefined)
    if (concurrent && isShareable(concurrent)) return concurrent
    const reply = make()
    this.#inProgress.set(key, reply)
    try {
      return await reply
    } finally {
      if (this.#inProgress.get(key) === reply) this.#inProgress.delete(key)
    }
  }

  async #makeReply(request: SiteRequest, { context, mark, now, key, cost }: ReplyInput): Promise<SiteReply> {
    const isMcpRequest = isMcpUrl(request.url)
    if (!allowedMethods.has(request.method) && !isMcpRequest) return methodNotAllowed
    const cookies = parseVisitorCookies(request.header('cookie'))
    const session = await openSession(context, { url: request.url, ...cookies, ignoresInvalidToken: true })
    if (session.kind === 'nothing') return notFoundReply(undefined)
    if (session.kind === 'redirect') return redirectReply(session.to)
    if (session.kind === 'signIn') {
      // MCP clients cannot sign in on a page.
      return session.login === undefined || isMcpRequest ? signInRequiredReply() : redirectReply(session.login)
    }
    const moved =
      request.method === 'POST' || isMcpRequest
        ? undefined
        : moveParametersToCookies(request.url, session, cookies, now)
    if (moved) return redirectReply(moved.location, moved.cookies)
    const make = async () => {
      this.#services.limits.charge(request.clientNetwork, cost)
      const { view, reply } = await this.#routeRequest(context, session, request)
      // A preview depends on the permissions of a member, which are not part of the cache key.
      const mayCache = isShareable(reply) && !session.identity.visitor.isPreviewing && !view.showsMemberNames
      if (key && mayCache) this.#replies.set(key, { mark, session, view, reply, now })
      return reply
    }
    if (!key) return make()
    // Visitors with different cookies may get the same reply.
    const cached = await this.#replies.findForSession(context, key, { mark, session, now })
    return cached ?? this.#shareConcurrent(`${mark}\n${replyKeyOf(key, session)}`, make)
  }

  async #routeRequest(
    context: SiteViewContext,
    session: SiteSession,
    request: SiteRequest,
  ): Promise<{ view: SiteView; reply: SiteReply }> {
    const { segments } = session.identity
    const liveView = new SiteView(context, session)
    const [first = ''] = segments
    const output = findOutput(first)
    const acceptsMethod = request.method !== 'POST' || output?.acceptsBody === true
    const { transaction, limits, requestPdf, apiClient } = this.#services
    const visit: SiteVisit = { view: liveView, request, segments, transaction, limits, requestPdf, apiClient }
    const outputReply = acceptsMethod ? await output?.serve(visit, segments.slice(1)) : undefined
    if (outputReply) return { view: liveView, reply: outputReply }
    if (request.method === 'POST') return { view: liveView, reply: methodNotAllowed }
    const located = await locatePath(context, session, segments)
    if (located.kind === 'redirect') return { view: liveView, reply: redirectReply(located.to) }
    const view = located.kind === 'place' ? new SiteView(context, session, located) : liveView
    const locatedVisit = { ...visit, view }
    if (located.kind === 'place') {
      const reply = (await serveSpaceOutput(locatedVisit, located)) ?? (await this.#servePage(locatedVisit, located))
      if (reply) return { view, reply }
    }
    return (await servePageFormat(visit)) ?? { view, reply: await this.#serveNotFound(locatedVisit) }
  }

  async #servePage(visit: SiteVisit, location: SiteLocation): Promise<SiteReply | undefined> {
    const space = await visit.view.openItem(location.space)
    const sitePage = await space?.findPage(location.rest)
    if (!space || !sitePage) return undefined
    const { entry } = sitePage
    // Old paths, paths in another case and paths of groups redirect to the current URL.
    if (entry.type !== 'document') {
      const to = await resolvePageTarget(space, sitePage)
      return to === undefined ? undefined : redirectReply(to)
    }
    const requestedUrl = buildSiteItemUrl(location, location.space, [...location.previewPath, ...location.rest])
    if (sitePage.address !== requestedUrl) return redirectReply(sitePage.address + location.search)
    if (prefersMarkdown(visit.request.header('accept'))) return serveMarkdown(visit, space, sitePage)
    const { frame, page, connectOrigins, isComplete } = await readFramedPage(space, sitePage, this.#services.renderers)
    const { isIndexed } = page.head
    return pageReply(frame, renderPage(frame.site, page), { isIndexed, isCacheable: isComplete, connectOrigins })
  }

  async #serveNotFound(visit: SiteVisit): Promise<SiteReply> {
    const redirect = await findRedirectReply(visit)
    if (redirect) return redirect
    this.#services.limits.charge(visit.request.clientNetwork, notFoundCost)
    return notFoundReply(visit)
  }
}

/** Serves the sitemap of a space, or the search of a preview; undefined if the path is neither. */
async function serveSpaceOutput(
  visit: SiteVisit,
  { previewPath, space, rest: [step = '', ...rest] }: SiteLocation,
): Promise<SiteReply | undefined> {
  if (previewPath.length === 0 && step === pagesSitemapName && rest.length === 0) return serveSpaceSitemap(visit, space)
  return previewPath.length > 0 ? findPreviewOutput(step)?.serve(visit, rest) : undefined
}

/** Returns the redirect target of a group or a link page: its first page, or the target of the link. */
async function resolvePageTarget(space: SpaceView, { entry, page, lineage }: SitePage): Promise<string | undefined> {
  if (entry.type === 'link') {
    return page.target && (await ResolvedReferences.resolve(space, [page.target])).linkTo(page.target)?.href
  }
  for await (const descendant of space.listedPages(lineage))
    if (descendant.entry.type === 'document') return descendant.address
  return undefined
}

const isReadMethod = ({ method }: Pick<SiteRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD'

/** Whether concurrent equal requests may get the same reply. */
const isShareable = (reply: SiteReply): boolean => reply.isCacheable === true || reply.isShareable === true

/** Waits until the body has been received. Errors of the body are thrown when `json` is called. */
async function readBody(request: SiteRequest): Promise<SiteRequest> {
  const body = request.json()
  await body.catch(() => undefined)
  return { ...request, json: () => body }
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Replaces another name of the loopback interface with the configured one, so that cookies are set for one host only. */
function toConfiguredHost(url: string, base: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const [address, own] = [new URL(url), new URL(base)]
  const isOtherName = address.hostname !== own.hostname && loopback.has(address.hostname) && loopback.has(own.hostname)
  if (!isOtherName || address.port !== own.port) return undefined
  address.hostname = own.hostname
  return address.toString()
}
