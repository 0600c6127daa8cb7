import { requireSignInForTokens } from '../../access/sign-in-rules.ts'
import { TokenScope, tokenScopes } from '../../contract/roles.ts'
import { findClient, isRegisteredRedirectUri } from '../../domain/oauth/clients.ts'
import { createGrant } from '../../domain/oauth/grants.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import { type Html, attributes, markup } from '../../render/html.ts'
import type { Row } from '../../schema/tables.ts'
import type { AccountContext, PageContext, PageRoute } from '../context.ts'
import { recordPageEvent } from '../events.ts'
import { renderHidden, renderForm, renderPage, requireSession } from '../page.ts'
import { issuerOf, oauthPaths } from './metadata.ts'
import type { OAuthErrorCode } from './reply.ts'
import { scopeDescriptions } from './scopes.ts'

/** Request of an app for permissions. */
interface AuthorizationRequest {
  client: Row<'oauth_clients'>
  redirectUri: string
  state: string | null
  challenge: string
  scopes: readonly TokenScope[]
}

/** Names of the parameters that the consent form repeats. */
const parameterNames = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'state',
]

/**
 * Parses the request of an app. If the app or its redirect URI is unknown, a page shows the problem, because the URI may lead to an
 * attacker; all other problems are returned to the app.
 */
async function parseRequest(
  context: PageContext,
  parameters: URLSearchParams,
): Promise<AuthorizationRequest | PageReply> {
  const duplicate = parameterNames.find((name) => parameters.getAll(name).length > 1)
  if (duplicate !== undefined) throw new AppError('invalid', `The parameter ${duplicate} is repeated`)
  const client = await findClient(context.database.reader, parameters.get('client_id') ?? '')
  if (!client) throw new AppError('invalid', 'The app is not registered on this server. Start again from the app')
  const redirectUri = parameters.get('redirect_uri') ?? ''
  if (!isRegisteredRedirectUri(client, redirectUri))
    throw new AppError('invalid', 'The app asked for an address that it did not register')
  const state = parameters.get('state')
  const refuse = (code: OAuthErrorCode, description: string) =>
    redirectToApp(context, { redirectUri, state }, { error: code, error_description: description })
  if (parameters.get('response_type') !== 'code')
    return refuse('unsupported_response_type', 'response_type must be code')
  const challenge = parameters.get('code_challenge') ?? ''
  if (parameters.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return refuse('invalid_request', 'PKCE with the method S256 is required')
  const names = parameters.getAll('scope').flatMap((value) => value.split(' ').filter(Boolean))
  const scopes = tokenScopes.filter((scope) => names.includes(scope))
  if (names.length > 0 && scopes.length === 0) return refuse('invalid_scope', 'None of the scopes exists')
  return { client, redirectUri, state, challenge, scopes: names.length > 0 ? scopes : ['user:read'] }
}

/** Redirects the browser to the app. The issuer in the URL identifies the server that replied (RFC 9207). */
function redirectToApp(
  context: PageContext,
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  result: Readonly<Record<string, string>>,
): PageReply {
  const target = new URL(redirectUri)
  for (const [name, value] of Object.entries(result)) target.searchParams.set(name, value)
  if (state !== null) target.searchParams.set('state', state)
  target.searchParams.set('iss', issuerOf(context))
  return {
    status: 303,
    headers: { location: target.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: '',
  }
}

const isReply = (value: AuthorizationRequest | PageReply): value is PageReply => 'headers' in value

/** Asks the user which permissions the app gets. */
async function showConsent(pageContext: PageContext): Promise<PageReply> {
  const parameters = pageContext.request.url.searchParams
  const parsed = await parseRequest(pageContext, parameters)
  if (isReply(parsed)) return parsed
  return renderConsent(requireSession(pageContext), parsed, parameters)
}

const renderChoice = (scope: TokenScope): Html =>
  markup`<li><label><input${attributes({ type: 'checkbox', name: 'scope', value: scope, checked: true })}> ${scopeDescriptions[scope]}</label></li>`

function renderConsent(
  context: AccountContext,
  { client, redirectUri, scopes }: AuthorizationRequest,
  parameters: URLSearchParams,
): Promise<PageReply> {
  const { protocol, host } = new URL(redirectUri)
  const target = protocol === 'https:' || protocol === 'http:' ? host : protocol
  const hidden = parameterNames.map((name) => renderHidden(name, parameters.get(name) ?? undefined))
  const fields = markup`${hidden}<fieldset><legend>${context.principal.reach.only === undefined ? 'It may, in all organizations that you are a member of:' : 'It may, in the organization that you signed in to:'}</legend><ul class="choices">${scopes.map(renderChoice)}</ul></fieldset>`
  const form = renderForm(context, {
    action: oauthPaths.authorize,
    fields,
    submit: 'Allow',
    secondary: { name: 'decision', value: 'deny', title: 'Deny' },
  })
  const origins = protocol === 'https:' || protocol === 'http:' ? [new URL(redirectUri).origin] : [protocol]
  return renderPage(context, {
    title: 'Allow access',
    formOrigins: origins,
    content: markup`<h1>Allow access</h1><p><strong>${client.name}</strong> asks for access to your account ${context.principal.user.email}.</p>${form}<p><small>The app gave its name itself. It will open <strong>${target}</strong>. Continue only if you have just started this from the app.</small></p>`,
  })
}

/** Stores the decision of the user and returns to the app. */
async function decide(pageContext: PageContext): Promise<PageReply> {
  const context = requireSession(pageContext)
  const { form, database, principal } = context
  const parsed = await parseRequest(context, form)
  if (isReply(parsed)) return parsed
  const { client, redirectUri, challenge, scopes } = parsed
  if (form.get('decision') === 'deny' || !form.has('scope'))
    return redirectToApp(context, parsed, { error: 'access_denied', error_description: 'The user denied access' })
  const code = await database.transaction(async (db) => {
    await requireSignInForTokens(db, principal)
    await recordPageEvent(db, context, principal.user, 'oauth.client-authorize', {
      sso: principal.session.sso,
      target: { type: 'oauth-client', id: client.id, title: client.name },
      after: { scopes },
    })
    return createGrant(db, context, {
      clientId: client.id,
      userId: principal.user.id,
      scopes,
      redirectUri,
      challenge,
      ssoOrganizationId: principal.reach.only ?? null,
    })
  })
  return redirectToApp(context, parsed, { code })
}

export const authorizeRoutes: readonly PageRoute[] = [
  { method: 'GET', path: oauthPaths.authorize, handler: showConsent },
  { method: 'POST', path: oauthPaths.authorize, kind: 'form', handler: decide },
]
