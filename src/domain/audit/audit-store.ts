import type { AuditFilter } from '../../contract/audit.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { toAuditIdPrefix } from './event-id.ts'

/** Inserts events, which are never updated. */
export async function insertAuditEvents(db: Db, events: readonly Row<'audit_events'>[]): Promise<void> {
  await db.insertInto('audit_events').values(events).execute()
}

/** Returns the organizations that a user is a member of. */
export async function findOrganizationIdsOfUser(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .select('organization_id')
    .where('user_id', '=', userId)
    .orderBy('organization_id')
    .execute()
  return rows.map((row) => row.organization_id)
}

/** Finds up to `limit` events, newest first; those of all organizations if none is given. */
export function findAuditEvents(
  db: Db,
  organizationId: string | undefined,
  { from, to, action, actor, target }: AuditFilter,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Row<'audit_events'>[]> {
  let query = db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').limit(limit)
  if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId)
  if (action !== undefined) query = query.where('action', '=', action)
  if (actor !== undefined) query = query.where('actor_id', '=', actor)
  if (target !== undefined) query = query.where('target_id', '=', target)
  // IDs begin with the time, so that one index serves the order and the period.
  if (from !== undefined) query = query.where('id', '>=', toAuditIdPrefix(Date.parse(from)))
  const end = to === undefined ? undefined : toAuditIdPrefix(Date.parse(to) + 1)
  // SQLite uses only one of several upper bounds, and would read the rows before the other one unnecessarily.
  const bound = before === undefined || (end !== undefined && end < before) ? end : before
  if (bound !== undefined) query = query.where('id', '<', bound)
  return query.execute()
}

/** Finds an event of an organization by its ID. */
export function findAuditEvent(db: Db, organizationId: string, id: string) {
  return db
    .selectFrom('audit_events')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
}

/** Deletes up to `count` of the oldest events of an organization (null for those without one) before a time; returns how many. */
export async function deleteAuditEventsBefore(
  db: Db,
  organizationId: string | null,
  time: number,
  count: number,
): Promise<number> {
  const oldest = db
    .selectFrom('audit_events')
    .select('id')
    .where('organization_id', organizationId === null ? 'is' : '=', organizationId)
    .where('id', '<', toAuditIdPrefix(time))
    .orderBy('id')
    .limit(count)
  const { numDeletedRows } = await db.deleteFrom('audit_events').where('id', 'in', oldest).executeTakeFirst()
  return Number(numDeletedRows)
}
