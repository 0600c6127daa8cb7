import { deleteSessionsOfProvider } from '../../access/sessions.ts'
import { findProviderById } from '../../domain/saml/provider-store.ts'
import { getServiceKey } from '../../domain/saml/service-key.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import { maxEncodedLength } from '../../saml/encoding.ts'
import { SamlError } from '../../saml/error.ts'
import { type LogoutExpectation, verifyLogoutRequest, verifyLogoutResponse } from '../../saml/logout.ts'
import { buildRedirectUrl } from '../../saml/redirect-binding.ts'
import { printLogoutRequest, printLogoutResponse } from '../../saml/requests.ts'
import { serviceUrls } from '../../saml/service.ts'
import type { PageContext, SessionPrincipal } from '../context.ts'
import { redirectTo } from '../page.ts'
import { type RequestedProvider, certificatesOf, getActiveProvider, readMessage } from './provider.ts'
import { newMessageId, redirectToProvider } from './start.ts'

/** Receives a logout message: a request of the identity provider to end sessions, or its answer to a request of this server. */
export async function receiveLogout(context: PageContext): Promise<PageReply> {
  const requested = await getActiveProvider(context)
  return readMessage(context, requested, () => handleLogout(context, requested))
}

async function handleLogout(context: PageContext, { provider, service }: RequestedProvider): Promise<PageReply> {
  const { request, database, now } = context
  const { search, searchParams } = request.url
  const expected: LogoutExpectation = {
    issuer: provider.entity_id,
    certificates: certificatesOf(provider),
    destination: service.logoutURL,
    now: Date.parse(now()),
  }
  const response = readParameter(searchParams, 'SAMLResponse')
  if (response !== undefined) {
    verifyLogoutResponse(response, search.slice(1), expected)
    return redirectTo(context, '/login')
  }
  const encoded = readParameter(searchParams, 'SAMLRequest')
  if (encoded === undefined) throw new SamlError('The address contains no logout message')
  const { id, ...person } = verifyLogoutRequest(encoded, search.slice(1), expected)
  await database.transaction((db) => deleteSessionsOfProvider(db, provider.id, person))
  if (provider.logout_url === null) return redirectTo(context, '/login')
  const options = { id: newMessageId(), destination: provider.logout_url, service, issuedAt: now() }
  const message = {
    parameter: 'SAMLResponse' as const,
    xml: printLogoutResponse(options, id),
    relayState: searchParams.get('RelayState') ?? undefined,
  }
  return redirectToProvider(buildRedirectUrl(provider.logout_url, message, (await getServiceKey(context)).privateKey))
}

function readParameter(parameters: URLSearchParams, name: string): string | undefined {
  const value = parameters.get(name) ?? undefined
  if (value !== undefined && value.length > maxEncodedLength) throw new SamlError('The message is too large')
  return value
}

/** Returns the URL of the identity provider that ends the session there too; undefined if the session has none. */
export async function findLogoutUrl(
  context: PageContext,
  { session: { sso } }: SessionPrincipal,
): Promise<string | undefined> {
  const provider = sso && (await findProviderById(context.database.reader, sso.providerId))
  if (!provider || provider.logout_url === null || sso.subject === undefined) return undefined
  const { subject, subjectFormat, sessionIndex } = sso
  const service = serviceUrls((path) => context.urls.plain(path), provider.id)
  const options = { id: newMessageId(), destination: provider.logout_url, service, issuedAt: context.now() }
  const xml = printLogoutRequest(options, { subject, subjectFormat, sessionIndex })
  const { privateKey } = await getServiceKey(context)
  return buildRedirectUrl(provider.logout_url, { parameter: 'SAMLRequest', xml }, privateKey)
}

/** Returns the origins to which signing out leads, besides this server. */
export async function findLogoutOrigins(
  context: PageContext,
  { session: { sso } }: SessionPrincipal,
): Promise<string[]> {
  const provider = sso && (await findProviderById(context.database.reader, sso.providerId))
  return provider?.logout_url ? [new URL(provider.logout_url).origin] : []
}
