import { deleteSessionsOfUser } from '../access/sessions.ts'
import { findSignInLink, useSignInLink } from '../domain/accounts/links.ts'
import { findPasswordProblem, hashPassword, passwordLengths, storePassword } from '../domain/accounts/passwords.ts'
import { findUsers } from '../domain/users/user-store.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { markup } from '../render/html.ts'
import type { Row } from '../schema/tables.ts'
import { recordPageEvent } from './events.ts'
import { completeSignIn } from './complete-sign-in.ts'
import type { PageContext, PageRoute } from './context.ts'
import { renderAlert, renderField, renderForm, renderPage } from './page.ts'

/** Returns the link of the request and its user; fails if it was used or has expired. */
async function getSetup(context: PageContext): Promise<{ link: Row<'sign_in_links'>; user: Row<'users'> }> {
  const { database, params, now } = context
  const link = await findSignInLink(database.reader, 'setup', params['token'] ?? '', { now: now() })
  const [user] = link?.user_id ? await findUsers(database.reader, [link.user_id]) : []
  if (!link || !user) throw invalidLink()
  return { link, user }
}

const invalidLink = () =>
  new AppError('notFound', 'This link has expired or was used before. Ask whoever runs this server for another one')

async function renderSetup(context: PageContext, problem?: string): Promise<PageReply> {
  const { user } = await getSetup(context)
  const fields = markup`<input type="hidden" name="email" autocomplete="username" value="${user.email}">${renderField({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: `At least ${passwordLengths.min} characters`, maxLength: passwordLengths.max, isFocused: true })}`
  const form = renderForm(context, {
    action: `/setup/${context.params['token'] ?? ''}`,
    fields,
    submit: 'Save and sign in',
  })
  return renderPage(context, {
    title: 'Welcome',
    status: problem === undefined ? 200 : 400,
    content: markup`<h1>Welcome</h1><p>Choose how to sign in as <strong>${user.email}</strong>.</p>${renderAlert(problem)}${form}`,
  })
}

/** Sets the password of the account and signs in. All other sessions end, because the link may serve to recover an account. */
async function setPassword(context: PageContext): Promise<PageReply> {
  const { form, database, request, now } = context
  const { link, user } = await getSetup(context)
  const password = form.get('password') ?? ''
  const problem = findPasswordProblem(password, user.email)
  if (problem !== undefined) return renderSetup(context, problem)
  const hash = await hashPassword(password, request.clientNetwork)
  return database.transaction(async (db) => {
    if (!(await useSignInLink(db, link))) throw invalidLink()
    await storePassword(db, user.id, hash, now())
    await deleteSessionsOfUser(db, user.id)
    await recordPageEvent(db, context, user, 'password.set', { actor: { kind: 'user', user } })
    return completeSignIn(db, context, { userId: user.id, method: 'link', next: link.next_path ?? undefined })
  })
}

export const setupRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/setup/{token}', handler: (context) => renderSetup(context) },
  { method: 'POST', path: '/setup/{token}', kind: 'form', handler: setPassword },
]
