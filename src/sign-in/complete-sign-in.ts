import { createSession, deleteSession } from '../access/sessions.ts'
import { type CookieKind, isSecureUrl, serializeCookie } from '../access/session-cookie.ts'
import { rememberBrowser } from '../domain/accounts/known-browsers.ts'
import { findUsers } from '../domain/users/user-store.ts'
import type { SsoSession } from '../kernel/context.ts'
import { createPendingSignIn, pendingLifetime } from '../domain/accounts/pending-sign-ins.ts'
import type { PageReply } from '../kernel/page-http.ts'
import type { SignInMethod } from '../schema/sign-in.ts'
import type { Db } from '../schema/tables.ts'
import type { PageContext } from './context.ts'
import { recordPageEvent } from './events.ts'
import { redirectTo } from './page.ts'
import { hasSecondFactor } from './second-factors.ts'

/** A proven identity. */
export interface ProvenIdentity {
  userId: string
  method: SignInMethod
  hasSecondFactor?: boolean
  /** Identity provider of an organization that proved it. */
  sso?: SsoSession | undefined
  /** Path to open next. */
  next: string | undefined
}

/** Page that opens after a sign-in: the web app. */
export const startPath = '/app'

/** Page on which users give their second factor. */
export const secondFactorPath = '/login/second-factor'

/**
 * Ways to sign in after which a second factor is required from users who have one. A link of the operator replaces a lost second
 * factor, and with SAML the identity provider of the organization decides.
 */
const singleFactorMethods: ReadonlySet<SignInMethod> = new Set(['password', 'email', 'oidc'])

/**
 * Signs a user in within a transaction, or asks for the second factor first. The session of the browser ends, and the new one always
 * has a new token, so a token that an attacker set before the sign-in is worthless.
 */
export async function completeSignIn(db: Db, context: PageContext, identity: ProvenIdentity): Promise<PageReply> {
  const isComplete = identity.hasSecondFactor === true || !singleFactorMethods.has(identity.method)
  if (!isComplete && (await hasSecondFactor(db, context, identity.userId)))
    return startSecondFactor(db, context, identity)
  const cookie = await startSession(db, context, identity)
  const [user] = await findUsers(db, [identity.userId])
  if (user)
    await recordPageEvent(db, context, user, 'user.sign-in', {
      sso: identity.sso,
      actor: { kind: 'user', user },
      after: { method: identity.method },
    })
  return redirectTo(context, identity.next ?? startPath, [cookie])
}

/** Stores the proven identity until the second factor is given, and redirects to the page for it. */
async function startSecondFactor(db: Db, context: PageContext, identity: ProvenIdentity): Promise<PageReply> {
  const { browserId, urls, now } = context
  const token = await createPendingSignIn(
    db,
    {
      user_id: identity.userId,
      method: identity.method,
      sso_organization_id: identity.sso?.organizationId ?? null,
      sso_provider_id: identity.sso?.providerId ?? null,
      next_path: identity.next ?? null,
    },
    { browserId, now: now() },
  )
  const cookie = serializeCookie('pending', token, { isSecure: isSecureUrl(urls.plain('/')), maxAge: pendingLifetime })
  return redirectTo(context, secondFactorPath, [cookie])
}

/** Starts a session instead of the current one and returns its cookie. */
export async function startSession(db: Db, context: PageContext, identity: ProvenIdentity): Promise<string> {
  const { principal, settings, request, urls, browserId, now } = context
  if (principal) await deleteSession(db, principal, principal.session.id)
  const { userId, method, sso } = identity
  const { token } = await createSession(db, context, {
    userId,
    method,
    hasSecondFactor: identity.hasSecondFactor === true,
    sso,
    client: { address: request.clientAddress, userAgent: request.header('user-agent') ?? '' },
    lifetimes: settings.lifetimes,
  })
  await rememberBrowser(db, userId, browserId, now())
  const isSecure = isSecureUrl(urls.plain('/'))
  return serializeCookie('session', token, { isSecure, maxAge: settings.lifetimes.absolute })
}

/** Returns the cookie that makes the browser forget a cookie. */
export const expiredCookie = ({ urls }: Pick<PageContext, 'urls'>, kind: CookieKind): string =>
  serializeCookie(kind, '', { isSecure: isSecureUrl(urls.plain('/')), maxAge: 0 })
