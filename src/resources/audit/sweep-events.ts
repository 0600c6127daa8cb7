import { z } from 'zod'
import { deleteAuditEventsBefore } from '../../domain/audit/audit-store.ts'
import { findAuditRetentions } from '../../domain/organizations/organization-store.ts'
import { job } from '../../jobs/job.ts'
import type { JobContext } from '../../kernel/context.ts'
import { days } from '../../kernel/time.ts'

/** Days for which events without an organization are kept, such as failed sign-ins of unknown accounts. */
const retentionWithoutOrganization = 90
/** Number of rows per transaction, so that other transactions do not wait long. */
const batchSize = 1000

/** Deletes events after the retention period of their organization. */
export const sweepAuditEvents = job({
  name: 'audit.sweep',
  attempts: 5,
  key: () => '',
  payload: z.object({}).strict(),
  async run(context) {
    await deleteOldEvents(context, null, retentionWithoutOrganization)
    let after = ''
    for (;;) {
      const organizations = await findAuditRetentions(context.db, after, batchSize)
      for (const { id, retentionDays } of organizations) await deleteOldEvents(context, id, retentionDays)
      if (organizations.length < batchSize) return
      after = organizations.at(-1)?.id ?? ''
    }
  },
})

async function deleteOldEvents(
  { transaction, now, signal }: JobContext,
  organizationId: string | null,
  retentionDays: number,
): Promise<void> {
  const time = Date.parse(now()) - days(retentionDays)
  for (;;) {
    signal.throwIfAborted()
    const deleted = await transaction((db) => deleteAuditEventsBefore(db, organizationId, time, batchSize))
    if (deleted < batchSize) return
  }
}
