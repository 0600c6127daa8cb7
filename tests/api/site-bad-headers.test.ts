import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hours } from '../../src/kernel/time.ts'
import { insertPage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type RawRequest, sendRaw } from '../support/raw-http.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Unusual headers, methods and bodies. Each request is sent twice, because the second reply is served from the cache.

let octavo: TestServer
let path: string
let assets: string[]
beforeAll(async () => {
  octavo = await startTestServer()
  const long = 'A line that says something. '.repeat(200)
  const { base } = await publishPages(octavo, [
    insertPage('# Home\n\nFirst words'),
    insertPage(`# Long\n\nMany words: ${long}`, { slug: 'long' }),
  ])
  path = new URL(base).pathname
  const page = (await send('long')).body
  assets = Array.from(page.matchAll(/(?:href|src)="([^"]*\/~assets\/[^"]+)"/g), ([, asset = '']) =>
    asset.slice(path.length),
  )
})
afterAll(() => octavo.stop())

const send = (target: string, { headers = [], ...request }: RawRequest = {}) =>
  sendRaw(octavo.url, path + target, { headers: [`Host: ${new URL(octavo.url).host}`, ...headers], ...request })

async function twice(target: string, ...headers: string[]) {
  const [first, second] = [await send(target, { headers }), await send(target, { headers })]
  expect([target, headers, second.status]).toEqual([target, headers, first.status])
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
  expect(second.body === first.body).toBe(true)
  return first
}

describe('headers', () => {
  test('returns HTML for any Accept header that does not prefer Markdown', async () => {
    for (const accept of [
      '',
      ';;;',
      ',',
      '*/*;q=banana',
      'text/html;q=0',
      'image/webp',
      'application/json',
      'text/markdown;q=0',
      'text/markdown;q=-1, text/html',
      'text/markdown;q=0.1, text/html',
      'text/markdownish',
      'x'.repeat(8000),
      'a/b,'.repeat(2000),
    ]) {
      const reply = await twice('long', `Accept: ${accept}`)
      expect([accept.slice(0, 40), reply.status, reply.headers.get('content-type')]).toEqual([
        accept.slice(0, 40),
        200,
        'text/html; charset=utf-8',
      ])
      expect(reply.headers.get('vary')).toContain('accept')
    }
    for (const accept of ['text/markdown', 'TEXT/MARKDOWN', 'text/markdown;q=0.9, */*;q=0.1']) {
      const reply = await twice('long', `Accept: ${accept}`)
      expect(reply.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    }
  })

  test('only uses a content encoding that the client accepts', async () => {
    const encodings: [accepted: string, encoding: string | null][] = [
      ['identity', null],
      ['*;q=0', null],
      ['zstd', null],
      ['br;q=0, gzip;q=0', null],
      ['br;q=0.000,gzip;q=0.0', null],
      ['br;q=0, gzip', 'gzip'],
      ['gzip;q=0.1', 'gzip'],
      ['zstd, br', 'br'],
      [',,;', null],
      ['x'.repeat(8000), null],
    ]
    for (const target of ['long', 'long.md', assets.find((asset) => asset.endsWith('.js')) ?? '']) {
      const plain = await send(target)
      for (const [accepted, encoding] of encodings) {
        const reply = await twice(target, `Accept-Encoding: ${accepted}`)
        expect([target, accepted.slice(0, 40), reply.status, reply.headers.get('content-encoding')]).toEqual([
          target,
          accepted.slice(0, 40),
          200,
          encoding,
        ])
        if (encoding === null) expect(reply.body).toBe(plain.body)
      }
    }
  })

  test('returns 304 without a body for a matching If-None-Match, and 200 otherwise', async () => {
    for (const target of ['long', 'long.md', 'llms.txt', 'sitemap.xml']) {
      const etag = (await send(target)).headers.get('etag') ?? ''
      const tags: [known: string, status: number][] = [
        [etag, 304],
        [`W/${etag}`, 304],
        [`"x", W/"y",${etag}`, 304],
        [`${etag.slice(0, -1)}-br"`, 304],
        ['*', 304],
        ['"x"', 200],
        [etag.slice(1, -1), 200],
        ['', 200],
        ['"', 200],
        [','.repeat(5000), 200],
      ]
      for (const [known, status] of tags) {
        const reply = await twice(target, `If-None-Match: ${known}`)
        expect([target, known.slice(0, 40), reply.status]).toEqual([target, known.slice(0, 40), status])
        expect(reply.body === '').toBe(status === 304)
        if (status === 304) expect(reply.headers.get('etag')).toBe(etag)
      }
    }
    const absent = await twice('nowhere', 'If-None-Match: *')
    expect(absent.status).toBe(404)
  })

  test('ignores Range for pages, text outputs, scripts and styles', async () => {
    for (const target of ['long', 'llms.txt', ...assets]) {
      const whole = await send(target)
      for (const range of ['bytes=0-9', 'bytes=-1', 'bytes=999999999-', 'bytes=0-0,1-1', 'lines=1-2', 'bytes=']) {
        const reply = await twice(target, `Range: ${range}`)
        expect([target, range, reply.status, reply.body === whole.body]).toEqual([target, range, 200, true])
        expect(reply.headers.get('content-range')).toBeNull()
      }
    }
  })

  test('accepts long and malformed cookies, and returns 431 above the header limit', async () => {
    for (const cookie of [
      'x=y; '.repeat(2000),
      `x=${'y'.repeat(12_000)}`,
      ';;;=;=;',
      '=',
      'gitbook-visitor-token',
      '%E0%A4%A',
    ]) {
      const reply = await twice('long', `Cookie: ${cookie}`)
      expect([cookie.slice(0, 40), reply.status]).toEqual([cookie.slice(0, 40), 200])
      expect(reply.headers.get('set-cookie')).toBeNull()
    }
    const tooLong = await send('long', { headers: [`Cookie: x=${'y'.repeat(17_000)}`] })
    expect(tooLong.status).toBe(431)
    expect((await send('long')).status).toBe(200)
  })
})

describe('methods', () => {
  test('HEAD returns the same status and headers as GET without a body', async () => {
    const targets = ['', 'long', 'long.md', 'llms.txt', 'llms-full.txt', 'sitemap.xml', 'robots.txt', '~search?q=words']
    for (const target of [...targets, '~search.json?q=words', '~navigation/x/y', 'nowhere', 'LONG', ...assets]) {
      for (const encoding of ['identity', 'br']) {
        const headers = ['Accept: text/html', `Accept-Encoding: ${encoding}`]
        const [get, head] = [await send(target, { headers }), await send(target, { headers, method: 'HEAD' })]
        expect([target, head.status, head.body]).toEqual([target, get.status, ''])
        const said = (reply: typeof get) =>
          [...reply.headers].filter(([name]) => !['date', 'transfer-encoding'].includes(name))
        // Replies other than 200 are not cached, so their length and ETag may differ.
        const isCompared = (name: string) => get.status === 200 || !['content-length', 'etag'].includes(name)
        const compared = (reply: typeof get) => said(reply).filter(([name]) => isCompared(name))
        expect([target, compared(head)]).toEqual([target, compared(get)])
      }
    }
  })

  test('rejects other methods and POST to pages with 405', async () => {
    for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])
      for (const target of ['', 'long', 'llms.txt', 'nowhere', ...assets.slice(0, 1)]) {
        const reply = await send(target, { method })
        expect([method, target, reply.status, reply.headers.get('allow')]).toEqual([
          method,
          target,
          405,
          'GET, HEAD, POST',
        ])
      }
    for (const target of [
      '',
      'long',
      'long.md',
      'llms.txt',
      'llms-full.txt',
      'sitemap.xml',
      'robots.txt',
      '~search?q=x',
      '~navigation/x/y',
      '~social/x',
      'nowhere',
    ]) {
      const reply = await send(target, { method: 'POST', headers: ['Content-Length: 5'], body: 'a=b&c' })
      expect([target, reply.status]).toEqual([target, 405])
    }
  })

  test('ignores the body of GET, also when it is incomplete', async () => {
    const plain = await send('long')
    const reply = await send('long', { headers: ['Content-Length: 5'], body: 'a=b&c' })
    expect(reply.body).toBe(plain.body)
    const missing = await send('long', { headers: ['Content-Length: 500'], body: 'a' })
    expect(missing.body).toBe(plain.body)
    for (const length of ['-1', 'x', '1, 2', '99999999999999999999']) {
      const refused = await send('long', { headers: [`Content-Length: ${length}`] })
      expect([length, refused.status < 500]).toEqual([length, true])
    }
    expect((await send('long')).body).toBe(plain.body)
  })
})

const post = (target: string, body: string, ...headers: string[]) =>
  send(target, {
    method: 'POST',
    headers: ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, ...headers],
    body,
  })

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const call = (argument: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_pages","arguments":${argument}}}`

describe('bodies', () => {
  test('the MCP server answers invalid messages with JSON-RPC and large bodies with 413', async () => {
    const bodies = [
      '',
      '{',
      'null',
      '[]',
      '[[]]',
      '1',
      '"x"',
      '{}',
      deep(50_000),
      call(deep(50_000)),
      call('{"query":1}'),
    ]
    for (const body of [...bodies, call(`{"query":"${'x'.repeat(200_000)}"}`), '{"__proto__":{"x":1}}', '\u0000']) {
      const reply = await post('~mcp', body)
      expect([body.slice(0, 40), [200, 400].includes(reply.status)]).toEqual([body.slice(0, 40), true])
      expect([JSON.parse(reply.body)].flat()).toMatchObject([{ jsonrpc: '2.0' }])
    }
    expect((await post('~mcp', 'x'.repeat(300_000))).status).toBe(413)
    expect((await post('~mcp', '{}', 'Content-Encoding: gzip')).status).toBeLessThan(500)
  })

  test('rejects invalid events with 400 and large bodies with 413', async () => {
    for (const body of ['', '{', 'null', '[]', deep(50_000), '{"events":[]}', '{"place":1}', '\ud800'])
      expect([body.slice(0, 40), (await post('~events', body)).status]).toEqual([body.slice(0, 40), 400])
    expect((await post('~events', 'x'.repeat(300_000))).status).toBe(413)
    const chunks = `${(300_000).toString(16)}\r\n${'x'.repeat(300_000)}\r\n0\r\n\r\n`
    const chunked = await send('~events', { method: 'POST', headers: ['Transfer-Encoding: chunked'], body: chunks })
    expect(chunked.status).toBe(413)
  })

  test('limits the rate of events with 429 and still serves pages', async () => {
    // Rate limits are per process and minute, so this test moves the clock to minutes of its own.
    octavo.clock.advance(hours(5))
    const statuses = new Set<number>()
    for (let round = 0; round < 14; round++) {
      const replies = await Promise.all(Array.from({ length: 50 }, () => post('~events', '{}')))
      for (const { status } of replies) statuses.add(status)
    }
    expect([...statuses].toSorted()).toEqual([400, 429])
    expect((await send('long')).status).toBe(200)
  })
})
