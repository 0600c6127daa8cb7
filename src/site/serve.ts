import { findSiteNamed } from '../access/sites.ts'
import type { BaseContext } from '../kernel/context.ts'
import type { SiteReply, SiteRequest } from '../kernel/site-http.ts'
import { renderPage } from '../render/shell/page.ts'
import { type SiteSession, type SiteLocation, addressIn, openSession, locatePath } from '../resources/urls/locate.ts'
import { absentReply, closedReply } from './absent.ts'
import { ReplyCache, keyOf } from './cache.ts'
import { parseVisitorCookies, moveToCookies } from './cookies.ts'
import { serveForm } from './machines/forms.ts'
import { prefersMarkdown, serveMarkdown } from './machines/markdown.ts'
import { type SiteLimits, absentCost } from './limits.ts'
import { isMcp } from './mcp/mcp.ts'
import { type RequestKey, outputAt, previewOutputAt, requestKey } from './outputs.ts'
import type { Renderers } from './page/content.ts'
import { readPage } from './page/page.ts'
import { pageReply } from './page-reply.ts'
import { redirectOf } from './redirects.ts'
import { References } from './references.ts'
import { redirectReply } from './reply.ts'
import { pagesName, serveSpaceSitemap } from './machines/sitemap.ts'
import { type PlacedPage, SiteView, type SpaceView } from './view.ts'
import type { SiteVisit, Transaction } from './visit.ts'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])
const refusedMethod: SiteReply = { status: 405, headers: { allow: [...methods].join(', ') }, body: '' }

interface Services {
  context: () => BaseContext
  /** Returns the current time in milliseconds. */
  now: () => number
  /** Returns the cache mark of the database; see `Database.mark`. */
  mark: () => Promise<string> | string
  transaction: Transaction
  renderers: Renderers
  limits: SiteLimits
}

interface Serving {
  context: BaseContext
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
  async #isSiteAddress({ db, urls }: BaseContext, url: string): Promise<boolean> {
    for (const { name } of urls.sitesAt(url)) {
      if ('organization' in name) return true
      if (await findSiteNamed(db, name)) return true
    }
    return false
  }

  /** Returns the reply to an earlier equal request, if nothing has been committed since. */
  findCachedReply(
    request: Pick<SiteRequest, 'url' | 'method' | 'header'>,
  ): SiteReply | undefined | Promise<SiteReply | undefined> {
    if (!isReadMethod(request)) return undefined
    const key = requestKey(request)
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
    const key = requestKey(request)
    const now = this.#services.now()
    const kept = isReadMethod(request) ? this.#replies.find(key, mark, now) : undefined
    if (kept) return kept
    const own = toConfiguredHost(request.url, context.urls.plain('/'))
    if (!(await this.#isSiteAddress(context, own ?? request.url))) return undefined
    if (own !== undefined) return redirectReply(own)
    const { limits } = this.#services
    const { network } = request
    const cost = key.output?.cost ?? 1
    if (!isReadMethod(request)) {
      // The body is received before the request is queued.
      const whole = key.output?.takesBody === true ? await readBody(request) : request
      const answer = () => this.#makeReply(whole, { context, mark, now, cost })
      return key.output?.hasParts === true ? answer() : limits.takeTurn(network, cost, answer)
    }
    const make = () => this.#makeReply(request, { context, mark, now, key, cost })
    return this.#shareConcurrent(`${mark}\n${key.address}\n${key.cookies}`, () => limits.takeTurn(network, cost, make))
  }

  /** Makes a reply, or waits for an equal request in progress and returns its reply if it may be shared. */
  async #shareConcurrent(task: string, make: () => Promise<SiteReply>): Promise<SiteReply> {
    const before = await this.#inProgress.get(task)?.catch(() => undefined)
    if (before && isShareable(before)) return before
    const reply = make()
    this.#inProgress.set(task, reply)
    try {
      return await reply
    } finally {
      if (this.#inProgress.get(task) === reply) this.#inProgress.delete(task)
    }
  }

  async #makeReply(request: SiteRequest, { context, mark, now, key, cost }: Serving): Promise<SiteReply> {
    const isForMachines = isMcp(request.url)
    if (!methods.has(request.method) && !isForMachines) return refusedMethod
    const cookies = parseVisitorCookies(request.header('cookie'))
    const session = await openSession(context, { url: request.url, ...cookies, ignoresInvalidToken: true })
    if (session.kind === 'nothing') return absentReply(undefined)
    if (session.kind === 'redirect') return redirectReply(session.to)
    if (session.kind === 'signIn') {
      // MCP clients cannot sign in on a page.
      return session.login === undefined || isForMachines ? closedReply() : redirectReply(session.login)
    }
    const moved =
      request.method === 'POST' || isForMachines ? undefined : moveToCookies(request.url, session, cookies, now)
    if (moved) return redirectReply(moved.location, moved.cookies)
    const make = async () => {
      this.#services.limits.charge(request.network, cost)
      const { view, reply } = await this.#answer(context, session, request)
      // A preview depends on the permissions of a member, which are not part of the cache key.
      const mayKeep = isShareable(reply) && !session.identity.visitor.isPreviewing && !view.namesPeople
      if (key && mayKeep) this.#replies.set(key, { mark, session, heads: view.heads, reply, now })
      return reply
    }
    if (!key) return make()
    // Visitors with different cookies may get the same reply.
    const kept = await this.#replies.findFor(context, key, { mark, session, now })
    return kept ?? this.#shareConcurrent(`${mark}\n${keyOf(key, session)}`, make)
  }

  async #answer(
    context: BaseContext,
    session: SiteSession,
    request: SiteRequest,
  ): Promise<{ view: SiteView; reply: SiteReply }> {
    const { segments } = session.identity
    const beside = new SiteView(context, session)
    const [first = ''] = segments
    const output = outputAt(first)
    const isTaken = request.method !== 'POST' || output?.takesBody === true
    const { transaction, limits } = this.#services
    const visit: SiteVisit = { view: beside, request, segments, transaction, limits }
    const answered = isTaken ? await output?.serve(visit, segments.slice(1)) : undefined
    if (answered) return { view: beside, reply: answered }
    if (request.method === 'POST') return { view: beside, reply: refusedMethod }
    const located = await locatePath(context, session, segments)
    if (located.kind === 'redirect') return { view: beside, reply: redirectReply(located.to) }
    const view = located.kind === 'place' ? new SiteView(context, session, located) : beside
    const inside = { ...visit, view }
    if (located.kind === 'place') {
      const reply = (await serveSpaceOutput(inside, located)) ?? (await this.#page(inside, located))
      if (reply) return { view, reply }
    }
    return (await serveForm(visit)) ?? { view, reply: await this.#absent(inside) }
  }

  async #page(visit: SiteVisit, place: SiteLocation): Promise<SiteReply | undefined> {
    const space = await visit.view.open(place.space)
    const placed = await space?.findPage(place.rest)
    if (!space || !placed) return undefined
    const { entry } = placed
    // Old paths, paths in another case and paths of groups redirect to the current URL.
    if (entry.type !== 'document') {
      const to = await resolvePageTarget(space, placed)
      return to === undefined ? undefined : redirectReply(to)
    }
    const asked = addressIn(place, place.space, [...place.previewPath, ...place.rest])
    if (placed.address !== asked) return redirectReply(placed.address + place.search)
    if (prefersMarkdown(visit.request.header('accept'))) return serveMarkdown(visit, space, placed)
    const { frame, page, isComplete } = await readPage(space, placed, this.#services.renderers)
    const { isIndexed } = page.head
    return pageReply(frame, renderPage(frame.site, page), { isIndexed, isCacheable: isComplete })
  }

  async #absent(visit: SiteVisit): Promise<SiteReply> {
    const redirect = await redirectOf(visit)
    if (redirect) return redirect
    this.#services.limits.charge(visit.request.network, absentCost)
    return absentReply(visit)
  }
}

/** Serves the sitemap of a space, or the search of a preview; undefined if the path is neither. */
async function serveSpaceOutput(
  visit: SiteVisit,
  { previewPath, space, rest: [step = '', ...rest] }: SiteLocation,
): Promise<SiteReply | undefined> {
  if (previewPath.length === 0 && step === pagesName && rest.length === 0) return serveSpaceSitemap(visit, space)
  return previewPath.length > 0 ? previewOutputAt(step)?.serve(visit, rest) : undefined
}

/** Returns the redirect target of a group or a link page: its first page, or the target of the link. */
async function resolvePageTarget(space: SpaceView, { entry, page, lineage }: PlacedPage): Promise<string | undefined> {
  if (entry.type === 'link') {
    return page.target && (await References.of(space, [page.target])).linkTo(page.target)?.href
  }
  for await (const below of space.listedPages(lineage)) if (below.entry.type === 'document') return below.address
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
