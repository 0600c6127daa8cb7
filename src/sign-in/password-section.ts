import { deleteSessionsOfUser } from '../access/sessions.ts'
import { requireOwnSignIn } from '../access/sso.ts'
import { type Attempt, clearAttempts, countAttempt } from '../domain/accounts/attempts.ts'
import {
  findPasswordProblem,
  findPasswordTime,
  hashPassword,
  isPasswordCorrect,
  passwordLengths,
  storePassword,
} from '../domain/accounts/passwords.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup } from '../render/html.ts'
import { recordPageEvent } from './events.ts'
import { startSession } from './complete-sign-in.ts'
import type { AccountContext, PageContext, PageRoute } from './context.ts'
import { redirectTo, renderField, renderForm, requireSession } from './page.ts'

/** Renders the form that sets or changes the password. */
export async function renderPasswordSection(context: AccountContext): Promise<Html> {
  const { database, principal, settings } = context
  if (!settings.methods.has('password') || principal.reach.only !== undefined) return markup``
  const setAt = await findPasswordTime(database.reader, principal.user.id)
  const current =
    setAt !== undefined &&
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
  return markup`<section aria-labelledby="password"><h2 id="password">Password</h2>${setAt === undefined ? markup`<p>You have no password.</p>` : markup`<p>Set on <time datetime="${setAt}">${setAt.slice(0, 10)}</time>.</p>`}${form}</section>`
}

/** Changes the password after the current one was verified. The session gets a new token, and all others end. */
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
  if ((await findPasswordTime(database.reader, user.id)) !== undefined) {
    await database.transaction((db) => countAttempt(db, attempt, now()))
    const current = form.get('current') ?? ''
    if (!(await isPasswordCorrect(database.reader, user.id, current, request.clientNetwork)))
      throw new AppError('forbidden', 'The current password is wrong')
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
    return startSession(db, context, {
      userId: user.id,
      method: session.method,
      hasSecondFactor: session.hasSecondFactor,
      sso: session.sso,
      next: undefined,
    })
  })
  return redirectTo(context, '/account?done=password', [cookie])
}

export const passwordRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/account/password', kind: 'form', handler: changePassword },
]
