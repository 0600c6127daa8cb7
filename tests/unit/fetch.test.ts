import { type RequestListener, createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { Duplex } from 'node:stream'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { isPublicAddress } from '../../src/fetch/ip-addresses.ts'
import { FetchError, type FetchFailure } from '../../src/fetch/errors.ts'
import { type FetchResponse, createFetch } from '../../src/fetch/fetch.ts'
import { makeGate } from '../support/gate.ts'

const limits = { maxBytes: 100_000, timeout: 5000 }
const open = createFetch({ allowPrivateNetwork: true })
const closed = createFetch({ allowPrivateNetwork: false })

/** Starts a server for one test; `seen` contains the hosts and paths of its requests. */
async function serve(listener: RequestListener, host = '127.0.0.1') {
  const seen: string[] = []
  const server = createServer((request, reply) => {
    seen.push(`${request.headers.host?.replace(/:\d+$/, '')}${request.url}`)
    listener(request, reply)
  })
  await new Promise<void>((listening) => server.listen(0, host, listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://${host}:${port}`, port, seen }
}

/** Starts a server that sends these bytes, which may be invalid HTTP, and nothing else. */
async function serveRaw(bytes: string) {
  const sockets: Duplex[] = []
  const server = createSocketServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    socket.write(bytes)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bytesOf({ body }: FetchResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function failureOf(promise: Promise<unknown>): Promise<FetchFailure> {
  return (await errorOf(promise)).failure
}

async function errorOf(promise: Promise<unknown>): Promise<FetchError> {
  const error = await promise.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(FetchError)
  return error as FetchError
}

const read = async (fetched: Promise<FetchResponse>) => bytesOf(await fetched)

test('isPublicAddress accepts public addresses, including mapped ones', () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
    '2a00:1450:4001:800::200e',
    '2001:200::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, true])
})

test('isPublicAddress rejects loopback, private, cloud, reserved and malformed addresses', () => {
  for (const address of [
    '0.0.0.0',
    '0.255.255.255',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.100.100.200',
    '100.127.255.255',
    '127.0.0.0',
    '127.0.0.1',
    '127.255.255.255',
    '168.63.129.16',
    '169.254.0.0',
    '169.254.169.254',
    '169.254.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.0',
    '192.168.255.255',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '::FFFF:10.0.0.1',
    '::ffff:0:8.8.8.8',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '2606:4700:4700::1111%1',
    '',
    'localhost',
    '127.1',
    '010.0.0.1',
    '2130706433',
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, false])
})

test('rejects every notation of the local machine with the same message', async () => {
  const { port, seen } = await serve((_, reply) => reply.end('secret'))
  for (const host of [
    '127.0.0.1',
    '127.1',
    '127.0.0.1.',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    '①②⑦.⓪.⓪.①',
    '%31%32%37.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'app.localhost',
    'localhost.localdomain',
    'ip6-localhost',
    '169.254.169.254',
    '2852039166',
  ]) {
    const error = await errorOf(closed.get(`http://${host}:${port}/`, limits))
    expect([host, error.failure, error.message]).toEqual([
      host,
      'host',
      'The host was not found or has a private address. Set OCTAVO_ALLOW_PRIVATE_NETWORK on the server to allow private addresses',
    ])
  }
  expect(seen).toEqual([])
})

test('rejects URLs that are not http(s) or contain a username or password', async () => {
  for (const address of [
    '',
    'no address',
    '//example.com/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'data:text/plain,hello',
    'javascript:alert(1)',
    'gopher://127.0.0.1:6379/_INFO',
    'http://',
    'http://user@example.com/',
    'http://user:password@example.com/',
    'http://:password@example.com/',
    'http://[::1/',
    'http://[fe80::1%25eth0]/',
    'http://256.1.1.1/',
  ]) {
    expect([address, await failureOf(open.get(address, limits))]).toEqual([address, 'address'])
    expect([address, await failureOf(closed.get(address, limits))]).toEqual([address, 'address'])
  }
})

test('rejects a name with a non-public address with the same message as an unknown name', async () => {
  const { port, seen } = await serve((_, reply) => reply.end('secret'))
  const names: Record<string, string[]> = {
    'loopback.example': ['127.0.0.1'],
    'loopback6.example': ['::1'],
    'both.example': ['8.8.8.8', '127.0.0.1'],
    'private.example': ['10.1.2.3'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'zone.example': ['fe80::1%lo'],
    'empty.example': [],
  }
  const guarded = createFetch({
    allowPrivateNetwork: false,
    async resolve(name) {
      const addresses = names[name]
      if (!addresses) throw new Error(`getaddrinfo ENOTFOUND ${name}`)
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  })
  const messages = new Set<string>()
  for (const name of [...Object.keys(names), 'absent.example']) {
    const error = await errorOf(guarded.get(`http://${name}:${port}/`, limits))
    expect([name, error.failure]).toEqual([name, 'host'])
    messages.add(error.message)
  }
  expect(messages.size).toBe(1)
  expect([...messages].join()).not.toMatch(/\d/)
  expect(seen).toEqual([])
})

test('resolves a name once per connection and connects to the checked address', async () => {
  const { port, seen } = await serve((_, reply) => reply.end('content'))
  const answers = ['127.0.0.1', '10.0.0.1']
  const asked: string[] = []
  const rebinding = createFetch({
    allowPrivateNetwork: false,
    isPublic: (address) => address === '127.0.0.1',
    async resolve(name) {
      asked.push(name)
      return [{ address: answers[asked.length - 1] as string, family: 4 }]
    },
  })
  const url = `http://docs.example:${port}/page`
  expect((await read(rebinding.get(url, limits))).toString()).toBe('content')
  expect(asked).toEqual(['docs.example'])
  expect(await failureOf(rebinding.get(url, limits))).toBe('host')
  expect(asked).toEqual(['docs.example', 'docs.example'])
  expect(seen).toEqual(['docs.example/page'])
})

test('returns the status, content type, final URL and body', async () => {
  const { url } = await serve((_, reply) => {
    reply.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('nothing here')
  })
  const fetched = await open.get(`${url}/a/../page?x=1`, limits)
  expect({ ...fetched, body: (await bytesOf(fetched)).toString() }).toMatchObject({
    status: 404,
    contentType: 'text/plain; charset=utf-8',
    url: `${url}/page?x=1`,
    body: 'nothing here',
  })
})

test('follows up to five redirects, including relative ones', async () => {
  const { url, seen } = await serve((request, reply) => {
    const left = Number(request.url?.slice(1))
    if (left > 0) reply.writeHead(300 + left, { location: `./${left - 1}` }).end('elsewhere')
    else reply.end('here')
  })
  const statuses = await serve((request, reply) => {
    const next = { '/301': '/302', '/302': '/303', '/303': '/307', '/307': '/308', '/308': '/end' }[request.url ?? '']
    if (next) reply.writeHead(Number(request.url?.slice(1)), { location: next }).end()
    else reply.end('here')
  })
  const fetched = await open.get(`${statuses.url}/301`, limits)
  expect([fetched.url, (await bytesOf(fetched)).toString()]).toEqual([`${statuses.url}/end`, 'here'])
  expect((await read(open.get(`${url}/3`, limits))).toString()).toBe('here')
  expect(seen).toHaveLength(4)
})

test('rejects a sixth redirect', async () => {
  const { url, seen } = await serve((_, reply) => reply.writeHead(302, { location: '/again' }).end())
  expect(await failureOf(open.get(url, limits))).toBe('reply')
  expect(seen).toHaveLength(6)
})

test('checks the target of a redirect like the first URL', async () => {
  const hidden = await serve((_, reply) => reply.end('secret'), '127.0.0.2')
  const targets: Record<string, string> = {
    '/address': hidden.url,
    '/name': `http://hidden.example:${hidden.port}/`,
    '/localhost': `http://localhost:${hidden.port}/`,
    '/metadata': 'http://169.254.169.254/latest/meta-data/',
    '/file': 'file:///etc/passwd',
    '/password': 'http://user:password@front.example/',
  }
  const front = await serve((request, reply) => {
    reply.writeHead(302, { location: targets[request.url ?? ''] }).end()
  })
  const addresses: Record<string, string> = { 'front.example': '127.0.0.1', 'hidden.example': '127.0.0.2' }
  // Treats the first server as public and the second one as private.
  const guarded = createFetch({
    allowPrivateNetwork: false,
    isPublic: (address) => address === '127.0.0.1',
    resolve: async (name) => [{ address: addresses[name] ?? '', family: 4 }],
  })
  for (const [path, failure] of [
    ['/address', 'host'],
    ['/name', 'host'],
    ['/localhost', 'host'],
    ['/metadata', 'host'],
    ['/file', 'address'],
    ['/password', 'address'],
  ]) {
    expect([path, await failureOf(guarded.get(`http://front.example:${front.port}${path}`, limits))]).toEqual([
      path,
      failure,
    ])
  }
  expect(front.seen).toHaveLength(6)
  expect(hidden.seen).toEqual([])
})

test('reaches the local machine by address and by name when private networks are allowed', async () => {
  const { url, port } = await serve((_, reply) => reply.end('content'))
  expect((await read(open.get(url, limits))).toString()).toBe('content')
  expect((await read(open.get(`http://localhost:${port}/`, limits))).toString()).toBe('content')
})

test('rejects a body over the size limit, with and without Content-Length', async () => {
  const { url, seen } = await serve((request, reply) => {
    const [, kind, size] = request.url?.split('/') ?? []
    if (kind === 'length') reply.setHeader('content-length', String(size))
    reply.write(Buffer.alloc(Number(size)))
    reply.end()
  })
  for (const kind of ['length', 'chunked']) {
    expect((await read(open.get(`${url}/${kind}/1000`, { ...limits, maxBytes: 1000 }))).length).toBe(1000)
    expect(await failureOf(read(open.get(`${url}/${kind}/1001`, { ...limits, maxBytes: 1000 })))).toBe('tooLarge')
  }
  expect(seen).toHaveLength(4)
  expect(await failureOf(open.get(`${url}/length/1001`, { ...limits, maxBytes: 1000 }))).toBe('tooLarge')
})

test('closes the connection when an endless body exceeds the limit', async () => {
  const gone = makeGate()
  const { url } = await serve((_, reply) => {
    reply.on('close', gone.open)
    const fill = () => {
      while (!reply.destroyed && reply.write(Buffer.alloc(10_000)));
    }
    reply.on('drain', fill)
    fill()
  })
  expect(await failureOf(read(open.get(url, limits)))).toBe('tooLarge')
  await gone.passed
})

test('decompresses gzip, Brotli and deflate bodies', async () => {
  const text = 'Octavo '.repeat(1000)
  const packed: Record<string, Buffer> = {
    gzip: gzipSync(text),
    'x-gzip': gzipSync(text),
    GZIP: gzipSync(text),
    br: brotliCompressSync(text),
    deflate: deflateSync(text),
    identity: Buffer.from(text),
  }
  const { url } = await serve((request, reply) => {
    const encoding = request.url?.slice(1) ?? ''
    reply.writeHead(200, { 'content-encoding': encoding }).end(packed[encoding])
  })
  for (const encoding of Object.keys(packed)) {
    expect((await read(open.get(`${url}/${encoding}`, limits))).toString()).toBe(text)
  }
})

test('cuts off a small body that decompresses beyond the limit', async () => {
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
  const huge = Buffer.alloc(10_000_000)
  const bombs: Record<string, Buffer> = {
    gzip: gzipSync(huge),
    br: brotliCompressSync(huge, quick),
    deflate: deflateSync(huge),
  }
  const { url } = await serve((request, reply) => {
    const encoding = request.url?.slice(1) ?? ''
    reply.writeHead(200, { 'content-encoding': encoding }).end(bombs[encoding])
  })
  for (const [encoding, bomb] of Object.entries(bombs)) {
    expect(bomb.length).toBeLessThan(limits.maxBytes)
    let size = 0
    const reading = async () => {
      for await (const chunk of (await open.get(`${url}/${encoding}`, limits)).body) size += chunk.length
    }
    expect([encoding, await failureOf(reading())]).toEqual([encoding, 'tooLarge'])
    expect(size).toBeLessThanOrEqual(limits.maxBytes)
  }
})

test('limits the size of a compressed body that decompresses to nothing', async () => {
  // Many empty gzip members.
  const nothing = Buffer.concat(Array<Buffer>(10_000).fill(gzipSync('')))
  const { url } = await serve((_, reply) => {
    reply.writeHead(200, { 'content-encoding': 'gzip' }).end(nothing)
  })
  expect(nothing.length).toBeGreaterThan(limits.maxBytes)
  expect(await failureOf(read(open.get(url, limits)))).toBe('tooLarge')
})

test('rejects a body with an invalid, incomplete or unsupported encoding', async () => {
  const packed = gzipSync('content '.repeat(1000))
  const bodies: Record<string, [encoding: string, body: Buffer]> = {
    '/wrong': ['gzip', Buffer.from('this is no gzip')],
    '/part': ['gzip', packed.subarray(0, packed.length - 20)],
    '/unknown': ['zstd', packed],
    '/twice': ['gzip, gzip', gzipSync(packed)],
    '/name': ['constructor', packed],
    '/brotli': ['br', Buffer.from('this is no brotli')],
  }
  const { url } = await serve((request, reply) => {
    const [encoding, body] = bodies[request.url ?? ''] ?? ['', Buffer.alloc(0)]
    reply.writeHead(200, { 'content-encoding': encoding }).end(body)
  })
  for (const path of Object.keys(bodies))
    expect([path, await failureOf(read(open.get(`${url}${path}`, limits)))]).toEqual([path, 'reply'])
})

test('applies the timeout to name resolution, connection, headers and body', async () => {
  const silent = await serveRaw('')
  const headOnly = await serveRaw('HTTP/1.1 200 OK\r\nX-Slow: ')
  const bodyOnly = await serveRaw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
  const short = { ...limits, timeout: 50 }
  for (const url of [silent, headOnly, bodyOnly])
    expect([url, await failureOf(read(open.get(url, short)))]).toEqual([url, 'timeout'])
  const unresolved = createFetch({ allowPrivateNetwork: true, resolve: () => new Promise(() => undefined) })
  expect(await failureOf(unresolved.get('http://slow.example/', short))).toBe('timeout')
})

test('does not extend the timeout for a slowly arriving body', async () => {
  let drops = 0
  const { url } = await serve((_, reply) => {
    const timer = setInterval(() => {
      drops++
      reply.write('.')
    }, 10)
    reply.on('close', () => clearInterval(timer))
  })
  expect(await failureOf(read(open.get(url, { ...limits, timeout: 400 })))).toBe('timeout')
  expect(drops).toBeGreaterThan(3)
})

test('redirects share the timeout of one request', async () => {
  let count = 0
  const { url } = await serve((_, reply) => {
    count++
    setTimeout(() => reply.writeHead(302, { location: '/' }).end(), 60)
  })
  expect(await failureOf(open.get(url, { ...limits, timeout: 150 }))).toBe('timeout')
  expect(count).toBeLessThan(5)
})

test('closes the connection of an unread body at the timeout', async () => {
  const gone = makeGate()
  const { url } = await serve((_, reply) => {
    reply.on('close', gone.open)
    reply.write('half')
  })
  const fetched = await open.get(url, { ...limits, timeout: 400 })
  await gone.passed
  expect(await failureOf(bytesOf(fetched))).toBe('timeout')
})

test('closes the connection when the reader stops early', async () => {
  const gone = makeGate()
  const { url } = await serve((_, reply) => {
    reply.on('close', gone.open)
    reply.write('half')
  })
  for await (const chunk of (await open.get(url, limits)).body) {
    expect(Buffer.from(chunk).toString()).toBe('half')
    break
  }
  await gone.passed
})

test('can be aborted before the request, while waiting and while reading', async () => {
  const { url } = await serve((request, reply) => {
    if (request.url === '/half') reply.write('half')
  })
  expect(await failureOf(open.get(url, { ...limits, signal: AbortSignal.abort() }))).toBe('aborted')

  const waiting = new AbortController()
  const pending = failureOf(open.get(url, { ...limits, signal: waiting.signal }))
  waiting.abort()
  expect(await pending).toBe('aborted')

  const reading = new AbortController()
  const fetched = await open.get(`${url}/half`, { ...limits, signal: reading.signal })
  const rest = failureOf(bytesOf(fetched))
  reading.abort()
  expect(await rest).toBe('aborted')
})

test('reports an unreachable or non-HTTP host without addresses or error codes', async () => {
  const gone = await serve((_, reply) => reply.destroy())
  const wrong = await serveRaw('SSH-2.0-OpenSSH_9.6\r\n')
  for (const url of [gone.url, wrong, 'http://127.0.0.1:1/', wrong.replace('http:', 'https:')]) {
    const error = await errorOf(open.get(url, limits))
    expect([url, error.failure]).toEqual([url, 'connection'])
    expect(error.message).not.toMatch(/\d|ECONN|SSH/)
  }
})

test('rejects a body shorter than its Content-Length', async () => {
  const { url } = await serve((_, reply) => {
    reply.writeHead(200, { 'content-length': '100' })
    reply.write('half', () => reply.destroy())
  })
  expect(await failureOf(read(open.get(url, limits)))).toBe('connection')
})
