import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Log } from '../kernel/log.ts'
import type { SiteAsset, SiteCacheRequest, SiteReply, SiteRequest } from '../kernel/site-http.ts'
import { connectionHeaders, errorReply, toAppError } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { EncodedReplies, toCompressedResponse, negotiateEncoding, matchesEntityTag } from './reply.ts'
import type { BodyReader, BufferedBody } from './body.ts'
import { callerAddress, networkOf } from './caller-address.ts'
import type { HonoContext } from './pipeline.ts'

type Header = SiteRequest['header']

export interface SiteServices {
  log: Log
  metrics: Pick<Metrics, 'request'>
  bodies: BodyReader
  /** Number of reverse proxies in front of this server. */
  trustedProxies: number
  /** Returns the address that the client used, before proxies changed it. */
  toPublicUrl: (url: string, header: Header) => string
  /** Whether the host of a request is the server itself, as opposed to a site. */
  isServerHost: (url: string, header: Header) => boolean
  /** Whether a host is that of the API itself. */
  isApiHost: (host: string) => boolean
  /** Returns a cached reply that is still valid. */
  findCachedReply: (request: SiteCacheRequest) => SiteReply | undefined | Promise<SiteReply | undefined>
  /** Returns undefined when the address is not that of a site. */
  serve: (request: SiteRequest) => Promise<SiteReply | undefined>
  /** Returns a file that all sites share, by its name. */
  findAsset: (name: string) => Promise<SiteAsset | undefined>
}

const healthPaths = new Set(['/healthz', '/readyz'])

const hostPattern = /^[\w.:[\]-]+$/

/** Matches below any path, because a site may be hosted below a path of another domain. */
const assetPath = /\/~assets\/([^?#]+)$/

const assetHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
  // A site that is served from another origin loads its fonts across origins.
  'access-control-allow-origin': '*',
}

/** Serves requests to published sites, both below a path of this server and on their own hostnames. */
export class SiteMiddleware {
  readonly #services: SiteServices
  readonly #encodings = new EncodedReplies()
  readonly #assets = new WeakMap<SiteAsset, SiteReply & { body: Uint8Array }>()

  constructor(services: SiteServices) {
    this.#services = services
  }

  /** Adds the middleware; it must be mounted before all routes. */
  mount(app: Hono<{ Bindings: HttpBindings }>): void {
    app.use('*', async (c, next) => {
      // Checked first because most requests are for the API.
      if (c.req.path.startsWith('/v1/') && this.#services.isApiHost(c.req.header('host') ?? '')) return next()
      // Health checks are answered under any host, even if the database is down.
      if (healthPaths.has(c.req.path)) return next()
      if (c.req.path === '/metrics' && this.#services.isServerHost(c.req.url, (name) => c.req.header(name)))
        return next()
      const startTime = performance.now()
      try {
        const response = await this.#handleRequest(c)
        if (!response) return await next()
        this.#recordRequest(response.status, startTime)
        return response
      } catch (thrown) {
        const { status, headers, body } = errorReply(toAppError(thrown, this.#services.log), c.req.header('accept'))
        this.#recordRequest(status, startTime)
        return new Response(body, { status, headers: { ...headers, ...connectionHeaders(c.env.incoming) } })
      }
    })
  }

  #recordRequest(status: number, startTime: number): void {
    this.#services.metrics.request('site', status, performance.now() - startTime)
  }

  /**
   * Sends a cached reply before the router runs, which is much faster. Returns false if no reply is cached; the request must then
   * be routed.
   */
  sendCachedReply(incoming: IncomingMessage, outgoing: ServerResponse): boolean | Promise<boolean> {
    const { method = '', url = '', headers } = incoming
    if ((method !== 'GET' && method !== 'HEAD') || url.startsWith('/v1/')) return false
    // They are concatenated below, and a host that contains a slash would change the path.
    if (!hostPattern.test(headers.host ?? '') || !url.startsWith('/')) return false
    const startTime = performance.now()
    const header = (name: string) => headers[name]?.toString()
    const address = this.#services.toPublicUrl(`http://${headers.host}${url}`, header)
    const send = (reply: SiteReply | undefined) =>
      reply !== undefined && this.#sendEncoded(reply, header, outgoing, startTime)
    // An error is not reported here because the routed request will fail with the same one.
    try {
      const cached = this.#services.findCachedReply({ url: address, method, header })
      return cached instanceof Promise ? cached.then(send, () => false) : send(cached)
    } catch {
      return false
    }
  }

  #sendEncoded(reply: SiteReply, header: Header, outgoing: ServerResponse, startTime: number): boolean {
    if (!isBuffered(reply)) return false
    const encoded = this.#encodings.findEncoded(reply, negotiateEncoding(header('accept-encoding')))
    if (!encoded) return false
    const isUnchanged = isNotModified(reply, header)
    if (isUnchanged) outgoing.writeHead(304, reply.headers).end()
    else outgoing.writeHead(reply.status, encoded.headers).end(encoded.bytes)
    this.#recordRequest(isUnchanged ? 304 : reply.status, startTime)
    return true
  }

  async #handleRequest(c: HonoContext): Promise<Response | undefined> {
    const header = (name: string) => c.req.header(name)
    const name = /^(?:GET|HEAD)$/.test(c.req.method) ? assetPath.exec(c.req.path)?.[1] : undefined
    const asset = name === undefined ? undefined : await this.#services.findAsset(name)
    if (asset) return this.#toResponse(this.#toAssetReply(asset), header)
    const { toPublicUrl, trustedProxies, bodies } = this.#services
    const clientAddress = callerAddress(c.env.incoming, trustedProxies)
    let body: BufferedBody | undefined
    try {
      const reply = await this.#services.serve({
        url: toPublicUrl(c.req.url, header),
        method: c.req.method,
        header,
        clientAddress,
        clientNetwork: networkOf(clientAddress),
        json: async () => (body = await bodies.read(c.env.incoming, bodyLimits)).json(),
      })
      return reply && (await this.#toResponse(reply, header))
    } finally {
      body?.release()
    }
  }

  /** Converts a reply to a response: 304 when the client has it, else encoded as the client accepts it. */
  async #toResponse(reply: SiteReply, header: Header): Promise<Response> {
    const { status, headers, body } = reply
    if (isNotModified(reply, header)) return new Response(null, { status: 304, headers })
    if (!isBuffered(reply)) {
      const stream = Readable.from(body as AsyncIterable<string>, { objectMode: false })
      return toCompressedResponse({ status, headers, body: stream }, header('accept-encoding'))
    }
    const encoded = await this.#encodings.encode(reply, negotiateEncoding(header('accept-encoding')))
    const response = new Response(encoded.bytes as Uint8Array<ArrayBuffer>, { status, headers: encoded.headers })
    for (const cookie of reply.cookies ?? []) response.headers.append('set-cookie', cookie)
    return response
  }

  #toAssetReply(asset: SiteAsset): SiteReply {
    let reply = this.#assets.get(asset)
    if (!reply) {
      const headers = { ...assetHeaders, 'content-type': asset.contentType }
      reply = { status: 200, headers, body: asset.bytes, isCompressed: !asset.isText, isAsset: true }
      this.#assets.set(asset, reply)
    }
    return reply
  }
}

function isBuffered(reply: SiteReply): reply is SiteReply & { body: string | Uint8Array } {
  return typeof reply.body === 'string' || reply.body instanceof Uint8Array
}

/** Whether the client has the same version of the reply already. */
function isNotModified({ status, headers }: SiteReply, header: Header): boolean {
  const [known, tag] = [header('if-none-match'), headers['etag']]
  return status === 200 && known !== undefined && tag !== undefined && matchesEntityTag(known, tag.slice(1, -1))
}

/** Limits of the bodies that scripts of pages and MCP clients send to a site. */
const bodyLimits = { maxBytes: 256 * 1024, maxValues: 5000 }
