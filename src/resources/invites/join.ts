import { fromStoredRole } from '../../access/content-roles.ts'
import { requireOwnSignIn } from '../../access/sso.ts'
import { recordEventAbout, recordMemberEvent } from '../../domain/audit/record-event-about.ts'
import { type AuditContext, recordAuditEvent } from '../../domain/audit/record-event.ts'
import { addMember, addOrPromoteMember } from '../../domain/members/membership.ts'
import { findOrganization } from '../../domain/organizations/organization-store.ts'
import { shareWithUser } from '../../domain/permissions/share.ts'
import { findTeamsById, upsertTeamMembers } from '../../domain/teams/team-store.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { toPublicInviteId } from './invite-events.ts'
import * as store from './store.ts'

/** Invite with its organization. */
export type Invite =
  | { kind: 'email'; organization: Row<'organizations'>; row: Row<'email_invites'> }
  | { kind: 'link'; organization: Row<'organizations'>; row: Row<'link_invites'> }

/** Returns an email invite or an invite link by the IDs in its address. */
export async function findInvite(db: Db, organizationId: string, inviteId: string): Promise<Invite | undefined> {
  const organization = await findOrganization(db, organizationId)
  if (!organization) return undefined
  const link = await store.findLinkInvite(db, organization.id, inviteId)
  if (link) return { kind: 'link', organization, row: link }
  const invite = await store.findEmailInvite(db, organization.id, inviteId)
  return invite && { kind: 'email', organization, row: invite }
}

/** Adds a user to the organization of an invite. An email invite is used up, and works only for its address. */
export async function acceptInvite(context: AuditContext, invite: Invite, user: Row<'users'>): Promise<void> {
  const { principal } = context
  if (principal && principal.reach.only !== invite.organization.id)
    requireOwnSignIn(principal, 'join other organizations')
  return invite.kind === 'link' ? joinByLink(context, invite, user) : joinByEmail(context, invite.row, user)
}

/** Accepts all email invites of the address of a user, which a provider has verified. */
export async function acceptEmailInvites(context: AuditContext, user: Row<'users'>): Promise<void> {
  for (const invite of await store.findEmailInvitesOf(context.db, user.email)) await joinByEmail(context, invite, user)
}

/** Whether an email address has an invite of any organization. */
export async function hasEmailInvite(db: Db, email: string): Promise<boolean> {
  return (await store.findEmailInvitesOf(db, email)).length > 0
}

async function joinByEmail(context: AuditContext, invite: Row<'email_invites'>, user: Row<'users'>): Promise<void> {
  // Other users who open the link get the same error as for an invite that does not exist.
  if (invite.email !== user.email) throw notFound('invite')
  const { organization_id: organizationId, role, sso } = invite
  await join(context, user, { organizationId, role }, { sso: sso === 1 })
  const teamIds = JSON.parse(invite.team_ids) as string[]
  // Teams that were deleted since the invite are ignored.
  await joinTeams(context, await findTeamsById(context.db, organizationId, teamIds), user)
  await store.deleteInvite(context.db, 'email_invites', organizationId, invite.id)
}

/** Adds a user to teams, and records it. */
export async function joinTeams(
  context: AuditContext,
  teams: readonly Row<'teams'>[],
  user: Row<'users'>,
): Promise<void> {
  for (const team of teams) {
    const key = { organization_id: team.organization_id, team_id: team.id }
    await upsertTeamMembers(context.db, key, [user.id], undefined, context.now())
    await recordEventAbout(context, 'team', team, 'team.members-update', {
      after: { added: [user.id] },
      ...actorOf(context, user),
    })
  }
}

/** Joins with an invite link, which may give access to one space or collection only. */
async function joinByLink(
  context: AuditContext,
  { organization, row: invite }: Extract<Invite, { kind: 'link' }>,
  user: Row<'users'>,
): Promise<void> {
  if (organization.invite_links === 0) throw new AppError('forbidden', 'Invite links are disabled in this organization')
  const { db, now } = context
  const organizationId = organization.id
  const invitedBy = { inviteLink: toPublicInviteId(invite) }
  const contentId = invite.space_id ?? invite.collection_id
  if (contentId === null) return join(context, user, { organizationId, role: invite.role }, invitedBy)
  if (await addMember(db, now, { organizationId, user, role: 'guest' }))
    await recordMemberEvent(context, organizationId, user, 'member.join', {
      after: { role: null, ...invitedBy },
      ...actorOf(context, user),
    })
  const level = fromStoredRole(invite.role)
  if (level === null) return
  const kind = invite.space_id === null ? ('collection' as const) : ('space' as const)
  if (!(await shareWithUser(db, now, { kind, organizationId, contentId, userId: user.id, role: level }))) return
  await recordAuditEvent(context, {
    action: 'permission.grant',
    organizationId,
    target: { type: kind, id: contentId },
    after: { role: level, users: [user.id], ...invitedBy },
    ...actorOf(context, user),
  })
}

/** Adds a user to an organization, or raises the role of a member, and records it. */
async function join(
  context: AuditContext,
  user: Row<'users'>,
  { organizationId, role }: { organizationId: string; role: Row<'members'>['role'] },
  details: { sso?: boolean; inviteLink?: string },
): Promise<void> {
  const { sso = false } = details
  const change = await addOrPromoteMember(context.db, context.now, { organizationId, user, role, sso })
  if (change === undefined) return
  const action = change === 'added' ? 'member.join' : 'member.update'
  const after = { role: fromStoredRole(role), ...details }
  await recordMemberEvent(context, organizationId, user, action, { after, ...actorOf(context, user) })
}

/** Returns the actor of an event if the user is only about to sign in. */
const actorOf = ({ principal }: AuditContext, user: Row<'users'>) =>
  principal ? {} : { actor: { kind: 'user' as const, user } }
