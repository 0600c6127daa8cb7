import { fromStoredRole } from '../../access/content-roles.ts'
import { recordMemberEvent } from '../../domain/audit/record-event-about.ts'
import { recordAuditEvent } from '../../domain/audit/record-event.ts'
import { addMember, addOrPromoteMember } from '../../domain/members/membership.ts'
import { shareWithUser } from '../../domain/permissions/share.ts'
import type { UserContext } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { toPublicInviteId } from './invite-events.ts'
import * as store from './store.ts'

/** Joins an organization with an invite link, which may give access to one space or collection only. */
export async function joinByLink(
  context: UserContext,
  organization: Row<'organizations'>,
  invite: Row<'link_invites'>,
) {
  if (organization.invite_links === 0) throw new AppError('forbidden', 'Invite links are disabled in this organization')
  const { db, principal, now } = context
  const { user } = principal
  const invitedBy = { inviteLink: toPublicInviteId(invite) }
  const contentId = invite.space_id ?? invite.collection_id
  if (contentId === null) return join(context, organization.id, invite.role, invitedBy)
  if (await addMember(db, now, { organizationId: organization.id, user, role: 'guest' }))
    await recordMemberEvent(context, organization.id, user, 'member.join', { after: { role: null, ...invitedBy } })
  const level = fromStoredRole(invite.role)
  if (level === null) return
  const kind = invite.space_id === null ? ('collection' as const) : ('space' as const)
  const share = { kind, organizationId: organization.id, contentId, userId: user.id, role: level }
  if (!(await shareWithUser(db, now, share))) return
  await recordAuditEvent(context, {
    action: 'permission.grant',
    organizationId: organization.id,
    target: { type: kind, id: contentId },
    after: { role: level, users: [user.id], ...invitedBy },
  })
}

/** Joins an organization with an email invite. */
export async function joinByEmail(context: UserContext, invite: Row<'email_invites'> | undefined) {
  const { db, principal } = context
  // Other users who open the link get the same error as for an invite that does not exist.
  if (!invite || invite.email !== principal.user.email) throw notFound('invite')
  const { organization_id: organizationId, role, sso } = invite
  await join(context, organizationId, role, { sso: sso === 1 })
  await store.deleteInvite(db, 'email_invites', organizationId, invite.id)
}

/** Adds the caller to an organization, or raises the caller's role, and records it. */
async function join(
  context: UserContext,
  organizationId: string,
  role: Row<'members'>['role'],
  details: { sso?: boolean; inviteLink?: string },
): Promise<void> {
  const { db, principal, now } = context
  const { user } = principal
  const { sso = false } = details
  const change = await addOrPromoteMember(db, now, { organizationId, user, role, sso })
  if (change === undefined) return
  const action = change === 'added' ? 'member.join' : 'member.update'
  await recordMemberEvent(context, organizationId, user, action, { after: { role: fromStoredRole(role), ...details } })
}
