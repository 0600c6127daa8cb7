import { fromStoredRole } from '../../access/content-roles.ts'
import type { Organization } from '../../contract/organizations.ts'
import { type Action, requiredRoles, isActionAllowed, type RoleOrGuest } from '../../contract/roles.ts'
import type { OrganizationMergeRules } from '../../contract/space.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'

/** Role of the caller in an organization; undefined for callers who are not members. */
export interface OrganizationMembership {
  role: RoleOrGuest
  ownsTeam: boolean
}

export const presentOrganization = (
  row: Row<'organizations'>,
  membership: OrganizationMembership | undefined,
  urls: Urls,
): Organization => ({
  object: 'organization',
  id: row.id,
  title: row.title,
  createdAt: row.created_at,
  emailDomains: JSON.parse(row.email_domains) as string[],
  ...(row.hostname !== null && { hostname: row.hostname }),
  type: row.type,
  ...(row.use_case !== null && { useCase: row.use_case as NonNullable<Organization['useCase']> }),
  ...(row.community_type !== null && {
    communityType: row.community_type as NonNullable<Organization['communityType']>,
  }),
  defaultRole: fromStoredRole(row.default_role),
  ...(row.default_site_id !== null && { defaultContent: { type: 'site' as const, site: row.default_site_id } }),
  sso: row.sso === 1,
  ...(membership?.role === 'admin' &&
    row.sso === 1 &&
    row.sso_admin_id !== null && { ssoAdministrator: row.sso_admin_id }),
  secondFactorRequired: row.second_factor_required === 1,
  ai: row.ai === 1,
  inviteLinks: row.invite_links === 1,
  auditLogs: true,
  plan: row.plan,
  mergeRules: JSON.parse(row.merge_rules) as OrganizationMergeRules,
  internal_isOnNewTrial: true,
  trial: { status: 'notapplicable', count: 0 },
  urls: {
    location: urls.api(`/orgs/${row.id}`),
    app: urls.app(`/orgs/${row.id}`),
    ...(row.logo !== null && { logo: row.logo }),
  },
  permissions: presentPermissions(membership),
})

function presentPermissions(membership: OrganizationMembership | undefined): Organization['permissions'] {
  const names = Object.keys(requiredRoles.organization) as Action<'organization'>[]
  const allowed = Object.fromEntries(
    names.map((name) => [name, membership !== undefined && isActionAllowed('organization', name, membership.role)]),
  ) as Record<Action<'organization'>, boolean>
  return { ...allowed, ownTeam: membership?.ownsTeam ?? false }
}
