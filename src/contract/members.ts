import { z } from 'zod'
import { operation } from './operation.ts'
import { Role, RoleOrGuest } from './roles.ts'
import { Count, Id, ListQuery, SortOrder, Timestamp, User, paginated } from './shared.ts'
import { Space } from './space.ts'
import { Team, TeamRole } from './team.ts'

export const Member = z
  .object({
    object: z.literal('member'),
    id: Id.describe('Equal to the ID of the user'),
    role: RoleOrGuest,
    user: User,
    disabled: z.boolean(),
    joinedAt: Timestamp,
    lastSeenAt: Timestamp.optional(),
    sso: z.boolean(),
    spaces: Count.describe('Number of spaces that the member can see'),
    teams: Count.describe('Number of teams that the member belongs to'),
    sites: Count.describe('Number of sites that the member can see'),
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof Member>

/** Filters and order of lists of members. */
export const MembersQuery = ListQuery.extend({
  order: SortOrder,
  role: z.union([Role, z.literal('guest')]).optional(),
  search: z
    .string()
    .max(256)
    .optional()
    .describe('Only members whose name or email address contains this text; case-insensitive'),
  sort: z
    .enum(['joinedAt', 'lastSeenAt', 'name'])
    .default('joinedAt')
    .describe('`lastSeenAt` returns only members who have been active at least once'),
})
export type MembersQuery = z.infer<typeof MembersQuery>

export const members = {
  listMembersInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members',
    summary: 'List the members of an organization',
    access: 'organization:listMembers',
    scope: 'organization:members:read',
    query: MembersQuery,
    reply: paginated(Member),
  }),
  getMemberInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members/{userId}',
    summary: 'Get a member',
    access: 'organization:listMembers',
    scope: 'organization:members:read',
    reply: Member,
    errors: [404],
  }),
  updateMemberInOrganizationById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/members/{userId}',
    summary: 'Update the role of a member',
    access: 'organization:admin',
    scope: 'organization:members:write',
    body: z.object({ role: RoleOrGuest }),
    reply: Member,
    errors: [404, 409],
  }),
  removeMemberFromOrganizationById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/members/{userId}',
    summary: 'Remove a member',
    description: 'Members can also remove themselves to leave the organization.',
    access: 'member:admin',
    scope: 'organization:members:write',
    errors: [409],
  }),
  updateOrganizationMemberLastSeenAt: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/ping',
    summary: 'Record activity of the caller in an organization',
    access: 'organization:view',
    scope: 'unscoped',
    reply: z.object({ serviceVisitorClaims: z.string().optional() }),
  }),
  setUserAsSSOMemberForOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/members/{userId}/sso',
    summary: 'Require SSO for a member',
    access: 'organization:admin',
    scope: 'unscoped',
    reply: Member,
    errors: [404],
  }),
  listSpacesForOrganizationMember: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members/{userId}/spaces',
    summary: 'List the spaces of a member',
    description:
      'Returns the spaces that the member can see, with the role of the member, if the caller can also see them.',

    access: 'organization:listMembers',
    scope: 'organization:members:read',
    query: ListQuery.extend({ order: SortOrder }),
    reply: paginated(z.object({ permission: Role, space: Space }).meta({ id: 'MemberSpace' })),
    errors: [404],
  }),
  listTeamsForOrganizationMember: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members/{userId}/teams',
    summary: 'List the teams of a member',
    access: 'organization:listMembers',
    scope: 'organization:members:read',
    query: ListQuery.extend({
      title: z.string().max(64).optional().describe('Only teams whose title contains this text; case-insensitive'),
    }),
    reply: paginated(z.object({ team: Team, member: z.object({ role: TeamRole }) }).meta({ id: 'MemberTeam' })),
    errors: [404],
  }),
}
