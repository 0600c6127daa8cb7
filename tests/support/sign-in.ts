import { createSession } from '../../src/access/sessions.ts'
import { createSignInLink } from '../../src/domain/accounts/links.ts'
import type { SsoSession } from '../../src/kernel/context.ts'
import { newId } from '../../src/kernel/ids.ts'
import { Authenticator, type CreationOptions, type RequestOptions } from './authenticator.ts'
import { CookieClient } from './cookie-client.ts'
import type { TestServer } from './server.ts'

/** A browser without scripts: it keeps cookies and submits forms as they are on a page. */
export class FormBrowser {
  readonly cookies = new CookieClient()
  readonly base: string

  constructor(base: string) {
    this.base = base
  }

  /** Opens a page and follows redirects. */
  async open(path: string): Promise<BrowserPage> {
    return this.#follow(await this.cookies.open(new URL(path, this.base).href))
  }

  /** Submits the form of a page with this action; `changes` replaces or adds fields. */
  async submit(page: BrowserPage, action: string, changes: Record<string, string> = {}): Promise<BrowserPage> {
    return this.#follow(await this.post(action, { ...findFields(page.html, action), ...changes }))
  }

  /** Sends a form as browsers do, without following the redirect. */
  post(action: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return this.cookies.open(new URL(action, this.base).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: this.base, ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  }

  /** Sends JSON to a page of the server as a script of the page would. */
  script(page: BrowserPage, path: string, value: unknown = {}): Promise<Response> {
    const proof = /name="octavo-form" content="([^"]+)"/.exec(page.html)?.[1] ?? ''
    return this.cookies.open(new URL(path, this.base).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.base, 'x-form-proof': proof },
      body: JSON.stringify(value),
    })
  }

  /** Creates a passkey as the script of the page would; `path` is the action of the form. */
  async createPasskey(
    page: BrowserPage,
    path: string,
    authenticator: Authenticator,
    label?: string,
  ): Promise<Response> {
    const options = (await (await this.script(page, `${path}/options`)).json()) as CreationOptions
    return this.script(page, path, { credential: authenticator.create(options, { origin: this.base }), label })
  }

  /** Uses a passkey as the script of the page would. */
  async usePasskey(page: BrowserPage, path: string, authenticator: Authenticator): Promise<Response> {
    const options = (await (await this.script(page, `${path}/options`)).json()) as RequestOptions
    return this.script(page, path, { credential: authenticator.use(options, { origin: this.base }) })
  }

  /** Calls the API as a script of the page would. */
  call(page: BrowserPage, path: string, init: RequestInit = {}): Promise<Response> {
    const proof = /name="octavo-session" content="([^"]+)"/.exec(page.html)?.[1] ?? ''
    const headers = { 'x-octavo-session': proof, origin: this.base, ...(init.headers as Record<string, string>) }
    return this.cookies.open(new URL(`/v1${path}`, this.base).href, { ...init, headers })
  }

  async #follow(reply: Response): Promise<BrowserPage> {
    const location = reply.headers.get('location')
    if (location === null) return { status: reply.status, url: reply.url, html: await reply.text(), reply }
    const target = new URL(location, reply.url)
    if (target.origin !== new URL(this.base).origin) return { status: reply.status, url: target.href, html: '', reply }
    return this.#follow(await this.cookies.open(target.href))
  }
}

export interface BrowserPage {
  status: number
  url: string
  html: string
  reply: Response
}

/** Returns the fields of the form with an action, as the page contains them. */
export function findFields(html: string, action: string): Record<string, string> {
  const form = [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([^]*?)<\/form>/g)].find(([, to]) => to === action)
  if (!form) throw new Error(`The page has no form for ${action}: ${html.slice(0, 2000)}`)
  const inputs = [...(form[2] ?? '').matchAll(/<input([^>]*)>/g)]
  return Object.fromEntries(
    inputs.map(([, attributes = '']) => [readAttribute(attributes, 'name'), readAttribute(attributes, 'value')]),
  )
}

const readAttribute = (attributes: string, name: string): string =>
  (new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? '').replaceAll('&amp;', '&')

/** Creates the one-time link with which a user chooses how to sign in. */
export async function createSetupPath(test: TestServer, userId: string, lifetime = 3_600_000): Promise<string> {
  const now = new Date(test.clock.now()).toISOString()
  const token = await test.server.app.database.transaction((db) =>
    createSignInLink(db, now, { kind: 'setup', userId, lifetime }),
  )
  return `/setup/${token}`
}

export const goodPassword = 'seven blue mountains'

/** Sets the password of a user with a link, which also signs in; returns the browser and its account page. */
export async function signUp(
  test: TestServer,
  userId: string,
  password = goodPassword,
): Promise<{ browser: FormBrowser; account: BrowserPage }> {
  const browser = new FormBrowser(test.url)
  const path = await createSetupPath(test, userId)
  await browser.submit(await browser.open(path), path, { password })
  return { browser, account: await browser.open('/account') }
}

/** Signs in with a password in a new browser, or the given one. */
export async function signIn(
  test: TestServer,
  email: string,
  password = goodPassword,
  browser = new FormBrowser(test.url),
): Promise<{ browser: FormBrowser; page: BrowserPage }> {
  const page = await browser.submit(await browser.open('/login'), '/login', { email, password })
  return { browser, page }
}

/** Starts a session of a user without a browser, with a password or with an identity provider; returns its ID. */
export const startSession = async (test: TestServer, userId: string, sso?: SsoSession): Promise<string> =>
  (await startSessionWithToken(test, userId, sso)).id

/** Starts a session and also returns its token, which is the value of the cookie. */
export async function startSessionWithToken(
  { server: { app } }: TestServer,
  userId: string,
  sso?: SsoSession,
): Promise<{ id: string; token: string }> {
  const context = { newId, now: () => new Date(app.clock()).toISOString() }
  const client = { address: '192.0.2.1', userAgent: 'Test' }
  const { sessionLifetimes: lifetimes } = app.config
  return app.database.transaction((db) =>
    createSession(db, context, {
      userId,
      method: sso ? 'saml' : 'password',
      hasSecondFactor: false,
      sso,
      client,
      lifetimes,
    }),
  )
}

/** Creates a passkey of a user with a link, which also signs in; returns the browser and its account page. */
export async function signUpWithPasskey(
  test: TestServer,
  userId: string,
): Promise<{ browser: FormBrowser; account: BrowserPage; authenticator: Authenticator }> {
  const browser = new FormBrowser(test.url)
  const authenticator = new Authenticator()
  const path = await createSetupPath(test, userId)
  await browser.createPasskey(await browser.open(path), `${path}/passkey`, authenticator)
  return { browser, account: await browser.open('/account'), authenticator }
}
