import { tokenScopes } from '../../contract/roles.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import type { PageContext, PageRoute } from '../context.ts'
import { jsonReply } from './reply.ts'

export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

/** Returns the issuer: the URL of the server without a trailing slash. */
export const issuerOf = ({ urls }: Pick<PageContext, 'urls'>): string => urls.plain('')

/** Describes the authorization server (RFC 8414). */
async function describeServer(context: PageContext): Promise<PageReply> {
  const { urls } = context
  return jsonReply(200, {
    issuer: issuerOf(context),
    authorization_endpoint: urls.plain(oauthPaths.authorize),
    token_endpoint: urls.plain(oauthPaths.token),
    registration_endpoint: urls.plain(oauthPaths.register),
    revocation_endpoint: urls.plain(oauthPaths.revoke),
    scopes_supported: tokenScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: urls.plain('/docs/api'),
  })
}

/** Describes the API as a resource that this authorization server protects (RFC 9728). */
async function describeResource(context: PageContext): Promise<PageReply> {
  return jsonReply(200, {
    resource: context.urls.api(''),
    authorization_servers: [issuerOf(context)],
    scopes_supported: tokenScopes,
    bearer_methods_supported: ['header'],
  })
}

export const metadataRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/.well-known/oauth-authorization-server', isOpen: true, handler: describeServer },
  { method: 'GET', path: '/.well-known/oauth-protected-resource', isOpen: true, handler: describeResource },
  { method: 'GET', path: '/.well-known/oauth-protected-resource/v1', isOpen: true, handler: describeResource },
]
