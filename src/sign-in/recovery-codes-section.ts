import { countRecoveryCodes, replaceRecoveryCodes } from '../domain/accounts/recovery-codes.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup, nothing } from '../render/html.ts'
import type { AccountContext, PageContext, PageRoute } from './context.ts'
import { toHref } from './href.ts'
import { renderForm, renderPage } from './page.ts'
import { renderIfRecent, requireRecentSignIn } from './recent-sign-in.ts'
import { hasSecondFactor } from './second-factors.ts'

/** Renders how many recovery codes are left; nothing for users without a second factor. */
export async function renderRecoveryCodesSection(context: AccountContext): Promise<Html> {
  const { database, principal } = context
  if (!(await hasSecondFactor(database.reader, context, principal.user.id))) return nothing
  const count = await countRecoveryCodes(database.reader, principal.user.id)
  const create = () =>
    renderForm(context, {
      action: '/account/recovery-codes',
      fields: nothing,
      submit: count === 0 ? 'Create recovery codes' : 'Replace recovery codes',
      isPlain: true,
    })
  const left = count === 0 ? 'You have no recovery codes.' : `You have ${count} unused recovery codes.`
  return markup`<section aria-labelledby="recovery-codes"><h2 id="recovery-codes">Recovery codes</h2><p>${left} With one of them you can sign in when you do not have your second factor.</p>${renderIfRecent(context, create)}</section>`
}

async function createRecoveryCodes(pageContext: PageContext): Promise<PageReply> {
  const context = requireRecentSignIn(pageContext)
  const { database, principal } = context
  const codes = await database.transaction(async (db) => {
    if (!(await hasSecondFactor(db, context, principal.user.id)))
      throw new AppError('conflict', 'Add a passkey or an authenticator app first')
    return replaceRecoveryCodes(db, principal.user.id)
  })
  return renderRecoveryCodes(context, codes)
}

/** Renders new recovery codes. They are shown only once, because only their hashes are stored. */
export function renderRecoveryCodes(
  context: PageContext,
  codes: readonly string[],
  cookies: readonly string[] = [],
): Promise<PageReply> {
  const list = codes.map((code) => markup`<li>${code}</li>`)
  return renderPage(context, {
    title: 'Recovery codes',
    cookies,
    content: markup`<h1>Recovery codes</h1><p>Store these codes in a safe place. Each works once, and this page shows them only now.</p><ul class="secret codes">${list}</ul><a class="button" href="${toHref(context, '/account')}">I have stored them</a>`,
  })
}

export const recoveryCodeRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/account/recovery-codes', kind: 'form', handler: createRecoveryCodes },
]
