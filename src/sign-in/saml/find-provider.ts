import { requireUse } from '../../domain/accounts/attempts.ts'
import { findProvidersByEmailDomain, hasProviders } from '../../domain/saml/provider-store.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import { minutes } from '../../kernel/time.ts'
import { type Html, markup } from '../../render/html.ts'
import type { PageContext } from '../context.ts'
import { parseEmailField, renderEmailField } from '../email-field.ts'
import { toHref } from '../href.ts'
import { parseNextPath, renderForm, renderHidden, renderPage, toNextQuery } from '../page.ts'

const ssoPath = '/login/sso'

/** Limit of searches by one network, so that nobody can try many domains. An office may share one address. */
const searchLimit = { max: 300, period: minutes(15) }

/** Maximum number of providers that the page lists. */
const maxProviders = 50

/** Renders the link to the page that finds an identity provider; undefined if the server has none. */
export async function renderSsoLink(context: PageContext, next: string | undefined): Promise<Html | undefined> {
  if (!(await hasProviders(context.database.reader))) return undefined
  return markup`<a class="button secondary" href="${toHref(context, `${ssoPath}${toNextQuery(next)}`)}">Sign in with SSO</a>`
}

/** Shows the form for the email address. */
export function showSsoForm(context: PageContext): Promise<PageReply> {
  const next = parseNextPath(context, context.request.url.searchParams.get('next'))
  const form = renderSsoForm(context, next)
  return renderPage(context, {
    title: 'Sign in with SSO',
    content: markup`<h1>Sign in with SSO</h1><p>Enter the email address of your company account to find its identity provider.</p>${form}${renderLoginLink(context, next)}`,
  })
}

/**
 * Shows the identity providers for the domain of an email address. Accounts are not searched, so the reply cannot reveal whether the
 * address has one. The providers are links with their hosts, because every organization can declare any domain, and because forms
 * of this server must not lead to other hosts.
 */
export async function showSsoProviders(context: PageContext): Promise<PageReply> {
  const { form, database, request, now } = context
  const email = parseEmailField(form)
  const next = parseNextPath(context, form.get('next'))
  const domain = email.slice(email.lastIndexOf('@') + 1)
  await database.transaction((db) => requireUse(db, { ...searchLimit, key: ['sso', request.clientNetwork] }, now()))
  const providers = await findProvidersByEmailDomain(database.reader, domain, maxProviders)
  if (providers.length === 0) {
    return renderPage(context, {
      title: 'No identity provider',
      content: markup`<h1>No identity provider</h1><p>No organization offers SSO for addresses of <strong>${domain}</strong>. Ask its administrator for the link to sign in, or try another address.</p>${renderSsoForm(context, next)}${renderLoginLink(context, next)}`,
    })
  }
  const items = providers.map(
    ({ id, label, title, sso_url: url }) =>
      markup`<li><a class="button secondary" href="${toHref(context, `/saml/${id}/start${toNextQuery(next)}`)}">${title}<small>${label}, continues at ${new URL(url).host}</small></a></li>`,
  )
  return renderPage(context, {
    title: 'Choose your organization',
    content: markup`<h1>Choose your organization</h1><p>These organizations offer SSO for addresses of <strong>${domain}</strong>. Check the address at which you continue before you enter your password there.</p><ul class="providers">${items}</ul>${renderLoginLink(context, next)}`,
  })
}

function renderSsoForm(context: PageContext, next: string | undefined): Html {
  const fields = markup`${renderHidden('next', next)}${renderEmailField({ isFocused: true })}`
  return renderForm(context, { action: ssoPath, fields, submit: 'Continue' })
}

const renderLoginLink = (context: PageContext, next: string | undefined): Html =>
  markup`<p><a href="${toHref(context, `/login${toNextQuery(next)}`)}">Other ways to sign in</a></p>`
