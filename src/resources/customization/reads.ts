import type { Db, SiteKey } from '../../schema/tables.ts'

/** What spaces of a site have otherwise than the site, as it is stored, by their site spaces. */
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
