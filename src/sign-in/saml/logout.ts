import { deleteSessionsOfProvider } from '../../access/sessions.ts'
import { findProviderById } from '../../domain/saml/provider-store.ts'
import { getServiceKey } from '../../domain/saml/service-key.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import { verifySamlLogout } from '../../parsing/verify-saml.ts'
import { maxEncodedLength } from '../../saml/encoding.ts'
import { SamlError } from '../../saml/error.ts'
import {
  type LogoutExpectation,
  type LogoutRequest,
  verifyLogoutRequest,
  verifyLogoutResponse,
} from '../../saml/logout.ts'
import { buildRedirectUrl } from '../../saml/redirect-binding.ts'
import { printLogoutRequest, printLogoutResponse } from '../../saml/requests.ts'
import { serviceUrls } from '../../saml/service.ts'
import type { PageContext, SessionPrincipal } from '../context.ts'
import { redirectTo, replyWithPage } from '../page.ts'
import { type RequestedProvider, certificatesOf, getActiveProvider, readMessage } from './provider.ts'
import { newMessageId, redirectToProvider } from './start.ts'

/** Receives a logout message: a request of the identity provider to end sessions, or its answer to a request of this server. */
export async function receiveLogout(context: PageContext): Promise<PageReply> {
  const requested = await getActiveProvider(context)
  return readMessage(context, requested, () => handleLogout(context, requested))
}

async function handleLogout(context: PageContext, requested: RequestedProvider): Promise<PageReply> {
  const { search, searchParams } = context.request.url
  const expected = createExpectation(context, requested)
  const response = readParameter(searchParams, 'SAMLResponse')
  if (response !== undefined) {
    verifyLogoutResponse(response, search.slice(1), expected)
    return redirectTo(context, '/login')
  }
  const request = verifyLogoutRequest(getRequestParameter(searchParams), search.slice(1), expected)
  return endSessions(context, requested, request, searchParams.get('RelayState'))
}

/** Receives a logout message as a form, which browsers send from the site of the identity provider without cookies. */
export function receivePostedLogout(context: PageContext): Promise<PageReply> {
  return replyWithPage(context, async () => {
    const requested = await getActiveProvider(context)
    return readMessage(context, requested, () => handlePostedLogout(context, requested))
  })
}

async function handlePostedLogout(context: PageContext, requested: RequestedProvider): Promise<PageReply> {
  const form = await context.request.form()
  // An answer changes nothing, so it is not verified.
  if (form.has('SAMLResponse')) return redirectTo(context, '/login')
  const request = await verifySamlLogout(getRequestParameter(form), createExpectation(context, requested))
  return endSessions(context, requested, request, form.get('RelayState'))
}

const createExpectation = ({ now }: PageContext, { provider, service }: RequestedProvider): LogoutExpectation => ({
  issuer: provider.entity_id,
  certificates: certificatesOf(provider),
  destination: service.logoutURL,
  now: Date.parse(now()),
})

/** Ends the sessions that the identity provider has named, and answers it. */
async function endSessions(
  context: PageContext,
  { provider, service }: RequestedProvider,
  { id, ...person }: LogoutRequest,
  relayState: string | null,
): Promise<PageReply> {
  await context.database.transaction((db) => deleteSessionsOfProvider(db, provider.id, person))
  if (provider.logout_url === null) return redirectTo(context, '/login')
  const options = { id: newMessageId(), destination: provider.logout_url, service, issuedAt: context.now() }
  const message = {
    parameter: 'SAMLResponse' as const,
    xml: printLogoutResponse(options, id),
    relayState: relayState ?? undefined,
  }
  return redirectToProvider(buildRedirectUrl(provider.logout_url, message, (await getServiceKey(context)).privateKey))
}

function getRequestParameter(parameters: URLSearchParams): string {
  const encoded = readParameter(parameters, 'SAMLRequest')
  if (encoded === undefined) throw new SamlError('The request contains no logout message')
  return encoded
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

/** Returns the origins to which signing out redirects, besides this server. */
export async function findLogoutOrigins(
  context: PageContext,
  { session: { sso } }: SessionPrincipal,
): Promise<string[]> {
  const provider = sso && (await findProviderById(context.database.reader, sso.providerId))
  return provider?.logout_url ? [new URL(provider.logout_url).origin] : []
}
