import type { SignInMethod } from './sign-in.ts'
import type { Flag } from './values.ts'

export interface PasskeysTable {
  /** ID of the credential in base64url, chosen by the authenticator. */
  id: string
  user_id: string
  /** Public key as COSE in base64url. */
  public_key: string
  /** Number of uses that the authenticator reported; 0 if it does not count. */
  counter: number
  /** How browsers reach the authenticator, as a JSON list. */
  transports: string
  label: string
  /** Whether the passkey is synchronized between devices. */
  backed_up: Flag
  created_at: string
  last_used_at: string | null
}

/** Challenges that a passkey has signed, so that none is accepted twice. */
export interface UsedChallengesTable {
  hash: string
  expires_at: string
}

export interface AuthenticatorAppsTable {
  user_id: string
  /** Sealed secret that the app and the server share. */
  secret: string
  /** Time step of the last accepted code; older codes are refused. */
  last_step: number
  created_at: string
}

export interface RecoveryCodesTable {
  user_id: string
  hash: string
}

/** Sign-ins with a proven first factor that wait for the second one. */
export interface PendingSignInsTable {
  hash: string
  user_id: string
  browser_hash: string
  method: SignInMethod
  sso_organization_id: string | null
  sso_provider_id: string | null
  next_path: string | null
  expires_at: string
}
