import { z } from 'zod'
import { operation } from './operation.ts'
import { Id, Timestamp, paginated } from './shared.ts'

const Label = z.string().optional().describe('Name or title at the time of the event')

export const AuditEvent = z
  .object({
    object: z.literal('audit-event'),
    id: z.uuid(),
    occurredAt: Timestamp,
    action: z.string(),
    actor: z.object({
      type: z.enum(['user', 'integration', 'system']).describe('`integration` for provisioning with SCIM'),
      id: Id,
      label: Label,
    }),
    source: z
      .enum(['ui', 'api', 'integration', 'script'])
      .describe('`script` for commands of the operator and jobs of the server'),
    target: z.object({ type: z.string(), id: Id, label: Label }),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'AuditEvent' })
export type AuditEvent = z.infer<typeof AuditEvent>

const Values = z.record(z.string(), z.json()).optional()

export const AuditEventDetails = AuditEvent.extend({
  schemaVersion: z.literal(1),
  payload: z.object({
    actor: z.object({
      kind: z.enum(['user', 'token', 'scim', 'system', 'anonymous']),
      email: z.string().optional().describe('Email address at the time of the event'),
      credential: Id.optional().describe('ID of the API token or session'),
    }),
    client: z
      .object({ address: z.string(), userAgent: z.string().optional() })
      .optional()
      .describe('Origin of the request; absent for commands and jobs'),
    before: Values.describe('Earlier values of the changed fields'),
    after: Values.describe('New values of the changed fields, or details of the event'),
  }),
}).meta({ id: 'AuditEventDetails' })
export type AuditEventDetails = z.infer<typeof AuditEventDetails>

export const AuditEventAction = z
  .object({ object: z.literal('audit-event-action'), id: z.string(), label: z.string() })
  .meta({ id: 'AuditEventAction' })

const Moment = z.iso.datetime({ offset: true })

const AuditFilter = z.object({
  from: Moment.optional().describe('Only events at or after this time'),
  to: Moment.optional().describe('Only events at or before this time'),
  action: z.string().max(64).optional().describe('Only events with this action'),
  actor: Id.optional().describe('Only events of the actor with this ID'),
  target: Id.optional().describe('Only events about the target with this ID'),
})
export type AuditFilter = z.infer<typeof AuditFilter>

const maxLimit = 100
const defaultLimit = 20

const AuditQuery = AuditFilter.extend({
  page: z.string().max(2048).optional().describe('Cursor from `next.page` of the previous reply'),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, `must be a whole number from 1 to ${maxLimit}`)
    .transform(Number)
    .default(defaultLimit)
    .meta({ type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit })
    .describe('Maximum number of results per page'),
})

/** What is exported, and in which format. */
export const AuditExport = AuditFilter.extend({ format: z.enum(['csv', 'jsonl']) })
export type AuditExport = z.infer<typeof AuditExport>

/** Shortest retention period in days, so that an administrator cannot delete the traces of a recent change. */
const minRetention = 30

export const AuditSettings = z
  .object({
    object: z.literal('audit-settings'),
    retentionDays: z.int().nullable().describe('Days after which events are deleted; null to keep them'),
  })
  .meta({ id: 'AuditSettings' })

const access = { access: 'organization:admin', scope: 'unscoped' } as const

export const audit = {
  listOrganizationAuditEvents: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/audit-events',
    summary: 'List audit events',
    description:
      'Returns the newest events first. Events must match all filters. The reply has no `count`, because counting would read all events.',
    ...access,
    query: AuditQuery,
    reply: paginated(AuditEvent).omit({ count: true }),
  }),
  getOrganizationAuditEvent: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/audit-events/{auditEventId}',
    summary: 'Get an audit event',
    description: 'Includes the origin of the request and the changed values. Events never contain secrets.',
    ...access,
    reply: AuditEventDetails,
    errors: [404],
  }),
  listOrganizationAuditEventActions: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/audit-event-actions',
    summary: 'List audit event actions',
    ...access,
    reply: z.object({ items: z.array(AuditEventAction) }),
  }),
  exportOrganizationAuditEvents: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/audit-events/export',
    summary: 'Export audit events',
    description: 'Returns the URL of a file with all matching events. The export is itself recorded.',
    ...access,
    body: AuditExport,
    reply: z
      .object({ url: z.url().describe('Signed URL of the file, valid for ten minutes') })
      .meta({ id: 'AuditExportLink' }),
    secret: true,
  }),
  getOrganizationAuditSettings: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/audit-settings',
    summary: 'Get the settings of the audit log',
    ...access,
    reply: AuditSettings,
  }),
  updateOrganizationAuditSettings: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/audit-settings',
    summary: 'Update the settings of the audit log',
    ...access,
    body: z.object({ retentionDays: z.int().min(minRetention).max(36_500).nullable() }),
    reply: AuditSettings,
  }),
}
