import type { Flag, StoredRole } from './values.ts'

/** Identity provider of an organization. Texts that are not set yet are empty. */
export interface SamlProvidersTable {
  organization_id: string
  id: string
  label: string
  sso_url: string
  entity_id: string
  /** Certificates in PEM format, one after another. */
  certificate: string
  certificate_expires_at: string | null
  logout_url: string | null
  default_team_id: string | null
  default_role: StoredRole
  sign_requests: Flag
  allow_idp_initiated: Flag
  /** URL from which the metadata is read every day; null if it is not read. */
  metadata_url: string | null
  /** Time at which the metadata was requested last. */
  metadata_checked_at: string | null
  /** Why the metadata could not be used the last time. */
  metadata_error: string | null
  created_at: string
  updated_at: string
}

/** Sign-in that a browser has started and not completed yet. */
export interface SamlRequestsTable {
  organization_id: string
  provider_id: string
  id: string
  /** Hash of the ID of the browser that started the sign-in; null if the identity provider initiated it. */
  browser_hash: string | null
  /** Path to open after the sign-in. */
  return_to: string | null
  /** Verified content of the response as JSON; null before the response. */
  answer: string | null
  expires_at: string
}

/** Assertion that was used, until it expires. */
export interface SamlReplaysTable {
  organization_id: string
  provider_id: string
  assertion_hash: string
  expires_at: string
}

/** Account of a person at an identity provider. */
export interface SamlIdentitiesTable {
  provider_kind: 'saml'
  provider_id: string
  /** Identifier of the person at the provider. */
  subject: string
  user_id: string
  /** Organization to which the provider belongs. */
  organization_id: string | null
  /** Whether the provider created the account, so that it also determines its name and email address. */
  is_managed: Flag
  created_at: string
  last_used_at: string
}
