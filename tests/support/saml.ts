import { createClient } from '../../src/client/client.ts'
import type { SamlProvider } from '../../src/contract/saml.ts'
import { type IdentityProvider, type ResponseOptions, decodeRedirect } from './identity-provider.ts'
import type { TestOrganization } from './organization.ts'
import type { TestServer } from './server.ts'
import { type BrowserPage, FormBrowser } from './sign-in.ts'

/** Creates a provider of an organization for an identity provider. */
export function addProvider(
  { owner, params }: Pick<TestOrganization, 'owner' | 'params'>,
  identityProvider: IdentityProvider,
  settings: Record<string, unknown> = {},
): Promise<SamlProvider> {
  return owner.api.createOrganizationSamlProvider({
    params,
    body: { label: 'Company', ...identityProvider.settings, ...settings },
  })
}

/** Starts a sign-in and returns the id of the request that the browser takes to the identity provider. */
export async function startSaml(browser: FormBrowser, provider: SamlProvider, next?: string): Promise<string> {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
  const reply = await browser.cookies.open(`${provider.service.startURL}${query}`)
  if (reply.status !== 303) throw new Error(`The sign-in does not start: ${reply.status}`)
  return decodeRedirect(reply.headers.get('location') ?? '').id
}

/** Sends a response as browsers do from another site, without the cookies of the server. */
export function postResponse(
  provider: SamlProvider,
  encoded: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  return fetch(provider.service.acsURL, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' },
    body: new URLSearchParams({ SAMLResponse: encoded, ...fields }).toString(),
  })
}

/** Signs a person in with a real response and returns the last page. */
export async function signInWithSaml(
  octavo: TestServer,
  provider: SamlProvider,
  identityProvider: IdentityProvider,
  response: Pick<ResponseOptions, 'nameID'> & Partial<ResponseOptions>,
  { browser = new FormBrowser(octavo.url), next }: { browser?: FormBrowser; next?: string } = {},
): Promise<{ browser: FormBrowser; page: BrowserPage }> {
  const inResponseTo = await startSaml(browser, provider, next)
  const options = { now: octavo.clock.now(), inResponseTo, ...response }
  const reply = await postResponse(provider, identityProvider.respond(provider.service, options))
  const location = reply.headers.get('location')
  if (location === null)
    return { browser, page: { status: reply.status, url: reply.url, html: await reply.text(), reply } }
  return { browser, page: await browser.open(location) }
}

/** Creates an API token in the session of a browser and returns a client with it. */
export async function createTokenInSession(octavo: TestServer, browser: FormBrowser) {
  const account = await browser.open('/account')
  const reply = await browser.call(account, '/user/tokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'Session' }),
  })
  const { token } = (await reply.json()) as { token: string }
  return { token, api: createClient({ url: octavo.url, token }) }
}
