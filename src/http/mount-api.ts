import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { AppError } from '../kernel/errors.ts'
import { randomUUID } from 'node:crypto'
import type { Route } from '../kernel/implement.ts'
import type { Log } from '../kernel/log.ts'
import { connectionHeaders, errorReply, toAppError } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { RateLimit } from './rate-limit.ts'
import { type PrefetchedReply, prefetchReply, toCompressedResponse } from './reply.ts'
import { type HonoContext, type PipelineServices, createPipeline } from './pipeline.ts'

export interface ApiServices extends PipelineServices {
  routes: Route[]
  log: Log
  metrics: Metrics
  rateLimit: number
}

const exposedHeaders =
  'ETag, Location, Preference-Applied, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotent-Replayed'

/** Mounts every operation of the API below `/v1`. */
export function mountApi(services: ApiServices): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const rateLimit = new RateLimit(services.rateLimit, services.clock)
  const readRoutes = new Map(
    services.routes.filter(({ operation }) => operation.method === 'GET').map((route) => [route.operation.path, route]),
  )

  /** Names the document in which clients find the authorization server (RFC 9728). */
  const challenge = () => `Bearer resource_metadata="${services.urls.plain('/.well-known/oauth-protected-resource')}"`

  const createRouteHandler = (route: Route) => {
    const runPipeline = createPipeline(services, rateLimit, route, readRoutes.get(route.operation.path))
    return async (c: HonoContext) => {
      const startTime = performance.now()
      const requestId = toRequestId(c.req.header('x-request-id'))
      const headers: Record<string, string> = {
        'x-request-id': requestId,
        'access-control-allow-origin': '*',
        'access-control-expose-headers': exposedHeaders,
      }
      const log = services.log.with({ requestId })
      let reply: PrefetchedReply
      try {
        reply = await prefetchReply(await runPipeline(c, headers, log))
      } catch (thrown) {
        const error = toAppError(thrown, log)
        const { status, headers: errorHeaders, body } = errorReply(error, c.req.header('accept'))
        reply = { status, headers: { ...headers, ...errorHeaders, ...connectionHeaders(c.env.incoming) }, body }
        if (error.code === 'unauthenticated') reply.headers['www-authenticate'] = challenge()
      }
      const milliseconds = performance.now() - startTime
      services.metrics.request(route.name, reply.status, milliseconds)
      log.info('request', {
        method: route.operation.method,
        path: pathForLog(route, c),
        operation: route.name,
        status: reply.status,
        ms: Math.round(milliseconds * 10) / 10,
      })
      return toCompressedResponse(reply, c.req.header('accept-encoding'))
    }
  }

  for (const route of services.routes) {
    for (const path of toHonoPaths(route.operation.path))
      app.on(route.operation.method, path, createRouteHandler(route))
  }
  mountOtherMethods(app, services.routes)
  return app
}

/** Returns the path for the log, without the id of an invite, which is a secret. */
function pathForLog({ operation }: Route, c: HonoContext): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'inviteId' ? '…' : (c.req.param(name) ?? ''),
  )
  return `/v1${path}`
}

/** Converts `/orgs/{id}` to Hono's syntax; the root is mounted with and without its slash. */
function toHonoPaths(path: string): string[] {
  return path === '/' ? ['/v1', '/v1/'] : [`/v1${path.replace(/\{(\w+)\}/g, ':$1')}`]
}

/** Answers preflight requests, and other methods with 405 and the allowed ones. */
function mountOtherMethods(app: Hono<{ Bindings: HttpBindings }>, routes: Route[]): void {
  for (const [path, routesAtPath] of groupByPath(routes)) {
    const allow = [...routesAtPath.map(({ operation }) => operation.method), 'OPTIONS'].join(', ')
    for (const honoPath of toHonoPaths(path)) {
      app.options(honoPath, (c) =>
        c.body(null, 204, {
          allow,
          'access-control-allow-origin': '*',
          'access-control-allow-methods': allow,
          'access-control-allow-headers':
            'Authorization, Content-Type, Accept, Prefer, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, X-Request-Id',
          'access-control-max-age': '86400',
        }),
      )
      app.all(honoPath, (c) => {
        const error = new AppError('methodNotAllowed', `Method not allowed. Allowed methods: ${allow}`)
        const { status, headers, body } = errorReply(error, c.req.header('accept'))
        return new Response(body, { status, headers: { ...headers, allow, 'access-control-allow-origin': '*' } })
      })
    }
  }
}

function groupByPath(routes: Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>()
  for (const route of routes) {
    const path = route.operation.path
    groups.set(path, [...(groups.get(path) ?? []), route])
  }
  return groups
}

/** Returns the caller's request id if it is safe to log, else a UUID, which is ten times faster to make than a sortable id. */
function toRequestId(given: string | undefined): string {
  return given !== undefined && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}
