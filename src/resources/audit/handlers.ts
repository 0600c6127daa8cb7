import { auditActions } from '../../contract/audit-actions.ts'
import { audit } from '../../contract/audit.ts'
import { findAuditEvent, findAuditEvents } from '../../domain/audit/audit-store.ts'
import { presentAuditEvent, presentAuditEventDetails } from '../../domain/audit/present-event.ts'
import { recordAuditEvent } from '../../domain/audit/record-event.ts'
import { updateOrganization } from '../../domain/organizations/organization-store.ts'
import { notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toUncountedPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import { createExportUrl } from './export.ts'

export const auditRoutes = implement(audit, {
  async listOrganizationAuditEvents({ db, organization, urls }, { query: { page, limit, ...filter } }) {
    const before = decodeCursor(page, 1)?.[0]
    const rows = await findAuditEvents(db, organization.id, filter, { before, limit: limit + 1 })
    return toUncountedPage(
      rows,
      { limit },
      (row) => [row.id],
      (row) => presentAuditEvent(row, urls),
    )
  },

  async getOrganizationAuditEvent({ db, organization, urls }, { params }) {
    const event = await findAuditEvent(db, organization.id, params.auditEventId)
    if (!event) throw notFound('audit event')
    return presentAuditEventDetails(event, urls)
  },

  listOrganizationAuditEventActions: () => ({
    items: Object.entries(auditActions).map(([id, label]) => ({ object: 'audit-event-action' as const, id, label })),
  }),

  async exportOrganizationAuditEvents(context, { body: { format, ...filter } }) {
    const { organization, now } = context
    await recordAuditEvent(context, {
      action: 'audit.export',
      organizationId: organization.id,
      target: targetOf(organization),
      after: { format, ...filter },
    })
    // Events after this one are not part of the file, so that reading it again returns the same events.
    return { url: createExportUrl(context, organization.id, { format, ...filter, to: filter.to ?? now() }) }
  },

  getOrganizationAuditSettings: ({ organization }) => presentSettings(organization),

  async updateOrganizationAuditSettings(context, { body: { retentionDays } }) {
    const { db, organization, now } = context
    await recordAuditEvent(context, {
      action: 'audit.settings-update',
      organizationId: organization.id,
      target: targetOf(organization),
      before: { retentionDays: organization.audit_retention_days },
      after: { retentionDays },
    })
    return presentSettings(
      await updateOrganization(db, organization.id, { audit_retention_days: retentionDays, updated_at: now() }),
    )
  },
})

const targetOf = ({ id, title }: Row<'organizations'>) => ({ type: 'organization' as const, id, title })

const presentSettings = ({ audit_retention_days: retentionDays }: Row<'organizations'>) => ({
  object: 'audit-settings' as const,
  retentionDays,
})
