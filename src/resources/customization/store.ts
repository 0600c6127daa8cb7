import type { Db, SiteKey } from '../../schema/tables.ts'

/** What a space of a site has otherwise, as it is stored. */
export async function findOverrides(db: Db, site: SiteKey, siteSpaceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('site_items')
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .where('id', '=', siteSpaceId)
    .select('customization')
    .executeTakeFirst()
  return row?.customization ?? null
}

export async function updateOverrides(
  db: Db,
  site: SiteKey,
  siteSpaceId: string,
  customization: string | null,
): Promise<void> {
  await db
    .updateTable('site_items')
    .set({ customization })
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .where('id', '=', siteSpaceId)
    .execute()
}
