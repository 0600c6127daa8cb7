import { randomBytes } from 'node:crypto'
import { hashId, insertRequest } from '../../domain/saml/request-store.ts'
import { getServiceKey } from '../../domain/saml/service-key.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import { minutes, timestamp } from '../../kernel/time.ts'
import { printMetadata } from '../../saml/metadata.ts'
import { buildRedirectUrl } from '../../saml/redirect-binding.ts'
import { printAuthnRequest } from '../../saml/requests.ts'
import type { PageContext } from '../context.ts'
import { parseNextPath } from '../page.ts'
import { getActiveProvider, getProvider } from './provider.ts'

/** Time that people have to sign in at the identity provider. */
const requestLifetime = minutes(15)

/** Returns an ID of a message: 160 random bits after a letter, because XML IDs cannot begin with a digit. */
export const newMessageId = (): string => `_${randomBytes(20).toString('hex')}`

/** Redirects to a URL of an identity provider. */
export const redirectToProvider = (location: string, cookies: readonly string[] = []): PageReply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  cookies,
  body: '',
})

/** Starts a sign-in: sends the browser to the identity provider with a request that only this browser can complete. */
export async function startSignIn(context: PageContext): Promise<PageReply> {
  const { database, browserId, request, now } = context
  const { provider, service } = await getActiveProvider(context)
  const id = newMessageId()
  const issuedAt = now()
  await database.transaction((db) =>
    insertRequest(db, {
      organization_id: provider.organization_id,
      provider_id: provider.id,
      id,
      browser_hash: hashId(browserId),
      return_to: parseNextPath(context, request.url.searchParams.get('next')) ?? null,
      answer: null,
      expires_at: timestamp(Date.parse(issuedAt) + requestLifetime),
    }),
  )
  const xml = printAuthnRequest({ id, destination: provider.sso_url, service, issuedAt })
  const key = provider.sign_requests === 1 ? (await getServiceKey(context)).privateKey : undefined
  return redirectToProvider(buildRedirectUrl(provider.sso_url, { parameter: 'SAMLRequest', xml }, key))
}

/** Returns the metadata of this server for a provider, which may not be configured yet. */
export async function showMetadata(context: PageContext): Promise<PageReply> {
  const { provider, service } = await getProvider(context)
  const { certificate } = await getServiceKey(context)
  return {
    status: 200,
    headers: {
      'content-type': 'application/samlmetadata+xml; charset=utf-8',
      'content-disposition': 'inline; filename="octavo-saml.xml"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: printMetadata(service, certificate, provider.sign_requests === 1),
  }
}
