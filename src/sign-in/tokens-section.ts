import { requireSignInForTokens } from '../access/sign-in-rules.ts'
import { TokenScope, tokenScopes } from '../contract/roles.ts'
import { createToken } from '../domain/users/accounts.ts'
import { recordTokenCreated, recordTokenRevoked } from '../domain/users/token-events.ts'
import { deleteToken, findTokens } from '../domain/users/user-store.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { days, timestamp } from '../kernel/time.ts'
import { type Html, attributes, markup, nothing } from '../render/html.ts'
import type { Row } from '../schema/tables.ts'
import type { AccountContext, PageContext, PageRoute } from './context.ts'
import { toAuditContext } from './events.ts'
import { redirectTo, renderField, renderForm, renderPage, requireSession, toHref } from './page.ts'

/** Lifetimes that the form offers, in days; 0 for no expiry. */
const lifetimes = [30, 90, 365, 0]
const defaultLifetime = 90

/** Maximum number of tokens on the page; the API lists all. */
const maxShown = 100

/** Renders the list of API tokens and the form for a new one. */
export async function renderTokensSection(context: AccountContext): Promise<Html> {
  const { database, principal } = context
  const tokens = await findTokens(database.reader, principal, { after: undefined, limit: maxShown })
  const list =
    tokens.length > 0 &&
    markup`<ul class="entries">${tokens.slice(0, maxShown).map((token) => renderToken(context, token))}</ul>`
  return markup`<section aria-labelledby="tokens"><h2 id="tokens">API tokens</h2><p>Tokens give scripts and tools access to your account.</p>${list}<details><summary class="button secondary">Create a token</summary>${renderTokenForm(context)}</details></section>`
}

function renderToken(context: AccountContext, token: Row<'tokens'>): Html {
  const revoke = renderForm(context, {
    action: `/account/tokens/${token.id}`,
    fields: nothing,
    submit: 'Revoke',
    isPlain: true,
  })
  const scopes = token.scopes === null ? 'All permissions' : (JSON.parse(token.scopes) as string[]).join(', ')
  const used = token.last_used_at === null ? 'never used' : `last used ${token.last_used_at.slice(0, 10)}`
  const expiry = token.expires_at === null ? 'does not expire' : `expires ${token.expires_at.slice(0, 10)}`
  return markup`<li><span><strong>${token.label}</strong><small>${scopes}</small><small>Created ${token.created_at.slice(0, 10)}, ${used}, ${expiry}</small></span>${revoke}</li>`
}

function renderTokenForm(context: AccountContext): Html {
  const label = renderField({
    name: 'label',
    label: 'Label',
    autocomplete: 'off',
    maxLength: 50,
    hint: 'What the token is for',
  })
  const options = lifetimes.map(
    (count) =>
      markup`<option${attributes({ value: count, selected: count === defaultLifetime })}>${count === 0 ? 'Never' : `After ${count} days`}</option>`,
  )
  const scopes = tokenScopes.map(
    (scope) => markup`<li><label><input type="checkbox" name="scope" value="${scope}"> ${scope}</label></li>`,
  )
  const fields = markup`${label}<label for="field-days">Expires</label><select id="field-days" name="days">${options}</select><details><summary>Limit the token to some permissions</summary><ul class="choices">${scopes}</ul></details>`
  return renderForm(context, { action: '/account/tokens', fields, submit: 'Create token' })
}

async function createPersonalToken(pageContext: PageContext): Promise<PageReply> {
  const context = requireSession(pageContext)
  const { form, database, principal, now } = context
  const label = (form.get('label') ?? '').trim()
  if (label.length < 1 || label.length > 50) throw new AppError('invalid', 'The label must have 1 to 50 characters')
  const lifetime = Number(form.get('days'))
  if (!lifetimes.includes(lifetime)) throw new AppError('invalid', 'Choose when the token expires')
  const scopes = form.getAll('scope').map((name) => TokenScope.safeParse(name))
  if (scopes.some(({ success }) => !success)) throw new AppError('invalid', 'A permission does not exist')
  const token = await database.transaction(async (db) => {
    await requireSignInForTokens(db, principal)
    const created = await createToken(db, context, {
      userId: principal.user.id,
      label,
      scopes: scopes.length === 0 ? null : scopes.map(({ data }) => data as TokenScope),
      expiresAt: lifetime === 0 ? undefined : timestamp(Date.parse(now()) + days(lifetime)),
      ssoOrganizationId: principal.reach.only ?? null,
    })
    await recordTokenCreated(toAuditContext(db, context), created.row)
    return created.token
  })
  return renderPage(context, {
    title: 'New token',
    content: markup`<h1>New token</h1><p>Copy the token now. It is not shown again.</p><p class="secret"><code>${token}</code></p><p><a href="${toHref(context, '/account')}">Back to your account</a></p>`,
  })
}

async function revokeToken(pageContext: PageContext): Promise<PageReply> {
  const context = requireSession(pageContext)
  const { database, principal, params } = context
  const id = params['tokenId'] ?? ''
  await database.transaction(async (db) => {
    if (await deleteToken(db, principal, id))
      await recordTokenRevoked(toAuditContext(db, context), { id, user_id: principal.user.id })
  })
  return redirectTo(context, '/account?done=token')
}

export const tokenSectionRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/account/tokens', kind: 'form', handler: createPersonalToken },
  { method: 'POST', path: '/account/tokens/{tokenId}', kind: 'form', handler: revokeToken },
]
