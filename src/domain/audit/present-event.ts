import type { AuditEvent, AuditEventDetails } from '../../contract/audit.ts'
import type { Urls } from '../../kernel/context.ts'
import type { AuditActorKind } from '../../schema/audit.ts'
import type { Row } from '../../schema/tables.ts'

type AuditEventRow = Row<'audit_events'>

/** How the API names the kinds of actors. */
const presentedKinds: Record<AuditActorKind, Pick<AuditEvent, 'source'> & Pick<AuditEvent['actor'], 'type'>> = {
  user: { type: 'user', source: 'ui' },
  token: { type: 'user', source: 'api' },
  anonymous: { type: 'user', source: 'ui' },
  scim: { type: 'integration', source: 'integration' },
  system: { type: 'system', source: 'script' },
}

/** Presents an event in a list. */
export function presentAuditEvent(row: AuditEventRow, urls: Urls): AuditEvent {
  const { type, source } = presentedKinds[row.actor_kind]
  return {
    object: 'audit-event',
    id: row.id,
    occurredAt: row.created_at,
    action: row.action,
    actor: { type, id: row.actor_id, ...labelOf(row.actor_name) },
    source,
    target: { type: row.target_type, id: row.target_id, ...labelOf(row.target_title) },
    urls: { location: urls.api(`/orgs/${row.organization_id}/audit-events/${row.id}`) },
  }
}

/** Presents an event with where it came from and what it changed. */
export function presentAuditEventDetails(row: AuditEventRow, urls: Urls): AuditEventDetails {
  const before = parseValues(row.before_values)
  const after = parseValues(row.after_values)
  return {
    ...presentAuditEvent(row, urls),
    schemaVersion: 1,
    payload: {
      actor: {
        kind: row.actor_kind,
        ...(row.actor_email !== null && { email: row.actor_email }),
        ...(row.credential_id !== null && { credential: row.credential_id }),
      },
      ...(row.client_address !== null && {
        client: { address: row.client_address, ...(row.user_agent !== null && { userAgent: row.user_agent }) },
      }),
      ...(before && { before }),
      ...(after && { after }),
    },
  }
}

const labelOf = (label: string | null) => (label === null ? {} : { label })

const parseValues = (text: string | null) =>
  text === null ? undefined : (JSON.parse(text) as NonNullable<AuditEventDetails['payload']['before']>)
