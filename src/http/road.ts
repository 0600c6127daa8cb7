import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { type Caller, authorize, demandCaller } from '../access/authorize.ts'
import { type TokenUses, findPrincipal } from '../access/tokens.ts'
import { looksLikeVisit, readVisit } from '../access/visits.ts'
import { type Operation, paramNames } from '../contract/kit.ts'
import type { BaseContext, Enqueue, OpenObjects, Principal, Urls } from '../kernel/context.ts'
import { AppError, NotFoundError, conflict } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { Route } from '../kernel/implement.ts'
import { JsonStream } from '../kernel/json-stream.ts'
import { JsonText } from '../kernel/json-text.ts'
import type { Log } from '../kernel/log.ts'
import type { Sealer } from '../kernel/sealer.ts'
import type { Signer } from '../kernel/signer.ts'
import { type Clock, seconds, timestamp } from '../kernel/time.ts'
import { type Database, violates } from '../storage/database.ts'
import type { Db } from '../storage/tables.ts'
import { type BodyServices, withBody } from './with-body.ts'
import { callerAddress, networkOf } from './caller.ts'
import { type Repeatable, findEarlierReply, keepReply, repeatable } from './idempotency.ts'
import type { RateLimit } from './rate-limit.ts'
import { type Reply, entityTag, matchesTag } from './reply.ts'
import { cacheTagsOf } from './cache-tags.ts'
import { checkReply } from './check-reply.ts'
import { type RawInput, refuseNul, validate } from './validate.ts'

export interface RoadServices extends BodyServices {
  database: Database
  enqueue: Enqueue
  urls: Urls
  openObjects: OpenObjects
  signer: Signer
  sealer: Sealer
  clock: Clock
  tokenUses: TokenUses
  trustedProxies: number
  /** Is given when the server stops, for those who wait. */
  stopping: AbortSignal
  /** Checks every reply against its contract; for tests. */
  checkReplies: boolean
}

export type Http = Context<{ Bindings: HttpBindings }>

/** Everything of a request that outlives its way through the stations below. */
interface Exchange {
  c: Http
  route: Route
  raw: RawInput
  /** Headers of the reply, also of an error. */
  headers: Record<string, string>
}

/** Authenticate, count, authorize, read the body, check, handle, reply: in this order for every operation. */
export function routeRoad(services: RoadServices, rateLimit: RateLimit, route: Route, readRoute: Route | undefined) {
  const { operation } = route
  const names = paramNames(operation.path)
  const isGet = operation.method === 'GET'
  const mayBeRepeated = operation.method === 'POST' || operation.status === 201

  return async (c: Http, headers: Record<string, string>, log: Log): Promise<Reply> => {
    const now = timestamp(services.clock())
    const token = c.req.header('authorization')
    const caller = token === undefined ? {} : await authenticate(services, token, now)
    const { principal } = caller
    // Tokens that are wrong count too, so that nobody can try many.
    rateLimit.count(principal?.tokenId ?? networkOf(callerAddress(c.env.incoming, services.trustedProxies)), headers)
    if (token !== undefined && !principal && !caller.visit)
      throw new AppError('unauthenticated', 'The API token is unknown, revoked or expired')
    demandCaller(operation.access, caller)
    checkScope(operation, principal)
    const raw: RawInput = {
      params: Object.fromEntries(names.map((name) => [name, c.req.param(name) ?? ''])),
      query: operation.query ? c.req.queries() : {},
      body: undefined,
      values: 0,
      sent: { body: noBytes, header: (name) => c.req.header(name) },
    }
    refuseNul(raw)
    const base = (db: Db): BaseContext => ({
      db,
      now: () => now,
      newId,
      urls: services.urls,
      enqueue: services.enqueue,
      openObjects: services.openObjects,
      signer: services.signer,
      sealer: services.sealer,
      log,
    })
    if (!operation.body) return proceed({ c, route, raw, headers }, caller, base)
    return withBody(
      services,
      { route, incoming: c.env.incoming, context: base(services.database.reader), caller, raw },
      (whole) => proceed({ c, route, raw: whole, headers }, caller, base),
    )
  }

  async function proceed(exchange: Exchange, caller: Caller, base: (db: Db) => BaseContext): Promise<Reply> {
    const { c, raw } = exchange
    const { principal } = caller
    const now = base(services.database.reader).now()
    if (isGet || operation.readOnly) {
      const value = await handle(services, route, base(services.database.reader), caller, raw)
      const tags = cacheTagsOf(raw)
      if (tags.length > 0) exchange.headers['x-gitbook-cache-tag'] = tags.join(',')
      return isGet ? readReply(exchange, value) : answerOnce(exchange, value)
    }

    const key = mayBeRepeated && principal ? c.req.header('idempotency-key') : undefined
    if (key !== undefined && operation.secret) {
      throw new AppError('invalid', 'Idempotency-Key is not accepted here: the reply holds a secret that is not kept')
    }
    const request =
      key === undefined
        ? undefined
        : repeatable((principal as Principal).user.id, key, operation.method, c.req.url, raw.sent.body)
    const prepared =
      route.prepare && (await prepare(services, route, base(services.database.reader), caller, { raw, request }))
    const work = (db: Db) => write(services, exchange, base(db), caller, { readRoute, request, now, prepared })
    const reply = await services.database.transaction(work).catch((error: unknown) => {
      // The same request was carried out at the same time; its reply is there now.
      if (violates(error, 'idempotency_keys_pkey')) return services.database.transaction(work)
      throw error
    })
    if (!route.answer || typeof reply.body !== 'string') return reply
    const answer = await answered(services, exchange, base(services.database.reader), caller, reply.body)
    return { ...reply, body: answer }
  }
}

async function write(
  services: RoadServices,
  { c, route, raw, headers }: Exchange,
  context: BaseContext,
  caller: Caller,
  {
    readRoute,
    request,
    now,
    prepared,
  }: { readRoute: Route | undefined; request: Repeatable | undefined; now: string; prepared: Prepared | undefined },
): Promise<Reply> {
  const { operation } = route
  if (request) {
    // Who may not make this request any more does not get the reply that was stored when they could.
    await authorizeFor(operation, context, caller, raw)
    const earlier = await findEarlierReply(context.db, request)
    if (earlier) return replayed(earlier, headers)
    if (prepared?.isRepeated)
      throw conflict('The reply to this Idempotency-Key has just expired; send the request again')
  }
  const ifMatch = c.req.header('if-match')
  if (ifMatch !== undefined && (operation.method === 'PATCH' || operation.method === 'PUT')) {
    await checkIfMatch(services, readRoute, context, caller, raw, ifMatch)
  }
  const value = await handle(services, route, context, caller, raw, prepared?.value)
  const body = value === undefined ? null : JSON.stringify(value)
  const location = operation.status === 201 ? locationOf(services.urls, c, value) : null
  if (request) await keepReply(context.db, request, { status: operation.status, location, body }, now)

  const replyHeaders = { ...headers, ...(location && { location }) }
  if (body === null) return { status: 204, headers: replyHeaders, body: null }
  if (!operation.secret && /\breturn=minimal\b/i.test(c.req.header('prefer') ?? '')) {
    return { status: 204, headers: { ...replyHeaders, 'preference-applied': 'return=minimal' }, body: null }
  }
  // A change answers with the same representation as a read, so its tag can guard the next change.
  const isRepresentation = readRoute?.operation.reply === operation.reply
  return {
    status: operation.status,
    headers: {
      ...replyHeaders,
      ...(isRepresentation && { etag: `"${entityTag(body)}"` }),
      'content-type': 'application/json',
    },
    body,
  }
}

function replayed(
  earlier: { status: number; location: string | null; body: string | null },
  headers: Record<string, string>,
): Reply {
  return {
    status: earlier.status,
    headers: {
      ...headers,
      'idempotent-replayed': 'true',
      ...(earlier.location && { location: earlier.location }),
      ...(earlier.body && { 'content-type': 'application/json' }),
    },
    body: earlier.body,
  }
}

function readReply({ c, route, headers }: Exchange, value: unknown): Reply {
  const body = bodyOf(value)
  const tag = entityTag(identityOf(value, body))
  // Added to what is there: copying the headers would cost more than all of this.
  headers['etag'] = `"${tag}"`
  headers['cache-control'] = isImmutable(route, c.req.query('metadata')) ? keptForLong : 'private, no-cache'
  headers['vary'] = 'Authorization, Accept-Encoding'
  const ifNoneMatch = c.req.header('if-none-match')
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag)) return { status: 304, headers, body: null }
  headers['content-type'] = 'application/json'
  return { status: 200, headers, body }
}

/** The reply to a question that was asked in a body: nobody could keep it under an address. */
function answerOnce({ route, headers }: Exchange, value: unknown): Reply {
  headers['content-type'] = 'application/json'
  headers['cache-control'] = 'no-store'
  return { status: route.operation.status, headers, body: bodyOf(value) }
}

function identityOf(value: unknown, body: string | JsonStream): string {
  return value instanceof JsonStream || value instanceof JsonText ? value.identity : (body as string)
}

function bodyOf(value: unknown): string | JsonStream {
  if (value instanceof JsonStream) return value
  return value instanceof JsonText ? value.text : JSON.stringify(value)
}

function isImmutable({ operation: { immutable } }: Route, metadata: string | undefined): boolean {
  return immutable === true || (immutable === 'without-metadata' && metadata === 'false')
}

/** A week: shorter than the addresses of files in a reply work. */
const keptForLong = 'private, max-age=604800, immutable'

async function handle(
  services: RoadServices,
  route: Route,
  context: BaseContext,
  caller: Caller,
  raw: RawInput,
  prepared?: unknown,
): Promise<unknown> {
  const { operation } = route
  const authorized = await authorizeFor(operation, context, caller, raw).catch((error: unknown) => {
    // To delete what is not there, or what looks as if it were not, is to have deleted it.
    if (operation.method === 'DELETE' && isAbsentResource(operation, error)) return undefined
    throw error
  })
  if (!authorized) return undefined
  const value = await route.handler(authorized as never, validate(operation, raw) as never, prepared as never)
  if (!services.checkReplies || route.answer) return value
  if (value instanceof JsonStream) checkReply(route, JSON.parse(await value.text()))
  else checkReply(route, value instanceof JsonText ? JSON.parse(value.text) : value)
  return value
}

const authorizeFor = (
  { access, includesDeleted }: Operation,
  context: BaseContext,
  caller: Caller,
  { params, body, sent }: RawInput,
) => authorize(access, context, caller, { params, body, includesDeleted: includesDeleted ?? false, sent })

/** What was done before a transaction; nothing when the request was carried out before. */
interface Prepared {
  isRepeated: boolean
  value?: unknown
}

/** Does what a handler needs done before its transaction; only for those who may call it. */
async function prepare(
  { database }: RoadServices,
  { operation, prepare: work }: Route,
  context: BaseContext,
  caller: Caller,
  { raw, request }: { raw: RawInput; request: Repeatable | undefined },
): Promise<Prepared> {
  const authorized = await authorizeFor(operation, { ...context, db: database.reader }, caller, raw)
  if (request && (await findEarlierReply(database.reader, request))) return { isRepeated: true }
  return { isRepeated: false, value: await work?.(authorized as never, validate(operation, raw) as never) }
}

const noBytes = new Uint8Array()

/** The reply of what has been handled, once it is known, or as far as it is when nobody waits any longer. */
async function answered(
  { checkReplies, stopping }: RoadServices,
  { c, route, raw }: Exchange,
  context: BaseContext,
  caller: Caller,
  handled: string,
): Promise<string> {
  const { operation, answer } = route
  const authorized = await authorizeFor(operation, context, caller, raw)
  const gone = new AbortController()
  c.env.outgoing.once('close', () => gone.abort())
  const signal = AbortSignal.any([gone.signal, stopping, AbortSignal.timeout(patienceOf(c.req.header('prefer')))])
  const value = await answer?.(
    authorized as never,
    validate(operation, raw) as never,
    JSON.parse(handled) as never,
    signal,
  )
  if (checkReplies) checkReply(route, value)
  return JSON.stringify(value)
}

/** Less than the minute after which many proxies give up. */
const longestPatience = seconds(50)

/** How many milliseconds the caller waits for the end of something; `wait` is the preference of RFC 7240 for it. */
function patienceOf(prefer = ''): number {
  const wait = /(?:^|[\s,;])wait\s*=\s*"?(\d{1,9})\b/i.exec(prefer)?.[1]
  return wait === undefined ? longestPatience : Math.min(seconds(Number(wait)), longestPatience)
}

/** Whether what the path names is absent: a space, a collection or a site itself, as opposed to something around or inside it. */
function isAbsentResource(operation: Operation, error: unknown): boolean {
  const name = /^(?:\/orgs\/\{\w+\})?\/(space|collection|site)s\/\{\w+\}$/.exec(operation.path)?.[1]
  return name !== undefined && error instanceof NotFoundError && error.resource === name
}

async function authenticate(
  { database, tokenUses, signer, clock }: RoadServices,
  header: string,
  now: string,
): Promise<Caller> {
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1]
  if (token === undefined) return {}
  if (looksLikeVisit(token)) {
    const visit = readVisit(signer, token, clock())
    return visit ? { visit } : {}
  }
  const principal = await findPrincipal(database.reader, token, now)
  if (!principal) return {}
  tokenUses.note(principal.tokenId)
  return { principal }
}

function checkScope({ scope }: Operation, principal: Principal | undefined): void {
  const scopes = principal?.scopes
  if (!scopes || scope === 'any') return
  if (scope === 'unscoped') throw new AppError('forbidden', 'This needs a token that is not limited to scopes')
  if (!scopes.includes(scope)) throw new AppError('forbidden', `This needs a token with the scope ${scope}`)
}

async function checkIfMatch(
  services: RoadServices,
  readRoute: Route | undefined,
  context: BaseContext,
  caller: Caller,
  raw: RawInput,
  ifMatch: string,
): Promise<void> {
  if (!readRoute) throw new AppError('preconditionFailed', 'If-Match: this resource has no entity tag')
  const current = await handle(services, readRoute, context, caller, { ...raw, query: {}, body: undefined })
  if (!matchesTag(ifMatch, entityTag(identityOf(current, bodyOf(current))))) {
    throw new AppError('preconditionFailed', 'If-Match: the resource has changed since it was read')
  }
}

/** The address of what was created: its own, or else its id below the path that created it. */
function locationOf(urls: Urls, c: Http, value: unknown): string | null {
  const { urls: own, id } = (value ?? {}) as { urls?: { location?: string }; id?: string }
  if (own?.location) return own.location
  return id === undefined ? null : `${urls.api(c.req.path.replace(/^\/v1/, ''))}/${id}`
}
