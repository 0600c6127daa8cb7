import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
  type Request,
  chromium,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { findChromium } from './chromium.ts'

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

/**
 * Starts a browser for the tests of a file. A test fails at its end if a script threw an error, the console has errors or
 * warnings, a request failed or returned an error, or there was a request to another origin.
 */
export function browserForFile(args: readonly string[] = []): TestBrowser {
  let browser: Browser
  const contexts: BrowserContext[] = []
  const incidents: string[] = []

  beforeAll(async () => {
    const executablePath = findChromium()
    if (executablePath === undefined) throw new Error('There is no Chromium on this machine')
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] })
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    expect(incidents.splice(0)).toEqual([])
  })
  afterAll(() => browser.close())

  return {
    async open(url, { expects = [], mayAsk = () => false, ...options } = {}) {
      const context = await browser.newContext({ viewport: desktop, reducedMotion: 'reduce', ...options })
      contexts.push(context)
      context.setDefaultTimeout(defaultTimeout)
      const foreignUrls: string[] = []
      const addIncident = (incident: string) => {
        if (!expects.some((pattern) => pattern.test(incident))) incidents.push(incident)
      }
      watchForIncidents(context, addIncident)
      const { origin } = new URL(url)
      await context.route(
        (address) => address.origin !== origin && !address.protocol.startsWith('data'),
        async (route) => {
          const request = route.request()
          const [asked, kind] = [new URL(request.url()), request.resourceType()]
          foreignUrls.push(asked.href)
          if (mayAsk(asked, kind)) return route.fulfill(kind === 'image' ? emptyImage : emptyPage)
          addIncident(`${asked.href} was asked for as ${kind}`)
          return route.abort()
        },
      )
      const page = await context.newPage()
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

/** Polls until a value matches the expectation. */
export const eventually = <T>(read: () => T | Promise<T>) =>
  expect.poll(read, { timeout: defaultTimeout, interval: 50 })

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
