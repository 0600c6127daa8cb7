import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type CDPSession, chromium } from 'playwright-core'

/** What a first visit of a page transfers before anyone touches it. */
export interface FirstVisit {
  /** Bytes of bodies, compressed. */
  html: number
  css: number
  js: number
  other: number
  requests: number
  /** Bytes that were fetched only for what may be visited next; in none of the others. */
  ahead: number
}

const programs = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

const view = { width: 1280, height: 800 }

/** A phone on a fair connection: 40 ms, 10 Mbit/s, a quarter of this machine's CPU. */
const network = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 }
const slowdown = 4

/** Milliseconds without any request after which nothing more is expected. */
const quiet = 500
/** Milliseconds after which a page that still loads counts as failed. */
const patience = 30_000

/** Part of a core below which a browser counts as at rest, and milliseconds for which it has to be. */
const rest = { load: 0.05, duration: 250 }

/** Fulfilled after what a page does once it is painted and has nothing else to do. */
const idle = `new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(resolve, 100))))
})`

/** The last candidate so far; it is final once nothing loads any more. */
const largestPaint = `new Promise((resolve, reject) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true })
  setTimeout(() => reject(new Error('nothing was painted')), 5000)
})`

/** Starts the Chromium of this machine; undefined when there is none. */
export async function startBrowser(): Promise<SiteBrowser | undefined> {
  const paths = programs.flatMap((name) => (process.env['PATH'] ?? '').split(':').map((folder) => `${folder}/${name}`))
  const executablePath = paths.find((path) => existsSync(path))
  if (executablePath === undefined) return undefined
  return new SiteBrowser(await chromium.launch({ executablePath, args: ['--no-sandbox'] }))
}

/** Opens every page with nothing in its cache, and nothing but loopback to talk to. */
export class SiteBrowser {
  readonly #browser: Browser

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** What is transferred, all compressed with gzip. */
  firstVisit(url: string): Promise<FirstVisit> {
    return this.#visit(url, async (session, open) => {
      await session.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'gzip' } })
      return (await open()).traffic()
    })
  }

  /** Milliseconds until the largest part of a page is painted, under hard conditions. */
  largestPaint(url: string): Promise<number> {
    return this.#visit(url, async (session, open) => {
      await session.send('Network.emulateNetworkConditions', network)
      await this.#rest()
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

  /** A new window keeps a browser busy for a second: measured at once, a page would wait for that, and not for itself. */
  async #rest(): Promise<void> {
    const session = await this.#browser.newBrowserCDPSession()
    const started = performance.now()
    const used = async () => {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
    }
    for (let before = await used(), isAtRest = false; !isAtRest;) {
      if (performance.now() - started > patience) throw new Error('The browser does not come to rest')
      await sleep(rest.duration)
      const now = await used()
      isAtRest = now - before < (rest.load * rest.duration) / 1000
      before = now
    }
    await session.detach()
  }

  async #visit<T>(url: string, work: (session: CDPSession, open: () => Promise<Traffic>) => Promise<T>): Promise<T> {
    // A context of its own has an empty cache and no open connection.
    const context = await this.#browser.newContext({ viewport: view })
    try {
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      const traffic = new Traffic(session)
      await session.send('Network.enable')
      return await work(session, async () => {
        const reply = await page.goto(url, { waitUntil: 'load' })
        if (reply?.status() !== 200) throw new Error(`${url} answered ${reply?.status()}`)
        await traffic.end(session)
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

/** The requests of a page. */
class Traffic {
  readonly #transfers = new Map<string, Transfer>()
  #open = 0
  #changedAt = performance.now()

  constructor(session: CDPSession) {
    session.on('Network.requestWillBeSent', ({ requestId, request, type, redirectResponse }) => {
      // One that is led elsewhere goes on under its name.
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
      // With its head, when the reply did not say how long its body is.
      if (Number.isNaN(transfer.bytes)) transfer.bytes = encodedDataLength
      this.#change(-1)
    })
    session.on('Network.loadingFailed', ({ requestId }) => {
      if (this.#transfers.has(requestId)) this.#change(-1)
    })
  }

  /** Waits until there was no request for a while, and the page has done what it put off, without another. */
  async end(session: CDPSession): Promise<void> {
    const started = performance.now()
    for (let changedAt = 0; changedAt !== this.#changedAt;) {
      while (this.#open > 0 || performance.now() - this.#changedAt < quiet) {
        if (performance.now() - started > patience) throw new Error('A page does not stop loading')
        await sleep(20)
      }
      changedAt = this.#changedAt
      await session.send('Runtime.evaluate', { expression: idle, awaitPromise: true })
    }
  }

  traffic(): FirstVisit {
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
