import type { AuditAction } from '../contract/audit-actions.ts'
import { type AuditEventInput, recordAccountEvent, recordAuditEvent } from '../domain/audit/record-event.ts'
import type { SsoSession } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import type { Db, Row } from '../schema/tables.ts'
import type { PageContext } from './context.ts'

type User = Pick<Row<'users'>, 'id' | 'display_name' | 'email'>

/** Whether an error states that a person may not sign in. */
export const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'forbidden' || error.code === 'conflict')

/** Returns the context with which events of a page are recorded. */
export function toAuditContext(db: Db, { now, request, principal }: PageContext) {
  return { db, now, principal, client: { address: request.clientAddress, userAgent: request.header('user-agent') } }
}

/**
 * Records an event of an account. With an identity provider, only the organization of the provider sees it; otherwise all
 * organizations of the user do.
 */
export function recordPageEvent(
  db: Db,
  context: PageContext,
  user: User,
  action: AuditAction,
  {
    sso,
    ...values
  }: Partial<Pick<AuditEventInput, 'target' | 'after' | 'actor'>> & { sso?: SsoSession | undefined } = {},
): Promise<void> {
  const event = { action, target: { type: 'user' as const, id: user.id, title: user.display_name }, ...values }
  const auditContext = toAuditContext(db, context)
  return sso
    ? recordAuditEvent(auditContext, { ...event, organizationId: sso.organizationId })
    : recordAccountEvent(auditContext, user.id, event)
}
