import { deleteGrant, findGrants, scopesOf } from '../domain/oauth/grants.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup, nothing } from '../render/html.ts'
import type { AccountContext, PageContext, PageRoute } from './context.ts'
import { recordPageEvent } from './events.ts'
import { redirectTo, renderForm, requireSession } from './page.ts'

/** Renders the list of apps with access to the account; nothing if there is none. */
export async function renderAppsSection(context: AccountContext): Promise<Html> {
  const { database, principal } = context
  const grants = await findGrants(database.reader, principal.user.id, principal.reach.only)
  if (grants.length === 0) return nothing
  const entries = grants.map((grant) => {
    const revoke = renderForm(context, {
      action: `/account/apps/${grant.id}`,
      fields: nothing,
      submit: 'Withdraw access',
      isPlain: true,
    })
    return markup`<li><span><strong>${grant.client_name}</strong><small>${scopesOf(grant).join(', ')}</small><small>Allowed on <time datetime="${grant.created_at}">${grant.created_at.slice(0, 10)}</time></small></span>${revoke}</li>`
  })
  return markup`<section aria-labelledby="apps"><h2 id="apps">Apps</h2><p>Apps with access to your account.</p><ul class="entries">${entries}</ul></section>`
}

async function withdraw(pageContext: PageContext): Promise<PageReply> {
  const context = requireSession(pageContext)
  const { database, principal, params } = context
  const id = params['grantId'] ?? ''
  await database.transaction(async (db) => {
    await deleteGrant(db, principal.user.id, id, principal.reach.only)
    const { sso } = principal.session
    await recordPageEvent(db, context, principal.user, 'oauth.client-revoke', {
      sso,
      target: { type: 'oauth-client', id },
    })
  })
  return redirectTo(context, '/account?done=app')
}

export const appRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/account/apps/{grantId}', kind: 'form', handler: withdraw },
]
