import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  createServer,
  request as httpRequest,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { FetchError } from './errors.ts'
import { type GuardOptions, createGuard } from './guard.ts'

export interface ProxyOptions {
  guard: GuardOptions
  /** Maximum number of bytes received over all connections together. */
  maxBytes: number
}

/** Proxy for a program that opens its own connections. */
export interface GuardedProxy {
  /** URL including the required password. */
  url: string
  /** Returns the first error that made a connection fail. */
  firstError(): FetchError | undefined
  /** Closes all connections. */
  close(): Promise<void>
}

/** Hop-by-hop headers; `transfer-encoding` is kept, because it determines the framing of the body. */
const hopByHopHeaders = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

/** Opens a proxy on localhost that connects only to hosts that the guard allows, checked at the time of connecting. */
export async function openProxy({ guard, maxBytes }: ProxyOptions): Promise<GuardedProxy> {
  const { lookup, ...urlGuard } = createGuard(guard)
  const token = randomBytes(24).toString('base64url')
  const authorization = `Basic ${Buffer.from(`octavo:${token}`).toString('base64')}`
  const sockets = new Set<Duplex>()
  let received = 0
  let firstError: FetchError | undefined
  let isClosed = false

  function destroySockets() {
    for (const socket of sockets) socket.destroy()
  }

  function trackSocket(socket: Duplex) {
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    if (isClosed || received > maxBytes) socket.destroy()
  }

  function countReceived(chunk: Uint8Array) {
    received += chunk.length
    if (received <= maxBytes) return
    recordError(new FetchError('tooLarge', 'The content exceeds the size limit'))
    destroySockets()
  }

  function recordError(error: unknown) {
    if (isClosed) return
    firstError ??=
      error instanceof FetchError
        ? error
        : new FetchError('connection', 'The host could not be reached or sent an invalid reply', error)
  }

  function isAuthorized({ headers }: IncomingMessage): boolean {
    return timingSafeEqual(digest(headers['proxy-authorization'] ?? ''), digest(authorization))
  }

  function forward(request: IncomingMessage, reply: ServerResponse) {
    const fail = (error: unknown) => {
      recordError(error)
      if (reply.headersSent) reply.destroy()
      else reply.writeHead(502, { connection: 'close' }).end()
    }
    if (!isAuthorized(request)) return void reply.writeHead(407, { 'proxy-authenticate': 'Basic' }).end()
    let url
    try {
      url = urlGuard.check(request.url ?? '')
      if (url.protocol !== 'http:') throw new FetchError('address', 'Only http requests are supported here')
    } catch (error) {
      return fail(error)
    }
    const { method } = request
    const upstream = httpRequest(url, {
      method,
      headers: withoutHopByHopHeaders(request.headers),
      agent: false,
      lookup,
    })
    upstream.on('socket', trackSocket).on('error', fail)
    upstream.on('response', (response) => {
      reply.writeHead(response.statusCode ?? 502, withoutHopByHopHeaders(response.headers))
      response.on('data', countReceived)
      pipeline(response, reply, (error) => error && recordError(error))
    })
    reply.on('close', () => upstream.destroy())
    // Errors are reported by `upstream`.
    pipeline(request, upstream, () => undefined)
  }

  function tunnel(request: IncomingMessage, client: Duplex, head: Buffer) {
    trackSocket(client)
    if (!isAuthorized(request))
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n')
    const fail = (error: unknown) => {
      recordError(error)
      client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
    }
    let url
    try {
      url = urlGuard.check(`https://${request.url}`)
    } catch (error) {
      return fail(error)
    }
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const server = connect({ host, port: Number(url.port || 443), lookup })
    trackSocket(server)
    server.on('error', fail)
    server.on('connect', () => {
      server.off('error', fail)
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      server.write(head)
      server.on('data', countReceived)
      pipeline(client, server, client, () => undefined)
    })
    client.on('close', () => server.destroy())
  }

  const proxy = createServer(forward)
  proxy.on('connection', trackSocket)
  proxy.on('connect', tunnel)
  proxy.on('checkContinue', (request: IncomingMessage, reply: ServerResponse) => {
    if (isAuthorized(request)) reply.writeContinue()
    forward(request, reply)
  })
  // The caller sets a timeout for the whole command.
  proxy.requestTimeout = 0
  await new Promise<void>((listening, failed) => {
    proxy.once('error', failed).listen(0, '127.0.0.1', listening)
  })
  return {
    url: `http://octavo:${token}@127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    firstError: () => firstError,
    close() {
      isClosed = true
      destroySockets()
      return new Promise((done) => {
        proxy.close(() => done())
      })
    },
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function withoutHopByHopHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const listedNames = new Set(headers.connection?.split(',').map((name) => name.trim().toLowerCase()))
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hopByHopHeaders.has(name) && !listedNames.has(name)),
  )
}
