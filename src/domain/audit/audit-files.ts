import type { AuditExport, AuditFilter } from '../../contract/audit.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { findAuditEvents } from './audit-store.ts'
import { presentAuditEventDetails } from './present-event.ts'

/** Number of events that are read at once. */
const pageSize = 1000

/** Reads all matching events page by page, newest first; those of all organizations if none is given. */
export async function* readAuditEvents(
  db: Db,
  organizationId: string | undefined,
  filter: AuditFilter,
): AsyncGenerator<Row<'audit_events'>[]> {
  let before: string | undefined
  for (;;) {
    const rows = await findAuditEvents(db, organizationId, filter, { before, limit: pageSize })
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
    before = rows.at(-1)?.id
  }
}

/** Columns of a CSV file. */
const columns = [
  'id',
  'created_at',
  'organization_id',
  'action',
  'actor_kind',
  'actor_id',
  'actor_name',
  'actor_email',
  'credential_id',
  'target_type',
  'target_id',
  'target_title',
  'client_address',
  'user_agent',
  'before_values',
  'after_values',
] as const satisfies readonly (keyof Row<'audit_events'>)[]

/** Formats pages of events as a file. */
export async function* formatAuditEvents(
  pages: AsyncIterable<Row<'audit_events'>[]>,
  format: AuditExport['format'],
  urls: Urls,
): AsyncGenerator<string> {
  const formatRow = format === 'csv' ? toCsvLine : (row: Row<'audit_events'>) => toJsonLine(row, urls)
  if (format === 'csv') yield `${columns.join(',')}\r\n`
  for await (const rows of pages) yield rows.map(formatRow).join('')
}

const toJsonLine = (row: Row<'audit_events'>, urls: Urls): string =>
  `${JSON.stringify(presentAuditEventDetails(row, urls))}\n`

const toCsvLine = (row: Row<'audit_events'>): string =>
  `${columns.map((column) => toCsvCell(row[column] ?? '')).join(',')}\r\n`

/** Returns a cell of a CSV file. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function toCsvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
