import { z } from 'zod'
import { Collection } from './collections.ts'
import { operation } from './operation.ts'
import { RoleOrGuest } from './roles.ts'
import { Count, Id, ListQuery, Timestamp, paginated } from './shared.ts'
import { Space } from './space.ts'

/** Email address. Addresses are compared in lower case. */
export const Email = z.email().max(254).toLowerCase()
const mustBeAbsent = z.never({ error: 'must not be set together with the others' }).optional()
const inviteUrls = z.object({
  location: z.string(),
  join: z.string().describe('Link for the invited person'),
})

const linkInviteFields = {
  object: z.literal('invite'),
  id: Id,
  redundant: z.boolean().describe('Whether the caller already has all access that the invite grants'),
  urls: inviteUrls,
}

/** A link with which any signed-in user can join. */
export const LinkInvite = z
  .union([
    z.object({ ...linkInviteFields, role: RoleOrGuest }),
    z.object({ ...linkInviteFields, level: RoleOrGuest, space: Space }),
    z.object({ ...linkInviteFields, level: RoleOrGuest, collection: Collection }),
  ])
  .meta({ id: 'LinkInvite' })
export type LinkInvite = z.infer<typeof LinkInvite>

/** A pending invitation of an email address. */
export const EmailInvite = z
  .object({
    object: z.literal('email-invite'),
    id: Id,
    email: z.string(),
    role: RoleOrGuest,
    sso: z.boolean(),
    teams: z.array(Id).describe('IDs of the teams that the person joins'),
    createdAt: Timestamp,
    urls: inviteUrls,
  })
  .meta({ id: 'EmailInvite' })
export type EmailInvite = z.infer<typeof EmailInvite>

export const invites = {
  inviteUsersToOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/invites',
    summary: 'Invite users by email',
    description:
      'Users with an account become members immediately. For other addresses an invite is created, and its join link is returned. If the operator has configured mail, the server also sends the link to the address, at most 5 times a day; 1000 messages a day for each caller.',
    access: 'organization:admin',
    scope: 'organization:members:write',
    body: z.object({
      emails: z
        .array(z.union([Email, z.object({ email: Email, role: RoleOrGuest })]))
        .min(1)
        .max(500),
      role: RoleOrGuest.optional().describe(
        'Role for addresses without a `role`; defaults to the default role of the organization',
      ),
      sso: z.boolean().default(false),
      teams: z.array(Id).max(100).optional().describe('IDs of teams that the new members join'),
    }),
    reply: z.object({
      users: z.array(Id).describe('IDs of the users who became members'),
      invited: Count.describe(
        'Number of users who became members; `invites` contains the addresses without an account',
      ),
      failedSSOEmails: z.array(z.string()).optional(),
      invites: z.array(EmailInvite),
    }),
    errors: [404],
  }),
  listEmailInvites: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/invites',
    summary: 'List pending email invites',
    access: 'organization:admin',
    scope: 'organization:members:read',
    query: ListQuery,
    reply: paginated(EmailInvite),
  }),
  deleteEmailInvite: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/invites/{inviteId}',
    summary: 'Delete an email invite',
    access: 'organization:admin',
    scope: 'organization:members:write',
  }),
  joinOrganizationWithInvite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/invites/{inviteId}',
    summary: 'Accept an invite',
    description: 'Adds the caller to the organization. The invite can be an email invite or an invite link.',
    access: 'user',
    scope: 'organization:members:write',
    reply: z.object({}),
    errors: [404],
  }),
  listOrganizationInviteLinks: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/link-invites',
    summary: 'List invite links',
    access: 'organization:admin',
    scope: 'organization:members:read',
    query: ListQuery,
    reply: paginated(LinkInvite),
  }),
  createOrganizationInvite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/link-invites',
    summary: 'Create an invite link',
    description: 'The link can grant access to the organization, a space or a collection.',
    access: 'organization:admin',
    scope: 'organization:members:write',
    // Each variant forbids the fields of the others, because unknown fields are ignored: a link to a space must never grant the organization.
    body: z.union([
      z.object({ role: RoleOrGuest, space: mustBeAbsent, collection: mustBeAbsent }),
      z.object({ level: RoleOrGuest, space: Id, collection: mustBeAbsent, role: mustBeAbsent }),
      z.object({ level: RoleOrGuest, collection: Id, space: mustBeAbsent, role: mustBeAbsent }),
    ]),
    status: 201,
    reply: LinkInvite,
    errors: [404, 409],
  }),
  getOrganizationInviteLink: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Get an invite link',
    access: 'organization:admin',
    scope: 'organization:members:read',
    reply: LinkInvite,
    errors: [404],
  }),
  updateOrganizationInviteById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Update an invite link',
    access: 'organization:admin',
    scope: 'organization:members:write',
    body: z.union([z.object({ role: RoleOrGuest }), z.object({ level: RoleOrGuest })]),
    reply: LinkInvite,
    errors: [404],
  }),
  deleteOrganizationInviteById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Delete an invite link',
    access: 'organization:admin',
    scope: 'organization:members:write',
  }),
}
