import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertPage } from '../support/content.ts'
import { operationMarkdown } from '../support/openapi-blocks.ts'
import { putSpec } from '../support/openapi.ts'
import { publishPages } from '../support/published-sites.ts'
import { type RecordingApi, startRecordingApi } from '../support/recording-api.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'

let octavo: TestServer
let api: RecordingApi

const createDocument = (servers: object[], more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers,
  'x-enable-proxy': true,
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    },
  },
  security: [{ bearer: [], session: [] }],
  paths: {
    '/pets/{petId}': {
      put: {
        parameters: [
          { name: 'petId', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'dry', in: 'query', schema: { type: 'boolean' } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        ],
        requestBody: { content: { 'application/json': { example: {} } } },
        responses: { 200: { description: 'The pet' } },
      },
      get: { 'x-enable-proxy': false, responses: { 200: { description: 'The pet' } } },
      delete: { responses: { 204: { description: 'Deleted' } } },
    },
    '/photos': {
      post: {
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { photo: { type: 'string', format: 'binary' } } },
            },
          },
        },
        responses: {},
      },
    },
  },
  ...more,
})

const serversOf = ({ url }: RecordingApi) => [
  { url: `${url}/v1` },
  { url: `${url}/{version}`, variables: { version: { default: 'v1', enum: ['v1', 'v2'] } } },
  { url: 'http://{host}/v1', variables: { host: { default: '127.0.0.1:1' } } },
]

const json = (value: unknown) => ({ text: JSON.stringify(value) })

beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1', OCTAVO_API_PROXY_RATE_LIMIT: '0' })
  api = await startRecordingApi()
  await putSpec(octavo.admin, 'pets', json(createDocument(serversOf(api))))
})
beforeEach(() => {
  api.requests.length = 0
  api.reply = {}
})
afterAll(async () => {
  await api.stop()
  await octavo.stop()
})

interface PanelData {
  form: { method: string; path: string }
  proxy?: { url: string; page: string; spec: string }
}

const publish = (server: TestServer, ...operations: [method: string, path: string][]) =>
  publishPages(server, [
    insertPage(`# Pets\n\n${operations.map(([method, path]) => operationMarkdown('pets', method, path)).join('\n\n')}`),
  ])

/** Returns the data of the try-it panels of a page. */
async function readPanels(url: string): Promise<PanelData[]> {
  const html = await (await fetch(url)).text()
  return [...html.matchAll(/<script type="application\/json" data-try-it-form>(.*?)<\/script>/g)].map(
    ([, text = '']) => JSON.parse(text) as PanelData,
  )
}

const emptyValues = {
  server: 0,
  variables: {},
  security: 0,
  credentials: {},
  parameters: {},
  body: 0,
  text: '',
  fields: {},
  files: {},
}

async function send(
  base: string,
  panel: PanelData | undefined,
  values: object = {},
  { headers = {}, ...more }: { headers?: Record<string, string> } & Record<string, unknown> = {},
) {
  if (!panel?.proxy) throw new Error('The operation has no proxy')
  const { url, page, spec } = panel.proxy
  const { method, path } = panel.form
  const reply = await fetch(new URL(url, base), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ page, spec, method, path, values: { ...emptyValues, ...values }, ...more }),
  })
  const content = (await reply.json()) as {
    status?: number
    headers?: [string, string][]
    body?: string
    isTruncated?: boolean
    error?: { message: string }
  }
  return { reply, content, body: Buffer.from(content.body ?? '', 'base64').toString() }
}

const petId = { 'path petId': 'a b' }

test('a request has the values of the reader and no header of their browser', async () => {
  const { base } = await publish(octavo, ['put', '/pets/{petId}'])
  const [panel] = await readPanels(base)
  api.reply = {
    status: 418,
    headers: { 'set-cookie': ['a=1', 'b=2'], 'x-api': 'yes', connection: 'close', 'content-type': 'text/html' },
    body: '<script>alert(1)</script>',
  }
  const { reply, content, body } = await send(
    base,
    panel,
    {
      server: 1,
      variables: { version: 'v2' },
      credentials: { bearer: { secret: 'token-1' }, session: { secret: 'x;y=1' }, other: { secret: 'no' } },
      parameters: {
        ...petId,
        'query dry': 'true',
        'header X-Trace': '7',
        'header Host': 'evil.test',
        'query more': '1',
      },
      text: '{"name":"Rex"}',
    },
    { headers: { cookie: 'visitor=secret', 'x-forwarded-for': '192.0.2.1', referer: base } },
  )
  expect(api.requests).toHaveLength(1)
  const [request] = api.requests
  expect(request).toMatchObject({ method: 'PUT', url: '/v2/pets/a%20b?dry=true', body: '{"name":"Rex"}' })
  const { host, ...headers } = request?.headers ?? {}
  expect(headers).toEqual({
    'user-agent': 'Octavo',
    accept: '*/*',
    'accept-encoding': 'gzip, br, deflate',
    authorization: 'Bearer token-1',
    'content-type': 'application/json',
    'content-length': '14',
    'x-trace': '7',
    cookie: 'sid=x%3By%3D1',
    connection: 'close',
  })
  expect(host).toBe(new URL(api.url).host)
  expect(content.status).toBe(418)
  expect(body).toBe('<script>alert(1)</script>')
  expect(Object.fromEntries(content.headers ?? [])).toMatchObject({ 'x-api': 'yes' })
  expect(JSON.stringify(content.headers)).not.toMatch(/cookie|connection/)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('set-cookie')).toBeNull()
  expect(reply.headers.get('content-type')).toBe('application/json')
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  expect(reply.headers.get('content-security-policy')).toContain('sandbox')
  expect(reply.headers.get('cache-control')).toBe('no-store')
})

test('files are sent as parts of a form', async () => {
  const { base } = await publish(octavo, ['post', '/photos'])
  const [panel] = await readPanels(base)
  const file = { name: 'a"\r\nX: 1.png', type: 'image/png', data: Buffer.from('PIXELS').toString('base64') }
  await send(base, panel, { files: { photo: [file] } })
  expect(api.requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(api.requests[0]?.body).toContain('\r\nContent-Type: image/png\r\n\r\nPIXELS\r\n')
  expect(api.requests[0]?.body).not.toContain('\r\nX: 1')
})

test('only operations of documents that enable the proxy use it, and other pages connect to the API', async () => {
  const { base } = await publish(octavo, ['get', '/pets/{petId}'], ['put', '/pets/{petId}'])
  const [get, put] = await readPanels(base)
  expect(get?.proxy).toBeUndefined()
  expect(put?.proxy).toMatchObject({ spec: 'pets' })
  const { reply } = await send(base, put, {}, { method: 'get' })
  expect(reply.status).toBe(404)
  expect((await fetch(base)).headers.get('content-security-policy')).toContain(`connect-src 'self' ${api.url}`)
  const direct = await publish(octavo, ['put', '/pets/{petId}'])
  expect((await fetch(direct.base)).headers.get('content-security-policy')).toContain("connect-src 'self';")
  expect(api.requests).toEqual([])
})

test('operations, pages and specifications that the visitor does not see are refused alike', async () => {
  const { base } = await publish(octavo, ['put', '/pets/{petId}'])
  const [panel] = await readPanels(base)
  const hidden = await publishPages(octavo, [insertPage('# Plain'), insertPage('# Empty')])
  const attempts = [
    { method: 'delete' },
    { path: '/photos' },
    { spec: 'unknown' },
    { page: 'unknown' },
    { page: hidden.pages[0] },
    { path: '__proto__' },
  ]
  const messages = new Set<string | undefined>()
  for (const attempt of attempts) {
    const { reply, content } = await send(base, panel, { parameters: petId }, attempt)
    expect([attempt, reply.status]).toEqual([attempt, 404])
    messages.add(content.error?.message)
  }
  expect(messages.size).toBe(1)
  expect(api.requests).toEqual([])
})

test('a visitor who cannot see the site cannot send requests', async () => {
  const { base, params } = await publish(octavo, ['put', '/pets/{petId}'])
  const [panel] = await readPanels(base)
  await octavo.admin.api.updateSiteById({ params, body: { visibility: 'share-link' } })
  const reply = await fetch(new URL(panel?.proxy?.url ?? '', base), { method: 'POST', body: '{}' })
  expect(reply.status).toBe(404)
  expect(api.requests).toEqual([])
})

test('values cannot select another host, path or header', async () => {
  const { base } = await publish(octavo, ['put', '/pets/{petId}'])
  const [panel] = await readPanels(base)
  const attempts = [
    { server: 2, variables: { host: new URL(api.url).host } },
    { server: 2, variables: { host: 'evil.test/' } },
    { server: 1, variables: { version: 'v3' } },
    { server: 1, variables: { version: '../admin' } },
    { server: 99 },
    { parameters: { 'path petId': '..' } },
    { parameters: { 'path petId': '.' } },
    { parameters: { ...petId, 'header X-Trace': 'a\r\nX-Admin: 1' } },
    { credentials: { bearer: { secret: 'a\nX-Admin: 1' } } },
  ]
  for (const attempt of attempts) {
    const { reply } = await send(base, panel, { parameters: petId, ...attempt })
    expect([attempt, reply.status]).toEqual([attempt, 422])
  }
  for (const values of [{ server: -1 }, { server: 0.5 }, { text: 1 }, { files: { a: 'b' } }]) {
    const { reply } = await send(base, panel, values)
    expect([values, reply.status]).toEqual([values, 400])
  }
  expect(api.requests).toEqual([])
  await send(base, panel, { parameters: { 'path petId': '../../admin?x#y' } })
  expect(api.requests.map(({ url }) => url)).toEqual(['/v1/pets/..%2F..%2Fadmin%3Fx%23y'])
})

test('requests of pages on other sites, other methods and bodies that are no JSON are refused', async () => {
  const { base } = await publish(octavo, ['put', '/pets/{petId}'])
  const [panel] = await readPanels(base)
  for (const [name, value] of [
    ['origin', 'https://evil.test'],
    ['sec-fetch-site', 'cross-site'],
  ] as const)
    expect((await send(base, panel, {}, { headers: { [name]: value } })).reply.status).toBe(403)
  const url = new URL(panel?.proxy?.url ?? '', base)
  expect((await fetch(url)).status).toBe(405)
  expect((await fetch(url, { method: 'POST', body: '{' })).status).toBe(400)
  expect((await fetch(url, { method: 'POST', body: JSON.stringify('x'.repeat(300_000)) })).status).toBe(413)
  expect(api.requests).toEqual([])
})

test('redirects are returned and not followed', async () => {
  const { base } = await publish(octavo, ['put', '/pets/{petId}'])
  const [panel] = await readPanels(base)
  api.reply = { status: 307, headers: { location: 'http://169.254.169.254/latest' } }
  const { content } = await send(base, panel, { parameters: petId })
  expect(content.status).toBe(307)
  expect(api.requests).toHaveLength(1)
})

test('a huge response is truncated, also if it is compressed', async () => {
  const { base } = await publish(octavo, ['put', '/pets/{petId}'])
  const [panel] = await readPanels(base)
  const huge = Buffer.alloc(30_000_000, 'x')
  for (const reply of [{ body: huge }, { body: gzipSync(huge), headers: { 'content-encoding': 'gzip' } }]) {
    api.reply = reply
    const { content, body } = await send(base, panel, { parameters: petId })
    expect([content.status, content.isTruncated, body.length]).toEqual([200, true, 1_000_000])
  }
})

test('an API that does not respond or cannot be reached is an explained error', async () => {
  const { base } = await publish(octavo, ['put', '/pets/{petId}'])
  const [panel] = await readPanels(base)
  const closed = await send(base, panel, { server: 2, parameters: petId })
  expect([closed.reply.status, closed.content.error?.message]).toEqual([
    424,
    expect.stringContaining('could not be reached'),
  ])
  api.reply = { delay: 'never' }
  const slow = send(base, panel, { parameters: petId })
  expect((await fetch(base)).status).toBe(200)
  const { reply, content } = await slow
  expect([reply.status, content.error?.message]).toEqual([424, 'The host did not respond in time'])
  const metrics = await (await octavo.fetch('/metrics')).text()
  expect(metrics).toMatch(/octavo_api_proxy_requests_total\{result="failed"\} [1-9]/)
})

test('private addresses are refused unless the operator allows them, and requests are limited per minute', async () => {
  const strict = await serverForTest({ OCTAVO_API_PROXY_RATE_LIMIT: '2' })
  await putSpec(strict.admin, 'pets', json(createDocument(serversOf(api))))
  const { base } = await publish(strict, ['put', '/pets/{petId}'])
  const [panel] = await readPanels(base)
  for (let count = 0; count < 2; count++) {
    const { reply, content } = await send(base, panel, { parameters: petId })
    expect([reply.status, content.error?.message]).toEqual([424, expect.stringContaining('private address')])
  }
  const { reply } = await send(base, panel, { parameters: petId })
  expect(reply.status).toBe(429)
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(api.requests).toEqual([])
})
