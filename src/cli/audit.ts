import { AuditExport } from '../contract/audit.ts'
import { formatAuditEvents, readAuditEvents } from '../domain/audit/audit-files.ts'
import { findAuditEvents } from '../domain/audit/audit-store.ts'
import type { Row } from '../schema/tables.ts'
import { type Command, type CommandInput, UsageError, printTable } from './command.ts'
import { withDatabase } from './environment.ts'
import { toPrintable } from './format.ts'
import { getOrganization } from './organizations.ts'

const defaultLimit = 50

export const auditCommand: Command = {
  name: 'audit',
  summary: 'List events of the audit log, newest first',
  options: {
    organization: { value: 'id', description: 'Only events of this organization' },
    from: { value: 'time', description: 'Only events at or after this time, for example 2026-01-31T00:00:00Z' },
    to: { value: 'time', description: 'Only events at or before this time' },
    action: { value: 'name', description: 'Only events with this action, for example token.create' },
    actor: { value: 'id', description: 'Only events of this user; `system` for commands and jobs' },
    target: { value: 'id', description: 'Only events about this space, site, user, …' },
    limit: { value: 'number', description: `Maximum number of events in the table; ${defaultLimit} by default` },
    format: { value: 'csv or jsonl', description: 'Print all matching events in this format instead of a table' },
  },
  async run(input) {
    const limit = parseLimit(input.options['limit'])
    const { format, ...filter } = parseFilter(input)
    await withDatabase(async ({ reader }, config) => {
      const { organization } = input.options
      const organizationId = organization === undefined ? undefined : (await getOrganization(reader, organization)).id
      if (format !== undefined) {
        const { loadUrls } = await import('./admin-session.ts')
        const events = readAuditEvents(reader, organizationId, filter)
        for await (const text of formatAuditEvents(events, format, await loadUrls(reader, config))) await write(text)
        return
      }
      printEvents(await findAuditEvents(reader, organizationId, filter, { before: undefined, limit }))
    })
  },
}

function parseFilter({ options }: CommandInput) {
  const { from, to, action, actor, target, format } = options
  const parsed = AuditExport.partial({ format: true }).safeParse({ from, to, action, actor, target, format })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`--${String(issue?.path[0])}: ${issue?.message}`)
}

function parseLimit(text = String(defaultLimit)): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--limit must be a whole number')
  return Number(text)
}

function printEvents(events: readonly Row<'audit_events'>[]): void {
  printTable(
    ['TIME', 'ORGANIZATION', 'ACTION', 'ACTOR', 'TARGET', 'ADDRESS'],
    events.map((event) => [
      event.created_at,
      event.organization_id ?? '-',
      event.action,
      toPrintable(event.actor_email ?? event.actor_id),
      toPrintable(`${event.target_type} ${event.target_title ?? event.target_id}`),
      toPrintable(event.client_address ?? '-'),
    ]),
    'There are no events.',
  )
}

/** Writes text to the standard output and waits until it is accepted, so that a slow reader does not fill the memory. */
const write = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
