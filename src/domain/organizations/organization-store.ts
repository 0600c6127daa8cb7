import type { Insertable, Updateable } from 'kysely'
import type { OrganizationMergeRules } from '../../contract/space.ts'
import type { Db, Row, SiteKey, Tables } from '../../schema/tables.ts'

export function findOrganization(db: Db, organizationId: string): Promise<Row<'organizations'> | undefined> {
  return db.selectFrom('organizations').selectAll().where('id', '=', organizationId).executeTakeFirst()
}

export function insertOrganization(db: Db, organization: Insertable<Tables['organizations']>) {
  return db.insertInto('organizations').values(organization).returningAll().executeTakeFirstOrThrow()
}

export function updateOrganization(db: Db, organizationId: string, values: Updateable<Tables['organizations']>) {
  return db
    .updateTable('organizations')
    .set(values)
    .where('id', '=', organizationId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes an organization; foreign keys delete everything that belongs to it. */
export async function deleteOrganization(db: Db, organizationId: string): Promise<void> {
  await db.deleteFrom('organizations').where('id', '=', organizationId).execute()
}

export async function getMergeRules(db: Db, organizationId: string): Promise<OrganizationMergeRules> {
  const organization = await findOrganization(db, organizationId)
  return organization ? (JSON.parse(organization.merge_rules) as OrganizationMergeRules) : { type: 'none' }
}

/** Finds the retention periods of the audit log after an organization, of those that have one. */
export async function findAuditRetentions(
  db: Db,
  after: string,
  limit: number,
): Promise<{ id: string; retentionDays: number }[]> {
  const rows = await db
    .selectFrom('organizations')
    .select(['id', 'audit_retention_days'])
    .where('audit_retention_days', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.flatMap(({ id, audit_retention_days: retentionDays }) =>
    retentionDays === null ? [] : [{ id, retentionDays }],
  )
}

/** Updates the stored number of members, so that lists of members need not count rows. */
export async function addToMemberCount(db: Db, organizationId: string, difference: number): Promise<void> {
  if (difference === 0) return
  await db
    .updateTable('organizations')
    .set((eb) => ({ member_count: eb('member_count', '+', difference) }))
    .where('id', '=', organizationId)
    .execute()
}

/** Removes a site that is about to be deleted from the default content of its organization. */
export async function clearDefaultSite(db: Db, { organization_id: organizationId, id }: SiteKey): Promise<void> {
  await db
    .updateTable('organizations')
    .set({ default_site_id: null })
    .where('id', '=', organizationId)
    .where('default_site_id', '=', id)
    .execute()
}
