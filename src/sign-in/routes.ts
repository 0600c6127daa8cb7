import { accountRoutes } from './account.ts'
import { appRoutes } from './app.ts'
import type { PageRoute } from './context.ts'
import { editorBarRoutes } from './editor-bar.ts'
import { emailLinkRoutes } from './email-link.ts'
import { joinRoutes } from './join.ts'
import { loginRoutes } from './login.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { samlPageRoutes } from './saml/routes.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { oidcRoutes } from './oidc/pages.ts'
import { setupRoutes } from './setup.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'

/** All pages of the folder. */
export const pageRoutes: readonly PageRoute[] = [
  ...loginRoutes,
  ...setupRoutes,
  ...samlPageRoutes,
  ...accountRoutes,
  ...oauthRoutes,
  ...secondFactorRoutes,
  ...emailLinkRoutes,
  ...oidcRoutes,
  ...joinRoutes,
  ...unsubscribeRoutes,
  ...editorBarRoutes,
  // Last, because it matches all other addresses of the app.
  ...appRoutes,
]
