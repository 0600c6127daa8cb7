import { deleteSession } from '../access/sessions.ts'
import { clearAttempts, countAttempt } from '../domain/accounts/attempts.ts'
import { isPasswordCorrect, passwordLengths } from '../domain/accounts/passwords.ts'
import { findUsersByEmail } from '../domain/users/user-store.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, attributes, markup } from '../render/html.ts'
import { createAttempt } from './attempt.ts'
import { completeSignIn, expiredCookie, startPath } from './complete-sign-in.ts'
import type { PageContext, PageRoute } from './context.ts'
import { hasEmailLinks, renderEmailLinkForm } from './email-link.ts'
import { recordPageEvent } from './events.ts'
import { renderProviderLinks } from './oidc/pages.ts'
import {
  maxEmailLength,
  parseNextPath,
  redirectTo,
  renderAlert,
  renderField,
  renderForm,
  renderHidden,
  renderPage,
} from './page.ts'
import { passkeyLoginRoutes, renderPasskeyLogin } from './passkey-login.ts'
import { passkeyScripts } from './passkeys.ts'
import { expiredEditorCookie } from './editor-cookie.ts'
import { findLogoutUrl } from './saml/logout.ts'
import { renderSsoLink } from './saml/find-provider.ts'
import { redirectToProvider } from './saml/start.ts'

/** Renders the sign-in page with all ways to sign in. */
async function renderLogin(
  context: PageContext,
  { next, email, problem }: { next: string | undefined; email?: string; problem?: string },
): Promise<PageReply> {
  const password = context.settings.methods.has('password') ? renderPasswordForm(context, next, email) : undefined
  const passkey = renderPasskeyLogin(context, { next, isSecondary: password !== undefined })
  const links = [
    ...(context.oidc.providers.length > 0 ? [renderProviderLinks(context, next)] : []),
    (await renderSsoLink(context, next)) ?? [],
  ].flat()
  const buttons = passkey ? [passkey, ...links] : links
  const emailLink = hasEmailLinks(context) && renderEmailLink(context, next, password !== undefined)
  // Passkeys need scripts, so a divider that is followed only by passkeys is hidden without scripts.
  const divider = markup`<p${attributes({ class: 'or', 'data-scripted': links.length === 0 })}>or</p>`
  const groups = [
    markup`${password}`,
    markup`${password && buttons.length > 0 && divider}${buttons}`,
    markup`${emailLink && (password || buttons.length > 0) && markup`<p class="or">or</p>`}${emailLink}`,
  ]
  return renderPage(context, {
    title: 'Sign in',
    status: problem === undefined ? 200 : 401,
    scripts: passkey ? passkeyScripts : [],
    content: markup`<h1>Sign in</h1>${renderAlert(problem)}${groups}`,
  })
}

function renderEmailLink(context: PageContext, next: string | undefined, hasPassword: boolean): Html {
  const forgotten =
    hasPassword &&
    markup`<p>Forgotten your password? Sign in with a link, and choose a new password on your account page.</p>`
  return markup`${forgotten}${renderEmailLinkForm(context, next)}`
}

function renderPasswordForm(context: PageContext, next: string | undefined, email: string | undefined): Html {
  const fields = markup`${renderHidden('next', next)}${renderField({ name: 'email', label: 'Email address', type: 'email', value: email, autocomplete: 'username webauthn', maxLength: maxEmailLength, isFocused: true })}${renderField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxLength: passwordLengths.max })}`
  return renderForm(context, { action: '/login', fields, submit: 'Sign in' })
}

async function showLogin(context: PageContext): Promise<PageReply> {
  const { searchParams } = context.request.url
  const next = parseNextPath(context, searchParams.get('next'))
  // A signed-in user may have to sign in again before changing how they sign in.
  return context.principal && !searchParams.has('again')
    ? redirectTo(context, next ?? startPath)
    : renderLogin(context, { next })
}

async function signInWithPassword(context: PageContext): Promise<PageReply> {
  const { form, database, request, now, settings } = context
  if (!settings.methods.has('password')) throw new AppError('forbidden', 'Passwords are turned off on this server')
  const next = parseNextPath(context, form.get('next'))
  const email = (form.get('email') ?? '').trim().toLowerCase().slice(0, maxEmailLength)
  const password = form.get('password') ?? ''
  const [user] = email === '' ? [] : await findUsersByEmail(database.reader, [email])
  const attempt = await createAttempt(context, 'password', email, user?.id)
  await database.transaction((db) => countAttempt(db, attempt, now()))
  const isCorrect = await isPasswordCorrect(database.reader, user?.id, password, request.clientNetwork)
  if (!isCorrect || !user) {
    // Also recorded for unknown accounts, so that the time does not reveal whether an account exists.
    const named = user ?? { id: 'unknown', display_name: email, email }
    await database.transaction((db) => recordPageEvent(db, context, named, 'user.sign-in-failed'))
    const problem = 'The email address or the password is wrong.'
    return renderLogin(context, { next, email, problem })
  }
  return database.transaction(async (db) => {
    await clearAttempts(db, attempt)
    return completeSignIn(db, context, { userId: user.id, method: 'password', next })
  })
}

async function signOut(context: PageContext): Promise<PageReply> {
  const { principal, database } = context
  const cookies = [expiredCookie(context, 'session'), expiredEditorCookie(context)]
  if (!principal) return redirectTo(context, '/login', cookies)
  await database.transaction(async (db) => {
    await deleteSession(db, principal, principal.session.id)
    await recordPageEvent(db, context, principal.user, 'user.sign-out', { sso: principal.session.sso })
  })
  const logoutUrl = await findLogoutUrl(context, principal)
  return logoutUrl === undefined ? redirectTo(context, '/login', cookies) : redirectToProvider(logoutUrl, cookies)
}

export const loginRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/login', handler: showLogin },
  { method: 'POST', path: '/login', kind: 'form', handler: signInWithPassword },
  { method: 'POST', path: '/logout', kind: 'form', handler: signOut },
  ...passkeyLoginRoutes,
]
