import { z } from 'zod'
import { operation } from './operation.ts'
import { MembersQuery } from './members.ts'
import { Role, RoleOrGuest } from './roles.ts'
import { Id, ListQuery, Timestamp, User, paginated } from './shared.ts'
import { Team } from './team.ts'

export const UserPermission = z.object({ permission: Role, user: User }).meta({ id: 'UserPermission' })
export type UserPermission = z.infer<typeof UserPermission>

export const TeamPermission = z.object({ permission: Role, team: Team }).meta({ id: 'TeamPermission' })
export type TeamPermission = z.infer<typeof TeamPermission>

export const UserSitePermission = z
  .object({
    permission: Role,
    user: User,
    origin: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('organization'), organization: Id }),
        z.object({
          type: z.literal('site'),
          site: Id,
          reason: z.enum(['member', 'team', 'default']),
          team: Id.optional(),
        }),
      ])
      .describe(
        'Source of the role: membership in the organization, a permission on the site, or the default level of the site',
      ),
    disabled: z.boolean(),
    lastSeenAt: Timestamp.optional(),
  })
  .meta({ id: 'UserSitePermission' })
export type UserSitePermission = z.infer<typeof UserSitePermission>

const grantees = z.array(Id).min(1).max(1000)

const InviteBody = z
  .object({ role: RoleOrGuest, users: grantees.optional(), teams: grantees.optional() })
  .refine((body) => body.users !== undefined || body.teams !== undefined, 'must contain `users`, `teams` or both')

const RoleBody = z.object({ role: RoleOrGuest })
const AggregateQuery = ListQuery.extend({ role: Role.optional() })

export const spacePermissions = {
  inviteToSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/permissions',
    summary: 'Share a space with members and teams',
    description: 'Sets the role of the given members and teams; null removes it.',
    access: 'space:admin',
    scope: 'space:permissions:write',
    body: InviteBody,
    errors: [404],
  }),
  listPermissionsAggregateInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/permissions/aggregate',
    summary: 'List effective permissions in a space',
    description: 'Returns every member who can see the space, with the effective role.',
    access: 'space:admin',
    scope: 'space:permissions:read',
    query: AggregateQuery,
    reply: paginated(UserPermission),
  }),
  listUserPermissionsInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/permissions/users',
    summary: 'List user permissions in a space',
    access: 'space:admin',
    scope: 'space:permissions:read',
    query: ListQuery,
    reply: paginated(UserPermission),
  }),
  updateUserPermissionInSpace: operation({
    method: 'PATCH',
    path: '/spaces/{spaceId}/permissions/users/{userId}',
    summary: 'Update the role of a user in a space',
    access: 'space:admin',
    scope: 'space:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeUserFromSpace: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/permissions/users/{userId}',
    summary: 'Remove the role of a user in a space',
    access: 'space:admin',
    scope: 'space:permissions:write',
  }),
  listTeamPermissionsInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/permissions/teams',
    summary: 'List team permissions in a space',
    access: 'space:admin',
    scope: 'space:permissions:read',
    query: ListQuery,
    reply: paginated(TeamPermission),
  }),
  updateTeamPermissionInSpace: operation({
    method: 'PATCH',
    path: '/spaces/{spaceId}/permissions/teams/{teamId}',
    summary: 'Update the role of a team in a space',
    access: 'space:admin',
    scope: 'space:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeTeamFromSpace: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/permissions/teams/{teamId}',
    summary: 'Remove the role of a team in a space',
    access: 'space:admin',
    scope: 'space:permissions:write',
  }),
}

export const collectionPermissions = {
  inviteToCollection: operation({
    method: 'POST',
    path: '/collections/{collectionId}/permissions',
    summary: 'Share a collection with members and teams',
    description: 'Sets the role of the given members and teams; null removes it.',
    access: 'collection:admin',
    scope: 'space:permissions:write',
    body: InviteBody,
    errors: [404],
  }),
  listPermissionsAggregateInCollection: operation({
    method: 'GET',
    path: '/collections/{collectionId}/permissions/aggregate',
    summary: 'List effective permissions in a collection',
    description: 'Returns every member who can see the collection, with the effective role.',
    access: 'collection:admin',
    scope: 'space:permissions:read',
    query: AggregateQuery,
    reply: paginated(UserPermission),
  }),
  listUserPermissionsInCollection: operation({
    method: 'GET',
    path: '/collections/{collectionId}/permissions/users',
    summary: 'List user permissions in a collection',
    access: 'collection:admin',
    scope: 'space:permissions:read',
    query: ListQuery,
    reply: paginated(UserPermission),
  }),
  updateUserPermissionInCollection: operation({
    method: 'PATCH',
    path: '/collections/{collectionId}/permissions/users/{userId}',
    summary: 'Update the role of a user in a collection',
    access: 'collection:admin',
    scope: 'space:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeUserFromCollection: operation({
    method: 'DELETE',
    path: '/collections/{collectionId}/permissions/users/{userId}',
    summary: 'Remove the role of a user in a collection',
    access: 'collection:admin',
    scope: 'space:permissions:write',
  }),
  listTeamPermissionsInCollection: operation({
    method: 'GET',
    path: '/collections/{collectionId}/permissions/teams',
    summary: 'List team permissions in a collection',
    access: 'collection:admin',
    scope: 'space:permissions:read',
    query: ListQuery,
    reply: paginated(TeamPermission),
  }),
  updateTeamPermissionInCollection: operation({
    method: 'PATCH',
    path: '/collections/{collectionId}/permissions/teams/{teamId}',
    summary: 'Update the role of a team in a collection',
    access: 'collection:admin',
    scope: 'space:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeTeamFromCollection: operation({
    method: 'DELETE',
    path: '/collections/{collectionId}/permissions/teams/{teamId}',
    summary: 'Remove the role of a team in a collection',
    access: 'collection:admin',
    scope: 'space:permissions:write',
  }),
}

export const sitePermissions = {
  inviteToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions',
    summary: 'Share a site with members and teams',
    description: 'Sets the role of the given members and teams; null removes it.',
    access: 'site:admin',
    scope: 'site:permissions:write',
    body: InviteBody,
    errors: [404],
  }),
  listPermissionsAggregateInSite: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/aggregate',
    summary: 'List effective permissions in a site',
    description: 'Returns every member who can see the site, with the effective role and its source.',
    access: 'site:admin',
    scope: 'site:permissions:read',
    query: MembersQuery.extend({ team: Id.optional().describe('Only members of this team') }),
    reply: paginated(UserSitePermission),
  }),
  listUserPermissionsInSite: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/users',
    summary: 'List user permissions in a site',
    access: 'site:admin',
    scope: 'site:permissions:read',
    query: ListQuery,
    reply: paginated(UserPermission),
  }),
  updateUserPermissionInSite: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/users/{userId}',
    summary: 'Update the role of a user in a site',
    access: 'site:admin',
    scope: 'site:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeUserFromSite: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/users/{userId}',
    summary: 'Remove the role of a user in a site',
    access: 'site:admin',
    scope: 'site:permissions:write',
  }),
  listTeamPermissionsInSite: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/teams',
    summary: 'List team permissions in a site',
    access: 'site:admin',
    scope: 'site:permissions:read',
    query: ListQuery,
    reply: paginated(TeamPermission),
  }),
  updateTeamPermissionInSite: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/teams/{teamId}',
    summary: 'Update the role of a team in a site',
    access: 'site:admin',
    scope: 'site:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeTeamFromSite: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/teams/{teamId}',
    summary: 'Remove the role of a team in a site',
    access: 'site:admin',
    scope: 'site:permissions:write',
  }),
}
