import { deleteSessionsOfUser } from '../access/sessions.ts'
import { findSignInLink, useSignInLink } from '../domain/accounts/links.ts'
import { findPasswordProblem, hashPassword, passwordLengths, storePassword } from '../domain/accounts/passwords.ts'
import { deletePendingSignIns } from '../domain/accounts/pending-sign-ins.ts'
import { findUsers } from '../domain/users/user-store.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup, nothing } from '../render/html.ts'
import type { Db, Row } from '../schema/tables.ts'
import { recordPageEvent } from './events.ts'
import { completeSignIn } from './complete-sign-in.ts'
import type { PageContext, PageRoute } from './context.ts'
import { renderAlert, renderField, renderForm, renderPage, toScriptReply } from './page.ts'
import {
  addPasskey,
  findPasskeyParty,
  passkeyScripts,
  renderPasskeyForm,
  sendRegistrationOptions,
  verifyCreatedPasskey,
} from './passkeys.ts'

interface Setup {
  link: Row<'sign_in_links'>
  user: Row<'users'>
}

/** Returns the link of the request and its user; fails if it was used or has expired. */
async function getSetup(context: PageContext): Promise<Setup> {
  const { database, params, now } = context
  const link = await findSignInLink(database.reader, 'setup', params['token'] ?? '', { now: now() })
  const [user] = link?.user_id ? await findUsers(database.reader, [link.user_id]) : []
  if (!link || !user) throw invalidLink()
  return { link, user }
}

const invalidLink = () =>
  new AppError('notFound', 'This link has expired or was used before. Ask the operator of this server for another one')

const toPurpose = ({ link }: Setup): string => `setup ${link.hash}`

async function renderSetup(context: PageContext, problem?: string): Promise<PageReply> {
  const { user } = await getSetup(context)
  const path = `/setup/${context.params['token'] ?? ''}`
  const canUsePassword = context.settings.methods.has('password')
  const passkey =
    findPasskeyParty(context) &&
    renderPasskeyForm(context, { kind: 'create', action: `${path}/passkey`, submit: 'Create a passkey' })
  const form = renderForm(context, {
    action: path,
    fields: canUsePassword ? renderPasswordFields(user, passkey === undefined) : nothing,
    submit: canUsePassword ? 'Save password and sign in' : 'Sign in',
  })
  const divider = passkey && markup`<p class="or" data-scripted>or</p>`
  return renderPage(context, {
    title: 'Welcome',
    status: problem === undefined ? 200 : 400,
    scripts: passkey ? passkeyScripts : [],
    content: markup`<h1>Welcome</h1><p>Choose how to sign in as <strong>${user.email}</strong>.</p>${renderAlert(problem)}${passkey}${divider}${form}`,
  })
}

const renderPasswordFields = (user: Row<'users'>, isFocused: boolean): Html =>
  markup`<input type="hidden" name="email" autocomplete="username" value="${user.email}">${renderField({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: `At least ${passwordLengths.min} characters`, maxLength: passwordLengths.max, isFocused })}`

/** Uses up the link. All sessions of the account end, because the link may serve to recover it. */
async function useSetup(db: Db, { link, user }: Setup): Promise<void> {
  if (!(await useSignInLink(db, link))) throw invalidLink()
  await deleteSessionsOfUser(db, user.id)
  await deletePendingSignIns(db, user.id)
}

/** Sets the password of the account, unless passwords are turned off, and signs in. */
async function setPassword(context: PageContext): Promise<PageReply> {
  const { form, database, request, settings, now } = context
  const setup = await getSetup(context)
  const { user, link } = setup
  const password = settings.methods.has('password') ? (form.get('password') ?? '') : undefined
  const problem = password === undefined ? undefined : findPasswordProblem(password, user.email)
  if (problem !== undefined) return renderSetup(context, problem)
  const hash = password === undefined ? undefined : await hashPassword(password, request.clientNetwork)
  return database.transaction(async (db) => {
    await useSetup(db, setup)
    if (hash !== undefined) {
      await storePassword(db, user.id, hash, now())
      await recordPageEvent(db, context, user, 'password.set', { actor: { kind: 'user', user } })
    }
    return completeSignIn(db, context, { userId: user.id, method: 'link', next: link.next_path ?? undefined })
  })
}

async function sendPasskeyOptions(context: PageContext): Promise<PageReply> {
  const setup = await getSetup(context)
  return sendRegistrationOptions(context, setup.user, toPurpose(setup))
}

/** Adds a passkey to the account and signs in. */
async function createPasskey(context: PageContext): Promise<PageReply> {
  const setup = await getSetup(context)
  const { user, link } = setup
  const passkey = await verifyCreatedPasskey(context, toPurpose(setup))
  return context.database.transaction(async (db) => {
    await useSetup(db, setup)
    await addPasskey(db, context, user.id, passkey)
    await recordPageEvent(db, context, user, 'passkey.add', { actor: { kind: 'user', user } })
    const next = link.next_path ?? undefined
    const identity = { userId: user.id, method: 'passkey' as const, hasSecondFactor: true, next }
    return toScriptReply(await completeSignIn(db, context, identity))
  })
}

export const setupRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/setup/{token}', handler: (context) => renderSetup(context) },
  { method: 'POST', path: '/setup/{token}', kind: 'form', handler: setPassword },
  { method: 'POST', path: '/setup/{token}/passkey/options', kind: 'script', handler: sendPasskeyOptions },
  { method: 'POST', path: '/setup/{token}/passkey', kind: 'script', handler: createPasskey },
]
