import { fromStoredRole } from '../../access/content-roles.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { type AuditEventInput, recordAuditEvent } from '../../domain/audit/record-event.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { deriveId } from '../../kernel/ids.ts'
import type { Row } from '../../schema/tables.ts'

/** Returns an ID of a link invite for the audit log. The real one is the secret of the link. */
export const toPublicInviteId = ({ id }: Row<'link_invites'>): string => deriveId(id)

/** Returns the values of a link invite that the audit log compares. */
export const describeLinkInvite = (invite: Row<'link_invites'>) => ({
  role: fromStoredRole(invite.role),
  space: invite.space_id,
  collection: invite.collection_id,
})

/** Records an event about a link invite. */
export function recordLinkInvite(
  context: OrganizationContext,
  invite: Row<'link_invites'>,
  action: AuditAction,
  values: Pick<AuditEventInput, 'before' | 'after'>,
): Promise<void> {
  const target = { type: 'invite-link' as const, id: toPublicInviteId(invite) }
  return recordAuditEvent(context, { action, organizationId: invite.organization_id, target, ...values })
}

/** Records an event about an email invite under its address, because its ID is the secret of the link. */
export function recordEmailInvite(
  context: OrganizationContext,
  { organization_id: organizationId, email, role }: Row<'email_invites'>,
  action: 'invite.create' | 'invite.delete',
): Promise<void> {
  return recordAuditEvent(context, {
    action,
    organizationId,
    target: { type: 'invite', id: email, title: email },
    [action === 'invite.create' ? 'after' : 'before']: { role: fromStoredRole(role) },
  })
}
