import { type IssuedTokens, exchangeCode, lifetimes, refreshTokens, revokeByToken } from '../../domain/oauth/grants.ts'
import type { PageReply } from '../../kernel/page-http.ts'
import type { PageContext, PageRoute } from '../context.ts'
import { oauthPaths } from './metadata.ts'
import { jsonReply, oauthError } from './reply.ts'

/** Issues tokens for a code or a refresh token (RFC 6749, sections 4.1.3 and 6). */
async function issueTokens(context: PageContext): Promise<PageReply> {
  const form = await context.request.form()
  const duplicate = [...new Set(form.keys())].find((name) => form.getAll(name).length > 1)
  if (duplicate !== undefined) return oauthError('invalid_request', `${duplicate} is repeated`)
  const clientId = form.get('client_id')
  if (clientId === null) return oauthError('invalid_client', 'client_id is missing')
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return exchangeCodeOf(context, form, clientId)
    case 'refresh_token':
      return refreshTokensOf(context, form, clientId)
    default:
      return oauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
  }
}

async function exchangeCodeOf(context: PageContext, form: URLSearchParams, clientId: string): Promise<PageReply> {
  const [code, redirectUri, verifier] = [form.get('code'), form.get('redirect_uri'), form.get('code_verifier')]
  if (code === null || redirectUri === null || verifier === null)
    return oauthError('invalid_request', 'code, redirect_uri and code_verifier are required')
  const issued = await context.database.transaction((db) =>
    exchangeCode(db, context, { code, clientId, redirectUri, verifier }),
  )
  return issued
    ? tokenReply(issued)
    : oauthError('invalid_grant', 'The code is invalid, was used before or has expired')
}

async function refreshTokensOf(context: PageContext, form: URLSearchParams, clientId: string): Promise<PageReply> {
  const refreshToken = form.get('refresh_token')
  if (refreshToken === null) return oauthError('invalid_request', 'refresh_token is required')
  const scopes = form.get('scope')?.split(' ').filter(Boolean)
  const issued = await context.database.transaction((db) =>
    refreshTokens(db, context, { refreshToken, clientId, scopes }),
  )
  return issued
    ? tokenReply(issued)
    : oauthError('invalid_grant', 'The refresh token is invalid, was used before or has expired')
}

const tokenReply = ({ accessToken, refreshToken, scopes }: IssuedTokens): PageReply =>
  jsonReply(200, {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: lifetimes.access / 1000,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  })

/** Revokes a token with everything that was issued for the same permission (RFC 7009). The reply does not reveal whether it existed. */
async function revoke(context: PageContext): Promise<PageReply> {
  const form = await context.request.form()
  const [token, clientId] = [form.get('token'), form.get('client_id')]
  if (token === null || clientId === null) return oauthError('invalid_request', 'token and client_id are required')
  await context.database.transaction((db) => revokeByToken(db, token, clientId))
  return jsonReply(200, {})
}

export const tokenRoutes: readonly PageRoute[] = [
  { method: 'POST', path: oauthPaths.token, kind: 'open', handler: issueTokens },
  { method: 'POST', path: oauthPaths.revoke, kind: 'open', handler: revoke },
]
