import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { readFileSync } from 'node:fs'
import { hash } from 'node:crypto'
import type { Log } from '../kernel/log.ts'
import { errorReply, toAppError } from './errors.ts'
import { type BegunReply, compressed, matchesTag } from './reply.ts'
import type { Http } from './road.ts'

export interface SiteServices {
  log: Log
  /** How many reverse proxies stand before this server. */
  trustedProxies: number
  /** Whether a host is that of the API itself. */
  isOwnHost: (host: string) => boolean
  /** Whether an address is one of a site. */
  isSite: (url: string) => Promise<boolean>
  serve: (url: string, stylesheet: string) => Promise<BegunReply>
}

const watched = new Set(['/healthz', '/readyz', '/metrics'])

const stylesheetFile = new URL('../../assets/site.css', import.meta.url)

/** Mounts published sites: below a path of this server, and on hosts of their own, before everything else. */
export function mountSites(app: Hono<{ Bindings: HttpBindings }>, services: SiteServices): void {
  const styles = readFileSync(stylesheetFile, 'utf8')
  const stylesheet = `/~assets/site.${hash('sha256', styles, 'hex').slice(0, 12)}.css`
  const serveStyles = (c: Http) =>
    compressed(
      {
        status: 200,
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' },
        body: styles,
      },
      c.req.header('accept-encoding'),
    )

  app.use('*', async (c, next) => {
    // Most requests are none of ours, and this is all that they pay for it.
    if (c.req.path.startsWith('/v1/') && services.isOwnHost(c.req.header('host') ?? '')) return next()
    // Whoever watches over the server asks under any host, also when the database is down.
    if (watched.has(c.req.path)) return next()
    // Below any path: a site may be hosted below one of another domain.
    if (c.req.path.endsWith(stylesheet)) return serveStyles(c)
    const url = addressOf(c, services.trustedProxies)
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    try {
      if (!isRead || !(await services.isSite(url))) return await next()
      const reply = await services.serve(url, stylesheet)
      const [known, tag] = [c.req.header('if-none-match'), reply.headers['etag']?.slice(1, -1)]
      if (known !== undefined && tag !== undefined && matchesTag(known, tag)) {
        return new Response(null, { status: 304, headers: reply.headers })
      }
      return await compressed(reply, c.req.header('accept-encoding'))
    } catch (thrown) {
      const { status, headers, body } = errorReply(toAppError(thrown, services.log), c.req.header('accept'))
      return new Response(body, { status, headers })
    }
  })
}

/** The address as the visitor wrote it, as far as proxies that are trusted tell it. */
function addressOf(c: Http, trustedProxies: number): string {
  const { url } = c.req
  const [host, protocol] =
    trustedProxies > 0 ? [c.req.header('x-forwarded-host'), c.req.header('x-forwarded-proto')] : []
  if (host === undefined && protocol === undefined) return url
  const address = new URL(url)
  if (host !== undefined) address.host = host.split(',')[0]?.trim() ?? address.host
  if (protocol !== undefined) address.protocol = `${protocol.split(',')[0]?.trim()}:`
  return address.toString()
}
