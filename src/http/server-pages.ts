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

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
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
  app.get('/app/*', (c) =>
    c.body(
      renderNoticePage(
        'Only the API lives here yet',
        `<p>This version of Octavo has no web application. What this address stands for is in the API at</p>
        <pre>GET /v1${escapeForHtml(c.req.path.slice('/app'.length))}</pre>`,
      ),
      404,
      pageHeaders,
    ),
  )
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

function escapeForHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function renderNoticePage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
  body { font: 1.0625rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 18vh auto; padding: 0 1.5rem; }
  h1 { font-size: 1.75rem; line-height: 1.2; }
  pre { padding: .75rem 1rem; border: 1px solid #8886; border-radius: .5rem; overflow-x: auto; }
</style>
<main>
  <h1>${title}</h1>
  ${content}
</main>
</html>
`
}
