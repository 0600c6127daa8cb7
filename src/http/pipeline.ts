import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { type Caller, authorizeCaller, requireCaller } from '../visitors/authorize-caller.ts'
import type { TokenUseRecorder } from '../access/tokens.ts'
import { type Operation, parseParamNames } from '../contract/operation.ts'
import type { BaseContext, Enqueue, OpenObjects, Principal, Urls } from '../kernel/context.ts'
import { EventStream } from '../kernel/event-stream.ts'
import { CreatedReply } from '../kernel/created-reply.ts'
import { AppError, NotFoundError, conflict } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { Route } from '../kernel/implement.ts'
import { JsonStream } from '../kernel/json-stream.ts'
import { JsonText } from '../kernel/json-text.ts'
import type { Log } from '../kernel/log.ts'
import type { Sealer } from '../kernel/sealer.ts'
import { type Clock, seconds, timestamp } from '../kernel/time.ts'
import { isUniqueViolation } from '../storage/database.ts'
import type { Db } from '../schema/tables.ts'
import { type AuthenticationServices, authenticate } from './authenticate.ts'
import { type BodyServices, handleWithBody } from './request-body.ts'
import { eventStreamHeaders, openEventStream } from './event-stream.ts'
import { callerAddress, networkOf } from './caller-address.ts'
import { type IdempotentRequest, findStoredReply, storeReply, toIdempotentRequest } from './idempotency.ts'
import type { RateLimit } from './rate-limit.ts'
import { type Reply, computeEntityTag, matchesEntityTag } from './reply.ts'
import { cacheTagsOf } from './cache-tags.ts'
import { checkReply } from './check-reply.ts'
import { type RawInput, rejectNul, validateRequest } from './validate.ts'

export interface PipelineServices extends BodyServices, AuthenticationServices {
  enqueue: Enqueue
  openObjects: OpenObjects
  sealer: Sealer
  clock: Clock
  tokenUses: TokenUseRecorder
  trustedProxies: number
  /** Aborted when the server stops, so that requests that wait for a job end. */
  stopping: AbortSignal
  /** Checks every reply against its contract; for tests. */
  checkReplies: boolean
}

export type HonoContext = Context<{ Bindings: HttpBindings }>

/** A request with the headers of its reply. */
interface Exchange {
  c: HonoContext
  route: Route
  raw: RawInput
  /** Headers of the reply, including error replies. */
  headers: Record<string, string>
}

/** Returns the function that runs the steps of a request: authenticate, count, authorize, read the body, validate, handle, reply. */
export function createPipeline(
  services: PipelineServices,
  rateLimit: RateLimit,
  route: Route,
  readRoute: Route | undefined,
) {
  const { operation } = route
  const names = parseParamNames(operation.path)
  const isGet = operation.method === 'GET'
  const acceptsIdempotencyKey = operation.method === 'POST' || operation.status === 201

  return async (c: HonoContext, headers: Record<string, string>, log: Log): Promise<Reply> => {
    const now = timestamp(services.clock())
    const address = callerAddress(c.env.incoming, services.trustedProxies)
    const caller = await authenticate(services, { header: (name) => c.req.header(name), isGet }, now)
    const { principal } = caller
    if (principal) services.tokenUses.recordUse(principal.tokenId)
    // Invalid tokens are counted too, which limits guessing.
    rateLimit.count(principal?.tokenId ?? networkOf(address), headers)
    if (c.req.header('authorization') !== undefined && !principal && !caller.visit)
      throw new AppError('unauthenticated', 'The API token is invalid, revoked or expired')
    requireCaller(operation.access, caller)
    checkScope(operation, principal)
    const raw: RawInput = {
      params: Object.fromEntries(names.map((name) => [name, c.req.param(name) ?? ''])),
      query: operation.query ? c.req.queries() : {},
      body: undefined,
      valueCount: 0,
      rawRequest: { body: noBytes, header: (name) => c.req.header(name) },
    }
    rejectNul(raw)
    const createContext = (db: Db): BaseContext => ({
      db,
      now: () => now,
      newId,
      urls: services.urls,
      enqueue: services.enqueue,
      openObjects: services.openObjects,
      signer: services.signer,
      sealer: services.sealer,
      log,
      client: { address, userAgent: c.req.header('user-agent') },
    })
    if (!operation.body) return handleRequest({ c, route, raw, headers }, caller, createContext)
    return handleWithBody(
      services,
      { route, incoming: c.env.incoming, context: createContext(services.database.reader), caller, raw },
      (input) => handleRequest({ c, route, raw: input, headers }, caller, createContext),
    )
  }

  async function handleRequest(
    exchange: Exchange,
    caller: Caller,
    createContext: (db: Db) => BaseContext,
  ): Promise<Reply> {
    const { c, raw } = exchange
    const { principal } = caller
    const now = createContext(services.database.reader).now()
    if (isGet || operation.readOnly) {
      const value = await runHandler(services, route, createContext(services.database.reader), caller, raw)
      if (value instanceof EventStream) return eventReply(services, exchange, createContext, value)
      const tags = cacheTagsOf(raw)
      if (tags.length > 0) exchange.headers['x-gitbook-cache-tag'] = tags.join(',')
      return isGet ? cacheableReply(exchange, value) : uncachedReply(exchange, value)
    }

    const key = acceptsIdempotencyKey && principal ? c.req.header('idempotency-key') : undefined
    if (key !== undefined && operation.secret) {
      throw new AppError(
        'invalid',
        'Idempotency-Key is not supported for this operation, because the reply contains a secret that is not stored',
      )
    }
    const request =
      key === undefined
        ? undefined
        : toIdempotentRequest((principal as Principal).user.id, key, operation.method, c.req.url, raw.rawRequest.body)
    const prepared =
      route.prepare &&
      (await prepare(services, route, createContext(services.database.reader), caller, { raw, request }))
    const runWrite = (db: Db) =>
      handleWrite(services, exchange, createContext(db), caller, { readRoute, request, now, prepared })
    const reply = await services.database.transaction(runWrite).catch((error: unknown) => {
      // The same request was carried out at the same time; its reply is there now.
      if (isUniqueViolation(error, 'idempotency_keys_pkey')) return services.database.transaction(runWrite)
      throw error
    })
    if (!route.answer || typeof reply.body !== 'string') return reply
    const answer = await awaitAnswer(services, exchange, createContext(services.database.reader), caller, reply.body)
    return { ...reply, body: answer }
  }
}

async function handleWrite(
  services: PipelineServices,
  { c, route, raw, headers }: Exchange,
  context: BaseContext,
  caller: Caller,
  {
    readRoute,
    request,
    now,
    prepared,
  }: {
    readRoute: Route | undefined
    request: IdempotentRequest | undefined
    now: string
    prepared: Prepared | undefined
  },
): Promise<Reply> {
  const { operation } = route
  if (request) {
    // The stored reply is only for callers who may still make this request.
    await authorizeOperation(operation, context, caller, raw)
    const earlier = await findStoredReply(context.db, request)
    if (earlier) return replayReply(earlier, headers)
    if (prepared?.isRepeated)
      throw conflict('The stored reply for this Idempotency-Key has expired. Send the request again')
  }
  const ifMatch = c.req.header('if-match')
  if (ifMatch !== undefined && (operation.method === 'PATCH' || operation.method === 'PUT')) {
    await checkIfMatch(services, readRoute, context, caller, raw, ifMatch)
  }
  const result = await runHandler(services, route, context, caller, raw, prepared?.value)
  const [status, value] = result instanceof CreatedReply ? [201, result.reply] : [operation.status, result]
  const body = value === undefined ? null : JSON.stringify(value)
  const location = status === 201 ? locationOf(services.urls, c, value) : null
  if (request) await storeReply(context.db, request, { status, location, body }, now)

  const replyHeaders = { ...headers, ...(location && { location }) }
  if (body === null) return { status, headers: replyHeaders, body: null }
  if (!operation.secret && /\breturn=minimal\b/i.test(c.req.header('prefer') ?? '')) {
    return { status: 204, headers: { ...replyHeaders, 'preference-applied': 'return=minimal' }, body: null }
  }
  // When the reply is the same representation as that of the GET, its entity tag is valid for the next If-Match.
  const isRepresentation = readRoute?.operation.reply === operation.reply
  return {
    status,
    headers: {
      ...replyHeaders,
      ...(isRepresentation && { etag: `"${computeEntityTag(body)}"` }),
      'content-type': 'application/json',
    },
    body,
  }
}

function replayReply(
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

function cacheableReply({ c, route, headers }: Exchange, value: unknown): Reply {
  const body = bodyOf(value)
  const tag = computeEntityTag(identityOf(value, body))
  // The object is changed in place because copying the headers is slower than the rest of this function.
  headers['etag'] = `"${tag}"`
  headers['cache-control'] = isImmutable(route, c.req.query('metadata')) ? immutableCacheControl : 'private, no-cache'
  headers['vary'] = 'Authorization, Cookie, Accept-Encoding'
  const ifNoneMatch = c.req.header('if-none-match')
  if (ifNoneMatch !== undefined && matchesEntityTag(ifNoneMatch, tag)) return { status: 304, headers, body: null }
  headers['content-type'] = 'application/json'
  return { status: 200, headers, body }
}

/** Starts a stream of events. The caller is authenticated and authorized again while it is open. */
function eventReply(
  services: PipelineServices,
  { c, route, raw, headers }: Exchange,
  createContext: (db: Db) => BaseContext,
  stream: EventStream,
): Reply {
  const { operation } = route
  const header = (name: string) => c.req.header(name)
  const isAllowed = async () => {
    try {
      const caller = await authenticate(services, { header, isGet: true }, timestamp(services.clock()))
      await authorizeOperation(operation, createContext(services.database.reader), caller, raw)
      return true
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return false
      throw error
    }
  }
  const disconnection = new AbortController()
  c.env.outgoing.once('close', () => disconnection.abort())
  if (c.env.outgoing.destroyed) disconnection.abort()
  const body = openEventStream(stream, {
    lastEventId: header('last-event-id'),
    isAllowed,
    signal: AbortSignal.any([disconnection.signal, services.stopping]),
    ...(services.checkReplies && { checkData: (data) => checkReply(route, data) }),
  })
  return { status: 200, headers: { ...headers, ...eventStreamHeaders }, body }
}

/** Returns the reply of a read-only POST, which cannot be cached because its input is in the body. */
function uncachedReply({ route, headers }: Exchange, value: unknown): Reply {
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

/** One week, which is shorter than the validity of the signed file addresses in a reply. */
const immutableCacheControl = 'private, max-age=604800, immutable'

async function runHandler(
  services: PipelineServices,
  route: Route,
  context: BaseContext,
  caller: Caller,
  raw: RawInput,
  prepared?: unknown,
): Promise<unknown> {
  const { operation } = route
  const authorized = await authorizeOperation(operation, context, caller, raw).catch((error: unknown) => {
    // Deleting an absent resource succeeds, even if it exists but is hidden from the caller.
    if (operation.method === 'DELETE' && isAbsentResource(operation, error)) return undefined
    throw error
  })
  if (!authorized) return undefined
  const value = await route.handler(authorized as never, validateRequest(operation, raw) as never, prepared as never)
  if (!services.checkReplies || route.answer || value instanceof EventStream) return value
  if (value instanceof CreatedReply) checkReply(route, value.reply)
  else if (value instanceof JsonStream) checkReply(route, JSON.parse(await value.text()))
  else checkReply(route, value instanceof JsonText ? JSON.parse(value.text) : value)
  return value
}

const authorizeOperation = (
  { access, includesDeleted }: Operation,
  context: BaseContext,
  caller: Caller,
  { params, body, rawRequest }: RawInput,
) => authorizeCaller(access, context, caller, { params, body, includesDeleted: includesDeleted ?? false, rawRequest })

/** The result of a handler's `prepare` step; `isRepeated` when a reply to the same request is stored already. */
interface Prepared {
  isRepeated: boolean
  value?: unknown
}

/** Authorizes the caller and runs the `prepare` step of a handler, before its transaction. */
async function prepare(
  { database }: PipelineServices,
  { operation, prepare: prepareHandler }: Route,
  context: BaseContext,
  caller: Caller,
  { raw, request }: { raw: RawInput; request: IdempotentRequest | undefined },
): Promise<Prepared> {
  const authorized = await authorizeOperation(operation, { ...context, db: database.reader }, caller, raw)
  if (request && (await findStoredReply(database.reader, request))) return { isRepeated: true }
  return {
    isRepeated: false,
    value: await prepareHandler?.(authorized as never, validateRequest(operation, raw) as never),
  }
}

const noBytes = new Uint8Array()

/** Waits for the reply of work that continues after the transaction, until it ends, times out or the caller disconnects. */
async function awaitAnswer(
  { checkReplies, stopping }: PipelineServices,
  { c, route, raw }: Exchange,
  context: BaseContext,
  caller: Caller,
  handlerReply: string,
): Promise<string> {
  const { operation, answer } = route
  const authorized = await authorizeOperation(operation, context, caller, raw)
  const abortController = new AbortController()
  c.env.outgoing.once('close', () => abortController.abort())
  // Node.js 20 may collect an `AbortSignal.timeout` that only a composite signal refers to, and it never aborts then.
  const timer = setTimeout(() => abortController.abort(), parseWaitPreference(c.req.header('prefer')))
  try {
    const value = await answer?.(
      authorized as never,
      validateRequest(operation, raw) as never,
      JSON.parse(handlerReply) as never,
      AbortSignal.any([abortController.signal, stopping]),
    )
    if (checkReplies) checkReply(route, value)
    return JSON.stringify(value)
  } finally {
    clearTimeout(timer)
  }
}

/** Shorter than the timeout of one minute that many proxies have. */
const maxWait = seconds(50)

/** Parses the `wait` preference of RFC 7240 and returns milliseconds. */
function parseWaitPreference(prefer = ''): number {
  const wait = /(?:^|[\s,;])wait\s*=\s*"?(\d{1,9})\b/i.exec(prefer)?.[1]
  return wait === undefined ? maxWait : Math.min(seconds(Number(wait)), maxWait)
}

/** Whether an error means that the space, collection or site of the path itself is absent, and not its parent or a child. */
function isAbsentResource(operation: Operation, error: unknown): boolean {
  const name = /^(?:\/orgs\/\{\w+\})?\/(space|collection|site)s\/\{\w+\}$/.exec(operation.path)?.[1]
  return name !== undefined && error instanceof NotFoundError && error.resource === name
}

function checkScope({ scope }: Operation, principal: Principal | undefined): void {
  const scopes = principal?.scopes
  if (!scopes || scope === 'any') return
  if (scope === 'unscoped') throw new AppError('forbidden', 'A token without scopes is required')
  if (!scopes.includes(scope)) throw new AppError('forbidden', `A token with the scope ${scope} is required`)
}

async function checkIfMatch(
  services: PipelineServices,
  readRoute: Route | undefined,
  context: BaseContext,
  caller: Caller,
  raw: RawInput,
  ifMatch: string,
): Promise<void> {
  if (!readRoute) throw new AppError('preconditionFailed', 'If-Match: this resource has no ETag')
  const current = await runHandler(services, readRoute, context, caller, { ...raw, query: {}, body: undefined })
  if (!matchesEntityTag(ifMatch, computeEntityTag(identityOf(current, bodyOf(current))))) {
    throw new AppError('preconditionFailed', 'If-Match: the resource has changed. Get it again and repeat the change')
  }
}

/** Returns the value of the Location header: the resource's own address, or its id below the request path. */
function locationOf(urls: Urls, c: HonoContext, value: unknown): string | null {
  const { urls: resourceUrls, id } = (value ?? {}) as { urls?: { location?: string }; id?: string }
  if (resourceUrls?.location) return resourceUrls.location
  return id === undefined ? null : `${urls.api(c.req.path.replace(/^\/v1/, ''))}/${id}`
}
