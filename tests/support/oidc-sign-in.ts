import { type AddressInfo, createServer } from 'node:net'
import { newId } from '../../src/kernel/ids.ts'
import { CookieClient } from './cookie-client.ts'
import { type ProviderPerson, type TestProvider, startOidcProvider } from './oidc-provider.ts'
import { type TestServer, startTestServer } from './server.ts'
import { type BrowserPage, FormBrowser } from './sign-in.ts'

/** Server with a real OpenID Connect provider. */
export interface OidcServer {
  server: TestServer
  real: TestProvider
  /** Signs in at the real provider and returns the path to which it sends the browser back. */
  authorize: (authorizationUrl: string) => Promise<string>
  /** Signs in with the real provider and returns the page at the end. */
  signInWith: (
    providerId: string,
    person: ProviderPerson | undefined,
    options?: { browser?: FormBrowser; next?: string },
  ) => Promise<BrowserPage>
  /** Connects the person at the real provider with the user of the browser, and returns the page at the end. */
  connect: (browser: FormBrowser, account: BrowserPage, person: ProviderPerson) => Promise<BrowserPage>
  stop: () => Promise<void>
}

/** Starts a server that has the real provider under three IDs with different settings, and other providers. */
export async function startOidcServer(others: readonly object[] = []): Promise<OidcServer> {
  const port = await findFreePort()
  const base = `http://127.0.0.1:${port}`
  const real = await startOidcProvider(['real', 'open', 'limited'].map((id) => `${base}/login/oidc/${id}/callback`))
  const { issuer, clientId, clientSecret } = real
  const realProvider = { issuer, clientId, clientSecret }
  const providers = [
    { id: 'real', label: 'Real & Co', ...realProvider },
    { id: 'open', label: 'Open', ...realProvider, allowSignUp: true },
    { id: 'limited', label: 'Limited', ...realProvider, domains: ['corp.example'], trustEmail: true },
    ...others,
  ]
  const server = await startTestServer({ PORT: String(port), OCTAVO_OIDC: JSON.stringify(providers) })
  const authorize = async (authorizationUrl: string) =>
    (await followProvider(issuer, authorizationUrl)).slice(server.url.length)
  return {
    server,
    real,
    authorize,
    async signInWith(providerId, person, { browser = new FormBrowser(server.url), next } = {}) {
      real.person = person
      const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
      const started = await browser.open(`/login/oidc/${providerId}${query}`)
      return browser.open(await authorize(started.url))
    },
    async connect(browser, account, person) {
      const page = await browser.submit(account, '/account/identities/real')
      real.person = person
      return browser.open(await authorize(findAuthorizationUrl(page)))
    },
    stop: async () => void (await Promise.all([server.stop(), real.stop()])),
  }
}

/** Returns the URL of the provider to which a page leads. */
export const findAuthorizationUrl = ({ html }: BrowserPage): string =>
  (/href="(http[^"]*\/auth\?[^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')

/** Returns a free port: the provider must know the address of the server before it starts. */
async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Opens a URL of a provider and returns the first URL of another host to which it leads. */
async function followProvider(issuer: string, start: string): Promise<string> {
  const browser = new CookieClient()
  let url = start
  while (new URL(url).origin === issuer) {
    const reply = await browser.open(url)
    const location = reply.headers.get('location')
    if (location === null) throw new Error(`${url} answers ${reply.status}: ${await reply.text()}`)
    url = new URL(location, url).href
  }
  return url
}

export const newAddress = () => `${newId()}@example.com`

/** Returns a person at the provider with a verified address. */
export const newPerson = (email = newAddress()) => ({ sub: newId(), email, email_verified: true, name: 'Ada Lovelace' })
