import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeOrganization } from '../support/organization.ts'
import {
  type HeldConnection,
  emptyObjects,
  formatRequestHead,
  openConnection,
  manyKeys,
  nestedLists,
  openHalfRequests,
  withholdEnd,
} from '../support/hostile-requests.ts'
import { type TestServer, serverForTest, startTestServer, waitUntil } from '../support/server.ts'

const mebibyte = 1024 ** 2

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const post = (path: string, body: string, init: { token?: string; headers?: Record<string, string> } = {}) =>
  octavo.fetch(path, { method: 'POST', body, ...init })

const bearer = (token: string) => `Authorization: Bearer ${token}`

/** Waits for the reply on a connection and returns its status. */
const statusOf = (held: { received(): string }) =>
  waitUntil(async () => /^HTTP\/1\.1 (\d{3})/.exec(held.received())?.[1], 'the server answered')

// The body is never sent, so a server that waits for it never replies.
const answerToHead = async (method: string, path: string, ...headers: string[]) => {
  const held = await openConnection(octavo.url, formatRequestHead({ method, path, length: 30 * mebibyte, headers }))
  const status = await statusOf(held)
  held.destroy()
  return status
}

describe('requests that are rejected before their body is read', () => {
  test('a webhook that does not exist or has no signature returns 404', async () => {
    expect(await answerToHead('POST', '/v1/spaces/any/git/webhook', 'X-Hub-Signature-256: sha256=0')).toBe('404')
    expect(await answerToHead('POST', `/v1/spaces/${octavo.admin.spaceId}/git/webhook`)).toBe('404')
  })

  test('events of a site that does not exist return 404', async () => {
    const path = `/v1/orgs/${octavo.admin.organizationId}/sites/none/insights/events`
    expect(await answerToHead('POST', path)).toBe('404')
  })

  test('a caller without a token, a role or membership gets 401, 403 or 404', async () => {
    const path = `/v1/spaces/${octavo.admin.spaceId}/content`
    const reader = await octavo.member('read')
    const stranger = await octavo.person()
    expect(await answerToHead('POST', path)).toBe('401')
    expect(await answerToHead('POST', path, bearer(reader.token))).toBe('403')
    expect(await answerToHead('POST', path, bearer(stranger.token))).toBe('404')
    const spaces = `/v1/orgs/${octavo.admin.organizationId}/spaces`
    expect(await answerToHead('POST', spaces, bearer(stranger.token))).toBe('404')
  })

  test('a body over the size limit of the operation returns 413', async () => {
    const path = `/v1/orgs/${octavo.admin.organizationId}/teams`
    const tooMuch = formatRequestHead({
      method: 'PUT',
      path,
      length: 33 * mebibyte,
      headers: [bearer(octavo.admin.token)],
    })
    expect(await statusOf(await openConnection(octavo.url, tooMuch))).toBe('413')
    expect(await answerToHead('POST', '/v1/urls/published')).toBe('413')
  })
})

const content = () => `/v1/spaces/${octavo.admin.spaceId}/content`

describe('JSON that is expensive to parse', () => {
  test.each([
    ['many objects', emptyObjects(4 * mebibyte, 'changes'), 413],
    ['many names', manyKeys(6 * mebibyte), 413],
    ['lists in lists', nestedLists(4 * mebibyte, 'changes'), 400],
    ['one long text', JSON.stringify({ changes: 'x'.repeat(9 * mebibyte) }), 413],
    ['many wrong changes', emptyObjects(60_000, 'changes'), 400],
    [
      'many wrong blocks',
      JSON.stringify({
        changes: [
          {
            operation: 'insert_page',
            document: {
              document: { object: 'document', data: {}, nodes: Array.from({ length: 90_000 }, () => ({})) },
            },
          },
        ],
      }),
      400,
    ],
    [
      'many wrong variables',
      JSON.stringify({
        changes: [
          {
            operation: 'set_variables',
            variables: Object.fromEntries(Array.from({ length: 9000 }, (_, n) => [n, []])),
          },
        ],
      }),
      400,
    ],
  ])('rejects %s', async (_, body, status) => {
    const reply = await post(content(), body, { token: octavo.admin.token })
    expect(reply.status).toBe(status)
    expect((await reply.text()).length).toBeLessThan(20_000)
  })

  test('accepts a page with 3000 blocks', async () => {
    const blocks = Array.from({ length: 3000 }, (_, index) => ({
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: `Paragraph ${index}`, marks: [] }] }],
    }))
    const document = { document: { object: 'document', data: {}, nodes: blocks } }
    const change = { operation: 'insert_page', title: 'Long', document }
    const reply = await post(content(), JSON.stringify({ changes: [change] }), { token: octavo.admin.token })
    expect([reply.status, reply.status === 200 ? '' : await reply.text()]).toEqual([200, ''])
  })
})

/** Returns whether a request was rejected; the reply may be lost when the connection closes during the upload. */
const isRefused = (held: HeldConnection) => held.received() !== '' || held.isClosed()

describe('memory for request bodies', () => {
  test('is limited per caller with 429, and small requests still succeed', async () => {
    const own = await serverForTest({ OCTAVO_BODY_LIMIT: String(mebibyte), OCTAVO_BODY_MEMORY: String(4 * mebibyte) })
    const path = `/v1/spaces/${own.admin.spaceId}/content`
    const body = JSON.stringify({ changes: [{ operation: 'delete_page', page: 'x'.repeat(900_000) }] })
    const head = { path, headers: [bearer(own.admin.token)] }
    const held: HeldConnection[] = []
    for (let count = 0; count < 8; count++) held.push(await withholdEnd(own.url, head, body, 10))
    await waitUntil(async () => held.filter(isRefused).length === 6, 'all but two were refused')
    const replies = held.map((each) => each.received()).filter((received) => received !== '')
    for (const reply of replies) expect(reply).toMatch(/^HTTP\/1\.1 429 [^]*\r\nretry-after: \d+\r\n/i)
    const large = await own.fetch(path, { method: 'POST', token: own.admin.token, body })
    expect(large.status).toBe(429)
    const small = await own.fetch(`/v1/orgs/${own.admin.organizationId}/teams`, {
      method: 'PUT',
      token: own.admin.token,
      body: JSON.stringify({ title: 'Small' }),
    })
    expect(small.status).toBe(201)
    // The memory is released when a request ends or its connection closes.
    for (const each of held) each.destroy()
    await waitUntil(async () => {
      const again = await own.fetch(path, { method: 'POST', token: own.admin.token, body })
      return again.status === 400
    }, 'the memory was given back')
  })

  test('is limited per forwarded client address behind a trusted proxy', async () => {
    const own = await serverForTest({
      OCTAVO_BODY_LIMIT: String(mebibyte),
      OCTAVO_BODY_MEMORY: String(4 * mebibyte),
      OCTAVO_TRUSTED_PROXIES: '1',
    })
    const path = `/v1/spaces/${own.admin.spaceId}/content`
    const body = JSON.stringify({ changes: [{ operation: 'delete_page', page: 'x'.repeat(900_000) }] })
    const from = (address: string) => [bearer(own.admin.token), `X-Forwarded-For: ${address}`]
    const held: HeldConnection[] = []
    for (let count = 0; count < 3; count++)
      held.push(await withholdEnd(own.url, { path, headers: from('192.0.2.1') }, body, 10))
    await waitUntil(async () => held.some(isRefused), 'one was refused')
    const other = await own.fetch(path, {
      method: 'POST',
      token: own.admin.token,
      body,
      headers: { 'x-forwarded-for': '192.0.2.2' },
    })
    expect(other.status).toBe(400)
    for (const each of held) each.destroy()
  })
})

describe('slow clients', () => {
  test('a body or an upload that stops arriving is rejected with 408', async () => {
    const own = await serverForTest({ OCTAVO_BODY_TIMEOUT: '1' })
    const { organizationId, token, api } = own.admin
    const head = { method: 'PUT', path: `/v1/orgs/${organizationId}/teams`, headers: [bearer(token)] }
    const slow = await withholdEnd(own.url, head, JSON.stringify({ title: 'x' }), 3)
    expect(await statusOf(slow)).toBe('408')
    await slow.closed
    const file = { name: 'a', type: 'text/plain', size: 5 }
    const { url } = await api.generateStorageUploadURL({
      params: { organizationId },
      body: { file, kind: 'organization_file' },
    })
    const { pathname, search } = new URL(url)
    const upload = await withholdEnd(own.url, { method: 'PUT', path: pathname + search }, 'bytes', 2)
    expect(await statusOf(upload)).toBe('408')
    await upload.closed
  })

  test('a connection without complete headers in time is closed', async () => {
    const own = await serverForTest({ OCTAVO_HEADER_TIMEOUT: '1' })
    const [half, silent] = [
      await openConnection(own.url, 'GET /healthz HTTP/1.1\r\nHost:'),
      await openConnection(own.url, ''),
    ]
    await half.closed
    await silent.closed
    expect(half.received()).toMatch(/^(HTTP\/1\.1 408 |$)/)
  })
})

describe('many connections', () => {
  test('from one address close the oldest ones, and new requests are still answered', async () => {
    const own = await serverForTest({ OCTAVO_MAX_CONNECTIONS_PER_ADDRESS: '20' })
    const half = await openHalfRequests(own.url, 200)
    await waitUntil(async () => half.filter((each) => each.isClosed()).length >= 180, 'the oldest were closed')
    expect((await own.fetch('/healthz')).status).toBe(200)
    expect((await own.fetch('/v1/user', { token: own.admin.token })).status).toBe(200)
    for (const each of half) each.destroy()
  })

  test('from a trusted proxy are limited only in total', async () => {
    const own = await serverForTest({
      OCTAVO_MAX_CONNECTIONS_PER_ADDRESS: '20',
      OCTAVO_MAX_CONNECTIONS: '100',
      OCTAVO_TRUSTED_PROXIES: '1',
    })
    const half = await openHalfRequests(own.url, 80)
    expect((await own.fetch('/healthz')).status).toBe(200)
    expect(half.filter((each) => each.isClosed())).toEqual([])
    const more = await openHalfRequests(own.url, 200)
    await waitUntil(
      async () => [...half, ...more].filter((each) => each.isClosed()).length >= 170,
      'the oldest were closed',
    )
    expect((await own.fetch('/healthz')).status).toBe(200)
    for (const each of [...half, ...more]) each.destroy()
  })

  test('with open requests are limited per forwarded address, except for the health check', async () => {
    const own = await serverForTest({ OCTAVO_MAX_CONNECTIONS_PER_ADDRESS: '10', OCTAVO_TRUSTED_PROXIES: '1' })
    const path = `/v1/orgs/${own.admin.organizationId}/teams`
    const from = (address: string) => [bearer(own.admin.token), `X-Forwarded-For: ${address}`]
    const body = JSON.stringify({ title: 'x' })
    const held: HeldConnection[] = []
    for (let count = 0; count < 12; count++)
      held.push(await withholdEnd(own.url, { method: 'PUT', path, headers: from('192.0.2.1') }, body, 3))
    await waitUntil(
      async () => held.filter((each) => each.received().startsWith('HTTP/1.1 429')).length === 2,
      'two are refused',
    )
    const asked = (address: string, to = '/v1/user') =>
      own.fetch(to, { token: own.admin.token, headers: { 'x-forwarded-for': address } })
    expect((await asked('192.0.2.1')).status).toBe(429)
    expect((await asked('192.0.2.1', '/healthz')).status).toBe(200)
    expect((await asked('192.0.2.2')).status).toBe(200)
    for (const each of held) each.destroy()
    await waitUntil(async () => (await asked('192.0.2.1')).status === 200, 'the requests have ended')
  })
})

describe('a repeated request with an idempotency key', () => {
  test('is rejected with 404 after the caller has lost access', async () => {
    const acme = await makeOrganization(octavo)
    const member = await acme.member('create')
    const space = await acme.space('Ours')
    const calls = [
      [`/v1/orgs/${acme.params.organizationId}/collections`, { title: 'Mine' }],
      // This operation does work before its transaction.
      [
        `/v1/spaces/${space.id}/content`,
        { changes: [{ operation: 'insert_page', title: 'New', document: { markdown: 'Text' } }] },
      ],
    ] as const
    const send = ([path, body]: (typeof calls)[number]) =>
      post(path, JSON.stringify(body), { token: member.token, headers: { 'idempotency-key': 'again' + path } })
    for (const call of calls) {
      const [first, second] = [await send(call), await send(call)]
      expect([first.ok, second.headers.get('idempotent-replayed')]).toEqual([true, 'true'])
    }
    await acme.owner.api.removeMemberFromOrganizationById({ params: { ...acme.params, userId: member.id } })
    for (const call of calls) {
      const reply = await send(call)
      expect(reply.status).toBe(404)
      expect(reply.headers.get('idempotent-replayed')).toBeNull()
    }
  })
})

test('keeps idle connections open for longer than reverse proxies reuse them', async () => {
  const reply = await octavo.fetch('/v1/user')
  // nginx and others reuse connections that were idle for up to 60 seconds.
  expect(reply.headers.get('keep-alive')).toBe('timeout=75')
})
