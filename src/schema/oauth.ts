import type { Flag } from './values.ts'

/** Apps that registered themselves. They have no secret, because they run on the machines of their users. */
export interface OauthClientsTable {
  id: string
  name: string
  /** JSON array. */
  redirect_uris: string
  created_at: string
  used_at: string
}

/** Permission of a user for an app. Deleting it deletes all of its tokens. */
export interface OauthGrantsTable {
  id: string
  client_id: string
  user_id: string
  /** JSON array. */
  scopes: string
  /** Organization whose identity provider signed the user in; the tokens open only this one. */
  sso_organization_id: string | null
  created_at: string
  used_at: string
}

export interface OauthCodesTable {
  hash: string
  grant_id: string
  redirect_uri: string
  /** PKCE challenge: base64url of the SHA-256 hash of the verifier. */
  challenge: string
  /** Used codes are kept until they expire, because a second use reveals that the code was stolen. */
  used: Flag
  expires_at: string
}

export interface OauthRefreshTokensTable {
  hash: string
  grant_id: string
  /** Used tokens are kept until they expire, because a second use reveals that the token was stolen. */
  used: Flag
  expires_at: string
}
