import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { findScimPrincipal } from '../access/scim-tokens.ts'
import type { TokenUseRecorder } from '../access/tokens.ts'
import type { Urls } from '../kernel/context.ts'
import { AppError, BusyError, invalid } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { JsonStream } from '../kernel/json-stream.ts'
import type { Log } from '../kernel/log.ts'
import { type Clock, timestamp } from '../kernel/time.ts'
import { ScimError, presentError } from '../scim/errors.ts'
import type { ScimReply, ScimRoute } from '../scim/route.ts'
import type { Db } from '../schema/tables.ts'
import type { Database } from '../storage/database.ts'
import type { BodyReader } from './body.ts'
import { callerAddress, networkOf } from './caller-address.ts'
import { connectionHeaders, toAppError } from './errors.ts'
import type { Metrics } from './metrics.ts'
import type { HonoContext } from './pipeline.ts'
import { RateLimit } from './rate-limit.ts'
import { prefetchReply, toCompressedResponse } from './reply.ts'

export interface ScimServices {
  routes: readonly ScimRoute[]
  database: Database
  bodies: BodyReader
  urls: Urls
  clock: Clock
  tokenUses: TokenUseRecorder
  log: Log
  metrics: Metrics
  trustedProxies: number
  /** Maximum number of requests per minute of each token; 0 for no limit. */
  rateLimit: number
}

const basePath = '/scim/v2/:organizationId'

/** Maximum number of JSON values in a body; a group with the maximum number of members has about 6,000. */
const maxValues = 20_000

/** Mounts the SCIM API of all organizations. Browsers cannot call it from other origins. */
export function mountScim(app: Hono<{ Bindings: HttpBindings }>, services: ScimServices): void {
  const rateLimit = new RateLimit(services.rateLimit, services.clock)
  for (const route of services.routes) {
    app.on(route.method, basePath + route.path, (c) =>
      respond(services, c, route.name, (headers) => handleRequest(services, rateLimit, route, c, headers)),
    )
  }
  for (const path of new Set(services.routes.map((route) => route.path))) {
    const allow = services.routes.flatMap((route) => (route.path === path ? route.method : [])).join(', ')
    app.all(basePath + path, (c) =>
      respond(services, c, 'scimUnknown', async (headers) => {
        headers['allow'] = allow
        throw new AppError('methodNotAllowed', `Method not allowed. Allowed methods: ${allow}`)
      }),
    )
  }
  app.all(`${basePath}/*`, (c) =>
    respond(services, c, 'scimUnknown', async () => {
      throw new AppError('notFound', 'This SCIM endpoint does not exist')
    }),
  )
}

/** Sends the reply of a handler, or its error in the form of SCIM; the handler may add headers to both. */
async function respond(
  { log: serverLog, metrics }: ScimServices,
  c: HonoContext,
  name: string,
  handle: (headers: Record<string, string>) => Promise<ScimReply>,
): Promise<Response> {
  const startTime = performance.now()
  const requestId = newId()
  const log = serverLog.with({ requestId })
  const headers: Record<string, string> = { 'x-request-id': requestId, 'cache-control': 'no-store' }
  const { status, body, location } = await handleAndPrint(handle, headers).catch((thrown: unknown) => {
    const error = toAppError(thrown, log)
    Object.assign(headers, connectionHeaders(c.env.incoming))
    if (error.code === 'unauthenticated') headers['www-authenticate'] = 'Bearer'
    if (error instanceof BusyError) headers['retry-after'] = String(error.retryAfter)
    const scimType = error instanceof ScimError ? error.scimType : undefined
    const text = JSON.stringify(presentError(error.status, error.message, scimType))
    return { status: error.status, body: text, location: undefined }
  })
  if (location !== undefined) headers['location'] = location
  if (body !== null) headers['content-type'] = 'application/scim+json'
  const milliseconds = performance.now() - startTime
  metrics.request(name, status, milliseconds)
  log.info('request', {
    method: c.req.method,
    path: c.req.path,
    operation: name,
    status,
    ms: Math.round(milliseconds * 10) / 10,
  })
  return toCompressedResponse({ status, headers, body }, c.req.header('accept-encoding'))
}

/** Runs a handler and prints its reply; the first part of a stream is read, so that its errors can be reported. */
async function handleAndPrint(
  handle: (headers: Record<string, string>) => Promise<ScimReply>,
  headers: Record<string, string>,
) {
  const { status, body = null, location } = await handle(headers)
  const isPrinted = body === null || typeof body === 'string' || body instanceof JsonStream
  const reply = await prefetchReply({ status, headers, body: isPrinted ? body : JSON.stringify(body) })
  return { status, body: reply.body, location }
}

/** Runs the steps of a request: authenticate, count, read the body, handle in a transaction. */
async function handleRequest(
  services: ScimServices,
  rateLimit: RateLimit,
  route: ScimRoute,
  c: HonoContext,
  headers: Record<string, string>,
): Promise<ScimReply> {
  const { database, urls, clock, tokenUses } = services
  const now = timestamp(clock())
  const { organizationId = '', id = '' } = c.req.param()
  const token = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  rejectUnstorable('path', organizationId + id)
  const authenticate = (db: Db) => findScimPrincipal(db, { token, organizationId, now })
  const principal = await authenticate(database.reader)
  // Invalid tokens are counted too, which limits guessing.
  rateLimit.count(principal?.tokenId ?? networkOf(callerAddress(c.env.incoming, services.trustedProxies)), headers)
  if (!principal) throw unauthenticated()
  tokenUses.recordUse(principal.tokenId)

  const query = (name: string) => {
    const value = c.req.query(name)
    if (value !== undefined) rejectUnstorable(`query.${name}`, value)
    return value
  }
  const run = async (db: Db, body: unknown): Promise<ScimReply> => {
    const current = db === database.reader ? principal : await authenticate(db)
    // The token may have been revoked while the body was read.
    if (!current) throw unauthenticated()
    const { organization } = current
    const client = {
      address: callerAddress(c.env.incoming, services.trustedProxies),
      userAgent: c.req.header('user-agent'),
    }
    const baseUrl = urls.plain(`/scim/v2/${organization.id}`)
    const reply = await route.handle(
      { db, now: () => now, newId, organization, client, tokenId: current.tokenId, baseUrl },
      { id, query, body },
    )
    // A stream would be read after the end of the transaction.
    const isInTransaction = db !== database.reader
    return isInTransaction && reply.body instanceof JsonStream ? { ...reply, body: await reply.body.text() } : reply
  }
  const runInDatabase = (body: unknown) =>
    route.isReadOnly ? run(database.reader, body) : database.transaction((db) => run(db, body))
  if (route.maxBody === undefined) return runInDatabase(undefined)
  const buffered = await services.bodies.read(c.env.incoming, { maxBytes: route.maxBody, maxValues })
  try {
    return await runInDatabase(await buffered.json())
  } finally {
    buffered.release()
  }
}

const unauthenticated = () =>
  new AppError(
    'unauthenticated',
    'A valid SCIM token of this organization is required: `Authorization: Bearer <token>`',
  )

/** Rejects U+0000 and unpaired surrogates, which databases do not store. */
function rejectUnstorable(path: string, text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw invalid(path, 'contains an invalid character')
}
