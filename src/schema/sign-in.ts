import type { Flag } from './values.ts'

/** How a session was started. */
export type SignInMethod = 'password' | 'passkey' | 'email' | 'oidc' | 'saml' | 'link'

export interface SessionsTable {
  id: string
  user_id: string
  hash: string
  method: SignInMethod
  has_second_factor: Flag
  /** Organization whose identity provider signed the user in. */
  sso_organization_id: string | null
  sso_provider_id: string | null
  /** Identifier of the user at the identity provider, and of the session there, which a logout names. */
  sso_subject: string | null
  sso_subject_format: string | null
  sso_session_index: string | null
  created_at: string
  last_used_at: string
  expires_at: string
  client_address: string
  user_agent: string
}

export interface PasswordsTable {
  user_id: string
  hash: string
  updated_at: string
}

/** Purpose of a one-time link: the first sign-in or a recovery, an emailed sign-in, or a new account. */
export type SignInLinkKind = 'setup' | 'email' | 'sign-up'

export interface SignInLinksTable {
  hash: string
  kind: SignInLinkKind
  user_id: string | null
  /** Email address to which the link was sent, of an account or a new one. */
  email: string | null
  /** Hash of the ID of the only browser that may use the link. */
  browser_hash: string | null
  next_path: string | null
  created_at: string
  expires_at: string
}

export interface SignInAttemptsTable {
  key: string
  failures: number
  expires_at: string
}

/** Browsers in which a user has signed in before. */
export interface KnownBrowsersTable {
  user_id: string
  browser_hash: string
  used_at: string
}
