import { deleteIdentity, findIdentities } from '../../domain/accounts/identities.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import { type Html, markup, nothing } from '../../render/html.ts'
import type { AccountContext, PageContext, PageRoute } from '../context.ts'
import { recordPageEvent } from '../events.ts'
import { redirectTo, renderForm } from '../page.ts'
import { isRecentSignIn, renderIfRecent, requireRecentSignIn } from '../recent-sign-in.ts'
import { hasOtherWayToSignIn } from '../second-factors.ts'

/** Renders the list of providers with which the user can sign in. */
export async function renderIdentitiesSection(context: AccountContext): Promise<Html> {
  const { database, principal, oidc } = context
  if (oidc.providers.length === 0) return nothing
  const identities = await findIdentities(database.reader, principal.user.id)
  const connected = new Map(identities.map((identity) => [identity.provider_id, identity]))
  const canChange = isRecentSignIn(context) && principal.reach.only === undefined
  const items = oidc.providers.map(({ id, label }) => {
    const identity = connected.get(id)
    const form =
      canChange &&
      renderForm(context, {
        action: identity ? `/account/identities/${id}/delete` : `/account/identities/${id}`,
        fields: nothing,
        submit: identity ? 'Disconnect' : 'Connect',
        isPlain: true,
      })
    return markup`<li><span><strong>${label}</strong><small>${identity ? markup`last used <time datetime="${identity.last_used_at}">${identity.last_used_at.slice(0, 10)}</time>` : 'not connected'}</small></span>${form}</li>`
  })
  return markup`<section aria-labelledby="identities"><h2 id="identities">Connected accounts</h2><p>Other accounts with which you can sign in.</p><ul class="entries">${items}</ul>${renderIfRecent(context, () => nothing)}</section>`
}

async function disconnect(pageContext: PageContext): Promise<PageReply> {
  const context = requireRecentSignIn(pageContext)
  const { database, principal, params } = context
  const providerId = params['providerId'] ?? ''
  await database.transaction(async (db) => {
    if (!(await hasOtherWayToSignIn(db, context, principal.user.id, { providerId })))
      throw new AppError('conflict', 'This is your only way to sign in. Add a passkey or a password first')
    if (await deleteIdentity(db, principal.user.id, providerId))
      await recordPageEvent(db, context, principal.user, 'identity.disconnect', { after: { provider: providerId } })
  })
  return redirectTo(context, '/account?done=disconnected')
}

export const identityRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/account/identities/{providerId}/delete', kind: 'form', handler: disconnect },
]
