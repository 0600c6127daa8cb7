import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw } from '../support/raw-http.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const teams = () => `/v1/orgs/${octavo.admin.organizationId}/teams`

/** Calls the API as the administrator, with `json` as the body. */
function call(path: string, { json, ...init }: RequestInit & { json?: unknown } = {}): Promise<Response> {
  return octavo.fetch(path, {
    token: octavo.admin.token,
    ...init,
    ...(json !== undefined && { body: JSON.stringify(json) }),
    headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
  })
}

async function newTeam(title: string): Promise<{ id: string; path: string }> {
  const { id } = (await (await call(teams(), { method: 'PUT', json: { title } })).json()) as { id: string }
  return { id, path: `${teams()}/${id}` }
}

const create = (key: string, title: string, path = `/v1/orgs/${octavo.admin.organizationId}/collections`) =>
  call(path, { method: 'POST', json: { title }, headers: { 'idempotency-key': key } })

describe('errors', () => {
  test('contain the status, a message, and the path of every invalid field', async () => {
    const reply = await call(teams(), { method: 'PUT', json: { title: 7, members: ['a', false] } })
    expect(reply.status).toBe(400)
    const { error } = (await reply.json()) as { error: { code: number; message: string; details: { path: string }[] } }
    expect(error.code).toBe(400)
    expect(error.message).toContain('body.title')
    expect(error.details.map((detail) => detail.path)).toEqual(['body.title', 'body.members.1'])
  })

  test('are problem details if the Accept header requests them', async () => {
    const reply = await call(`${teams()}/none`, { headers: { accept: 'application/problem+json' } })
    expect(reply.headers.get('content-type')).toBe('application/problem+json')
    expect(await reply.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'No team was found',
    })
  })

  test.each([
    ['malformed JSON', '{"title":', 'JSON'],
    ['a list instead of an object', '[]', 'body'],
    ['a text instead of an object', '"x"', 'body'],
    ['nothing where something is needed', '', 'body.title'],
    ['a title of blanks', '{"title":"   "}', 'body.title'],
    ['a title that is too long', JSON.stringify({ title: 'x'.repeat(65) }), 'body.title'],
    ['a character that databases cannot keep', '{"title":"a\\u0000b"}', 'U+0000'],
  ])('%s returns 400 and creates nothing', async (_, body, told) => {
    const before = await octavo.admin.api.listTeamsInOrganizationById({ params: octavo.admin })
    const reply = await call(teams(), { method: 'PUT', body })
    expect(reply.status).toBe(400)
    expect(((await reply.json()) as { error: { message: string } }).error.message).toContain(told)
    expect((await octavo.admin.api.listTeamsInOrganizationById({ params: octavo.admin })).count).toBe(before.count)
  })

  test('strings that look like escapes or SQL are stored unchanged', async () => {
    const title = 'a\\u0000b; drop table teams; --'
    const { path } = await newTeam(title)
    expect(await (await call(path)).json()).toMatchObject({ title })
  })

  test.each([
    ['/v1/nothing', 404],
    ['/nothing', 404],
    ['/v1/orgs/%00', 400],
    ['/v1/orgs/%ff', 404],
    [`/v1/orgs/${'x'.repeat(3000)}`, 404],
    ['/v1/spaces/..%2f..%2fetc', 404],
  ])('%s returns %i', async (path, status) => {
    const reply = await call(path)
    expect(reply.status).toBe(status)
    expect(await reply.json()).toMatchObject({ error: { code: status } })
  })

  test('an unsupported method returns 405 with the supported methods in Allow', async () => {
    const reply = await call(teams(), { method: 'DELETE' })
    expect(reply.status).toBe(405)
    expect(reply.headers.get('allow')).toBe('GET, PUT, OPTIONS')
  })

  test.each(['Basic abc', 'Bearer', 'Bearer wrong', `Bearer ${'x'.repeat(5000)}`])(
    'the authorization %s returns 401',
    async (authorization) => {
      const reply = await octavo.fetch('/v1/user', { headers: { authorization } })
      expect(reply.status).toBe(401)
    },
  )
})

describe('lists', () => {
  test.each([
    ['limit=1001', 'query.limit'],
    ['limit=-1', 'query.limit'],
    ['limit=ten', 'query.limit'],
    ['limit=', 'query.limit'],
    ['limit=1.5', 'query.limit'],
    ['limit=1&limit=2', 'query.limit'],
    ['page=nonsense', 'query.page'],
    ['page=WyJhIiwiYiJd', 'query.page'],
    ['page=WzFd', 'query.page'],
  ])('?%s returns 400', async (query, field) => {
    const reply = await call(`${teams()}?${query}`)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ error: { details: [{ path: field }] } })
  })

  test('ignore unknown parameters and return only the count for a limit of 0', async () => {
    await newTeam('Counted')
    const reply = await call(`${teams()}?limit=0&unknown=1`)
    const page = (await reply.json()) as { items: unknown[]; count: number }
    expect(page.items).toEqual([])
    expect(page.count).toBeGreaterThan(0)
  })

  test('contain 50 items by default', async () => {
    const own = await serverForTest()
    const params = { organizationId: own.admin.organizationId }
    for (let index = 0; index < 51; index++)
      await own.admin.api.createCollection({ params, body: { title: `C${index}` } })
    const first = await own.admin.api.listCollectionsInOrganizationById({ params })
    expect([first.items.length, first.count]).toEqual([50, 51])
    const rest = await own.admin.api.listCollectionsInOrganizationById({ params, query: { page: first.next?.page } })
    expect(rest.items.map((collection) => collection.title)).toEqual(['C50'])
  })
})

describe('entity tags', () => {
  test('avoid sending an unchanged resource again', async () => {
    const { path } = await newTeam('Tagged')
    const first = await call(path)
    const tag = first.headers.get('etag') as string
    expect(tag).toMatch(/^"[\w-]+"$/)
    const again = await call(path, { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    await call(path, { method: 'PATCH', json: { title: 'Changed' } })
    expect((await call(path, { headers: { 'if-none-match': tag } })).status).toBe(200)
  })

  test('reject a change based on an outdated version with 412', async () => {
    const { path } = await newTeam('Guarded')
    const stale = (await call(path)).headers.get('etag') as string
    const changed = await call(path, { method: 'PATCH', json: { title: 'First' }, headers: { 'if-match': stale } })
    expect(changed.status).toBe(200)
    const refused = await call(path, { method: 'PATCH', json: { title: 'Second' }, headers: { 'if-match': stale } })
    expect(refused.status).toBe(412)
    expect(await (await call(path)).json()).toMatchObject({ title: 'First' })
    const fresh = changed.headers.get('etag') as string
    expect(fresh).toBe((await call(path)).headers.get('etag'))
    expect(
      (await call(path, { method: 'PATCH', json: { title: 'Third' }, headers: { 'if-match': `"x", ${fresh}` } }))
        .status,
    ).toBe(200)
    expect(
      (await call(path, { method: 'PATCH', json: { title: 'Fourth' }, headers: { 'if-match': '*' } })).status,
    ).toBe(200)
  })
})

describe('idempotency keys', () => {
  test('replay the first reply for a repeated request', async () => {
    const first = await create('once', 'Once')
    const second = await create('once', 'Once')
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(await second.text()).toBe(await first.text())
  })

  test('execute concurrent requests only once', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => create('rush', 'Rush')))
    const ids = await Promise.all(replies.map(async (reply) => ((await reply.json()) as { id: string }).id))
    expect(new Set(ids).size).toBe(1)
  })

  test('reject a different request with the same key with 422 and a key that is too long with 400', async () => {
    await create('same', 'One')
    expect((await create('same', 'Other')).status).toBe(422)
    expect((await create('x'.repeat(256), 'Long')).status).toBe(400)
  })

  test('are separate for every user', async () => {
    const member = await octavo.member('create')
    await create('shared', 'Mine')
    const reply = await octavo.fetch(`/v1/orgs/${octavo.admin.organizationId}/collections`, {
      method: 'POST',
      token: member.token,
      body: JSON.stringify({ title: 'Theirs' }),
      headers: { 'idempotency-key': 'shared' },
    })
    expect(await reply.json()).toMatchObject({ title: 'Theirs' })
  })

  test('can be used again after a failed request', async () => {
    const key = { 'idempotency-key': 'retry' }
    const failed = await call(teams(), { method: 'PUT', json: { title: '' }, headers: key })
    expect(failed.status).toBe(400)
    expect((await call(teams(), { method: 'PUT', json: { title: 'Now' }, headers: key })).status).toBe(201)
  })

  test('are rejected by operations whose reply contains a secret', async () => {
    const reply = await call('/v1/user/tokens', {
      method: 'POST',
      json: { label: 'x' },
      headers: { 'idempotency-key': 'secret' },
    })
    expect(reply.status).toBe(400)
  })
})

describe('replies', () => {
  test('have a Location header for a created resource', async () => {
    const team = await call(teams(), { method: 'PUT', json: { title: 'Placed' } })
    const { id } = (await team.json()) as { id: string }
    expect(team.headers.get('location')).toBe(`${octavo.url}${teams()}/${id}`)
    const collection = await call(`/v1/orgs/${octavo.admin.organizationId}/collections`, { method: 'POST', body: '' })
    const created = (await collection.json()) as { id: string; urls: { location: string } }
    expect(collection.headers.get('location')).toBe(created.urls.location)
    expect((await octavo.fetch(new URL(created.urls.location).pathname, { token: octavo.admin.token })).status).toBe(
      200,
    )
  })

  test('are empty with Prefer: return=minimal', async () => {
    const { path } = await newTeam('Brief')
    const reply = await call(path, {
      method: 'PATCH',
      json: { title: 'Briefer' },
      headers: { prefer: 'return=minimal' },
    })
    expect([reply.status, reply.headers.get('preference-applied'), await reply.text()]).toEqual([
      204,
      'return=minimal',
      '',
    ])
    expect(await (await call(path)).json()).toMatchObject({ title: 'Briefer' })
  })

  test("have a request id: the caller's if it is well-formed, otherwise a new one", async () => {
    const own = await call('/v1/user', { headers: { 'x-request-id': 'trace-42' } })
    expect(own.headers.get('x-request-id')).toBe('trace-42')
    const odd = await call('/v1/user', { headers: { 'x-request-id': 'a b"c' } })
    expect(odd.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(octavo.log.some((line) => line.includes('"requestId":"trace-42"'))).toBe(true)
  })

  test('are readable across origins', async () => {
    const reply = await call('/v1/user', { headers: { origin: 'https://docs.example' } })
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.get('access-control-expose-headers')).toContain('ETag')
    const preflight = await octavo.fetch(teams(), { method: 'OPTIONS', headers: { origin: 'https://docs.example' } })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, PUT, OPTIONS',
    ])
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
  })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('are compressed with %s if they are large', async (encoding, decompress) => {
    for (let index = 0; index < 20; index++) await newTeam(`Large ${index}`)
    const { body: plain } = await rawGet(teams(), {})
    const reply = await rawGet(teams(), { 'accept-encoding': encoding })
    expect(reply.headers['content-encoding']).toBe(encoding)
    expect(reply.body.length).toBeLessThan(plain.length / 2)
    expect(decompress(reply.body).toString()).toBe(plain.toString())
    const again = await rawGet(teams(), {
      'accept-encoding': encoding,
      'if-none-match': reply.headers['etag'] as string,
    })
    expect(again.statusCode).toBe(304)
    expect(
      (await rawGet(teams(), { 'accept-encoding': `${encoding};q=0` })).headers['content-encoding'],
    ).toBeUndefined()
  })
})

/** Sends a GET request and returns the body without decompressing it. */
function rawGet(path: string, headers: Record<string, string>) {
  return new Promise<{ statusCode: number | undefined; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const options = { headers: { authorization: `Bearer ${octavo.admin.token}`, ...headers } }
      request(`${octavo.url}${path}`, options, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('end', () =>
          resolve({ statusCode: reply.statusCode, headers: reply.headers, body: Buffer.concat(chunks) }),
        )
      })
        .on('error', reject)
        .end()
    },
  )
}

describe('limits', () => {
  test('requests over the rate limit return 429 until the window has passed', async () => {
    const own = await serverForTest({ OCTAVO_RATE_LIMIT: '5' })
    const ask = () => own.fetch('/v1/user', { token: own.admin.token })
    // The setup of the server used the first of the five requests.
    const replies = [await ask(), await ask(), await ask(), await ask(), await ask()]
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 429])
    expect(replies[3]?.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(replies[4]?.headers.get('x-ratelimit-limit')).toBe('5')
    expect(Number(replies[4]?.headers.get('retry-after'))).toBeGreaterThan(0)
    own.clock.advance(60_000)
    expect((await ask()).status).toBe(200)
  })

  test('invalid tokens are limited by client address', async () => {
    const own = await serverForTest({ OCTAVO_RATE_LIMIT: '3' })
    const guess = () => own.fetch('/v1/user', { token: 'oct_a_guess_that_is_wrong' })
    const statuses = [await guess(), await guess(), await guess(), await guess()].map((reply) => reply.status)
    expect(statuses).toEqual([401, 401, 401, 429])
  })

  test('a body over the size limit returns 413, with or without Content-Length', async () => {
    const own = await serverForTest({ OCTAVO_BODY_LIMIT: '1024' })
    const path = `/v1/orgs/${own.admin.organizationId}/teams`
    const body = JSON.stringify({ title: 'x'.repeat(2000) })
    const told = await own.fetch(path, { method: 'PUT', token: own.admin.token, body })
    expect(told.status).toBe(413)
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(body))
        controller.close()
      },
    })
    const untold = await own.fetch(path, {
      method: 'PUT',
      token: own.admin.token,
      body: stream,
      duplex: 'half',
    })
    expect(untold.status).toBe(413)
    expect(await untold.json()).toMatchObject({ error: { code: 413 } })
  })
})

describe('outside the API', () => {
  test('health and readiness endpoints report the state of the server', async () => {
    expect(await (await octavo.fetch('/healthz')).json()).toEqual({ status: 'ok' })
    expect(await (await octavo.fetch('/readyz')).json()).toEqual({
      status: 'ready',
      checks: { database: 'ok', files: 'ok' },
    })
  })

  test('metrics count requests and jobs', async () => {
    await call('/v1/user')
    const text = await (await octavo.fetch('/metrics')).text()
    expect(text).toMatch(/octavo_http_requests_total\{operation="getAuthenticatedUser",status="200"\} \d+/)
    expect(text).toMatch(/octavo_jobs\{kind="search.index",state="\w+"\} \d+/)
    expect(text).toMatch(/process_resident_memory_bytes \d+/)
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const names = new Set(samples.map((line) => /^\w+/.exec(line)?.[0].replace(/_(bucket|sum|count)$/, '') ?? line))
    for (const name of names) {
      const kind = name.endsWith('request_seconds') ? 'histogram' : name.endsWith('_total') ? 'counter' : 'gauge'
      expect(text).toMatch(new RegExp(`^# HELP ${name} \\S.*\\n# TYPE ${name} ${kind}$`, 'm'))
    }
  })

  test("metrics without a token are served on the server's own hosts only, not on hostnames of sites", async () => {
    const own = await serverForTest({ OCTAVO_URL: 'https://octavo.example.com' })
    const statusAt = async (host: string, ...headers: string[]) =>
      (await sendRaw(own.url, '/metrics', { headers: [`Host: ${host}`, ...headers] })).status
    for (const host of ['octavo.example.com', new URL(own.url).host, 'octavo:3000', '[::1]:3000']) {
      expect([host, await statusAt(host)]).toEqual([host, 200])
    }
    expect(await statusAt('docs.example.org')).toBe(404)
    expect(await statusAt('sites.octavo.example.com')).toBe(404)
    const withToken = await serverForTest({ OCTAVO_METRICS_TOKEN: 'a-token-for-metrics-only' })
    const asked = await sendRaw(withToken.url, '/metrics', {
      headers: ['Host: octavo.default.svc', 'Authorization: Bearer a-token-for-metrics-only'],
    })
    expect(asked.status).toBe(200)
  })

  test('metrics require the configured token', async () => {
    const token = 'a-token-for-metrics-only'
    const own = await serverForTest({ OCTAVO_METRICS_TOKEN: token })
    expect((await own.fetch('/metrics')).status).toBe(401)
    expect((await own.fetch('/metrics', { token })).status).toBe(200)
  })

  test('the log contains requests without tokens and query strings', async () => {
    await call('/v1/user?secret=in-a-query')
    const log = octavo.log.join('')
    expect(log).toContain('"path":"/v1/user"')
    expect(log).not.toContain(octavo.admin.token)
    expect(log).not.toContain('in-a-query')
  })

  test('the log does not contain the secret of an invite', async () => {
    const { api, organizationId } = octavo.admin
    const { id } = await api.createOrganizationInvite({ params: { organizationId }, body: { role: 'read' } })
    await api.getOrganizationInviteLink({ params: { organizationId, inviteId: id } })
    expect(octavo.log.join('')).not.toContain(id)
  })

  test('a browser gets an HTML start page, and HTML without injected markup for an unknown path', async () => {
    const home = await octavo.fetch('/')
    expect(home.headers.get('content-type')).toContain('text/html')
    const text = await home.text()
    expect(text).toContain('Octavo is running')
    expect(text).toContain('href="/app"')
    const unknown = await octavo.fetch('/nothing/%3Cscript%3E')
    expect([unknown.status, (await unknown.text()).includes('<script>')]).toEqual([404, false])
  })
})
