import { requireUse } from '../../domain/accounts/attempts.ts'
import { insertOidcRequest, takeOidcRequest } from '../../domain/accounts/oidc-requests.ts'
import { FetchError } from '../../fetch/errors.ts'
import { AppError, BusyError } from '../../kernel/errors.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import { minutes } from '../../kernel/time.ts'
import { type Html, markup } from '../../render/html.ts'
import { completeSignIn } from '../complete-sign-in.ts'
import type { PageContext, PageRoute } from '../context.ts'
import { isRefusal } from '../events.ts'
import { toHref } from '../href.ts'
import { parseNextPath, redirectTo, renderPage, requireSession, toNextQuery } from '../page.ts'
import { requireRecentSignIn } from '../recent-sign-in.ts'
import type { OidcClaims } from './client.ts'
import { recordFailedSignIn } from './failures.ts'
import type { OidcProvider } from './provider.ts'
import { connectAccount, findVerifiedEmail, resolveAccount } from './resolve-account.ts'

/** Limit of sign-ins that one network starts, since each is stored until it expires. An office may share one address. */
const startLimit = { max: 300, period: minutes(15) }

/** Renders a link to each provider; after the sign-in, it redirects to `next`. */
export function renderProviderLinks(context: PageContext, next: string | undefined): Html {
  return markup`${context.oidc.providers.map(({ id, label }) => markup`<a class="button secondary" href="${toHref(context, `/login/oidc/${id}${toNextQuery(next)}`)}">Continue with ${label}</a>`)}`
}

function getProvider({ oidc, params }: PageContext): OidcProvider {
  const provider = oidc.findProvider(params['providerId'] ?? '')
  if (!provider) throw new AppError('notFound', 'This sign-in method does not exist')
  return provider
}

/** Stores a sign-in for this browser and returns the URL of the provider at which it continues. */
async function startRequest(
  context: PageContext,
  provider: OidcProvider,
  nextPath: string | undefined,
  userId?: string,
) {
  const { database, sealer, oidc, urls, browserId, request, now } = context
  const limit = { ...startLimit, key: ['oidc', request.clientNetwork] }
  // Counted before the request to the provider, so that failed requests count, too.
  await database.transaction((db) => requireUse(db, limit, now()))
  const callback = urls.plain(callbackPath(provider))
  const { url, secrets } = await oidc.start(provider, callback).catch((error: unknown) => {
    throw toPageError(context, provider, error)
  })
  await database.transaction((db) =>
    insertOidcRequest(db, sealer, now(), { providerId: provider.id, browserId, userId, secrets, nextPath }),
  )
  return url
}

const callbackPath = ({ id }: OidcProvider): string => `/login/oidc/${id}/callback`

async function startSignIn(context: PageContext): Promise<PageReply> {
  const next = parseNextPath(context, context.request.url.searchParams.get('next'))
  const location = await startRequest(context, getProvider(context), next)
  const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return { status: 303, headers, body: '' }
}

/**
 * Starts connecting an identity with the user who is signed in. Only a form of this server can start it, since otherwise another site
 * could connect an identity of its own. The page has a link, because forms of this server must not lead to other hosts.
 */
async function startConnection(pageContext: PageContext): Promise<PageReply> {
  const context = requireRecentSignIn(pageContext)
  const provider = getProvider(context)
  const url = await startRequest(context, provider, undefined, context.principal.user.id)
  return renderPage(context, {
    title: `Connect ${provider.label}`,
    content: markup`<h1>Connect ${provider.label}</h1><p>Sign in at ${provider.label}. You can then use it to sign in here.</p><a class="button" href="${url}">Continue to ${provider.label}</a>`,
  })
}

async function finishRequest(context: PageContext): Promise<PageReply> {
  const { database, sealer, oidc, urls, browserId, request, now, principal } = context
  const provider = getProvider(context)
  const state = request.url.searchParams.get('state') ?? ''
  const started = await database.transaction((db) =>
    takeOidcRequest(db, sealer, now(), { state, providerId: provider.id, browserId }),
  )
  // Nothing of the URL is shown before it is known that this browser started the sign-in.
  if (!started)
    throw new AppError('forbidden', 'The sign-in was not started in this browser, or it has expired. Try again')
  if (started.userId !== undefined && started.userId !== principal?.user.id)
    throw new AppError('forbidden', 'Another user has signed in with this browser. Try again')
  const callback = new URL(urls.plain(callbackPath(provider)) + request.url.search)
  const readClaims = () =>
    oidc.finish(provider, callback, started.secrets).catch((error: unknown): OidcClaims => {
      throw toPageError(context, provider, error)
    })
  if (started.userId === undefined) return finishSignIn(context, provider, readClaims, started.nextPath)
  const claims = await readClaims()
  await database.transaction((db) => connectAccount(db, requireSession(context), provider, claims))
  return redirectTo(context, '/account?done=connected')
}

/** Signs in the person whom the provider has identified, or records why not. */
async function finishSignIn(
  context: PageContext,
  provider: OidcProvider,
  readClaims: () => Promise<OidcClaims>,
  nextPath: string | undefined,
): Promise<PageReply> {
  let email: string | undefined
  try {
    const claims = await readClaims()
    email = findVerifiedEmail(provider, claims)
    return await context.database.transaction(async (db) => {
      const userId = await resolveAccount(db, context, provider, claims, nextPath)
      return completeSignIn(db, context, { userId, method: 'oidc', next: nextPath })
    })
  } catch (error) {
    if (isRefusal(error)) await recordFailedSignIn(context, provider, { reason: error.message, email })
    throw error
  }
}

/** Maximum length of an explanation by the provider. */
const maxExplanationLength = 200

/** Returns the error for the page; details are only logged. */
function toPageError({ log }: PageContext, { id, label }: OidcProvider, error: unknown): AppError {
  if (isProviderRefusal(error)) {
    const explanation = (error.error_description ?? error.error).slice(0, maxExplanationLength)
    return new AppError('forbidden', `${label} has not signed you in: ${explanation}`)
  }
  const { message, code } = describeError(error)
  log.warn('A sign-in with OpenID Connect failed', { provider: id, message, code })
  return hasFetchError(error)
    ? new BusyError('unavailable', `${label} cannot be reached at the moment. Try again later`, 10)
    : new AppError('forbidden', `The reply of ${label} is not valid. Try again`)
}

/** Whether the provider redirected back with an error, for example because the person cancelled. */
function isProviderRefusal(error: unknown): error is Error & { error: string; error_description?: string } {
  return error instanceof Error && error.name === 'AuthorizationResponseError'
}

/** Returns the parts of an error that may be logged: the causes of these errors contain tokens. */
function describeError(error: unknown): { message: string; code: string | undefined } {
  if (!(error instanceof Error)) return { message: String(error), code: undefined }
  return { message: error.message, code: 'code' in error ? String(error.code) : undefined }
}

/** Whether a request to the provider failed. */
function hasFetchError(error: unknown): boolean {
  if (error instanceof FetchError) return true
  return error instanceof Error && error.cause !== undefined && hasFetchError(error.cause)
}

export const oidcRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/login/oidc/{providerId}', handler: startSignIn },
  { method: 'GET', path: '/login/oidc/{providerId}/callback', handler: finishRequest },
  { method: 'POST', path: '/account/identities/{providerId}', kind: 'form', handler: startConnection },
]
