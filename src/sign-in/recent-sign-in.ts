import { requireOwnSignIn } from '../access/sso.ts'
import { AppError } from '../kernel/errors.ts'
import { minutes } from '../kernel/time.ts'
import { type Html, markup } from '../render/html.ts'
import type { SignInMethod } from '../schema/sign-in.ts'
import type { AccountContext, PageContext } from './context.ts'
import { toHref } from './href.ts'
import { requireSession } from './page.ts'

/** Time after a sign-in in which the ways to sign in can be changed, so that an unattended browser is not sufficient. */
const recentTime = minutes(15)

/** Whether the user signed in a short time ago. */
export const isRecentSignIn = ({ principal, now }: AccountContext): boolean =>
  Date.parse(now()) - Date.parse(principal.session.createdAt) <= recentTime

/** Ways to sign in that prove who the user is without the password, except those of other servers. */
const passwordlessMethods: ReadonlySet<SignInMethod> = new Set(['email', 'passkey', 'link'])

/** Whether the user signed in a short time ago with a link or a passkey, so that a forgotten password can be replaced. */
export const isRecentPasswordlessSignIn = (context: AccountContext): boolean =>
  passwordlessMethods.has(context.principal.session.method) && isRecentSignIn(context)

/** Returns the context of a user who signed in a short time ago; others are sent to the sign-in page. */
export function requireRecentSignIn(pageContext: PageContext): AccountContext {
  const context = requireSession(pageContext)
  requireOwnSignIn(context.principal, 'change how you sign in')
  if (!isRecentSignIn(context))
    throw new AppError('unauthenticated', 'You signed in some time ago. Sign in again to change how you sign in')
  return context
}

/**
 * Renders content that requires a recent sign-in; otherwise a link to sign in again. Identity providers decide this for their
 * users.
 */
export function renderIfRecent(context: AccountContext, render: () => Html): Html {
  if (context.principal.reach.only !== undefined)
    return markup`<p>You signed in with the identity provider of your organization.</p>`
  return isRecentSignIn(context)
    ? render()
    : markup`<p><a href="${toHref(context, '/login?again=1&next=/account')}">Sign in again</a> to change this.</p>`
}
