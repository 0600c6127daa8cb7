import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { CrawlClock } from '../../src/website/polite-fetch.ts'
import type { WebNavigationItem, WebPage } from '../../src/website/page.ts'
import { makeGate } from './gate.ts'

export interface WebReply {
  status?: number
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** Reply for a path: a web page, any reply, or a function of the number of requests; null never replies. */
export type WebRoute = WebReplyOrHtml | null | ((count: number) => WebReplyOrHtml | Promise<WebReplyOrHtml>)
type WebReplyOrHtml = string | WebReply

export interface WebsiteServer {
  url: string
  /** Requested paths in order. */
  requestedPaths: string[]
}

/** Serves a website for one test; a route that ends with `*` matches all paths with this prefix. */
export async function serveWebsite(routes: Record<string, WebRoute>): Promise<WebsiteServer> {
  const requestedPaths: string[] = []
  const counts = new Map<string, number>()
  const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const path = request.url ?? ''
    requestedPaths.push(path)
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    const pattern = Object.keys(routes).find((one) => one.endsWith('*') && path.startsWith(one.slice(0, -1)))
    const route = routes[path] ?? (pattern === undefined ? { status: 404 } : routes[pattern])
    const said = typeof route === 'function' ? await route(count) : route
    if (!said) return
    const { status = 200, headers = {}, body = '' } = typeof said === 'string' ? { body: said } : said
    reply.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  }
  const server = createServer((request, reply) => void answer(request, reply))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requestedPaths }
}

export interface TestPage {
  title: string
  /** Content in Markdown. */
  content?: string
  canonical?: string
  links?: string[]
  navigation?: { title: string; url?: string; children?: TestPage['navigation'] }[]
}

/** Returns a web page that `readTestPage` can read. */
export function formatTestPage(page: TestPage): string {
  return `<html><script type="application/json">${JSON.stringify(page)}</script></html>`
}

/** Reads the pages of these tests, and makes their URLs absolute. */
export async function readTestPage(text: string, url: string): Promise<WebPage> {
  const json = /<script type="application\/json">(.*)<\/script>/.exec(text)?.[1]
  if (json === undefined) throw new Error('There is nothing on the page')
  const page = JSON.parse(json) as TestPage
  const absolute = (address: string) => new URL(address, url).href
  const itemsOf = (items: TestPage['navigation']): WebNavigationItem[] =>
    (items ?? []).map(({ title, url: address, children }) => ({
      title,
      ...(address !== undefined && { url: absolute(address) }),
      children: itemsOf(children),
    }))
  return {
    url,
    title: page.title,
    markdown: page.content ?? '',
    ...(page.canonical !== undefined && { canonical: absolute(page.canonical) }),
    links: (page.links ?? []).map(absolute),
    navigation: itemsOf(page.navigation),
  }
}

/** Creates a clock that advances only by waiting, and then immediately; the timeout of the whole crawl ends only on demand. */
export function crawlClock(whole: number): CrawlClock & { waits: number[]; end: () => void } {
  let now = 0
  const over = makeGate()
  const waits: number[] = []
  return {
    now: () => now,
    wait(milliseconds) {
      if (milliseconds === whole) return over.passed
      waits.push(milliseconds)
      now += milliseconds
      return Promise.resolve()
    },
    waits,
    end: over.open,
  }
}
