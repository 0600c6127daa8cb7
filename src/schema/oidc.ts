/** Identities of users at OpenID Connect providers. */
export interface OidcIdentitiesTable {
  provider_id: string
  issuer: string
  /** ID of the user at the provider, which never changes. */
  subject: string
  user_id: string
  created_at: string
  last_used_at: string
}

/** Sign-ins that have started: the browser is at the provider. */
export interface OidcRequestsTable {
  state_hash: string
  provider_id: string
  browser_hash: string
  /** User who connects an identity; null for a sign-in. */
  user_id: string | null
  /** Nonce and PKCE verifier, sealed. */
  secrets: string
  next_path: string | null
  expires_at: string
}
