import { z } from 'zod'
import { operation } from './operation.ts'
import { DefaultLevel, Role } from './roles.ts'
import { Count, Id, ListQuery, User, paginated } from './shared.ts'
import { SiteVisibility } from './site.ts'
import { Team } from './team.ts'

const AccessSource = z
  .object({
    type: z.enum(['space', 'collection', 'site']),
    id: Id,
    title: z.string().optional().describe('Absent if the caller cannot see it'),
  })
  .meta({ id: 'AccessSource' })
export type AccessSource = z.infer<typeof AccessSource>

export const AccessReason = z
  .discriminatedUnion('type', [
    z
      .object({ type: z.literal('administrator'), role: Role })
      .describe('Administrators of the organization see everything'),
    z
      .object({ type: z.literal('organization'), role: Role })
      .describe('The content gives every member, except guests, the role that they have in the organization'),
    z
      .object({ type: z.literal('default'), role: Role, source: AccessSource })
      .describe('The content, or one of its parent collections, gives every member, except guests, this role'),
    z
      .object({ type: z.literal('user'), role: Role, source: AccessSource })
      .describe('The content, or one of its parent collections, is shared with the user'),
    z
      .object({
        type: z.literal('team'),
        role: Role,
        source: AccessSource,
        team: z.object({ id: Id, title: z.string() }),
      })
      .describe('The content, or one of its parent collections, is shared with a team of the user'),
  ])
  .meta({ id: 'AccessReason' })
export type AccessReason = z.infer<typeof AccessReason>

const Reasons = z.array(AccessReason).describe('Everything that gives access, the highest role first')

export const UserAccess = z
  .object({ object: z.literal('user-access'), user: User, role: Role.describe('Effective role'), reasons: Reasons })
  .meta({ id: 'UserAccess' })
export type UserAccess = z.infer<typeof UserAccess>

export const TeamAccess = z
  .object({ object: z.literal('team-access'), team: Team, role: Role.describe('Highest role'), reasons: Reasons })
  .meta({ id: 'TeamAccess' })
export type TeamAccess = z.infer<typeof TeamAccess>

export const ContentAccess = z
  .object({
    object: z.literal('content-access'),
    members: z
      .object({
        level: DefaultLevel.describe(
          'Role of every member except guests; `inherit` for the role that they have in the organization',
        ),
        source: AccessSource.optional().describe('Source of the level; absent if the level is not set anywhere'),
      })
      .describe('Access of members to whom no role in the content was given'),
    inviteLinks: Count.describe('Number of invite links that share the content with everyone who has the link'),
    sites: z
      .array(
        z.object({
          site: z.object({ id: Id, title: z.string() }).optional().describe('Absent if the caller cannot see it'),
          visibility: SiteVisibility,
          shareLinks: Count.describe('Number of active share links, if the site is visible only with one'),
        }),
      )
      .describe('Published sites on which people without an account can read the content'),
  })
  .meta({ id: 'ContentAccess' })
export type ContentAccess = z.infer<typeof ContentAccess>

const AccessQuery = ListQuery.extend({
  role: Role.optional().describe('Only users with this effective role'),
  search: z
    .string()
    .max(256)
    .optional()
    .describe('Only users whose name or email address contains this text; case-insensitive'),
})
export type AccessQuery = z.infer<typeof AccessQuery>

const userDescription =
  'Returns all members who can see it, sorted by name, with the effective role and all sources of their access.'
const teamDescription = 'Returns the teams with which it, or one of its parent collections, is shared.'
const summaryDescription =
  'Returns the access of people to whom no role in it was given: members by default, visitors of sites, and holders of invite links.'

export const access = {
  getSpaceAccess: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/access',
    summary: 'Get the general access to a space',
    description: summaryDescription,
    access: 'space:admin',
    scope: 'space:permissions:read',
    reply: ContentAccess,
  }),
  listUserAccessToSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/access/users',
    summary: 'List the users who can see a space',
    description: userDescription,
    access: 'space:admin',
    scope: 'space:permissions:read',
    query: AccessQuery,
    reply: paginated(UserAccess),
  }),
  listTeamAccessToSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/access/teams',
    summary: 'List the teams that can see a space',
    description: teamDescription,
    access: 'space:admin',
    scope: 'space:permissions:read',
    query: ListQuery,
    reply: paginated(TeamAccess),
  }),
  getCollectionAccess: operation({
    method: 'GET',
    path: '/collections/{collectionId}/access',
    summary: 'Get the general access to a collection',
    description: summaryDescription,
    access: 'collection:admin',
    scope: 'space:permissions:read',
    reply: ContentAccess,
  }),
  listUserAccessToCollection: operation({
    method: 'GET',
    path: '/collections/{collectionId}/access/users',
    summary: 'List the users who can see a collection',
    description: userDescription,
    access: 'collection:admin',
    scope: 'space:permissions:read',
    query: AccessQuery,
    reply: paginated(UserAccess),
  }),
  listTeamAccessToCollection: operation({
    method: 'GET',
    path: '/collections/{collectionId}/access/teams',
    summary: 'List the teams that can see a collection',
    description: teamDescription,
    access: 'collection:admin',
    scope: 'space:permissions:read',
    query: ListQuery,
    reply: paginated(TeamAccess),
  }),
  getSiteAccess: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/access',
    summary: 'Get the general access to a site',
    description: summaryDescription,
    access: 'site:admin',
    scope: 'site:permissions:read',
    reply: ContentAccess,
  }),
  listUserAccessToSite: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/access/users',
    summary: 'List the users who can manage a site',
    description: userDescription,
    access: 'site:admin',
    scope: 'site:permissions:read',
    query: AccessQuery,
    reply: paginated(UserAccess),
  }),
  listTeamAccessToSite: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/access/teams',
    summary: 'List the teams that can manage a site',
    description: teamDescription,
    access: 'site:admin',
    scope: 'site:permissions:read',
    query: ListQuery,
    reply: paginated(TeamAccess),
  }),
}
