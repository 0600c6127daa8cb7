/** Kind of the actor of an event: a session of a user, an API token, provisioning by SCIM, the server or its operator, or nobody. */
export type AuditActorKind = 'user' | 'token' | 'scim' | 'system' | 'anonymous'

/** Event of the audit log. Rows are inserted and, after the retention period, deleted, but never updated. */
export interface AuditEventsTable {
  /** UUID that begins with the time of the event, so that the order of IDs is the order of time. */
  id: string
  /** Organization that sees the event; null if only the operator sees it. */
  organization_id: string | null
  action: string
  actor_kind: AuditActorKind
  /** ID of the user, or the name of the kind of actor if there is no user. */
  actor_id: string
  /** Name and email address of the user at the time of the event. */
  actor_name: string | null
  actor_email: string | null
  /** ID of the API token or session. */
  credential_id: string | null
  target_type: string
  target_id: string
  target_title: string | null
  client_address: string | null
  user_agent: string | null
  /** Values of the changed fields as JSON. */
  before_values: string | null
  after_values: string | null
  created_at: string
}
