import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type CDPSession, chromium } from 'playwright-core'

/** Data transferred by the first visit of a page before any interaction. */
export interface FirstVisit {
  /** Bytes of compressed bodies. */
  html: number
  css: number
  js: number
  other: number
  requests: number
  /** Bytes that were prefetched for later pages; not included in the others. */
  ahead: number
}

const programs = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

const view = { width: 1280, height: 800 }

/** Phone on an average connection: 40 ms, 10 Mbit/s, a quarter of this machine's CPU. */
const network = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 }
const slowdown = 4

/** Milliseconds without requests after which loading is complete. */
const quietTime = 500
/** Timeout for loading a page in milliseconds. */
const timeout = 30_000

/** Share of a core below which a browser is considered idle, and the required duration in milliseconds. */
const idleThreshold = { load: 0.05, duration: 250 }

/** Expression that resolves after the page was painted and has run its idle callbacks. */
const idle = `new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(resolve, 100))))
})`

/** Expression for the last candidate of the largest contentful paint; it is final when the page has loaded. */
const largestPaint = `new Promise((resolve, reject) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true })
  setTimeout(() => reject(new Error('nothing was painted')), 5000)
})`

/** Starts Chromium; undefined if it is not installed. */
export async function startBrowser(): Promise<SiteBrowser | undefined> {
  const paths = programs.flatMap((name) => (process.env['PATH'] ?? '').split(':').map((folder) => `${folder}/${name}`))
  const executablePath = paths.find((path) => existsSync(path))
  if (executablePath === undefined) return undefined
  return new SiteBrowser(await chromium.launch({ executablePath, args: ['--no-sandbox'] }))
}

/** Browser that opens every page with an empty cache and connects only to localhost. */
export class SiteBrowser {
  readonly #browser: Browser

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** Measures the transferred bytes, compressed with gzip. */
  firstVisit(url: string): Promise<FirstVisit> {
    return this.#visit(url, async (session, open) => {
      await session.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'gzip' } })
      return (await open()).sum()
    })
  }

  /** Returns the milliseconds until the largest contentful paint on a slow network and CPU. */
  largestPaint(url: string): Promise<number> {
    return this.#visit(url, async (session, open) => {
      await session.send('Network.emulateNetworkConditions', network)
      await this.#waitUntilIdle()
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      await open()
      const { result } = await session.send('Runtime.evaluate', { expression: largestPaint, awaitPromise: true })
      if (typeof result.value !== 'number') throw new Error(`${url}: ${result.description}`)
      return result.value
    })
  }

  close(): Promise<void> {
    return this.#browser.close()
  }

  /** Waits until the browser is idle: a new window keeps it busy for a second, which would delay the page. */
  async #waitUntilIdle(): Promise<void> {
    const session = await this.#browser.newBrowserCDPSession()
    const started = performance.now()
    const used = async () => {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
    }
    for (let before = await used(), isAtRest = false; !isAtRest;) {
      if (performance.now() - started > timeout) throw new Error('The browser does not come to rest')
      await sleep(idleThreshold.duration)
      const now = await used()
      isAtRest = now - before < (idleThreshold.load * idleThreshold.duration) / 1000
      before = now
    }
    await session.detach()
  }

  async #visit<T>(
    url: string,
    work: (session: CDPSession, open: () => Promise<PageTraffic>) => Promise<T>,
  ): Promise<T> {
    // A new context has an empty cache and no open connections.
    const context = await this.#browser.newContext({ viewport: view })
    try {
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      const traffic = new PageTraffic(session)
      await session.send('Network.enable')
      return await work(session, async () => {
        const reply = await page.goto(url, { waitUntil: 'load' })
        if (reply?.status() !== 200) throw new Error(`${url} answered ${reply?.status()}`)
        await traffic.waitUntilLoaded(session)
        return traffic
      })
    } finally {
      await context.close()
    }
  }
}

interface Transfer {
  kind: 'html' | 'css' | 'js' | 'other'
  isAhead: boolean
  bytes: number
}

/** Requests of a page. */
class PageTraffic {
  readonly #transfers = new Map<string, Transfer>()
  #open = 0
  #changedAt = performance.now()

  constructor(session: CDPSession) {
    session.on('Network.requestWillBeSent', ({ requestId, request, type, redirectResponse }) => {
      // A redirected request continues with the same id.
      if (!request.url.startsWith('http') || redirectResponse) return
      const isAhead = type === 'Prefetch' || Object.keys(request.headers).some((name) => /purpose/i.test(name))
      this.#transfers.set(requestId, { kind: 'other', isAhead, bytes: 0 })
      this.#change(1)
    })
    session.on('Network.responseReceived', ({ requestId, response }) => {
      const transfer = this.#transfers.get(requestId)
      if (!transfer) return
      transfer.kind = kindOf(response.mimeType)
      const { 'content-length': length, 'Content-Length': spelled = length } = response.headers
      transfer.bytes = Number(spelled ?? Number.NaN)
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const transfer = this.#transfers.get(requestId)
      if (!transfer) return
      // Includes the headers if the reply did not declare the length of its body.
      if (Number.isNaN(transfer.bytes)) transfer.bytes = encodedDataLength
      this.#change(-1)
    })
    session.on('Network.loadingFailed', ({ requestId }) => {
      if (this.#transfers.has(requestId)) this.#change(-1)
    })
  }

  /** Waits until there are no requests for a while, and the page's idle callbacks have started no further ones. */
  async waitUntilLoaded(session: CDPSession): Promise<void> {
    const started = performance.now()
    for (let changedAt = 0; changedAt !== this.#changedAt;) {
      while (this.#open > 0 || performance.now() - this.#changedAt < quietTime) {
        if (performance.now() - started > timeout) throw new Error('A page does not stop loading')
        await sleep(20)
      }
      changedAt = this.#changedAt
      await session.send('Runtime.evaluate', { expression: idle, awaitPromise: true })
    }
  }

  sum(): FirstVisit {
    const sum: FirstVisit = { html: 0, css: 0, js: 0, other: 0, requests: 0, ahead: 0 }
    for (const { kind, isAhead, bytes } of this.#transfers.values()) {
      sum[isAhead ? 'ahead' : kind] += bytes
      if (!isAhead) sum.requests++
    }
    return sum
  }

  #change(by: 1 | -1): void {
    this.#open += by
    this.#changedAt = performance.now()
  }
}

function kindOf(mimeType: string): Transfer['kind'] {
  if (mimeType === 'text/html') return 'html'
  if (mimeType === 'text/css') return 'css'
  return /javascript/.test(mimeType) ? 'js' : 'other'
}
