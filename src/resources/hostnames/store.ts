import { type Insertable, type Updateable, sql } from 'kysely'
import type { Db, Row, SiteKey, Tables } from '../../schema/tables.ts'

export type HostnameClaim = Row<'custom_hostnames'>

export function findClaimOfSite(db: Db, { organization_id, id }: SiteKey): Promise<HostnameClaim | undefined> {
  return db
    .selectFrom('custom_hostnames')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('site_id', '=', id)
    .executeTakeFirst()
}

/**
 * Finds up to 10 claims of a hostname by other sites: the active one first, then those of the same organization, then the newest.
 */
export function findOtherClaims(db: Db, { organization_id, id }: SiteKey, hostname: string): Promise<HostnameClaim[]> {
  return db
    .selectFrom('custom_hostnames')
    .selectAll()
    .where('hostname', '=', hostname)
    .where((eb) => eb.or([eb('organization_id', '<>', organization_id), eb('site_id', '<>', id)]))
    .orderBy('is_active', 'desc')
    .orderBy(sql`case when organization_id = ${organization_id} then 0 else 1 end`)
    .orderBy('created_at', 'desc')
    .limit(10)
    .execute()
}

/** Finds the claims of a hostname by organizations that a user is a member of, the active one first. */
export function findClaimsForUser(db: Db, hostname: string, userId: string): Promise<HostnameClaim[]> {
  return db
    .selectFrom('custom_hostnames')
    .innerJoin('members', 'members.organization_id', 'custom_hostnames.organization_id')
    .where('custom_hostnames.hostname', '=', hostname)
    .where('members.user_id', '=', userId)
    .where('members.disabled', '=', 0)
    .selectAll('custom_hostnames')
    .orderBy('custom_hostnames.is_active', 'desc')
    .orderBy('custom_hostnames.created_at')
    .execute()
}

/** Finds claims that are not proved yet, the least recently checked first. */
export function findPendingClaims(db: Db, since: string, limit: number): Promise<HostnameClaim[]> {
  return db
    .selectFrom('custom_hostnames')
    .selectAll()
    .where('is_active', '=', 0)
    .where('created_at', '>', since)
    .orderBy(sql`coalesce(checked_at, created_at)`)
    .limit(limit)
    .execute()
}

export async function replaceClaim(db: Db, claim: Insertable<Tables['custom_hostnames']>): Promise<void> {
  await deleteClaim(db, { organization_id: claim.organization_id, id: claim.site_id })
  await db.insertInto('custom_hostnames').values(claim).execute()
}

export async function updateClaim(
  db: Db,
  claim: HostnameClaim,
  values: Updateable<Tables['custom_hostnames']>,
): Promise<void> {
  await db
    .updateTable('custom_hostnames')
    .set(values)
    .where('organization_id', '=', claim.organization_id)
    .where('site_id', '=', claim.site_id)
    .execute()
}

export async function deleteClaim(db: Db, { organization_id, id }: SiteKey): Promise<void> {
  await db
    .deleteFrom('custom_hostnames')
    .where('organization_id', '=', organization_id)
    .where('site_id', '=', id)
    .execute()
}
