import { once } from 'node:events'
import { request } from 'node:http'
import { type Socket, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertPage, editLive, updatePage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer, waitUntil } from '../support/server.ts'

// Tests clients that read slowly, disconnect, or send many requests at once.

let octavo: TestServer
let base: string
let spaceId: string
let pages: string[]
beforeAll(async () => {
  octavo = await startTestServer()
  // Larger than the socket buffers between server and client.
  const long = 'Words that fill a page. '.repeat(20_000)
  const slugs = Array.from({ length: 12 }, (_, index) => `page-${index}`)
  const inserted = slugs.map((slug) => insertPage(`# Title of ${slug}\n\n${long}\n\nEnd of ${slug}`, { slug }))
  const blocks = Array.from({ length: 1500 }, (_, index) => `Paragraph ${index} has **words** and \`code\` in it.`)
  const costly = insertPage(`# Costly\n\n${blocks.join('\n\n')}`, { slug: 'costly' })
  ;({ base, spaceId, pages } = await publishPages(octavo, [insertPage('# Home'), costly, ...inserted]))
})
afterAll(() => octavo.stop())

const problems = () => octavo.log.filter((line) => /"level":"(error|warn)"/.test(line))

/** Sends a request without reading the reply. */
async function beginToAsk(target: string): Promise<Socket> {
  const { hostname, port, host, pathname } = new URL(base)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET ${pathname}${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  return socket
}

async function readAll(socket: Socket): Promise<string> {
  const received: Buffer[] = []
  for await (const bytes of socket as AsyncIterable<Buffer>) received.push(bytes)
  return Buffer.concat(received).toString()
}

test('slow clients receive the complete reply and do not block others', async () => {
  const slow = await Promise.all(Array.from({ length: 4 }, () => beginToAsk('llms-full.txt')))
  for (let page = 0; page < 12; page++) expect((await fetch(`${base}page-${page}`)).status).toBe(200)
  for (const socket of slow) {
    const reply = await readAll(socket)
    expect(reply.slice(0, 12)).toBe('HTTP/1.1 200')
    expect(reply).toContain('End of page-11')
    expect(reply.endsWith('0\r\n\r\n')).toBe(true)
  }
})

test('disconnected clients leave no open connections and no errors in the log', async () => {
  const before = connections()
  for (const target of ['llms-full.txt', 'page-3', '~search?q=words', 'sitemap.xml']) {
    const asking = await Promise.all(Array.from({ length: 20 }, () => beginToAsk(target)))
    for (const socket of asking) socket.resetAndDestroy()
  }
  const controller = new AbortController()
  const reply = await fetch(`${base}llms-full.txt`, { signal: controller.signal })
  await reply.body?.getReader().read()
  controller.abort()
  // The client disconnects in the middle of a request body.
  const { hostname, port, pathname } = new URL(base)
  const sending = request({
    hostname,
    port,
    path: `${pathname}~mcp`,
    method: 'POST',
    headers: { 'content-length': 500 },
  })
  sending.on('error', () => undefined)
  sending.write('{"jsonrpc"')
  await new Promise((resolve) => sending.once('socket', (socket) => socket.once('connect', resolve)))
  sending.destroy()
  // Some connections may be kept alive for further requests.
  await waitUntil(async () => connections() <= before + 10, 'the connections are closed')
  expect((await fetch(`${base}page-3`)).status).toBe(200)
  expect(problems()).toEqual([])
})

/** Counts the open connections in this process, which contains both the server and its clients. */
const connections = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length

test('concurrent requests for a changed page share the rendering and all get the change', async () => {
  const alone = await timeOf(() => fetch(`${base}costly`).then((reply) => reply.text()))
  await editLive(octavo.admin, spaceId, updatePage(pages[3] ?? '', { title: 'Changed title' }))
  let replies: string[] = []
  const together = await timeOf(async () => {
    const asked = Array.from({ length: 200 }, () => fetch(`${base}costly`).then((reply) => reply.text()))
    replies = await Promise.all(asked)
  })
  expect(replies.every((reply) => reply.includes('Changed title'))).toBe(true)
  expect(new Set(replies).size).toBe(1)
  expect(together).toBeLessThan(Math.max(5000, 60 * alone))
  expect(problems()).toEqual([])
})

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const claims = (plan: string) => `gitbook-visitor-public=${encodeURIComponent(JSON.stringify({ plan }))}`

test('concurrent visitors with different claims each get their own content', async () => {
  const forPro = "visitor.claims.unsigned.plan == 'pro'"
  const site = await publishPages(
    octavo,
    [insertPage(`# Home\n\n{% if ${forPro} %}\nFor pro\n{% endif %}\n\nFor all`)],
    { adaptiveContent: { enabled: true } },
  )
  const plans = ['pro', 'free', undefined]
  const visits = Array.from({ length: 120 }, (_, index) => plans[index % plans.length])
  const shown = await Promise.all(
    visits.map(async (plan) => {
      const headers: Record<string, string> = plan === undefined ? {} : { cookie: claims(plan) }
      const accept = { accept: 'text/html' }
      const reply = await fetch(site.base, { headers: { ...accept, ...headers } })
      return [plan, (await reply.text()).includes('For pro')]
    }),
  )
  const wrong = shown.filter(([plan, isPro]) => isPro !== (plan === 'pro'))
  expect(wrong).toEqual([])
})
