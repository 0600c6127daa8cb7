import { createSession, deleteSession } from '../access/sessions.ts'
import { isSecureUrl, serializeCookie } from '../access/session-cookie.ts'
import { rememberBrowser } from '../domain/accounts/known-browsers.ts'
import { findUsers } from '../domain/users/user-store.ts'
import type { SsoSession } from '../kernel/context.ts'
import type { PageReply } from '../kernel/page-http.ts'
import type { SignInMethod } from '../schema/sign-in.ts'
import type { Db } from '../schema/tables.ts'
import type { PageContext } from './context.ts'
import { recordPageEvent } from './events.ts'
import { redirectTo } from './page.ts'

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

/** Page that opens after a sign-in. */
export const startPath = '/account'

/**
 * Signs a user in within a transaction: starts a session, ends the one that the browser had, and returns the cookie and the redirect
 * as a reply. The session always has a new token, so a token that was planted before the sign-in is worthless.
 */
export async function completeSignIn(db: Db, context: PageContext, identity: ProvenIdentity): Promise<PageReply> {
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

/** Starts a session instead of the current one and returns its cookie. */
export async function startSession(db: Db, context: PageContext, identity: ProvenIdentity): Promise<string> {
  const { principal, settings, request, urls, browserId, now } = context
  if (principal) await deleteSession(db, principal, principal.session.id)
  const { userId, method, hasSecondFactor = false, sso } = identity
  const { token } = await createSession(db, context, {
    userId,
    method,
    hasSecondFactor,
    sso,
    client: { address: request.clientAddress, userAgent: request.header('user-agent') ?? '' },
    lifetimes: settings.lifetimes,
  })
  await rememberBrowser(db, userId, browserId, now())
  const isSecure = isSecureUrl(urls.plain('/'))
  return serializeCookie('session', token, { isSecure, maxAge: settings.lifetimes.absolute })
}

/** Returns the cookie that makes the browser forget its session. */
export const expiredSessionCookie = ({ urls }: Pick<PageContext, 'urls'>): string =>
  serializeCookie('session', '', { isSecure: isSecureUrl(urls.plain('/')), maxAge: 0 })
