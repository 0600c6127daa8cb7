import { findPasskeysOfUser, maxLabelLength } from '../domain/accounts/passkeys.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup, nothing } from '../render/html.ts'
import type { Row } from '../schema/tables.ts'
import { startSession } from './complete-sign-in.ts'
import type { AccountContext, PageContext, PageRoute } from './context.ts'
import { redirectTo, renderField, renderForm, renderTime, toScriptReply } from './page.ts'
import {
  addPasskey,
  findPasskeyParty,
  renderPasskeyForm,
  sendRegistrationOptions,
  verifyCreatedPasskey,
} from './passkeys.ts'
import { recordPageEvent } from './events.ts'
import { renderIfRecent, requireRecentSignIn } from './recent-sign-in.ts'
import { hasOtherWayToSignIn, removePasskey } from './second-factors.ts'

const toPurpose = (userId: string): string => `registration ${userId}`

/** Renders the list of passkeys with forms that add and remove one. */
export async function renderPasskeysSection(context: AccountContext): Promise<Html> {
  const { database, principal, settings } = context
  if (!settings.methods.has('passkey')) return nothing
  const passkeys = await findPasskeysOfUser(database.reader, principal.user.id)
  const isAvailable = findPasskeyParty(context) !== undefined
  const add = renderPasskeyForm(context, {
    kind: 'create',
    action: '/account/passkeys',
    fields: renderField({
      name: 'label',
      label: 'Name of the new passkey',
      autocomplete: 'off',
      hint: 'For example the device that stores it',
      maxLength: maxLabelLength,
    }),
    submit: 'Add passkey',
  })
  const change = () =>
    isAvailable
      ? markup`${add}<p class="unscripted">Adding a passkey needs JavaScript.</p>`
      : markup`<p>Browsers support passkeys on HTTPS addresses with a hostname, and on <code>localhost</code>. This server has another address.</p>`
  return markup`<section aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2><p>A passkey signs you in with your fingerprint, face, PIN or security key, without a password. It counts as a second factor.</p>${passkeys.length > 0 && markup`<ul class="entries">${passkeys.map((passkey) => renderPasskey(context, passkey))}</ul>`}${renderIfRecent(context, change)}</section>`
}

function renderPasskey(context: AccountContext, { id, label, created_at, last_used_at }: Row<'passkeys'>): Html {
  const remove = renderForm(context, {
    action: `/account/passkeys/${id}/remove`,
    fields: nothing,
    submit: 'Remove',
    label: `Remove passkey ${label}`,
    isPlain: true,
  })
  const lastUse = last_used_at !== null && markup`, last used ${renderTime(last_used_at)}`
  return markup`<li><span><strong>${label}</strong><small>Added ${renderTime(created_at)}${lastUse}</small></span>${remove}</li>`
}

async function sendOptions(pageContext: PageContext): Promise<PageReply> {
  const context = requireRecentSignIn(pageContext)
  const { user } = context.principal
  return sendRegistrationOptions(context, user, toPurpose(user.id))
}

/** Adds a passkey. The session gets a new token and counts as one with a second factor. */
async function createPasskey(pageContext: PageContext): Promise<PageReply> {
  const context = requireRecentSignIn(pageContext)
  const { user, session } = context.principal
  const passkey = await verifyCreatedPasskey(context, toPurpose(user.id))
  return context.database.transaction(async (db) => {
    await addPasskey(db, context, user.id, passkey)
    await recordPageEvent(db, context, user, 'passkey.add')
    const identity = { ...session, userId: user.id, hasSecondFactor: true, next: undefined }
    const cookie = await startSession(db, context, identity)
    return toScriptReply(redirectTo(context, '/account?done=passkey', [cookie]))
  })
}

async function deletePasskey(pageContext: PageContext): Promise<PageReply> {
  const context = requireRecentSignIn(pageContext)
  const { database, principal, params } = context
  const passkeyId = params['passkeyId'] ?? ''
  const userId = principal.user.id
  await database.transaction(async (db) => {
    if (!(await hasOtherWayToSignIn(db, context, userId, { passkeyId })))
      throw new AppError('conflict', 'This is your only way to sign in. Add another passkey or a password first')
    if (!(await removePasskey(db, userId, passkeyId))) throw new AppError('notFound', 'No such passkey was found')
    const target = { type: 'passkey' as const, id: passkeyId }
    await recordPageEvent(db, context, principal.user, 'passkey.remove', { target })
  })
  return redirectTo(context, '/account?done=passkey-removed')
}

export const passkeyRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/account/passkeys/options', kind: 'script', handler: sendOptions },
  { method: 'POST', path: '/account/passkeys', kind: 'script', handler: createPasskey },
  { method: 'POST', path: '/account/passkeys/{passkeyId}/remove', kind: 'form', handler: deletePasskey },
]
