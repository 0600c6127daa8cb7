import type { PageReply } from '../kernel/page-http.ts'
import { type Html, markup, nothing } from '../render/html.ts'
import type { AccountContext, PageContext, PageRoute } from './context.ts'
import { identityRoutes, renderIdentitiesSection } from './oidc/identities-section.ts'
import { renderForm, renderNotice, renderPage, requireSession } from './page.ts'
import { findLogoutOrigins } from './saml/logout.ts'
import { authenticatorAppRoutes, renderAuthenticatorAppSection } from './authenticator-app-section.ts'
import { passkeyRoutes, renderPasskeysSection } from './passkeys-section.ts'
import { passkeyScripts } from './passkeys.ts'
import { passwordRoutes, renderPasswordSection } from './password-section.ts'
import { recoveryCodeRoutes, renderRecoveryCodesSection } from './recovery-codes-section.ts'

/** Sections of the account page, in order. */
const sections: readonly ((context: AccountContext) => Promise<Html>)[] = [
  renderPasskeysSection,
  renderPasswordSection,
  renderAuthenticatorAppSection,
  renderRecoveryCodesSection,
  renderIdentitiesSection,
]

/** Messages that the account page shows after a change, by the value of `done`. */
const notices: Readonly<Record<string, string>> = {
  passkey: 'The passkey was added.',
  'passkey-removed': 'The passkey was removed.',
  'authenticator-app': 'The authenticator app was set up.',
  'authenticator-app-removed': 'The authenticator app was removed.',
  connected: 'The account was connected. You can sign in with it.',
  disconnected: 'The account was disconnected.',
  password: 'Your password was changed. All other sessions have ended.',
  'password-removed': 'Your password was removed.',
}

async function showAccount(pageContext: PageContext): Promise<PageReply> {
  const context = requireSession(pageContext)
  const { user } = context.principal
  const rendered: Html[] = []
  for (const render of sections) rendered.push(await render(context))
  const notice = notices[context.request.url.searchParams.get('done') ?? '']
  const signOut = renderForm(context, { action: '/logout', fields: nothing, submit: 'Sign out', isPlain: true })
  const content = markup`<h1>Sign-in and security</h1><div class="account-user"><p><strong>${user.display_name}</strong><small>${user.email}</small></p>${signOut}</div>${renderNotice(notice)}${rendered}`
  const formOrigins = await findLogoutOrigins(context, context.principal)
  return renderPage(context, { title: 'Account', content, formOrigins, scripts: passkeyScripts, isAccount: true })
}

export const accountRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/account', handler: showAccount },
  ...passkeyRoutes,
  ...passwordRoutes,
  ...authenticatorAppRoutes,
  ...recoveryCodeRoutes,
  ...identityRoutes,
]
