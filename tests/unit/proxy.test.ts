import { type RequestListener, createServer, request as requestByHttp } from 'node:http'
import { type AddressInfo, type Socket, connect, createServer as createSocketServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { GuardOptions } from '../../src/fetch/guard.ts'
import { type GuardedProxy, openProxy } from '../../src/fetch/proxy.ts'

const open: GuardOptions = { allowPrivateNetwork: true }
/** Options that resolve every name to the local machine and forbid private networks. */
const closed: GuardOptions = {
  allowPrivateNetwork: false,
  resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
}

async function proxyForTest(guard: GuardOptions = open, maxBytes = 10_000_000): Promise<GuardedProxy> {
  const proxy = await openProxy({ guard, maxBytes })
  onTestFinished(() => proxy.close())
  return proxy
}

async function serve(answer: (...given: Parameters<RequestListener>) => unknown): Promise<string> {
  const server = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: Iterable<string>
  authorization?: string
}

function authorizationOf({ url }: GuardedProxy): string {
  const { username, password } = new URL(url)
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Sends a request through the proxy; `continued` is true if the reply was preceded by 100 Continue. */
function send(proxy: GuardedProxy, target: string, { method = 'GET', headers, body, authorization }: Sent = {}) {
  return new Promise<{ status: number; body: string; continued: boolean }>((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url)
    let continued = false
    const request = requestByHttp({
      agent: false,
      hostname,
      port,
      method,
      path: target,
      headers: {
        host: new URL(target).host,
        'proxy-authorization': authorization ?? authorizationOf(proxy),
        ...headers,
      },
    })
    const sendBody = () => {
      for (const chunk of body ?? []) request.write(chunk)
      request.end()
    }
    request.on('error', reject).on('continue', () => {
      continued = true
      sendBody()
    })
    request.on('response', (response) => {
      text(response).then(
        (received) => resolve({ status: response.statusCode ?? 0, body: received, continued }),
        reject,
      )
    })
    if (headers?.expect) request.flushHeaders()
    else sendBody()
  })
}

/** Requests a tunnel and returns the socket and the status line of the reply. */
function tunnel(proxy: GuardedProxy, target: string, authorization = authorizationOf(proxy)) {
  return new Promise<{ socket: Socket; answer: string }>((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url)
    const socket = connect(Number(port), hostname).on('error', reject)
    onTestFinished(() => void socket.destroy())
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: ${authorization}\r\n\r\n`)
    socket.once('data', (bytes) => resolve({ socket, answer: bytes.toString().split('\r\n')[0] ?? '' }))
  })
}

/** Starts a server that echoes its input. */
async function serveEcho(): Promise<number> {
  const sockets: Socket[] = []
  const server = createSocketServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    socket.pipe(socket)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('forwards requests with large chunked bodies and removes proxy headers', async () => {
  const url = await serve(async (request, reply) => {
    const received = await text(request)
    const told = Object.keys(request.headers).filter((name) => name.startsWith('proxy-'))
    reply
      .writeHead(201, { 'x-told': told.join() })
      .end(`${request.method} ${request.url} ${received.length} ${told.length}`)
  })
  const proxy = await proxyForTest()
  const body = Array.from({ length: 40 }, () => 'x'.repeat(50_000))
  const headers = { 'transfer-encoding': 'chunked', 'proxy-connection': 'keep-alive' }
  expect(await send(proxy, `${url}/a?b=c`, { method: 'POST', headers, body })).toMatchObject({
    status: 201,
    body: 'POST /a?b=c 2000000 0',
  })
  expect(proxy.firstError()).toBeUndefined()
})

test('sends 100 Continue to a client that expects it', async () => {
  const url = await serve(async (request, reply) => reply.end(await text(request)))
  const headers = { expect: '100-continue', 'content-length': '5' }
  expect(await send(await proxyForTest(), url, { method: 'POST', headers, body: ['hello'] })).toEqual({
    status: 200,
    body: 'hello',
    continued: true,
  })
})

test('a tunnel forwards bytes in both directions', async () => {
  const proxy = await proxyForTest()
  const { socket, answer } = await tunnel(proxy, `127.0.0.1:${await serveEcho()}`)
  expect(answer).toBe('HTTP/1.1 200 Connection established')
  const echoed = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())))
  socket.write('over and out')
  expect(await echoed).toBe('over and out')
})

test('rejects requests and tunnels without the password with 407', async () => {
  let asked = 0
  const url = await serve((_, reply) => reply.end(String(++asked)))
  const proxy = await proxyForTest()
  const wrong = `Basic ${Buffer.from('octavo:guess').toString('base64')}`
  expect(await send(proxy, url, { authorization: wrong })).toMatchObject({ status: 407 })
  expect((await tunnel(proxy, new URL(url).host, wrong)).answer).toContain('407')
  expect(asked).toBe(0)
  expect(new URL(proxy.url).password.length).toBeGreaterThan(20)
})

test('rejects non-public hosts by address and by name with 502', async () => {
  let asked = 0
  const { port } = new URL(await serve((_, reply) => reply.end(String(++asked))))
  for (const host of ['127.0.0.1', '[::1]', 'localhost', 'innocent.example.com']) {
    const byRequest = await proxyForTest(closed)
    expect(await send(byRequest, `http://${host}:${port}/`)).toMatchObject({ status: 502 })
    expect(byRequest.firstError()).toMatchObject({ failure: 'host' })
    const byTunnel = await proxyForTest(closed)
    expect((await tunnel(byTunnel, `${host}:${port}`)).answer).toContain('502')
    expect(byTunnel.firstError()).toMatchObject({ failure: 'host' })
  }
  expect(asked).toBe(0)
})

test('reports an unreachable host with 502', async () => {
  const proxy = await proxyForTest()
  const server = createSocketServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  expect(await send(proxy, `http://127.0.0.1:${port}/`)).toMatchObject({ status: 502 })
  expect(proxy.firstError()).toMatchObject({ failure: 'connection' })
})

test('ends all connections when their total exceeds the byte limit', async () => {
  const url = await serve((_, reply) => reply.end('x'.repeat(40_000)))
  const proxy = await proxyForTest(open, 100_000)
  expect((await send(proxy, url)).body.length).toBe(40_000)
  const { socket } = await tunnel(proxy, `127.0.0.1:${await serveEcho()}`)
  const ended = new Promise((resolve) => socket.on('close', resolve).resume())
  socket.write('y'.repeat(30_000))
  await expect(send(proxy, url)).rejects.toThrow()
  await ended
  expect(proxy.firstError()).toMatchObject({ failure: 'tooLarge' })
})

test('closing the proxy ends open connections', async () => {
  const proxy = await openProxy({ guard: open, maxBytes: 1000 })
  const { socket } = await tunnel(proxy, `127.0.0.1:${await serveEcho()}`)
  const ended = new Promise((resolve) => socket.on('close', resolve))
  const hanging = send(proxy, await serve(() => undefined)).catch(() => 'ended')
  await proxy.close()
  await ended
  expect(await hanging).toBe('ended')
})
