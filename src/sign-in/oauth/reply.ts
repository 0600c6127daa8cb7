import type { PageReply } from '../../kernel/page-http.ts'

/** Error codes of RFC 6749, 7009 and 7591. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'access_denied'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

/** Returns a JSON reply to an app. Apps in browsers have other origins; no cookie is involved, so all of them may read it. */
export const jsonReply = (status: number, value: unknown): PageReply => ({
  status,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  },
  body: JSON.stringify(value),
})

export const oauthError = (code: OAuthErrorCode, description: string): PageReply =>
  jsonReply(code === 'invalid_client' ? 401 : 400, { error: code, error_description: description })
