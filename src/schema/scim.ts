export interface ScimTokensTable {
  organization_id: string
  id: string
  label: string
  hash: string
  created_by: string
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

/** Data that the identity provider of an organization has sent about a member. */
export interface ScimUsersTable {
  organization_id: string
  user_id: string
  user_name: string
  external_id: string | null
  display_name: string | null
  /** Display name in lower case, stored so that it can be found by an index. */
  display_name_key: string | null
  given_name: string | null
  family_name: string | null
  formatted_name: string | null
  /** In lower case; may differ from the address of the account. */
  email: string
  email_type: string
  updated_at: string
}

/** Data that the identity provider of an organization has sent about a team, besides its title and members. */
export interface ScimGroupsTable {
  organization_id: string
  team_id: string
  external_id: string | null
}

/** Accounts that the identity provider of an organization has created. */
export interface ScimAccountsTable {
  organization_id: string
  user_id: string
}
