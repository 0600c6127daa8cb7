import { z } from 'zod'
import { operation } from './operation.ts'
import { Member } from './members.ts'
import { Id, ListQuery, paginated, limitedRecord } from './shared.ts'
import { Team, TeamRole } from './team.ts'

const TeamTitle = z.string().trim().min(1).max(64)
const MemberKey = z.string().min(1).max(320).describe('ID or email address of a member')

export const TeamMember = z
  .object({
    organization: Member,
    team: z.object({ role: TeamRole }),
    permissions: z.object({ view: z.boolean() }),
  })
  .meta({ id: 'TeamMember' })
export type TeamMember = z.infer<typeof TeamMember>

export const teams = {
  listTeamsInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/teams',
    summary: 'List the teams of an organization',
    access: 'organization:listTeams',
    scope: 'organization:members:read',
    query: ListQuery.extend({
      owner: z.string().max(64).optional().describe('Only teams that this member can manage'),
      title: z.string().max(64).optional().describe('Only teams whose title contains this text; case-insensitive'),
    }),
    reply: paginated(Team),
  }),
  createOrganizationTeam: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/teams',
    summary: 'Create a team',
    access: 'organization:admin',
    scope: 'organization:members:write',
    body: z.object({ title: TeamTitle, members: z.array(Id).max(1000).optional() }),
    status: 201,
    reply: Team,
    errors: [404],
  }),
  getTeamInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/teams/{teamId}',
    summary: 'Get a team',
    access: 'organization:listTeams',
    scope: 'organization:members:read',
    reply: Team,
    errors: [404],
  }),
  updateTeamInOrganizationById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/teams/{teamId}',
    summary: 'Update a team',
    access: 'organization:admin',
    scope: 'organization:members:write',
    body: z.object({ title: TeamTitle }),
    reply: Team,
    errors: [404],
  }),
  removeTeamFromOrganizationById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/teams/{teamId}',
    summary: 'Delete a team',
    access: 'organization:admin',
    scope: 'organization:members:write',
  }),
  listTeamMembersInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/teams/{teamId}/members',
    summary: 'List the members of a team',
    access: 'organization:listTeams',
    scope: 'organization:members:read',
    query: ListQuery,
    reply: paginated(TeamMember),
    errors: [404],
  }),
  updateMembersInOrganizationTeam: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/teams/{teamId}/members',
    summary: 'Update the members of a team',
    description:
      'Adds, removes and changes several members in one request. A member in both `add` and `remove` is removed.',
    access: 'team:admin',
    scope: 'organization:members:write',
    body: z.object({
      add: z.array(MemberKey).max(1000).optional(),
      remove: z.array(MemberKey).max(1000).optional(),
      memberships: limitedRecord(MemberKey, z.object({ role: TeamRole }), 1000).optional(),
    }),
    errors: [404],
  }),
  addMemberToOrganizationTeamById: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/teams/{teamId}/members/{userId}',
    summary: 'Add or update a member of a team',
    access: 'team:admin',
    scope: 'organization:members:write',
    body: z.object({ role: TeamRole.optional() }),
    errors: [404],
  }),
  deleteMemberFromOrganizationTeamById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/teams/{teamId}/members/{userId}',
    summary: 'Remove a member from a team',
    access: 'team:admin',
    scope: 'organization:members:write',
  }),
}
