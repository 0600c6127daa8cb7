import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { Readable } from 'node:stream'
import type { Log } from '../kernel/log.ts'
import { errorReply, toAppError } from './errors.ts'
import { Encodings, compressed, encodingFor, matchesTag } from './reply.ts'
import { type Http, callerAddress } from './road.ts'
import { readBody } from './body.ts'

interface SiteRequest {
  url: string
  method: string
  header(name: string): string | undefined
  caller: string
  text(): Promise<string>
}

interface SiteReply {
  status: number
  headers: Record<string, string>
  cookies?: readonly string[]
  body: string | Uint8Array | AsyncIterable<string>
}

interface Asset {
  bytes: Uint8Array
  contentType: string
  isText: boolean
}

export interface SiteServices {
  log: Log
  /** How many reverse proxies stand before this server. */
  trustedProxies: number
  /** Whether a host is that of the API itself. */
  isOwnHost: (host: string) => boolean
  /** Undefined when the address is none of a site. */
  serve: (request: SiteRequest) => Promise<SiteReply | undefined>
  /** Something that all sites share, by its name. */
  findAsset: (name: string) => Promise<Asset | undefined>
}

const watched = new Set(['/healthz', '/readyz', '/metrics'])

/** Below any path: a site may be hosted below one of another domain. */
const assetPath = /\/~assets\/([^?#]+)$/

const assetHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  // Fonts are asked for across origins where a site is shown on another one.
  'access-control-allow-origin': '*',
}

/** Mounts published sites: below a path of this server, and on hosts of their own, before everything else. */
export function mountSites(app: Hono<{ Bindings: HttpBindings }>, services: SiteServices): void {
  const encodings = new Encodings()

  app.use('*', async (c, next) => {
    // Most requests are none of ours, and this is all that they pay for it.
    if (c.req.path.startsWith('/v1/') && services.isOwnHost(c.req.header('host') ?? '')) return next()
    // Whoever watches over the server asks under any host, also when the database is down.
    if (watched.has(c.req.path)) return next()
    try {
      const name = assetPath.exec(c.req.path)?.[1]
      const asset = name === undefined ? undefined : await services.findAsset(name)
      if (asset) return await assetResponse(c, asset)
      const reply = await services.serve({
        url: addressOf(c, services.trustedProxies),
        method: c.req.method,
        header: (wanted) => c.req.header(wanted),
        caller: callerAddress(c, services.trustedProxies),
        text: () => readBody(c.env.incoming, maxBody),
      })
      return reply ? await responseOf(c, reply) : await next()
    } catch (thrown) {
      const { status, headers, body } = errorReply(toAppError(thrown, services.log), c.req.header('accept'))
      return new Response(body, { status, headers })
    }
  })

  /** The reply as a client takes it: nothing when it has it, else in an encoding that it reads. */
  async function responseOf(c: Http, reply: SiteReply): Promise<Response> {
    const { status, headers, body } = reply
    const [known, tag] = [c.req.header('if-none-match'), headers['etag']?.slice(1, -1)]
    if (status === 200 && known !== undefined && tag !== undefined && matchesTag(known, tag)) {
      return new Response(null, { status: 304, headers })
    }
    if (typeof body === 'object' && Symbol.asyncIterator in body) {
      const stream = Readable.from(body, { objectMode: false })
      return compressed({ status, headers, body: stream }, c.req.header('accept-encoding'))
    }
    const encoding = encodingFor(c.req.header('accept-encoding'))
    const { bytes, encoding: used } = await encodings.of(reply, body, encoding)
    const length = { 'content-length': String(bytes.byteLength) }
    const encoded = used && { 'content-encoding': used, ...(tag !== undefined && { etag: `"${tag}-${used}"` }) }
    const response = new Response(bytes as Uint8Array<ArrayBuffer>, {
      status,
      headers: { ...headers, ...encoded, ...length },
    })
    for (const cookie of reply.cookies ?? []) response.headers.append('set-cookie', cookie)
    return response
  }

  async function assetResponse(c: Http, asset: Asset): Promise<Response> {
    const { bytes, contentType, isText } = asset
    const encoding = isText ? encodingFor(c.req.header('accept-encoding')) : undefined
    const encoded = await encodings.of(asset, bytes, encoding)
    const headers = { ...assetHeaders, 'content-type': contentType, 'content-length': String(encoded.bytes.byteLength) }
    return new Response(encoded.bytes as Uint8Array<ArrayBuffer>, {
      headers:
        encoded.encoding === undefined
          ? headers
          : { ...headers, 'content-encoding': encoded.encoding, vary: 'accept-encoding' },
    })
  }
}

/** More than any script of ours or machine that reads a site has to say. */
const maxBody = 256 * 1024

/** The address as the visitor wrote it, as far as proxies that are trusted tell it. */
function addressOf(c: Http, trustedProxies: number): string {
  const { url } = c.req
  const [host, protocol] =
    trustedProxies > 0 ? [c.req.header('x-forwarded-host'), c.req.header('x-forwarded-proto')] : []
  if (host === undefined && protocol === undefined) return url
  const address = new URL(url)
  if (host !== undefined) {
    // A host that is named without a port would keep the one of this server.
    address.port = ''
    address.host = host.split(',')[0]?.trim() ?? address.host
  }
  if (protocol !== undefined) address.protocol = `${protocol.split(',')[0]?.trim()}:`
  return address.toString()
}
