import { findSiteNamed } from '../access/sites.ts'
import type { BaseContext } from '../kernel/context.ts'
import { renderPage } from '../render/shell/page.ts'
import { type Entered, type Place, addressIn, enter, locateIn } from '../resources/urls/locate.ts'
import { absentReply, closedReply } from './absent.ts'
import { serveBranch } from './branches.ts'
import { ReplyCache } from './cache.ts'
import { keptIn, moveToCookies, relevantCookies } from './cookies.ts'
import { Highlighter } from './highlight.ts'
import { readPage } from './page.ts'
import { redirectOf } from './redirects.ts'
import { References } from './references.ts'
import { type Handling, type SiteReply, type SiteRequest, htmlReply, redirectReply } from './reply.ts'
import { serveSearch } from './search.ts'
import { serveStyles } from './styles.ts'
import { type PlacedPage, SiteView, type SpaceView } from './view.ts'

/** A visit of a site: who came, what they asked, and what they see. */
export interface SiteVisit {
  view: SiteView
  request: SiteRequest
  /** The path below the site, without what stands for a share link. */
  segments: readonly string[]
}

/** Answers for something on a site that is no page; undefined when it is not there. */
export type Output = (visit: SiteVisit, rest: readonly string[]) => Promise<SiteReply | undefined>

/** A page in another form. */
export type PageOutput = (visit: SiteVisit, space: SpaceView, placed: PlacedPage) => Promise<SiteReply | undefined>

/** What stands beside the pages of a site, by the first step of its path. Pages cannot be called like that. */
const outputs: Readonly<Record<string, Output>> = {
  '~assets': serveStyles,
  '~navigation': serveBranch,
  '~search': serveSearch,
  '~search.json': serveSearch,
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])
const refusedMethod: SiteReply = { status: 405, headers: { allow: [...methods].join(', ') }, body: '' }

interface Services {
  context: () => BaseContext
  /** See `Database.mark`. */
  mark: () => Promise<string> | string
}

/** Answers requests to published sites. */
export class SiteServer {
  readonly #services: Services
  readonly #highlighter = new Highlighter()
  readonly #replies = new ReplyCache()

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

  /** The reply to a request, unless its address is none of a site. */
  async serve(request: SiteRequest): Promise<SiteReply | undefined> {
    const context = this.#services.context()
    // Read first: what is committed from here on makes what is kept under it be looked at again.
    const mark = await this.#services.mark()
    const key = keyOf(request)
    const now = Date.parse(context.now())
    const kept = key === undefined ? undefined : this.#replies.get(key, now)
    if (kept?.mark === mark) return kept.reply
    if (!(await this.#isSiteAddress(context, request.url))) return undefined
    if (!methods.has(request.method)) return refusedMethod
    const cookies = keptIn(request.header('cookie'))
    const entered = await enter(context, { url: request.url, ...cookies })
    if (entered.kind === 'nothing') return absentReply(undefined)
    if (entered.kind === 'redirect') return redirectReply(entered.to)
    if (entered.kind === 'signIn') return entered.login === undefined ? closedReply() : redirectReply(entered.login)
    if (kept && (await this.#replies.stillHolds(context, kept, entered))) {
      kept.mark = mark
      return kept.reply
    }
    const moved = request.method === 'GET' ? moveToCookies(request.url, entered, cookies, now) : undefined
    if (moved) return redirectReply(moved.location, moved.cookies)
    const { view, reply } = await this.#answer(context, entered, request)
    if (key !== undefined && reply.isKept) this.#replies.set(key, { mark, entered, heads: view.heads, reply, now })
    return reply
  }

  async #answer(
    context: BaseContext,
    entered: Entered,
    request: SiteRequest,
  ): Promise<{ view: SiteView; reply: SiteReply }> {
    const { segments } = entered.arrived
    const beside = new SiteView(context, entered)
    const output = segments[0] === undefined ? undefined : outputs[segments[0]]
    const visit = { view: beside, request, segments }
    const answered = output && (await output(visit, segments.slice(1)))
    if (answered) return { view: beside, reply: answered }
    const located = await locateIn(context, entered, segments)
    if (located.kind === 'redirect') return { view: beside, reply: redirectReply(located.to) }
    if (located.kind !== 'place') return { view: beside, reply: await this.#absent(visit) }
    const view = new SiteView(context, entered, located)
    const reply = await this.#page({ ...visit, view }, located)
    return { view, reply: reply ?? (await this.#absent(visit)) }
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
    const { site, page, look, isComplete } = await readPage(space, placed, { highlighter: this.#highlighter })
    return htmlReply(renderPage(site, page).text, {
      ...handlingOf(visit.view, page.head.isIndexed),
      fileOrigins: [new URL(visit.view.context.urls.app('/')).origin],
      fontOrigins: look.fontOrigins,
      isKept: isComplete,
    })
  }

  async #absent(visit: SiteVisit): Promise<SiteReply> {
    return (await redirectOf(visit)) ?? (await absentReply(visit))
  }
}

/** Who may see what a reply shows, and whether search engines may. */
export function handlingOf({ entered: { site, arrived } }: SiteView, isIndexed: boolean): Handling {
  const isOpen = site.visibility === 'public' || site.visibility === 'unlisted'
  return {
    isPublic: isOpen && site.adaptive_content === 0 && !arrived.visitor.isPreviewing,
    isIndexed: isIndexed && site.visibility === 'public' && !arrived.visitor.isPreviewing,
  }
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
function keyOf(request: SiteRequest): string | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  const wantsMarkdown = /\btext\/markdown\b/.test(request.header('accept') ?? '')
  return `${request.url}\n${wantsMarkdown ? 'markdown' : ''}\n${relevantCookies(request.header('cookie'))}`
}
