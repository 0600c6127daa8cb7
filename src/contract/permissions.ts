import { z } from 'zod'
import { operation } from './kit.ts'
import { MembersQuery } from './members.ts'
import { Role, RoleOrGuest } from './roles.ts'
import { Id, ListQuery, Timestamp, User, pageOf } from './shared.ts'
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
      .describe('Where the role comes from: the organization, what was shared of the site, or its default level'),
    disabled: z.boolean(),
    lastSeenAt: Timestamp.optional(),
  })
  .meta({ id: 'UserSitePermission' })
export type UserSitePermission = z.infer<typeof UserSitePermission>

const grantees = z.array(Id).min(1).max(1000)

const InviteBody = z
  .object({ role: RoleOrGuest, users: grantees.optional(), teams: grantees.optional() })
  .refine((body) => body.users !== undefined || body.teams !== undefined, 'must name `users`, `teams` or both')

const RoleBody = z.object({ role: RoleOrGuest })
const AggregateQuery = ListQuery.extend({ role: Role.optional() })

export const spacePermissions = {
  inviteToSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/permissions',
    summary: 'Share a space with members and teams',
    description: 'The role null takes back what was shared.',
    access: 'space:admin',
    scope: 'space:permissions:write',
    body: InviteBody,
    errors: [404],
  }),
  listPermissionsAggregateInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/permissions/aggregate',
    summary: 'List everyone who can see a space, with their effective role',
    access: 'space:admin',
    scope: 'space:permissions:read',
    query: AggregateQuery,
    reply: pageOf(UserPermission),
  }),
  listUserPermissionsInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/permissions/users',
    summary: 'List the members a space was shared with',
    access: 'space:admin',
    scope: 'space:permissions:read',
    query: ListQuery,
    reply: pageOf(UserPermission),
  }),
  updateUserPermissionInSpace: operation({
    method: 'PATCH',
    path: '/spaces/{spaceId}/permissions/users/{userId}',
    summary: 'Change the role of a member in a space',
    access: 'space:admin',
    scope: 'space:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeUserFromSpace: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/permissions/users/{userId}',
    summary: 'Stop sharing a space with a member',
    access: 'space:admin',
    scope: 'space:permissions:write',
  }),
  listTeamPermissionsInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/permissions/teams',
    summary: 'List the teams a space was shared with',
    access: 'space:admin',
    scope: 'space:permissions:read',
    query: ListQuery,
    reply: pageOf(TeamPermission),
  }),
  updateTeamPermissionInSpace: operation({
    method: 'PATCH',
    path: '/spaces/{spaceId}/permissions/teams/{teamId}',
    summary: 'Change the role of a team in a space',
    access: 'space:admin',
    scope: 'space:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeTeamFromSpace: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/permissions/teams/{teamId}',
    summary: 'Stop sharing a space with a team',
    access: 'space:admin',
    scope: 'space:permissions:write',
  }),
}

export const collectionPermissions = {
  inviteToCollection: operation({
    method: 'POST',
    path: '/collections/{collectionId}/permissions',
    summary: 'Share a collection with members and teams',
    description: 'The role null takes back what was shared.',
    access: 'collection:admin',
    scope: 'space:permissions:write',
    body: InviteBody,
    errors: [404],
  }),
  listPermissionsAggregateInCollection: operation({
    method: 'GET',
    path: '/collections/{collectionId}/permissions/aggregate',
    summary: 'List everyone who can see a collection, with their effective role',
    access: 'collection:admin',
    scope: 'space:permissions:read',
    query: AggregateQuery,
    reply: pageOf(UserPermission),
  }),
  listUserPermissionsInCollection: operation({
    method: 'GET',
    path: '/collections/{collectionId}/permissions/users',
    summary: 'List the members a collection was shared with',
    access: 'collection:admin',
    scope: 'space:permissions:read',
    query: ListQuery,
    reply: pageOf(UserPermission),
  }),
  updateUserPermissionInCollection: operation({
    method: 'PATCH',
    path: '/collections/{collectionId}/permissions/users/{userId}',
    summary: 'Change the role of a member in a collection',
    access: 'collection:admin',
    scope: 'space:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeUserFromCollection: operation({
    method: 'DELETE',
    path: '/collections/{collectionId}/permissions/users/{userId}',
    summary: 'Stop sharing a collection with a member',
    access: 'collection:admin',
    scope: 'space:permissions:write',
  }),
  listTeamPermissionsInCollection: operation({
    method: 'GET',
    path: '/collections/{collectionId}/permissions/teams',
    summary: 'List the teams a collection was shared with',
    access: 'collection:admin',
    scope: 'space:permissions:read',
    query: ListQuery,
    reply: pageOf(TeamPermission),
  }),
  updateTeamPermissionInCollection: operation({
    method: 'PATCH',
    path: '/collections/{collectionId}/permissions/teams/{teamId}',
    summary: 'Change the role of a team in a collection',
    access: 'collection:admin',
    scope: 'space:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeTeamFromCollection: operation({
    method: 'DELETE',
    path: '/collections/{collectionId}/permissions/teams/{teamId}',
    summary: 'Stop sharing a collection with a team',
    access: 'collection:admin',
    scope: 'space:permissions:write',
  }),
}

export const sitePermissions = {
  inviteToSite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions',
    summary: 'Share a site with members and teams',
    description: 'The role null takes back what was shared.',
    access: 'site:admin',
    scope: 'site:permissions:write',
    body: InviteBody,
    errors: [404],
  }),
  listPermissionsAggregateInSite: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/aggregate',
    summary: 'List everyone who can see a site, with their effective role and where it comes from',
    access: 'site:admin',
    scope: 'site:permissions:read',
    query: MembersQuery.extend({ team: Id.optional().describe('Only members of this team') }),
    reply: pageOf(UserSitePermission),
  }),
  listUserPermissionsInSite: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/users',
    summary: 'List the members a site was shared with',
    access: 'site:admin',
    scope: 'site:permissions:read',
    query: ListQuery,
    reply: pageOf(UserPermission),
  }),
  updateUserPermissionInSite: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/users/{userId}',
    summary: 'Change the role of a member in a site',
    access: 'site:admin',
    scope: 'site:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeUserFromSite: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/users/{userId}',
    summary: 'Stop sharing a site with a member',
    access: 'site:admin',
    scope: 'site:permissions:write',
  }),
  listTeamPermissionsInSite: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/teams',
    summary: 'List the teams a site was shared with',
    access: 'site:admin',
    scope: 'site:permissions:read',
    query: ListQuery,
    reply: pageOf(TeamPermission),
  }),
  updateTeamPermissionInSite: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/teams/{teamId}',
    summary: 'Change the role of a team in a site',
    access: 'site:admin',
    scope: 'site:permissions:write',
    body: RoleBody,
    errors: [404],
  }),
  removeTeamFromSite: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/sites/{siteId}/permissions/teams/{teamId}',
    summary: 'Stop sharing a site with a team',
    access: 'site:admin',
    scope: 'site:permissions:write',
  }),
}
