import { deleteIdentity, findIdentities } from '../../domain/accounts/identities.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import { type Html, markup, nothing } from '../../render/html.ts'
import type { AccountContext, PageContext, PageRoute } from '../context.ts'
import { redirectTo, renderForm, requireSession } from '../page.ts'

/** Renders the list of providers with which the user can sign in. */
export async function renderIdentitiesSection(context: AccountContext): Promise<Html> {
  const { database, principal, oidc } = context
  if (oidc.providers.length === 0) return nothing
  const identities = await findIdentities(database.reader, principal.user.id)
  const connected = new Map(identities.map((identity) => [identity.provider_id, identity]))
  const items = oidc.providers.map(({ id, label }) => {
    const identity = connected.get(id)
    const form = renderForm(context, {
      action: identity ? `/account/identities/${id}/delete` : `/account/identities/${id}`,
      fields: nothing,
      submit: identity ? 'Disconnect' : 'Connect',
      isPlain: true,
    })
    return markup`<li><span><strong>${label}</strong><small>${identity ? markup`last used <time datetime="${identity.last_used_at}">${identity.last_used_at.slice(0, 10)}</time>` : 'not connected'}</small></span>${form}</li>`
  })
  return markup`<section aria-labelledby="identities"><h2 id="identities">Connected accounts</h2><p>Other accounts with which you can sign in.</p><ul class="entries">${items}</ul></section>`
}

async function disconnect(pageContext: PageContext): Promise<PageReply> {
  const context = requireSession(pageContext)
  const { database, principal, params } = context
  await database.transaction((db) => deleteIdentity(db, principal.user.id, params['providerId'] ?? ''))
  return redirectTo(context, '/account?done=disconnected')
}

export const identityRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/account/identities/{providerId}/delete', kind: 'form', handler: disconnect },
]
