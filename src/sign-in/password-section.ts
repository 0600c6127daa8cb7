import { deleteSessionsOfUser } from '../access/sessions.ts'
import { requireOwnSignIn } from '../access/sso.ts'
import { type Attempt, clearAttempts, countAttempt } from '../domain/accounts/attempts.ts'
import { hasPasskey } from '../domain/accounts/passkeys.ts'
import {
  deletePassword,
  findPasswordProblem,
  findPasswordTime,
  hashPassword,
  isPasswordCorrect,
  passwordLengths,
  storePassword,
} from '../domain/accounts/passwords.ts'
import { deletePendingSignIns } from '../domain/accounts/pending-sign-ins.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup, nothing } from '../render/html.ts'
import { recordPageEvent } from './events.ts'
import { startSession } from './complete-sign-in.ts'
import type { AccountContext, PageContext, PageRoute } from './context.ts'
import { hasEmailLinks } from './email-link.ts'
import { toHref } from './href.ts'
import { redirectTo, renderField, renderForm, renderTime, requireSession } from './page.ts'
import { isRecentPasswordlessSignIn, isRecentSignIn, renderIfRecent, requireRecentSignIn } from './recent-sign-in.ts'
import { findPasskeyParty } from './passkeys.ts'
import { hasOtherWayToSignIn } from './second-factors.ts'

/** Renders the form that sets or changes the password. */
export async function renderPasswordSection(context: AccountContext): Promise<Html> {
  const { database, principal, settings } = context
  if (!settings.methods.has('password') || principal.reach.only !== undefined) return nothing
  const setAt = await findPasswordTime(database.reader, principal.user.id)
  const isProven = isRecentPasswordlessSignIn(context)
  const current =
    setAt !== undefined &&
    !isProven &&
    renderField({
      name: 'current',
      label: 'Current password',
      type: 'password',
      autocomplete: 'current-password',
      maxLength: passwordLengths.max,
    })
  const next = renderField({
    name: 'password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${passwordLengths.min} characters`,
    maxLength: passwordLengths.max,
  })
  const form = renderForm(context, {
    action: '/account/password',
    fields: markup`${current}${next}`,
    submit: setAt === undefined ? 'Set password' : 'Change password',
  })
  if (setAt === undefined)
    return renderSection(markup`<p>You have no password.</p>${renderIfRecent(context, () => form)}`)
  const canRemove =
    isRecentSignIn(context) && (await hasOtherWayToSignIn(database.reader, context, principal.user.id, 'password'))
  const remove =
    canRemove &&
    renderForm(context, {
      action: '/account/password/remove',
      fields: nothing,
      submit: 'Remove password',
      isPlain: true,
    })
  const note = isProven
    ? markup`<p>You signed in without your password a short time ago, so you can choose a new one without the current one.</p>`
    : await renderForgottenNote(context)
  return renderSection(markup`<p>Set on ${renderTime(setAt)}.</p>${note}${form}${remove}`)
}

/** Renders how to replace a forgotten password, if the user can sign in without it. */
async function renderForgottenNote(context: AccountContext): Promise<Html> {
  const { database, principal } = context
  const hasUsablePasskey = findPasskeyParty(context) && (await hasPasskey(database.reader, principal.user.id))
  if (!hasUsablePasskey && !hasEmailLinks(context)) return nothing
  const way = hasUsablePasskey ? 'a passkey' : 'a link by email'
  return markup`<p>If you have forgotten it, <a href="${toHref(context, '/login?again=1&next=/account')}">sign in again</a> with ${way}, and choose a new one.</p>`
}

const renderSection = (content: Html): Html =>
  markup`<section aria-labelledby="password"><h2 id="password">Password</h2>${content}</section>`

/**
 * Changes the password after the current one was verified. A first password needs a recent sign-in instead, and one without the
 * password replaces a forgotten one. The session gets a new token, and all others end.
 */
async function changePassword(pageContext: PageContext): Promise<PageReply> {
  const context = requireSession(pageContext)
  const { form, database, principal, request, now, settings } = context
  const { user, session } = principal
  if (!settings.methods.has('password')) throw new AppError('forbidden', 'Passwords are turned off on this server')
  requireOwnSignIn(principal, 'change how you sign in')
  const attempt: Attempt = {
    kind: 'password',
    account: user.email,
    network: request.clientNetwork,
    knownBrowser: context.browserId,
  }
  const hasPassword = (await findPasswordTime(database.reader, user.id)) !== undefined
  if (hasPassword && !isRecentPasswordlessSignIn(context)) {
    // The page has no field for it while the sign-in is recent.
    if (!form.has('current')) requireRecentSignIn(context)
    await database.transaction((db) => countAttempt(db, attempt, now()))
    const current = form.get('current') ?? ''
    if (!(await isPasswordCorrect(database.reader, user.id, current, request.clientNetwork)))
      throw new AppError('forbidden', 'The current password is wrong')
  } else {
    requireRecentSignIn(context)
  }
  const password = form.get('password') ?? ''
  const problem = findPasswordProblem(password, user.email)
  if (problem !== undefined) throw new AppError('invalid', problem.replace(/\.$/, ''))
  const hash = await hashPassword(password, request.clientNetwork)
  const cookie = await database.transaction(async (db) => {
    await clearAttempts(db, attempt)
    await storePassword(db, user.id, hash, now())
    await recordPageEvent(db, context, user, 'password.set')
    await deleteSessionsOfUser(db, user.id, { except: session.id })
    await deletePendingSignIns(db, user.id)
    return startSession(db, context, { ...session, userId: user.id, next: undefined })
  })
  return redirectTo(context, '/account?done=password', [cookie])
}

async function removePassword(pageContext: PageContext): Promise<PageReply> {
  const context = requireRecentSignIn(pageContext)
  const userId = context.principal.user.id
  await context.database.transaction(async (db) => {
    if (!(await hasOtherWayToSignIn(db, context, userId, 'password')))
      throw new AppError('conflict', 'This is your only way to sign in. Add a passkey first')
    await deletePassword(db, userId)
    await recordPageEvent(db, context, context.principal.user, 'password.remove')
    await deletePendingSignIns(db, userId)
  })
  return redirectTo(context, '/account?done=password-removed')
}

export const passwordRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/account/password', kind: 'form', handler: changePassword },
  { method: 'POST', path: '/account/password/remove', kind: 'form', handler: removePassword },
]
