import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Log } from '../kernel/log.ts'
import { AppError } from '../kernel/errors.ts'
import { errorReply, toAppError } from './errors.ts'
import { type HealthServices, mountHealth } from './health.ts'

export interface ServerPageServices extends HealthServices {
  openApi: () => unknown
  /** Returns the HTML page for an unknown address. */
  notFoundPage: () => { headers: Record<string, string>; body: string }
  log: Log
}

/** Mounts everything beside the API: health, metrics, the OpenAPI document, and pages for browsers. */
export function mountServerPages(app: Hono<{ Bindings: HttpBindings }>, services: ServerPageServices): void {
  const { openApi, notFoundPage, log } = services
  let openApiText: string | undefined

  mountHealth(app, services)
  app.get('/openapi.json', (c) => {
    openApiText ??= JSON.stringify(openApi())
    return c.body(openApiText, 200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
  })
  app.notFound((c) => {
    if (/\btext\/html\b/.test(c.req.header('accept') ?? '')) {
      const { headers, body } = notFoundPage()
      return new Response(body, { status: 404, headers })
    }
    const { status, headers, body } = errorReply(new AppError('notFound', 'Not found'), c.req.header('accept'))
    return new Response(body, { status, headers })
  })
  app.onError((thrown, c) => {
    const { status, headers, body } = errorReply(toAppError(thrown, log), c.req.header('accept'))
    return new Response(body, { status, headers })
  })
}
