import type { PageRoute } from '../context.ts'
import { showSsoForm, showSsoProviders } from './find-provider.ts'
import { connectAccount, finishSignIn } from './finish.ts'
import { receiveLogout, receivePostedLogout } from './logout.ts'
import { receiveResponse } from './receive.ts'
import { showMetadata, startSignIn } from './start.ts'

/** Pages that find an identity provider and complete a sign-in, and addresses for identity providers, see `serviceUrls`. */
export const samlPageRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/login/sso', handler: showSsoForm },
  { method: 'POST', path: '/login/sso', kind: 'form', handler: showSsoProviders },
  { method: 'GET', path: '/saml/{providerId}/start', isCostly: true, handler: startSignIn },
  { method: 'GET', path: '/saml/{providerId}/metadata', isCostly: true, isOpen: true, handler: showMetadata },
  { method: 'POST', path: '/saml/{providerId}/acs', isCostly: true, kind: 'open', handler: receiveResponse },
  { method: 'GET', path: '/saml/{providerId}/finish', handler: finishSignIn },
  { method: 'POST', path: '/saml/{providerId}/finish', kind: 'form', handler: connectAccount },
  { method: 'GET', path: '/saml/{providerId}/logout', isCostly: true, handler: receiveLogout },
  { method: 'POST', path: '/saml/{providerId}/logout', isCostly: true, kind: 'open', handler: receivePostedLogout },
]
