import type { Db, SiteKey } from '../../schema/tables.ts'

/** Returns the settings of a site space that override those of its site, as JSON. */
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

/** Returns the settings that override those of a site, as JSON by the id of the site space. */
export async function findAllOverrides(db: Db, site: SiteKey): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('site_items')
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .where('customization', 'is not', null)
    .select(['id', 'customization'])
    .execute()
  return new Map(rows.map(({ id, customization }) => [id, customization ?? '']))
}
