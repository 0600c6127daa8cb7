import { z } from 'zod'
import { operation } from './operation.ts'
import { Session } from './users.ts'

/** Session of a member, as administrators of an organization see it. */
export const MemberSession = Session.omit({ current: true, clientAddress: true }).meta({ id: 'MemberSession' })
export type MemberSession = z.infer<typeof MemberSession>

const managedSessions =
  'These are the sessions that an identity provider of the organization started. If the organization created the account, with SCIM or by a sign-in, and it is a member of no other organization, these are all its sessions.'

export const memberSessions = {
  listSessionsForOrganizationMember: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members/{userId}/sessions',
    summary: 'List the sessions of a member',
    description: `Returns the sessions that the organization manages, the most recent sign-in first. ${managedSessions}`,
    access: 'organization:admin',
    scope: 'unscoped',
    reply: z.object({ items: z.array(MemberSession) }),
    errors: [404],
  }),
  revokeSessionsForOrganizationMember: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/members/{userId}/sessions',
    summary: 'End the sessions of a member',
    description: `Ends the sessions that the organization manages. ${managedSessions}`,
    access: 'organization:admin',
    scope: 'unscoped',
  }),
  revokeSessionForOrganizationMember: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/members/{userId}/sessions/{sessionId}',
    summary: 'End a session of a member',
    description: 'Ends a session if the organization manages it.',
    access: 'organization:admin',
    scope: 'unscoped',
  }),
}
