import type { PageRoute } from '../context.ts'
import { connectAccount, finishSignIn } from './finish.ts'
import { receiveLogout } from './logout.ts'
import { receiveResponse } from './receive.ts'
import { showMetadata, startSignIn } from './start.ts'

/** Addresses of this server for identity providers, see `serviceUrls`, and the page that completes a sign-in. */
export const samlPageRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/saml/{providerId}/start', isCostly: true, handler: startSignIn },
  { method: 'GET', path: '/saml/{providerId}/metadata', isCostly: true, isOpen: true, handler: showMetadata },
  { method: 'POST', path: '/saml/{providerId}/acs', isCostly: true, kind: 'open', handler: receiveResponse },
  { method: 'GET', path: '/saml/{providerId}/finish', handler: finishSignIn },
  { method: 'POST', path: '/saml/{providerId}/finish', kind: 'form', handler: connectAccount },
  { method: 'GET', path: '/saml/{providerId}/logout', isCostly: true, handler: receiveLogout },
]
