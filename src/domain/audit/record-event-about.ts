import type { AuditAction, AuditTargetType } from '../../contract/audit-actions.ts'
import type { Row } from '../../schema/tables.ts'
import { type AuditContext, type AuditEventInput, recordAuditEvent } from './record-event.ts'

/** Row of something with a title that belongs to an organization. */
interface TitledRow {
  organization_id: string
  id: string
  title: string
}

/** Optional parts of an event. */
export type AuditEventValues = Pick<AuditEventInput, 'before' | 'after' | 'actor'>

/** Records an event about a space, site, team or another row with a title. */
export function recordEventAbout(
  context: AuditContext,
  type: AuditTargetType,
  { organization_id: organizationId, id, title }: TitledRow,
  action: AuditAction,
  values: AuditEventValues = {},
): Promise<void> {
  return recordAuditEvent(context, { action, organizationId, target: { type, id, title }, ...values })
}

/** Records an event about an organization. */
export function recordOrganizationEvent(
  context: AuditContext,
  { id, title }: Pick<Row<'organizations'>, 'id' | 'title'>,
  action: AuditAction,
  values: AuditEventValues = {},
): Promise<void> {
  return recordEventAbout(context, 'organization', { organization_id: id, id, title }, action, values)
}

/** Records an event about a member of an organization. */
export function recordMemberEvent(
  context: AuditContext,
  organizationId: string,
  user: Pick<Row<'users'>, 'id' | 'display_name'>,
  action: AuditAction,
  values: AuditEventValues = {},
): Promise<void> {
  const row = { organization_id: organizationId, id: user.id, title: user.display_name }
  return recordEventAbout(context, 'member', row, action, values)
}
