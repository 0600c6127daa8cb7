import { randomBytes } from 'node:crypto'
import { findSessionPrincipal } from '../access/sessions.ts'
import { findOwnOrigins, isCrossOrigin, isSecureUrl, readCookie, serializeCookie } from '../access/session-cookie.ts'
import type { TokenUseRecorder } from '../access/tokens.ts'
import { CallsPerMinute } from '../kernel/calls-per-minute.ts'
import { AppError, BusyError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { PageReply, PageRequest } from '../kernel/page-http.ts'
import { days, timestamp } from '../kernel/time.ts'
import { startPath } from './complete-sign-in.ts'
import type { PageContext, PageRoute, SessionPrincipal, SignInServices } from './context.ts'
import { errorPage, isFormProof, redirectTo } from './page.ts'

/** Time for which a browser keeps its ID. */
const browserLifetime = days(400)
const browserIdPattern = /^[\w-]{22}$/

/** Maximum number of requests of a network per minute to costly routes. */
const maxCostlyRequests = 300

/** Serves the pages with which people sign in and manage their account. */
export class SignInServer {
  readonly #services: SignInServices & { tokenUses: TokenUseRecorder }
  readonly #calls = new CallsPerMinute()
  readonly #costlyCalls = new CallsPerMinute()
  readonly #routes: readonly { route: PageRoute; pattern: RegExp; names: string[] }[]

  constructor(services: SignInServices & { tokenUses: TokenUseRecorder }, routes: readonly PageRoute[]) {
    this.#services = services
    this.#routes = routes.map((route) => ({
      route,
      names: Array.from(route.path.matchAll(/\{(\w+)\*?\}/g), ([, name]) => name as string),
      pattern: new RegExp(
        `^${route.path
          .replace(/[.]/g, '\\.')
          .replace(/\{\w+\}/g, '([^/]+)')
          .replace(/\{\w+\*\}/g, '(.*)')}$`,
      ),
    }))
  }

  /** Returns undefined if the URL is not one of these pages. */
  async serve(request: PageRequest): Promise<PageReply | undefined> {
    const matches = this.#routes.filter(({ pattern }) => pattern.test(request.path))
    if (matches.length === 0) return undefined
    if (request.method === 'OPTIONS' && matches.some(({ route }) => isOpen(route))) return preflightReply
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const match = matches.find(({ route }) => route.method === method)
    if (!match) {
      const allow = matches.map(({ route }) => route.method).join(', ')
      const reply = textReply(405, `Allowed methods: ${allow}`)
      return { ...reply, headers: { ...reply.headers, allow } }
    }
    const problem = this.#findRateProblem(match.route, request)
    if (problem) return problem
    const values = match.pattern.exec(request.path)?.slice(1) ?? []
    const params = Object.fromEntries(match.names.map((name, index) => [name, values[index] ?? '']))
    return this.#run(match.route, request, params)
  }

  /** Counts the request of a network; returns a reply if there are too many per minute. */
  #findRateProblem(route: PageRoute, request: PageRequest): PageReply | undefined {
    const { requestsPerMinute } = this.#services.settings
    const costlyProblem = route.isCostly && this.#count(this.#costlyCalls, request, maxCostlyRequests)
    return this.#count(this.#calls, request, requestsPerMinute) ?? costlyProblem
  }

  #count(calls: CallsPerMinute, { clientNetwork }: PageRequest, max: number): PageReply | undefined {
    const now = this.#services.clock()
    const { count, windowEnd } = calls.count(clientNetwork, now)
    if (max === 0 || count <= max) return undefined
    const reply = textReply(429, 'Too many requests. Try again later')
    return { ...reply, headers: { ...reply.headers, 'retry-after': String(Math.ceil((windowEnd - now) / 1000)) } }
  }

  async #run(route: PageRoute, request: PageRequest, params: Record<string, string>): Promise<PageReply> {
    const { urls } = this.#services
    const baseUrl = urls.plain('/')
    // Cookies and passkeys belong to one host, so the pages exist only there. The protocol is not compared: a proxy may hide it.
    const origin = findOwnOrigins(baseUrl).find((own) => new URL(own).host === request.url.host)
    if (origin === undefined) {
      return route.method === 'GET'
        ? { status: 302, headers: { location: urls.plain(request.path + request.url.search) }, body: '' }
        : textReply(421, `Use ${urls.plain('')}`)
    }
    if (isFrame(route)) {
      // Without the header it is unknown whether a script would read the reply, so the bar needs HTTPS, as the header does.
      if (request.header('sec-fetch-dest') !== 'iframe' || request.header('sec-fetch-site') !== 'same-origin')
        return textReply(403, 'This page can be loaded by a frame of this host only')
    } else {
      // A script of a published site on the same host must not read a page, because it contains proofs.
      const destination = request.header('sec-fetch-dest')
      if (isPage(route) && destination !== undefined && destination !== 'document')
        return textReply(403, 'This page cannot be loaded by a script or a frame')
    }
    const isSecure = isSecureUrl(baseUrl)
    // Open routes ignore the cookies, because anything that a script of another page sends reaches them.
    if (isOpen(route)) return this.#handle(route, this.#createContext(request, origin, params, createBrowserId()))
    const storedBrowserId = readCookie(request.header('cookie'), 'browser', isSecure)
    const hasBrowserId = storedBrowserId !== undefined && browserIdPattern.test(storedBrowserId)
    const browserId = hasBrowserId ? storedBrowserId : createBrowserId()
    const principal = await this.#findPrincipal(request, isSecure)
    const reply = await this.#handle(route, this.#createContext(request, origin, params, browserId, principal))
    if (hasBrowserId) return reply
    const cookie = serializeCookie('browser', browserId, { isSecure, maxAge: browserLifetime })
    return { ...reply, cookies: [cookie, ...(reply.cookies ?? [])] }
  }

  #createContext(
    request: PageRequest,
    origin: string,
    params: Record<string, string>,
    browserId: string,
    principal?: SessionPrincipal,
  ): PageContext {
    const now = () => timestamp(this.#services.clock())
    return {
      ...this.#services,
      request,
      origin,
      params,
      browserId,
      principal,
      now,
      newId,
      form: new URLSearchParams(),
    }
  }

  async #handle(route: PageRoute, context: PageContext): Promise<PageReply> {
    try {
      const form = await checkRequest(route, context)
      return await route.handler({ ...context, form })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (route.method === 'POST' && route.kind !== 'form') throw error
      if (error.code === 'unauthenticated') return redirectToLogin(context)
      const reply = await errorPage(context, error.status, error.message)
      return error instanceof BusyError
        ? { ...reply, headers: { ...reply.headers, 'retry-after': String(error.retryAfter) } }
        : reply
    }
  }

  async #findPrincipal(request: PageRequest, isSecure: boolean): Promise<SessionPrincipal | undefined> {
    const { database, clock, settings, tokenUses } = this.#services
    const token = readCookie(request.header('cookie'), 'session', isSecure)
    if (token === undefined) return undefined
    const principal = await findSessionPrincipal(database.reader, token, timestamp(clock()), settings.lifetimes)
    if (!principal?.session) return undefined
    tokenUses.recordUse(principal.tokenId)
    return { ...principal, session: principal.session }
  }
}

const createBrowserId = (): string => randomBytes(16).toString('base64url')

/** Whether the browser shows the reply of a route as a page. */
const isPage = (route: PageRoute): boolean => !isOpen(route) && (route.method === 'GET' || route.kind === 'form')

const isFrame = (route: PageRoute): boolean => route.method === 'GET' && route.isFrame === true

/** Whether a route is for other servers and clients than the browser of a user. */
const isOpen = (route: PageRoute): boolean => (route.method === 'GET' ? route.isOpen === true : route.kind === 'open')

/** Allows scripts of other origins to call open routes. Their replies name the origins that may read them. */
const preflightReply: PageReply = {
  status: 204,
  headers: {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version',
    'access-control-max-age': '86400',
  },
  body: '',
}

const textReply = (status: number, text: string): PageReply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: `${text}\n`,
})

/** Checks that a request came from a page of this server, and returns the fields of its form. */
async function checkRequest(route: PageRoute, context: PageContext): Promise<URLSearchParams> {
  const { request, origin } = context
  if (route.method === 'GET' || route.kind === 'open') return new URLSearchParams()
  if (isCrossOrigin(request.header, [origin])) throw new AppError('forbidden', 'The request came from another site')
  if (route.kind === 'script') {
    if (!isFormProof(context, request.header('x-form-proof') ?? '')) throw outdatedPage()
    return new URLSearchParams()
  }
  const form = await request.form()
  if (!isFormProof(context, form.get('proof') ?? '')) throw outdatedPage()
  return form
}

const outdatedPage = () => new AppError('forbidden', 'The page is outdated. Go back, load it again and repeat')

/** Redirects to the sign-in page, which returns to the requested page afterwards. */
function redirectToLogin(context: PageContext): PageReply {
  const { request } = context
  const isReturnable = request.method !== 'POST' && !request.path.startsWith('/login')
  const page = request.path.startsWith('/account') ? '/account' : startPath
  const next = isReturnable ? request.path + request.url.search : page
  return redirectTo(context, `/login?${context.principal ? 'again=1&' : ''}next=${encodeURIComponent(next)}`)
}
