import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Change, editLive, insertPage, writePage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { signVisitorToken } from '../support/visits.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Publishes a site and waits until its pages are in the search index. */
async function publish(changes: readonly Change[], body: Record<string, unknown> = {}) {
  const site = await publishPages(octavo, changes, body)
  await waitUntilSearchable(octavo, site.spaceId)
  return site
}

/** Connects the official MCP client to a site. */
async function connect(url: string, headers: Record<string, string> = {}) {
  const client = new Client({ name: 'tests', version: '1' })
  const problems: unknown[] = []
  Object.assign(client, { onerror: (error: unknown) => problems.push(error) })
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  await client.connect(transport)
  return {
    client,
    problems,
    call: async (name: string, given: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: given })
      const [first] = result.content as { type: string; text: string }[]
      return { text: first?.text ?? '', data: result.structuredContent as never, isError: result.isError === true }
    },
  }
}

/** Sends a body unchanged. */
async function send(url: string, body: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, reply: (text === '' ? undefined : JSON.parse(text)) as never }
}

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
const pong = (id: number) => ({ jsonrpc: '2.0', id, result: {} })
const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 'a',
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})

interface Found {
  pages: { title: string; address: string; description?: string; sections: { address: string; text: string }[] }[]
  nextCursor?: string
}

test('an MCP client searches a site, reads its pages and lists them', async () => {
  const { base, spaceId, pages } = await publish([
    insertPage('# Welcome\n\nHello world', { description: 'Begin here' }),
    insertPage('# Install\n\n## On Linux\n\nUse the penguin package', { slug: 'install' }),
    insertPage('# Hidden', { slug: 'hidden', hidden: true }),
  ])
  for (const path of ['~mcp', '~gitbook/mcp']) {
    const { client, problems, call } = await connect(base + path)
    expect(client.getServerVersion()).toMatchObject({ title: 'Handbook' })
    const tools = (await client.listTools()).tools.map(({ name }) => name)
    expect(tools.slice(0, 3)).toEqual(['search', 'read_page', 'list_pages'])
    const found = (await call('search', { query: 'penguin' })).data as Found
    expect(found.pages.map(({ title, address }) => `${title} ${address}`)).toEqual([`Install ${base}install`])
    expect(found.pages[0]?.sections[0]).toMatchObject({ address: `${base}install#on-linux` })
    expect(found.pages[0]?.sections[0]?.text).toContain('penguin package')
    const markdown = '# Install\n\n## On Linux\n\nUse the penguin package\n'
    const { pathname } = new URL(base)
    for (const page of [`${base}install`, `${base}install.md#on-linux`, '/install', 'install', `${pathname}install`]) {
      expect([page, (await call('read_page', { page })).text]).toEqual([page, markdown])
    }
    expect((await call('read_page', { page: base })).text).toBe('# Welcome\n\nBegin here\n\nHello world\n')
    expect((await call('list_pages', {})).data).toEqual({
      pages: [
        { title: 'Welcome', address: base, description: 'Begin here' },
        { title: 'Install', address: `${base}install` },
      ],
    })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([`${base}index.md`, `${base}install.md`])
    const read = await client.readResource({ uri: `${base}install.md` })
    expect(read.contents).toMatchObject([{ mimeType: 'text/markdown', text: markdown }])
    await client.ping()
    await client.close()
    expect(problems).toEqual([])
  }
  const { client, call } = await connect(`${base}~mcp`)
  await editLive(octavo.admin, spaceId, writePage(pages[0] ?? '', 'Changed'))
  expect((await call('read_page', { page: base })).text).toContain('Changed')
  const absent = await call('read_page', { page: 'nowhere' })
  expect([absent.isError, absent.text]).toEqual([true, expect.stringContaining('Page not found')])
  for (const page of ['https://elsewhere.example/', 'file:///etc/passwd', '%', 'a%00b', '~/changes/1']) {
    expect([page, (await call('read_page', { page })).isError]).toEqual([page, true])
  }
  await expect(call('search', {})).rejects.toMatchObject({ code: -32602 })
  await expect(call('search', { query: 'x', limit: 'many' })).rejects.toMatchObject({ code: -32602 })
  await expect(call('unknown', {})).rejects.toMatchObject({ code: -32602 })
  await expect(call('list_pages', { cursor: 'x.y' })).rejects.toMatchObject({ code: -32602 })
  await expect(call('list_pages', { path: 'nowhere' })).rejects.toMatchObject({ code: -32602 })
  await expect(client.readResource({ uri: `${base}nowhere.md` })).rejects.toMatchObject({ code: -32002 })
  await expect(client.listPrompts()).rejects.toMatchObject({ code: -32601 })
  await client.close()
})

test('list_pages returns long lists in batches, each page once and in order', async () => {
  const { base, spaceId, pages } = await publish([
    insertPage('# Start', { slug: 'start' }),
    insertPage('# End', { slug: 'end' }),
  ])
  const [start = ''] = pages
  const nested = Array.from({ length: 60 }, (_, index) => [
    insertPage(`# Page ${index}`, { slug: `page-${index}`, into: start, ref: `page-${index}` }),
    insertPage(`# Inner ${index}`, { slug: 'inner', into: `page-${index}` }),
  ])
  for (const from of [0, 20, 40]) await editLive(octavo.admin, spaceId, ...nested.slice(from, from + 20).flat())
  const { client, call } = await connect(`${base}~mcp`)
  const all = async (given: Record<string, unknown>) => {
    const lengths: number[] = []
    const titles: string[] = []
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const part = (await call('list_pages', { ...given, ...(cursor !== undefined && { cursor }) })).data as Found
      lengths.push(part.pages.length)
      titles.push(...part.pages.map(({ title }) => title))
      cursor = part.nextCursor
    }
    return { lengths, titles }
  }
  const inner = Array.from({ length: 60 }, (_, index) => [`Page ${index}`, `Inner ${index}`]).flat()
  expect(await all({})).toEqual({ lengths: [100, 22], titles: ['Start', ...inner, 'End'] })
  expect(await all({ path: 'start/page-7' })).toEqual({ lengths: [2], titles: ['Page 7', 'Inner 7'] })
  expect(await all({ path: base })).toMatchObject({ lengths: [100, 22] })
  await client.close()
})

test('an MCP client sees only the content that its visitor may see, and other origins get 403 on a private site', async () => {
  const pro = "visitor.claims.plan == 'pro'"
  const { base, params } = await publish(
    [
      insertPage(`# Home\n\nzebra for all\n\n{% if ${pro} %}\nzebra for few\n{% endif %}`),
      insertPage('# Pro\n\nzebra inside', { slug: 'pro', condition: pro }),
    ],
    { adaptiveContent: { enabled: true } },
  )
  const told = async (url: string, headers?: Record<string, string>) => {
    const { client, problems, call } = await connect(url, headers)
    const found = (await call('search', { query: 'zebra' })).data as Found
    const listed = (await call('list_pages', {})).data as Found
    const read = await call('read_page', { page: 'pro' })
    const home = await call('read_page', { page: base })
    await client.close()
    expect(problems).toEqual([])
    return {
      found: found.pages.map(({ title }) => title).sort(),
      listed: listed.pages.map(({ title }) => title),
      hasRead: !read.isError,
      secret: home.text.includes('for few'),
    }
  }
  const token = await signVisitorToken(octavo, params, { plan: 'pro' })
  const nobody = { found: ['Home'], listed: ['Home'], hasRead: false, secret: false }
  const paying = { found: ['Home', 'Pro'], listed: ['Home', 'Pro'], hasRead: true, secret: true }
  expect(await told(`${base}~mcp`)).toEqual(nobody)
  expect(await told(`${base}~mcp?jwt_token=${token}`)).toEqual(paying)
  expect(await told(`${base}~mcp`, { cookie: `gitbook-visitor-token=${token}` })).toEqual(paying)
  const fallbackURL = 'https://login.example.com/'
  await octavo.admin.api.updateSitePublishingAuthById({ params, body: { backend: 'custom', fallbackURL } })
  await octavo.admin.api.updateSiteById({ params, body: { visibility: 'visitor-auth' } })
  expect(await told(`${base}~mcp?jwt_token=${token}`)).toEqual(paying)
  await expect(connect(`${base}~mcp`)).rejects.toMatchObject({ code: 403 })
  const elsewhere = { origin: 'https://elsewhere.example' }
  const own = { origin: new URL(base).origin }
  expect((await send(`${base}~mcp?jwt_token=${token}`, ping(1), elsewhere)).status).toBe(403)
  const { status, headers } = await send(`${base}~mcp?jwt_token=${token}`, ping(1), own)
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null])
})

test('answers every JSON-RPC message, valid or not, with the status and error code of the protocol', async () => {
  const { base } = await publish([insertPage('# Home')])
  const url = `${base}~mcp`
  for (const version of [...SUPPORTED_PROTOCOL_VERSIONS, '2025-06-18', '2025-03-26', '2024-11-05']) {
    expect((await send(url, initialize(version))).reply).toMatchObject({
      id: 'a',
      result: { protocolVersion: version },
    })
  }
  expect((await send(url, initialize('1999-01-01'))).reply).toMatchObject({
    result: { protocolVersion: SUPPORTED_PROTOCOL_VERSIONS[0] },
  })
  const answers: [sent: unknown, status: number, reply: object | undefined][] = [
    [ping(1), 200, pong(1)],
    [[ping(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, ping(2)], 200, [pong(1), pong(2)]],
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }, 202, undefined],
    [[{ jsonrpc: '2.0', method: 'notifications/cancelled' }], 202, undefined],
    [{ jsonrpc: '2.0', id: 7, result: {} }, 202, undefined],
    ['{"jsonrpc"', 400, { id: null, error: { code: -32700 } }],
    ['', 400, { id: null, error: { code: -32700 } }],
    [[], 400, { id: null, error: { code: -32600 } }],
    [{ id: 1, method: 'ping' }, 400, { id: null, error: { code: -32600 } }],
    [null, 400, { id: null, error: { code: -32600 } }],
    [Array.from({ length: 21 }, (_, id) => ping(id)), 400, { error: { code: -32600 } }],
    [{ jsonrpc: '2.0', id: 3, method: 'constructor' }, 200, { id: 3, error: { code: -32601 } }],
    [{ jsonrpc: '2.0', id: 3, method: 'tools/call', params: [] }, 200, { id: 3, error: { code: -32602 } }],
    ['[['.repeat(50_000), 400, { error: { code: -32700 } }],
  ]
  for (const [sent, status, expected] of answers) {
    const { status: got, reply } = await send(url, sent)
    expect([JSON.stringify(sent).slice(0, 60), got]).toEqual([JSON.stringify(sent).slice(0, 60), status])
    if (expected === undefined) expect(reply).toBe(undefined)
    else expect(reply).toMatchObject(expected)
  }
  expect((await send(url, `"${'x'.repeat(300_000)}"`)).status).toBe(413)
  expect((await send(url, ping(1), { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await send(url, ping(1), { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400)
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const reply = await fetch(url, { method, headers: { accept: 'text/event-stream' } })
    expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, 'POST, OPTIONS'])
  }
  const opened = await fetch(url, { headers: { accept: 'text/html' } })
  expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(await opened.text()).toContain(url)
  // Content of a public site may be requested from any origin.
  const elsewhere = { origin: 'https://elsewhere.example' }
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { ...elsewhere, 'access-control-request-method': 'POST' },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
  expect((await send(url, ping(1), elsewhere)).headers.get('access-control-allow-origin')).toBe('*')
  expect((await fetch(base, { method: 'OPTIONS' })).status).toBe(405)
  expect((await fetch(`${base}~mcp/more`, { method: 'POST' })).status).toBe(405)
})

test("offers the tool names and parameters of GitBook's MCP server as aliases", async () => {
  const { base } = await publish([insertPage('# Welcome\n\nHello penguin'), insertPage('# Install\n\nOther words')])
  const { client, call } = await connect(`${base}~gitbook/mcp`)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['search', 'read_page', 'list_pages', 'searchDocumentation', 'getPage'])
  const found = await call('searchDocumentation', { query: 'penguin' })
  expect(found).toEqual(await call('search', { query: 'penguin' }))
  const [page] = (found.data as Found).pages
  expect(await call('getPage', { url: page?.address })).toEqual(await call('read_page', { page: page?.address }))
  expect((await call('getPage', { url: `${base}absent` })).isError).toBe(true)
})
