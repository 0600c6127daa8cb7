import type { AuditAction, AuditTargetType } from '../../contract/audit-actions.ts'
import type { BaseContext, Client, Principal } from '../../kernel/context.ts'
import { toBatches } from '../../storage/batches.ts'
import type { AuditActorKind } from '../../schema/audit.ts'
import type { Row } from '../../schema/tables.ts'
import { findOrganizationIdsOfUser, insertAuditEvents } from './audit-store.ts'
import { type AuditValues, findChangedValues, serializeAuditValues } from './changed-values.ts'
import { newAuditEventId } from './event-id.ts'

/** What recording an event needs: the transaction of the change, and who makes it. */
export interface AuditContext extends Pick<BaseContext, 'db' | 'now' | 'client'> {
  principal?: Principal | undefined
}

/** Actor of an event that is not the principal of the context. */
export type AuditActor =
  | { kind: 'user' | 'token'; user: AuditedUser; credentialId?: string | undefined }
  | { kind: 'scim'; id: string; name?: string | undefined; credentialId?: string | undefined }
  | { kind: 'system' | 'anonymous' }

type AuditedUser = Pick<Row<'users'>, 'id' | 'display_name' | 'email'>

export interface AuditTarget {
  type: AuditTargetType
  id: string
  /** Title at the time of the event. It must not contain a secret. */
  title?: string | undefined
}

export interface AuditEventInput {
  action: AuditAction
  /** Organization that sees the event; null if only the operator of the server sees it. */
  organizationId: string | null
  target: AuditTarget
  /** By default the principal of the request; without a client, the server itself. */
  actor?: AuditActor | undefined
  /** Earlier values of settings. Only fields that differ from `after` are stored; if none differ, there is no event. */
  before?: AuditValues | undefined
  /** New values of settings, or details of the event. They must not contain secrets. */
  after?: AuditValues | undefined
}

/** Records an event in the audit log, in the transaction of the change that it describes. */
export async function recordAuditEvent(context: AuditContext, event: AuditEventInput): Promise<void> {
  const row = toRow(context, event)
  if (row) await insertAuditEvents(context.db, [row])
}

/**
 * Records an event of an account in every organization of its user, whose administrators see it. If the user is in none, only
 * the operator of the server sees it.
 */
export async function recordAccountEvent(
  context: AuditContext,
  userId: string,
  event: Omit<AuditEventInput, 'organizationId'>,
): Promise<void> {
  const memberships = await findOrganizationIdsOfUser(context.db, userId)
  const rows = (memberships.length === 0 ? [null] : memberships).flatMap(
    (organizationId) => toRow(context, { ...event, organizationId }) ?? [],
  )
  for (const batch of toBatches(rows)) await insertAuditEvents(context.db, batch)
}

const maxTitleLength = 300
const maxAddressLength = 64
const maxUserAgentLength = 300

function toRow(context: AuditContext, event: AuditEventInput): Row<'audit_events'> | undefined {
  const { action, organizationId, target } = event
  const values =
    event.before && event.after
      ? findChangedValues(event.before, event.after)
      : { before: event.before, after: event.after }
  if (!values) return undefined
  const createdAt = context.now()
  return {
    id: newAuditEventId(Date.parse(createdAt)),
    organization_id: organizationId,
    action,
    ...toActorColumns(event.actor ?? actorOf(context)),
    target_type: target.type,
    target_id: target.id,
    target_title: truncate(target.title, maxTitleLength),
    ...toClientColumns(context.client),
    before_values: serializeAuditValues(values.before),
    after_values: serializeAuditValues(values.after),
    created_at: createdAt,
  }
}

/** Returns the actor of a request. Commands and jobs may act for an administrator, but they have no client. */
function actorOf({ client, principal }: AuditContext): AuditActor {
  if (!client) return { kind: 'system' }
  if (!principal) return { kind: 'anonymous' }
  const { user, tokenId } = principal
  return { kind: tokenId.startsWith('session:') ? 'user' : 'token', user, credentialId: tokenId }
}

type ActorColumns = Pick<
  Row<'audit_events'>,
  'actor_kind' | 'actor_id' | 'actor_name' | 'actor_email' | 'credential_id'
>

function toActorColumns(actor: AuditActor): ActorColumns {
  const columns = (kind: AuditActorKind, id: string, name: string | null, email: string | null): ActorColumns => ({
    actor_kind: kind,
    actor_id: id,
    actor_name: name,
    actor_email: email,
    credential_id: ('credentialId' in actor ? actor.credentialId : undefined) ?? null,
  })
  switch (actor.kind) {
    case 'user':
    case 'token':
      return columns(actor.kind, actor.user.id, actor.user.display_name, actor.user.email)
    case 'scim':
      return columns('scim', actor.id, actor.name ?? null, null)
    case 'system':
    case 'anonymous':
      return columns(actor.kind, actor.kind, null, null)
  }
}

function toClientColumns(client: Client | undefined): Pick<Row<'audit_events'>, 'client_address' | 'user_agent'> {
  return {
    client_address: truncate(client?.address, maxAddressLength),
    user_agent: truncate(client?.userAgent, maxUserAgentLength),
  }
}

/** Limits the length of a text, without splitting a surrogate pair. */
const truncate = (text: string | undefined, length: number): string | null =>
  text === undefined ? null : text.slice(0, length).toWellFormed()
