import { readCookie, isSecureUrl } from '../access/session-cookie.ts'
import { clearAttempts, countAttempt } from '../domain/accounts/attempts.ts'
import { findAuthenticatorAppTime, useTotpCode } from '../domain/accounts/authenticator-apps.ts'
import { findPasskeysOfUser } from '../domain/accounts/passkeys.ts'
import { findPendingSignIn, usePendingSignIn } from '../domain/accounts/pending-sign-ins.ts'
import { countRecoveryCodes, useRecoveryCode } from '../domain/accounts/recovery-codes.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup } from '../render/html.ts'
import type { Db, Row } from '../schema/tables.ts'
import { createAttempt } from './attempt.ts'
import { completeSignIn, expiredCookie, secondFactorPath } from './complete-sign-in.ts'
import type { PageContext, PageRoute } from './context.ts'
import { renderAlert, renderField, renderForm, renderOneTimeCodeField, renderPage, toScriptReply } from './page.ts'
import {
  acceptPasskey,
  findPasskeyParty,
  passkeyScripts,
  renderPasskeyForm,
  sendAssertionOptions,
  verifyUsedPasskey,
} from './passkeys.ts'

type Pending = Row<'pending_sign_ins'>

const toPurpose = ({ hash }: Pending): string => `second-factor ${hash}`

/** Returns the pending sign-in of the browser; without one, the first factor has to be given again. */
async function getPending({ database, request, urls, browserId, now }: PageContext): Promise<Pending> {
  const token = readCookie(request.header('cookie'), 'pending', isSecureUrl(urls.plain('/')))
  const pending =
    token === undefined ? undefined : await findPendingSignIn(database.reader, token, { browserId, now: now() })
  if (!pending) throw new AppError('unauthenticated', 'The sign-in has expired. Sign in again')
  return pending
}

/** Renders the forms for all second factors of the user. */
async function renderSecondFactor(
  context: PageContext,
  { user_id: userId }: Pending,
  problem?: string,
): Promise<PageReply> {
  const { reader } = context.database
  const hasApp = (await findAuthenticatorAppTime(reader, userId)) !== undefined
  const hasPasskeys = findPasskeyParty(context) !== undefined && (await findPasskeysOfUser(reader, userId)).length > 0
  const hasCodes = (await countRecoveryCodes(reader, userId)) > 0
  const app =
    hasApp && renderForm(context, { action: secondFactorPath, fields: renderOneTimeCodeField(), submit: 'Continue' })
  const passkey =
    hasPasskeys &&
    renderPasskeyForm(context, {
      kind: 'use',
      action: `${secondFactorPath}/passkey`,
      submit: 'Continue with a passkey',
      isSecondary: hasApp,
    })
  return renderPage(context, {
    title: 'Second factor',
    status: problem === undefined ? 200 : 401,
    scripts: hasPasskeys ? passkeyScripts : [],
    content: markup`<h1>Second factor</h1><p>Confirm that it is you.</p>${renderAlert(problem)}${app}${app && passkey && markup`<p class="or" data-scripted>or</p>`}${passkey}${hasCodes && renderRecoveryForm(context)}`,
  })
}

function renderRecoveryForm(context: PageContext): Html {
  const form = renderForm(context, {
    action: `${secondFactorPath}/recovery`,
    fields: renderField({ name: 'recovery', label: 'Recovery code', autocomplete: 'off', maxLength: 40 }),
    submit: 'Continue with a recovery code',
  })
  return markup`<details><summary>Use a recovery code</summary>${form}</details>`
}

/** Kinds of codes. They are throttled separately, so that guessing one does not lock the owner out of the other. */
type CodeKind = 'totp' | 'recovery'

/** Completes the sign-in if a code is accepted. Attempts are counted before they are verified. */
async function acceptCode(
  context: PageContext,
  kind: CodeKind,
  accept: (db: Db, pending: Pending) => Promise<boolean>,
): Promise<PageReply> {
  const { database, now } = context
  const pending = await getPending(context)
  const attempt = await createAttempt(context, kind, pending.user_id, pending.user_id)
  await database.transaction((db) => countAttempt(db, attempt, now()))
  const reply = await database.transaction(async (db) => {
    if (!(await accept(db, pending))) return undefined
    await clearAttempts(db, attempt)
    return completePending(db, context, pending)
  })
  return reply ?? renderSecondFactor(context, pending, 'The code is wrong or was used before.')
}

async function completePending(db: Db, context: PageContext, pending: Pending): Promise<PageReply> {
  if (!(await usePendingSignIn(db, pending)))
    throw new AppError('unauthenticated', 'The sign-in has expired. Sign in again')
  const { sso_organization_id: organizationId, sso_provider_id: providerId } = pending
  const reply = await completeSignIn(db, context, {
    userId: pending.user_id,
    method: pending.method,
    hasSecondFactor: true,
    sso: organizationId === null || providerId === null ? undefined : { organizationId, providerId },
    next: pending.next_path ?? undefined,
  })
  return { ...reply, cookies: [...(reply.cookies ?? []), expiredCookie(context, 'pending')] }
}

const acceptAppCode = (context: PageContext): Promise<PageReply> =>
  acceptCode(context, 'totp', (db, { user_id: userId }) =>
    useTotpCode(db, context.sealer, { userId, code: context.form.get('code') ?? '' }, context.now()),
  )

const acceptRecoveryCode = (context: PageContext): Promise<PageReply> =>
  acceptCode(context, 'recovery', (db, { user_id: userId }) =>
    useRecoveryCode(db, userId, context.form.get('recovery') ?? ''),
  )

async function sendPasskeyOptions(context: PageContext): Promise<PageReply> {
  const pending = await getPending(context)
  const allowed = await findPasskeysOfUser(context.database.reader, pending.user_id)
  return sendAssertionOptions(context, toPurpose(pending), allowed)
}

async function acceptPasskeyOfUser(context: PageContext): Promise<PageReply> {
  const pending = await getPending(context)
  const used = await verifyUsedPasskey(context, toPurpose(pending))
  if (used.passkey.user_id !== pending.user_id)
    throw new AppError('forbidden', 'This passkey belongs to another account')
  return context.database.transaction(async (db) => {
    await acceptPasskey(db, context, used)
    return toScriptReply(await completePending(db, context, pending))
  })
}

export const secondFactorRoutes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: secondFactorPath,
    handler: async (context) => renderSecondFactor(context, await getPending(context)),
  },
  { method: 'POST', path: secondFactorPath, kind: 'form', handler: acceptAppCode },
  { method: 'POST', path: `${secondFactorPath}/recovery`, kind: 'form', handler: acceptRecoveryCode },
  { method: 'POST', path: `${secondFactorPath}/passkey/options`, kind: 'script', handler: sendPasskeyOptions },
  { method: 'POST', path: `${secondFactorPath}/passkey`, kind: 'script', handler: acceptPasskeyOfUser },
]
