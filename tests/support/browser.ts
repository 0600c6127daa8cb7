import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { findChromium } from './chromium.ts'
import { chromium } from './playwright.ts'

export const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }

const desktop = { width: 1280, height: 800 }

/** Folder for screenshots of tests, which are taken only on request because they take a tenth of the time. */
const screenshots = join(process.cwd(), 'coverage', 'screenshots')
const isTakingScreenshots = process.env['SCREENSHOTS'] === '1'

/** Timeout in milliseconds. */
const defaultTimeout = 60_000

const emptyPage = { contentType: 'text/html', body: '<!doctype html><title>Nothing</title>' }
const emptyImage = { contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }

interface OpenOptions extends BrowserContextOptions {
  /** Patterns of incidents that the test expects. */
  expects?: readonly RegExp[]
  /** Whether a request to another origin is allowed. No request leaves the machine: it gets an empty reply. */
  mayAsk?: (address: URL, kind: string) => boolean
  /** Other origins to which requests are sent. */
  origins?: readonly string[]
}

/** Reader with a separate browser context: nothing is shared with others, and all errors are recorded. */
export interface BrowserSession {
  page: Page
  context: BrowserContext
  /** URLs of requests to other origins in order. */
  foreignUrls: string[]
}

export interface TestBrowser {
  /** Opens a URL in a new browser context. */
  open(url: string, options?: OpenOptions): Promise<BrowserSession>
}

/** Names of tests are those of this machine, and no other name is resolved. */
const resolverRules =
  'MAP *.example.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost'

/** Browser of this process, which all test files use; it ends with the process. */
let launched: Promise<Browser> | undefined

async function getBrowser(): Promise<Browser> {
  const browser = await launched
  if (browser?.isConnected()) return browser
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('There is no Chromium on this machine')
  launched = chromium.launch({ executablePath, args: ['--no-sandbox', `--host-resolver-rules=${resolverRules}`] })
  return launched
}

/**
 * Returns the browser for the tests of a file. A test fails at its end if a script threw an error, the console has errors or
 * warnings, a request failed or returned an error, or there was a request to another origin.
 */
export function browserForFile(): TestBrowser {
  const contexts: BrowserContext[] = []
  const incidents: string[] = []

  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    expect(incidents.splice(0)).toEqual([])
  })

  return {
    async open(url, { expects = [], mayAsk, origins = [], ...options } = {}) {
      const browser = await getBrowser()
      const context = await browser.newContext({ viewport: desktop, reducedMotion: 'reduce', ...options })
      contexts.push(context)
      context.setDefaultTimeout(defaultTimeout)
      const foreignUrls: string[] = []
      const addIncident = (incident: string) => {
        if (!expects.some((pattern) => pattern.test(incident))) incidents.push(incident)
      }
      watchForIncidents(context, addIncident)
      const own = new Set([new URL(url).origin, ...origins])
      const isForeign = (address: URL) => !own.has(address.origin) && !address.protocol.startsWith('data')
      const addForeign = (request: Request, isAllowed: boolean) => {
        foreignUrls.push(request.url())
        if (!isAllowed) addIncident(`${request.url()} was asked for as ${request.resourceType()}`)
      }
      // Replacing replies disables the cache of the browser, so that every page loads its scripts again.
      if (mayAsk) {
        await context.route(isForeign, async (route) => {
          const request = route.request()
          const kind = request.resourceType()
          const isAllowed = mayAsk(new URL(request.url()), kind)
          addForeign(request, isAllowed)
          return isAllowed ? route.fulfill(kind === 'image' ? emptyImage : emptyPage) : route.abort()
        })
      } else {
        context.on('request', (request) => {
          if (isForeign(new URL(request.url()))) addForeign(request, false)
        })
      }
      const page = await context.newPage()
      if (options.javaScriptEnabled !== false) {
        for (const method of ['goto', 'reload'] as const) waitForScriptsAfter(page, method)
      }
      await page.goto(url)
      return { page, context, foreignUrls }
    },
  }
}

/** Whether a request was aborted because the page was left. */
const isAborted = (request: Request) => request.failure()?.errorText === 'net::ERR_ABORTED'

function watchForIncidents(context: BrowserContext, addIncident: (incident: string) => void): void {
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) addIncident(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (thrown) => addIncident(`thrown: ${thrown.error().message}`))
  context.on('requestfailed', (request) => {
    if (!isAborted(request)) addIncident(`${request.url()} failed: ${request.failure()?.errorText}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) addIncident(`${response.url()} answered ${response.status()}`)
  })
}

/** Takes a screenshot if the environment variable `SCREENSHOTS` is 1. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!isTakingScreenshots) return
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`) })
}

/** Waits for the scripts of a published page, which the page loads after its first paint. */
export const waitForScripts = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const { scripts } = document.querySelector('script[data-scripts]')?.dataset ?? {}
    if (scripts === undefined) return requestAnimationFrame(() => setTimeout(resolve))
    // Observers are called in order, so the page loads its scripts first.
    new PerformanceObserver(() => resolve(import(scripts).then(() => undefined))).observe({ type: 'paint', buffered: true })
  })`)

/** Makes a method that opens a page wait for the scripts of the page, too. */
function waitForScriptsAfter(page: Page, method: 'goto' | 'reload'): void {
  const openPage = page[method].bind(page) as (...parameters: unknown[]) => ReturnType<Page['goto']>
  page[method] = async (...parameters: unknown[]) => {
    const response = await openPage(...parameters)
    await waitForScripts(page)
    return response
  }
}

/** Polls until a value matches the expectation. Reading a value from the page takes several milliseconds of processor time. */
export const eventually = <T>(read: () => T | Promise<T>) =>
  expect.poll(read, { timeout: defaultTimeout, interval: 150 })

/** Returns the accessible name or text of the focused element. */
export async function getFocusedName(page: Page): Promise<string> {
  const element = page.locator('*:focus')
  return ((await element.getAttribute('aria-label')) ?? (await element.textContent()) ?? '').trim()
}

/** Presses a key until an element has the focus. */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let press = 0; press < maxPresses; press++) {
    if (await target.evaluate((element) => element.matches(':focus'))) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${String(target)}`)
}

const maxPresses = 60
