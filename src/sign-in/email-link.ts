import { clearAttempts, countAttempt } from '../domain/accounts/attempts.ts'
import { findSignInLink, useSignInLink } from '../domain/accounts/links.ts'
import { findUsersByEmail } from '../domain/users/user-store.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup, nothing } from '../render/html.ts'
import { createAttempt } from './attempt.ts'
import { completeSignIn } from './complete-sign-in.ts'
import type { PageContext, PageRoute } from './context.ts'
import { parseEmailField, renderEmailField } from './email-field.ts'
import { enqueueMailedLink } from './mailed-link-job.ts'
import { parseNextPath, renderForm, renderHidden, renderPage } from './page.ts'

/** Whether people can sign in with a link that is sent to their address. */
export const hasEmailLinks = ({ settings }: PageContext): boolean => settings.hasMail && settings.methods.has('email')

/** Renders the form that requests a link. */
export function renderEmailLinkForm(context: PageContext, next: string | undefined): Html {
  const fields = markup`${renderHidden('next', next)}${renderEmailField()}`
  return renderForm(context, { action: '/login/email', fields, submit: 'Email me a link' })
}

function requireEmailLinks(context: PageContext): void {
  if (!hasEmailLinks(context)) throw new AppError('notFound', 'Links by email are turned off on this server')
}

/** Sends a link. The reply is the same whether the address has an account or not. */
async function requestLink(context: PageContext): Promise<PageReply> {
  requireEmailLinks(context)
  const { form, database, browserId, now } = context
  const email = parseEmailField(form)
  const next = parseNextPath(context, form.get('next'))
  const [user] = await findUsersByEmail(database.reader, [email])
  const attempt = await createAttempt(context, 'email-link', email, user?.id)
  await database.transaction(async (db) => {
    await countAttempt(db, attempt, now())
    await enqueueMailedLink(db, context, { kind: 'email', email, browserId, next })
  })
  return renderPage(context, {
    title: 'Check your email',
    content: markup`<h1>Check your email</h1><p>If there is an account with the address <strong>${email}</strong>, we have sent a link to it. Open the link in this browser within 15 minutes.</p>`,
  })
}

const findLink = ({ database, params, browserId, now }: PageContext) =>
  findSignInLink(database.reader, 'email', params['token'] ?? '', { now: now(), browserId })

/** Shows a button, because programs that scan mail open all links. */
async function showLink(context: PageContext): Promise<PageReply> {
  requireEmailLinks(context)
  const link = await findLink(context)
  if (!link) return renderInvalidLink(context)
  const action = `/login/email/${context.params['token'] ?? ''}`
  return renderPage(context, {
    title: 'Sign in',
    content: markup`<h1>Sign in</h1><p>Sign in as <strong>${link.email}</strong>.</p>${renderForm(context, { action, fields: nothing, submit: 'Sign in' })}`,
  })
}

/** Signs in with a link, which becomes invalid. */
async function signInWithLink(context: PageContext): Promise<PageReply> {
  requireEmailLinks(context)
  const link = await findLink(context)
  const [user] = link?.email ? await findUsersByEmail(context.database.reader, [link.email]) : []
  if (!link || !user) return renderInvalidLink(context)
  const attempt = await createAttempt(context, 'email-link', user.email, user.id)
  return context.database.transaction(async (db) => {
    if (!(await useSignInLink(db, link))) return renderInvalidLink(context)
    await clearAttempts(db, attempt)
    return completeSignIn(db, context, { userId: user.id, method: 'email', next: link.next_path ?? undefined })
  })
}

/** Renders the page for links that are used, expired, or of another browser, with a form to request another one. */
function renderInvalidLink(context: PageContext): Promise<PageReply> {
  return renderPage(context, {
    title: 'This link does not work here',
    status: 404,
    content: markup`<h1>This link does not work here</h1><p>A link works once, within 15 minutes, and only in the browser in which it was requested. Request another one for this browser:</p>${renderEmailLinkForm(context, undefined)}`,
  })
}

export const emailLinkRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/login/email', kind: 'form', handler: requestLink },
  { method: 'GET', path: '/login/email/{token}', handler: showLink },
  { method: 'POST', path: '/login/email/{token}', kind: 'form', handler: signInWithLink },
]
