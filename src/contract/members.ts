import { z } from 'zod'
import { operation } from './kit.ts'
import { Role, RoleOrGuest } from './roles.ts'
import { Count, Id, ListQuery, Order, Timestamp, User, pageOf } from './shared.ts'
import { Space } from './space.ts'
import { Team, TeamRole } from './team.ts'

export const Member = z
  .object({
    object: z.literal('member'),
    id: Id.describe('Equals the id of the user'),
    role: RoleOrGuest,
    user: User,
    disabled: z.boolean(),
    joinedAt: Timestamp,
    lastSeenAt: Timestamp.optional(),
    sso: z.boolean(),
    spaces: Count.describe('How many spaces the member can see'),
    teams: Count.describe('How many teams the member is in'),
    sites: Count.describe('How many sites the member can see'),
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof Member>

/** How lists of members are filtered and sorted. */
export const MembersQuery = ListQuery.extend({
  order: Order,
  role: z.union([Role, z.literal('guest')]).optional(),
  search: z.string().max(256).optional().describe('Only members whose name or e-mail contains this, in any case'),
  sort: z
    .enum(['joinedAt', 'lastSeenAt', 'name'])
    .default('joinedAt')
    .describe('`lastSeenAt` lists only members who were ever seen'),
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
    reply: pageOf(Member),
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
    summary: 'Change the role of a member',
    access: 'organization:admin',
    scope: 'organization:members:write',
    body: z.object({ role: RoleOrGuest }),
    reply: Member,
    errors: [404, 409],
  }),
  removeMemberFromOrganizationById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/members/{userId}',
    summary: 'Remove a member, or leave the organization',
    access: 'member:admin',
    scope: 'organization:members:write',
    errors: [409],
  }),
  updateOrganizationMemberLastSeenAt: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/ping',
    summary: 'Say that the caller is active in the organization',
    access: 'organization:view',
    scope: 'unscoped',
    reply: z.object({ serviceVisitorClaims: z.string().optional() }),
  }),
  setUserAsSSOMemberForOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/members/{userId}/sso',
    summary: 'Make a member sign in through SSO',
    access: 'organization:admin',
    scope: 'unscoped',
    reply: Member,
    errors: [404],
  }),
  listSpacesForOrganizationMember: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members/{userId}/spaces',
    summary: 'List the spaces that a member can see, with their role in each',
    description: 'Holds only spaces that the caller can see too.',
    access: 'organization:listMembers',
    scope: 'organization:members:read',
    query: ListQuery.extend({ order: Order }),
    reply: pageOf(z.object({ permission: Role, space: Space }).meta({ id: 'MemberSpace' })),
    errors: [404],
  }),
  listTeamsForOrganizationMember: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members/{userId}/teams',
    summary: 'List the teams of a member',
    access: 'organization:listMembers',
    scope: 'organization:members:read',
    query: ListQuery.extend({
      title: z.string().max(64).optional().describe('Only teams whose title contains this, in any case'),
    }),
    reply: pageOf(z.object({ team: Team, member: z.object({ role: TeamRole }) }).meta({ id: 'MemberTeam' })),
    errors: [404],
  }),
}
