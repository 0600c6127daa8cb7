import type { AuditAction } from '../../contract/audit-actions.ts'
import { recordAuditEvent } from '../../domain/audit/record-event.ts'
import type { ScimContext } from '../../scim/route.ts'

/** Records a change that an identity provider made. */
export function recordScimEvent(
  { db, now, client, organization, tokenId }: ScimContext,
  action: AuditAction,
  target: { type: 'member' | 'team'; id: string; title?: string | undefined },
): Promise<void> {
  return recordAuditEvent(
    { db, now, client },
    { action, organizationId: organization.id, target, actor: { kind: 'scim', id: tokenId } },
  )
}
