import type { BrowserContextOptions, Page } from 'playwright-core'
import type { BrowserSession, TestBrowser } from './browser.ts'
import { makeGate } from './gate.ts'
import type { TestServer } from './server.ts'
import { startSessionWithToken } from './sign-in.ts'

interface AppOptions extends BrowserContextOptions {
  /** Patterns of incidents that the test expects. */
  expects?: readonly RegExp[]
  /** Whether a request to another origin is allowed; it gets an empty reply. */
  mayAsk?: (address: URL, kind: string) => boolean
  /** Other origins to which requests are sent. */
  origins?: readonly string[]
  /** Values that the app has stored in the browser before. */
  stored?: Readonly<Record<string, string>>
  /** Another name of the server's host. */
  hostname?: string
}

/** Opens a screen of the web app in a new browser in which a user is signed in: `openApp(browser, octavo, octavo.admin.id, '/spaces/1')`. */
export async function openApp(
  browser: TestBrowser,
  octavo: TestServer,
  userId: string,
  path: string,
  { stored = {}, hostname, ...options }: AppOptions = {},
): Promise<BrowserSession> {
  const { token } = await startSessionWithToken(octavo, userId)
  const server = new URL(octavo.url)
  if (hostname !== undefined) server.hostname = hostname
  const cookie = {
    name: 'octavo-session',
    value: token,
    domain: server.hostname,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax' as const,
  }
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
  const origins = [{ origin: server.origin, localStorage }]
  return browser.open(`${server.origin}/app${path}`, { ...options, storageState: { cookies: [cookie], origins } })
}

/** Holds requests until the returned function is called; then they are refused with a message. */
export async function holdAndRefuse(page: Page, url: RegExp, message: string): Promise<() => void> {
  const gate = makeGate()
  await page.route(url, async (route) => {
    await gate.passed
    await route.fulfill({ status: 409, json: { error: { code: 409, message } } })
  })
  return gate.open
}
