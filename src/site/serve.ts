import { findSiteNamed } from '../access/sites.ts'
import type { BaseContext } from '../kernel/context.ts'
import { renderPage } from '../render/shell/page.ts'
import { type Entered, type Place, addressIn, enter, locateIn } from '../resources/urls/locate.ts'
import { absentReply, closedReply } from './absent.ts'
import { serveBranch } from './page/branches.ts'
import { type KeptReply, ReplyCache } from './cache.ts'
import { endVisit, keptIn, moveToCookies, relevantCookies } from './cookies.ts'
import { takeEvents } from './events.ts'
import { serveForm } from './machines/forms.ts'
import { serveFullText, serveIndex } from './machines/llms.ts'
import { prefersMarkdown, serveMarkdown } from './machines/markdown.ts'
import { isMcp, serveAliasOfMcp, serveMcp } from './mcp/mcp.ts'
import type { Renderers } from './page/content.ts'
import { readPage } from './page/page.ts'
import { pageReply } from './page-reply.ts'
import { redirectOf } from './redirects.ts'
import { References } from './references.ts'
import { type SiteReply, type SiteRequest, redirectReply } from './reply.ts'
import { serveRobots } from './machines/robots.ts'
import { serveSearch } from './search/search.ts'
import { isSitemap, serveSitemap } from './machines/sitemap.ts'
import { serveSocialImage } from './pictures/social.ts'
import { type PlacedPage, SiteView, type SpaceView } from './view.ts'
import type { Output, SiteVisit, Transaction } from './visit.ts'

/** What stands beside the pages of a site, by the first step of its path. Pages cannot be called like that. */
const outputs: Readonly<Record<string, Output>> = {
  '~events': takeEvents,
  '~gitbook': serveAliasOfMcp,
  '~logout': endVisit,
  '~mcp': serveMcp,
  '~navigation': serveBranch,
  '~search': serveSearch,
  '~search.json': serveSearch,
  '~social': serveSocialImage,
  'llms-full.txt': serveFullText,
  'llms.txt': serveIndex,
  'robots.txt': serveRobots,
}

/** What also stands beside the pages of a change request or revision. */
const asideOutputs: Readonly<Record<string, Output>> = { '~search': serveSearch, '~search.json': serveSearch }

/** Those of them that something is sent to. */
const taking: ReadonlySet<string> = new Set(['~events', '~gitbook', '~mcp'])

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])
const refusedMethod: SiteReply = { status: 405, headers: { allow: [...methods].join(', ') }, body: '' }

interface Services {
  context: () => BaseContext
  /** In milliseconds. */
  now: () => number
  /** See `Database.mark`. */
  mark: () => Promise<string> | string
  transaction: Transaction
  renderers: Renderers
}

interface Serving {
  context: BaseContext
  mark: string
  now: number
  /** What the reply will be kept under, if it may be. */
  key?: string
  /** What was answered before, and may hold. */
  kept?: KeptReply | undefined
}

/** Answers requests to published sites. */
export class SiteServer {
  readonly #services: Services
  readonly #replies = new ReplyCache()
  /** What is being made, by what it will be kept under: many may ask for a page at the moment when it changes. */
  readonly #underWay = new Map<string, Promise<SiteReply | undefined>>()

  constructor(services: Services) {
    this.#services = services
  }

  /** Whether an address is one of a site: below the path of sites, on a host that belongs to one, or below a path of one. */
  async #isSiteAddress({ db, urls }: BaseContext, url: string): Promise<boolean> {
    for (const { name } of urls.sitesAt(url)) {
      if ('organization' in name) return true
      if (await findSiteNamed(db, name)) return true
    }
    return false
  }

  /** What was answered before to the same request, while nothing at all has changed. */
  kept(
    request: Pick<SiteRequest, 'url' | 'method' | 'header'>,
  ): SiteReply | undefined | Promise<SiteReply | undefined> {
    const key = keyOf(request)
    const kept = key === undefined ? undefined : this.#replies.get(key, this.#services.now())
    if (!kept) return undefined
    const mark = this.#services.mark()
    if (typeof mark === 'string') return kept.mark === mark ? kept.reply : undefined
    return mark.then((now) => (kept.mark === now ? kept.reply : undefined))
  }

  /** The reply to a request, unless its address is none of a site. */
  async serve(request: SiteRequest): Promise<SiteReply | undefined> {
    const context = this.#services.context()
    // Read first: what is committed from here on makes what is kept under it be looked at again.
    const mark = await this.#services.mark()
    const key = keyOf(request)
    const now = this.#services.now()
    const kept = key === undefined ? undefined : this.#replies.get(key, now)
    if (kept?.mark === mark) return kept.reply
    if (key === undefined) return this.#serveAnew(request, { context, mark, now })
    const task = `${mark}\n${key}`
    const before = await this.#underWay.get(task)?.catch(() => undefined)
    // What is not kept may be meant for one request alone.
    if (before?.isKept) return before
    const reply = this.#serveAnew(request, { context, mark, now, key, kept })
    this.#underWay.set(task, reply)
    try {
      return await reply
    } finally {
      if (this.#underWay.get(task) === reply) this.#underWay.delete(task)
    }
  }

  async #serveAnew(request: SiteRequest, { context, mark, now, key, kept }: Serving): Promise<SiteReply | undefined> {
    const own = byOwnName(request.url, context.urls.plain('/'))
    if (!(await this.#isSiteAddress(context, own ?? request.url))) return undefined
    if (own !== undefined) return redirectReply(own)
    const isForMachines = isMcp(request.url)
    if (!methods.has(request.method) && !isForMachines) return refusedMethod
    const cookies = keptIn(request.header('cookie'))
    const entered = await enter(context, { url: request.url, ...cookies, overlooksBadToken: true })
    if (entered.kind === 'nothing') return absentReply(undefined)
    if (entered.kind === 'redirect') return redirectReply(entered.to)
    if (entered.kind === 'signIn') {
      // No machine signs in on a page.
      return entered.login === undefined || isForMachines ? closedReply() : redirectReply(entered.login)
    }
    if (kept && (await this.#replies.stillHolds(context, kept, entered))) {
      kept.mark = mark
      return kept.reply
    }
    const moved =
      request.method === 'POST' || isForMachines ? undefined : moveToCookies(request.url, entered, cookies, now)
    if (moved) return redirectReply(moved.location, moved.cookies)
    const { view, reply } = await this.#answer(context, entered, request)
    // What a member sees of each space may change without anything of the site changing.
    const mayKeep = reply.isKept === true && !entered.arrived.visitor.isPreviewing && !view.namesPeople
    if (key !== undefined && mayKeep) this.#replies.set(key, { mark, entered, heads: view.heads, reply, now })
    return reply
  }

  async #answer(
    context: BaseContext,
    entered: Entered,
    request: SiteRequest,
  ): Promise<{ view: SiteView; reply: SiteReply }> {
    const { segments } = entered.arrived
    const beside = new SiteView(context, entered)
    const [first = ''] = segments
    const isTaken = request.method !== 'POST' || taking.has(first)
    const output = isTaken ? outputAt(first) : undefined
    const visit = { view: beside, request, segments, transaction: this.#services.transaction }
    const answered = output && (await output(visit, segments.slice(1)))
    if (answered) return { view: beside, reply: answered }
    if (request.method === 'POST') return { view: beside, reply: refusedMethod }
    const located = await locateIn(context, entered, segments)
    if (located.kind === 'redirect') return { view: beside, reply: redirectReply(located.to) }
    const view = located.kind === 'place' ? new SiteView(context, entered, located) : beside
    const inside = { ...visit, view }
    if (located.kind === 'place') {
      const reply = (await besidePages(inside, located)) ?? (await this.#page(inside, located))
      if (reply) return { view, reply }
    }
    return (await serveForm(visit)) ?? { view, reply: await this.#absent(inside) }
  }

  async #page(visit: SiteVisit, place: Place): Promise<SiteReply | undefined> {
    const space = await visit.view.open(place.space)
    const placed = await space?.findPage(place.rest)
    if (!space || !placed) return undefined
    const { entry } = placed
    // Addresses of former times, in another case, or of groups lead to what is there now.
    if (entry.type !== 'document') {
      const to = await targetOf(space, placed)
      return to === undefined ? undefined : redirectReply(to)
    }
    const asked = addressIn(place, place.space, [...place.aside, ...place.rest])
    if (placed.address !== asked) return redirectReply(placed.address + place.search)
    if (prefersMarkdown(visit.request.header('accept'))) return serveMarkdown(visit, space, placed)
    const { surroundings, page, isComplete } = await readPage(space, placed, this.#services.renderers)
    const { isIndexed } = page.head
    return pageReply(surroundings, renderPage(surroundings.site, page), { isIndexed, isKept: isComplete })
  }

  async #absent(visit: SiteVisit): Promise<SiteReply> {
    return (await redirectOf(visit)) ?? (await absentReply(visit))
  }
}

/** What stands beside the pages at a path that begins with a step. */
function outputAt(step: string): Output | undefined {
  if (isSitemap(step)) return serveSitemap
  return Object.hasOwn(outputs, step) ? outputs[step] : undefined
}

/** What stands beside the pages of a change request or revision, at a place that is none of a page. */
async function besidePages(
  visit: SiteVisit,
  { aside, rest: [step = '', ...rest] }: Place,
): Promise<SiteReply | undefined> {
  const isThere = aside.length > 0 && Object.hasOwn(asideOutputs, step)
  return isThere ? asideOutputs[step]?.(visit, rest) : undefined
}

/** What a group or a link leads to: its first page, or what it names. */
async function targetOf(space: SpaceView, { entry, page, lineage }: PlacedPage): Promise<string | undefined> {
  if (entry.type === 'link') {
    return page.target && (await References.of(space, [page.target])).linkTo(page.target)?.href
  }
  for await (const below of space.listedPages(lineage)) if (below.entry.type === 'document') return below.address
  return undefined
}

/** What a reply is kept under: everything of a request that makes a difference to it. */
function keyOf(request: Pick<SiteRequest, 'url' | 'method' | 'header'>): string | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  return `${request.url}\n${prefersMarkdown(request.header('accept')) ? 'markdown' : ''}\n${relevantCookies(request.header('cookie'))}`
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** An address by the name that this server gives itself, when it was called by another one that means the same machine. */
function byOwnName(url: string, base: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const [address, own] = [new URL(url), new URL(base)]
  const isOtherName = address.hostname !== own.hostname && loopback.has(address.hostname) && loopback.has(own.hostname)
  if (!isOtherName || address.port !== own.port) return undefined
  address.hostname = own.hostname
  return address.toString()
}
