import type { Generated } from 'kysely'
import type { Role } from '../contract/roles.ts'
import type { TeamRole } from '../contract/team.ts'
import type { Flag, StoredRole } from './values.ts'

export interface UsersTable {
  id: string
  /** Whether the user operates the server. */
  is_operator: Generated<Flag>
  email: string
  display_name: string
  photo_url: string | null
  created_at: string
  updated_at: string
}

export interface TokensTable {
  id: string
  user_id: string
  label: string
  hash: string
  scopes: string | null
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  /** Permission of an app to which the token was issued; null for personal tokens. */
  grant_id: string | null
  /** Organization with which the person signed in to the session or token that created the token. */
  sso_organization_id: string | null
  /** Whether the operator of the server created the token, on the command line or with the first start. */
  is_from_operator: Flag
}

export interface OrganizationsTable {
  id: string
  title: string
  type: 'business' | 'community'
  use_case: string | null
  community_type: string | null
  email_domains: string
  hostname: string | null
  default_role: StoredRole
  logo: string | null
  sso: Flag
  /** Whether sessions of members need a second factor. */
  second_factor_required: Flag
  ai: Flag
  invite_links: Flag
  plan: string
  merge_rules: string
  member_count: number
  created_at: string
  updated_at: string
  /** ID of the site to which the hostname redirects. */
  default_site_id: string | null
  /** ID of the administrator who needs no SSO, so that a broken provider does not lock everyone out permanently. */
  sso_admin_id: string | null
  /** Days after which events of the audit log are deleted; null to keep them. */
  audit_retention_days: number | null
}

export interface EmailDomainsTable {
  organization_id: string
  domain: string
}

export interface MembersTable {
  organization_id: string
  user_id: string
  role: StoredRole
  disabled: Flag
  sso: Flag
  joined_at: string
  last_seen_at: string | null
  /** Display name in lower case, stored here so that members can be sorted by an index. */
  name_key: string
  /** Display name and email address in lower case, stored here so that a search reads one table. */
  search_text: string
  /** User name in lower case: the one from the identity provider of the organization, or the email address. */
  user_name_key: string
}

export interface TeamsTable {
  organization_id: string
  id: string
  title: string
  member_count: number
  created_at: string
  updated_at: string
}

export interface TeamMembersTable {
  organization_id: string
  team_id: string
  user_id: string
  role: TeamRole
  added_at: string
}

/**
 * Role of one grantee for one space, collection or site. `content_id` and `grantee_id` repeat the two columns that are
 * set, as the key.
 */
export interface GrantsTable {
  organization_id: string
  content_id: string
  grantee_id: string
  space_id: string | null
  collection_id: string | null
  site_id: string | null
  user_id: string | null
  team_id: string | null
  role: Role
  created_at: string
}

export interface LinkInvitesTable {
  organization_id: string
  id: string
  role: StoredRole
  space_id: string | null
  collection_id: string | null
  created_by: string
  created_at: string
}

export interface EmailInvitesTable {
  organization_id: string
  id: string
  email: string
  role: StoredRole
  sso: Flag
  /** JSON array with the IDs of the teams that the person joins. */
  team_ids: Generated<string>
  invited_by: string
  created_at: string
}
