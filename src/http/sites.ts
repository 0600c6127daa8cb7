import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Log } from '../kernel/log.ts'
import type { SiteAsset, SiteCacheRequest, SiteReply, SiteRequest } from '../kernel/site-http.ts'
import { closing, errorReply, toAppError } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { EncodedReplies, toCompressedResponse, negotiateEncoding, matchesTag } from './reply.ts'
import type { Bodies, Body } from './body.ts'
import { callerAddress, networkOf } from './caller.ts'
import type { HonoContext } from './pipeline.ts'

type Header = SiteRequest['header']

export interface SiteServices {
  log: Log
  metrics: Pick<Metrics, 'request'>
  bodies: Bodies
  /** How many reverse proxies stand before this server. */
  trustedProxies: number
  /** The address that a request was sent to, given the one that arrived. */
  asked: (url: string, header: Header) => string
  /** Whether a request names the server itself as its host, as opposed to a site. */
  isServer: (url: string, header: Header) => boolean
  /** Whether a host is that of the API itself. */
  isOwnHost: (host: string) => boolean
  /** What was answered before and still holds. */
  kept: (request: SiteCacheRequest) => SiteReply | undefined | Promise<SiteReply | undefined>
  /** Undefined when the address is none of a site. */
  serve: (request: SiteRequest) => Promise<SiteReply | undefined>
  /** Something that all sites share, by its name. */
  findAsset: (name: string) => Promise<SiteAsset | undefined>
}

const watched = new Set(['/healthz', '/readyz'])

const plainHost = /^[\w.:[\]-]+$/

/** Below any path: a site may be hosted below one of another domain. */
const assetPath = /\/~assets\/([^?#]+)$/

const assetHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
  // Fonts are asked for across origins where a site is shown on another one.
  'access-control-allow-origin': '*',
}

/** Where requests to published sites come in: below a path of this server, and on hosts of their own. */
export class SiteDoor {
  readonly #services: SiteServices
  readonly #encodings = new EncodedReplies()
  readonly #assets = new WeakMap<SiteAsset, SiteReply & { body: Uint8Array }>()

  constructor(services: SiteServices) {
    this.#services = services
  }

  /** Stands before everything else. */
  mount(app: Hono<{ Bindings: HttpBindings }>): void {
    app.use('*', async (c, next) => {
      // Most requests are none of ours, and this is all that they pay for it.
      if (c.req.path.startsWith('/v1/') && this.#services.isOwnHost(c.req.header('host') ?? '')) return next()
      // Health is asked for under any host, also when the database is down.
      if (watched.has(c.req.path)) return next()
      if (c.req.path === '/metrics' && this.#services.isServer(c.req.url, (name) => c.req.header(name))) return next()
      const began = performance.now()
      try {
        const response = await this.#answer(c)
        if (!response) return await next()
        this.#count(response.status, began)
        return response
      } catch (thrown) {
        const { status, headers, body } = errorReply(toAppError(thrown, this.#services.log), c.req.header('accept'))
        this.#count(status, began)
        return new Response(body, { status, headers: { ...headers, ...closing(c.env.incoming) } })
      }
    })
  }

  #count(status: number, began: number): void {
    this.#services.metrics.request('site', status, performance.now() - began)
  }

  /**
   * Answers what was answered before in the same way, without all that other requests go through: pages are read far
   * more often than anything else happens. False when a request has to be looked at.
   */
  answerAtOnce(incoming: IncomingMessage, outgoing: ServerResponse): boolean | Promise<boolean> {
    const { method = '', url = '', headers } = incoming
    if ((method !== 'GET' && method !== 'HEAD') || url.startsWith('/v1/')) return false
    // Together they must mean what they mean alone: a host with a path would begin the one that follows.
    if (!plainHost.test(headers.host ?? '') || !url.startsWith('/')) return false
    const began = performance.now()
    const header = (name: string) => headers[name]?.toString()
    const address = this.#services.asked(`http://${headers.host}${url}`, header)
    const send = (reply: SiteReply | undefined) =>
      reply !== undefined && this.#sendAtOnce(reply, header, outgoing, began)
    // What fails here fails again, and is told, on the way that other requests take.
    try {
      const kept = this.#services.kept({ url: address, method, header })
      return kept instanceof Promise ? kept.then(send, () => false) : send(kept)
    } catch {
      return false
    }
  }

  #sendAtOnce(reply: SiteReply, header: Header, outgoing: ServerResponse, began: number): boolean {
    if (!isWhole(reply)) return false
    const encoded = this.#encodings.findEncoded(reply, negotiateEncoding(header('accept-encoding')))
    if (!encoded) return false
    const hasIt = isKnown(reply, header)
    if (hasIt) outgoing.writeHead(304, reply.headers).end()
    else outgoing.writeHead(reply.status, encoded.headers).end(encoded.bytes)
    this.#count(hasIt ? 304 : reply.status, began)
    return true
  }

  async #answer(c: HonoContext): Promise<Response | undefined> {
    const header = (name: string) => c.req.header(name)
    const name = /^(?:GET|HEAD)$/.test(c.req.method) ? assetPath.exec(c.req.path)?.[1] : undefined
    const asset = name === undefined ? undefined : await this.#services.findAsset(name)
    if (asset) return this.#responseOf(this.#assetReply(asset), header)
    const { asked, trustedProxies, bodies } = this.#services
    const caller = callerAddress(c.env.incoming, trustedProxies)
    let body: Body | undefined
    try {
      const reply = await this.#services.serve({
        url: asked(c.req.url, header),
        method: c.req.method,
        header,
        caller,
        network: networkOf(caller),
        json: async () => (body = await bodies.read(c.env.incoming, bodyLimits)).json(),
      })
      return reply && (await this.#responseOf(reply, header))
    } finally {
      body?.release()
    }
  }

  /** The reply as a client takes it: nothing when it has it, else in an encoding that it reads. */
  async #responseOf(reply: SiteReply, header: Header): Promise<Response> {
    const { status, headers, body } = reply
    if (isKnown(reply, header)) return new Response(null, { status: 304, headers })
    if (!isWhole(reply)) {
      const stream = Readable.from(body as AsyncIterable<string>, { objectMode: false })
      return toCompressedResponse({ status, headers, body: stream }, header('accept-encoding'))
    }
    const encoded = await this.#encodings.encode(reply, negotiateEncoding(header('accept-encoding')))
    const response = new Response(encoded.bytes as Uint8Array<ArrayBuffer>, { status, headers: encoded.headers })
    for (const cookie of reply.cookies ?? []) response.headers.append('set-cookie', cookie)
    return response
  }

  #assetReply(asset: SiteAsset): SiteReply {
    let reply = this.#assets.get(asset)
    if (!reply) {
      const headers = { ...assetHeaders, 'content-type': asset.contentType }
      this.#assets.set(asset, (reply = { status: 200, headers, body: asset.bytes, isPacked: !asset.isText }))
    }
    return reply
  }
}

function isWhole(reply: SiteReply): reply is SiteReply & { body: string | Uint8Array } {
  return typeof reply.body === 'string' || reply.body instanceof Uint8Array
}

/** Whether the client has what it would get. */
function isKnown({ status, headers }: SiteReply, header: Header): boolean {
  const [known, tag] = [header('if-none-match'), headers['etag']]
  return status === 200 && known !== undefined && tag !== undefined && matchesTag(known, tag.slice(1, -1))
}

/** Limits of the bodies that our scripts and assistants send to a site. */
const bodyLimits = { limit: 256 * 1024, values: 5000 }
