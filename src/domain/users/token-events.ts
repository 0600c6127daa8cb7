import type { Row } from '../../schema/tables.ts'
import { type AuditContext, recordAccountEvent } from '../audit/record-event.ts'

/** Records that a token was created. The label is left out, because it may name another organization of the user. */
export function recordTokenCreated(context: AuditContext, token: Row<'tokens'>): Promise<void> {
  return recordAccountEvent(context, token.user_id, {
    action: 'token.create',
    target: { type: 'token', id: token.id },
    after: {
      user: token.user_id,
      scopes: token.scopes === null ? null : (JSON.parse(token.scopes) as unknown),
      expiresAt: token.expires_at,
    },
  })
}

/** Records that a token was revoked. */
export function recordTokenRevoked(context: AuditContext, token: Pick<Row<'tokens'>, 'id' | 'user_id'>): Promise<void> {
  return recordAccountEvent(context, token.user_id, {
    action: 'token.revoke',
    target: { type: 'token', id: token.id },
    before: { user: token.user_id },
  })
}
