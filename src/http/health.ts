import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { timingSafeEqual } from 'node:crypto'
import { AppError } from '../kernel/errors.ts'
import type { Metrics } from './metrics.ts'
import type { ReadinessChecks } from './readiness.ts'

export interface HealthServices {
  readiness: ReadinessChecks
  metrics: Metrics
  metricsToken: string | undefined
  /** Whether the host of a request is the server itself, as opposed to a site; absent where no site is served. */
  isServerHost?: (url: string, header: (name: string) => string | undefined) => boolean
  /** Whether the process accepts new requests. */
  isAccepting: () => boolean
}

/** Mounts the endpoints for monitoring: liveness, readiness and metrics. */
export function mountHealth(app: Hono<{ Bindings: HttpBindings }>, services: HealthServices): void {
  const { readiness, metrics, metricsToken, isServerHost = () => true, isAccepting } = services
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    if (!isAccepting()) return c.json({ status: 'stopping' }, 503)
    const { isReady, checks } = await readiness.run()
    return isReady
      ? c.json({ status: 'ready', checks })
      : c.json({ status: 'not ready', checks }, 503, { 'retry-after': '5' })
  })
  app.get('/metrics', async (c) => {
    // With a token, metrics are served under any host that is not that of a site.
    if (metricsToken === undefined && !isServerHost(c.req.url, (name) => c.req.header(name))) return c.notFound()
    if (metricsToken !== undefined && !isEqualSecret(c.req.header('authorization') ?? '', `Bearer ${metricsToken}`)) {
      throw new AppError(
        'unauthenticated',
        'The metrics token is required. Send the header `Authorization: Bearer <token>`',
      )
    }
    return c.text(await metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  })
}

function isEqualSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
