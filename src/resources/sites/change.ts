import { type Updateable, sql } from 'kysely'
import type { BaseContext, PlacedSite } from '../../kernel/context.ts'
import { batches } from '../../storage/objects.ts'
import type { Db, Tables } from '../../storage/tables.ts'

type Making = Pick<BaseContext, 'db' | 'now' | 'newId'>

/** Changes a site, or notes that something on it was changed: whatever was worked out from it is worked out anew. */
export async function changeSite<Site extends PlacedSite>(
  { db, now, newId }: Making,
  site: Site,
  values: Updateable<Tables['sites']> = {},
): Promise<Site> {
  const changed = await db
    .updateTable('sites')
    .set({ ...values, version: newId(), updated_at: now() })
    .where('organization_id', '=', site.organization_id)
    .where('id', '=', site.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...site, ...changed }
}

/** To be called when spaces were changed, moved, deleted or restored: sites show what they are called, and leave out what is deleted. */
export async function touchSitesOf(
  { db, newId }: Pick<BaseContext, 'db' | 'newId'>,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<void> {
  for (const ids of batches(spaceIds)) {
    await sql`update sites set version = ${newId()} where organization_id = ${organizationId} and id in (
      select site_id from site_items where organization_id = ${organizationId} and space_id in (${sql.join(ids)})
    )`.execute(db)
  }
}

/** Takes spaces off all sites, as they leave the organization or are gone for good. */
export async function takeOffSites(
  context: Pick<BaseContext, 'db' | 'newId'>,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<void> {
  await touchSitesOf(context, organizationId, spaceIds)
  for (const ids of batches(spaceIds)) await deleteItemsOf(context.db, organizationId, ids)
}

async function deleteItemsOf(db: Db, organizationId: string, spaceIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('site_items')
    .where('organization_id', '=', organizationId)
    .where('space_id', 'in', spaceIds)
    .execute()
}
