import { DisplayName } from '../contract/users.ts'
import { countAttempt } from '../domain/accounts/attempts.ts'
import { findSignInLink, useSignInLink } from '../domain/accounts/links.ts'
import { findPasswordProblem, hashPassword, passwordLengths, storePassword } from '../domain/accounts/passwords.ts'
import { createUser } from '../domain/users/accounts.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup } from '../render/html.ts'
import { isInviteProof } from '../resources/invites/invite-mail.ts'
import { acceptInvite } from '../resources/invites/join.ts'
import type { SignInMethod } from '../schema/sign-in.ts'
import type { Db, Row } from '../schema/tables.ts'
import { completeSignIn } from './complete-sign-in.ts'
import type { PageContext, PageRoute } from './context.ts'
import { parseEmailField } from './email-field.ts'
import { getInvite, toJoinPath, toOrganizationPath } from './invite.ts'
import { enqueueMailedLink } from './mailed-link-job.ts'
import { toAuditContext } from './events.ts'
import { renderAlert, renderField, renderForm, renderHidden, renderPage } from './page.ts'

/** Renders the form with which a person creates an account with a proven address. */
export function renderSignUpForm(
  context: PageContext,
  { action, email, hidden }: { action: string; email: string; hidden?: Html | undefined },
): Html {
  const password =
    context.settings.methods.has('password') &&
    renderField({
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'new-password',
      hint: `At least ${passwordLengths.min} characters`,
      maxLength: passwordLengths.max,
    })
  const name = renderField({
    name: 'name',
    label: 'Your name',
    value: context.form.get('name') ?? undefined,
    autocomplete: 'name',
    maxLength: 64,
  })
  const fields = markup`${hidden}<input type="hidden" name="email" autocomplete="username" value="${email}">${name}${password}`
  return renderForm(context, { action, fields, submit: 'Create an account' })
}

/** Name and password of a new account, or why they are refused. */
type NewAccount = { name: string; passwordHash: string | undefined } | { problem: string }

async function parseNewAccount({ form, settings, request }: PageContext, email: string): Promise<NewAccount> {
  const name = DisplayName.safeParse(form.get('name') ?? '')
  if (!name.success) return { problem: 'Enter a name with at most 64 characters.' }
  if (!settings.methods.has('password')) return { name: name.data, passwordHash: undefined }
  const password = form.get('password') ?? ''
  const problem = findPasswordProblem(password, email)
  if (problem !== undefined) return { problem }
  return { name: name.data, passwordHash: await hashPassword(password, request.clientNetwork) }
}

/** Creates an account, adds it to the organization of the invite and signs in, all in one transaction. */
async function createAccount(
  db: Db,
  context: PageContext,
  {
    email,
    name,
    passwordHash,
    method,
  }: { email: string; name: string; passwordHash: string | undefined; method: SignInMethod },
): Promise<PageReply> {
  const invite = await getInvite(db, context)
  const user = await createUser(db, context, { email, displayName: name })
  if (passwordHash !== undefined) await storePassword(db, user.id, passwordHash, context.now())
  await acceptInvite(toAuditContext(db, context), invite, user)
  return completeSignIn(db, context, { userId: user.id, method, next: toOrganizationPath(invite.organization.id) })
}

async function renderSignUpPage(context: PageContext, action: string, email: string, problem?: string, hidden?: Html) {
  const { organization } = await getInvite(context.database.reader, context)
  return renderPage(context, {
    title: `Join ${organization.title}`,
    status: problem === undefined ? 200 : 400,
    content: markup`<h1>Join ${organization.title}</h1><p>Create an account for <strong>${email}</strong>.</p>${renderAlert(problem)}${renderSignUpForm(context, { action, email, hidden })}`,
  })
}

/** Creates the account of an invited address. */
async function signUpWithInvite(context: PageContext): Promise<PageReply> {
  const { database, settings, form, signer } = context
  const invite = await getInvite(database.reader, context)
  const key = form.get('key') ?? ''
  if (invite.kind !== 'email' || (settings.hasMail && !isInviteProof(signer, invite.row, key)))
    throw new AppError('forbidden', 'Open the link that was sent to your email address')
  const { email } = invite.row
  const account = await parseNewAccount(context, email)
  if ('problem' in account)
    return renderSignUpPage(context, `${joinPath(context)}/sign-up`, email, account.problem, renderHidden('key', key))
  return database.transaction((db) => createAccount(db, context, { email, ...account, method: 'link' }))
}

const joinPath = ({ params }: PageContext): string =>
  toJoinPath(params['organizationId'] ?? '', params['inviteId'] ?? '')

/** Sends a link with which a person proves to own an address. An email invite is sent only to its own address. */
async function requestSignUpLink(context: PageContext): Promise<PageReply> {
  const { database, settings, form, browserId, request, now } = context
  const invite = await getInvite(database.reader, context)
  if (!settings.hasMail)
    throw new AppError('forbidden', 'This server sends no mail. Ask for an invite to your email address')
  const email = invite.kind === 'email' ? invite.row.email : parseEmailField(form)
  const attempt = { kind: 'sign-up-link', account: email, network: request.clientNetwork, knownBrowser: undefined }
  await database.transaction(async (db) => {
    await countAttempt(db, attempt, now())
    await enqueueMailedLink(db, context, { kind: 'sign-up', email, browserId, joinPath: joinPath(context) })
  })
  return renderPage(context, {
    title: 'Check your email',
    content: markup`<h1>Check your email</h1><p>We have sent a link to <strong>${email}</strong>. Open it in this browser within 15 minutes.</p>`,
  })
}

/** Returns the mailed link of the request, which belongs to this browser and to this invite. */
async function getSignUpLink(context: PageContext): Promise<Row<'sign_in_links'> & { email: string }> {
  const { database, params, browserId, now } = context
  const link = await findSignInLink(database.reader, 'sign-up', params['token'] ?? '', { now: now(), browserId })
  if (link && link.email !== null && link.next_path === joinPath(context)) return { ...link, email: link.email }
  throw invalidLink()
}

const invalidLink = () =>
  new AppError(
    'notFound',
    'A link works once, within 15 minutes, and only in the browser in which it was requested. Open the invite again to request another one',
  )

async function showSignUp(context: PageContext): Promise<PageReply> {
  const { email } = await getSignUpLink(context)
  return renderSignUpPage(context, signUpPath(context), email)
}

const signUpPath = (context: PageContext): string => `${joinPath(context)}/sign-up/${context.params['token'] ?? ''}`

/** Creates the account of a person who has proven to own an address. */
async function signUpWithLink(context: PageContext): Promise<PageReply> {
  const link = await getSignUpLink(context)
  const account = await parseNewAccount(context, link.email)
  if ('problem' in account) return renderSignUpPage(context, signUpPath(context), link.email, account.problem)
  return context.database.transaction(async (db) => {
    if (!(await useSignInLink(db, link))) throw invalidLink()
    return createAccount(db, context, { email: link.email, ...account, method: 'email' })
  })
}

const base = '/app/join/{organizationId}/{inviteId}'

export const signUpRoutes: readonly PageRoute[] = [
  { method: 'POST', path: `${base}/link`, kind: 'form', handler: requestSignUpLink },
  { method: 'POST', path: `${base}/sign-up`, kind: 'form', handler: signUpWithInvite },
  { method: 'GET', path: `${base}/sign-up/{token}`, handler: showSignUp },
  { method: 'POST', path: `${base}/sign-up/{token}`, kind: 'form', handler: signUpWithLink },
]
