import type { Db, Row } from '../../storage/tables.ts'

type Site = Pick<Row<'sites'>, 'organization_id' | 'id'>

/** What a space of a site has otherwise, as it is stored; undefined when no such space stands on the site. */
export async function findOverrides(
  db: Db,
  site: Site,
  siteSpaceId: string,
): Promise<{ customization: string | null } | undefined> {
  return await db
    .selectFrom('site_items')
    .innerJoin('spaces', (join) =>
      join
        .onRef('spaces.organization_id', '=', 'site_items.organization_id')
        .onRef('spaces.id', '=', 'site_items.space_id'),
    )
    .where('site_items.organization_id', '=', site.organization_id)
    .where('site_items.site_id', '=', site.id)
    .where('site_items.id', '=', siteSpaceId)
    .where('site_items.kind', '=', 'space')
    .where('spaces.deleted_at', 'is', null)
    .select('site_items.customization')
    .executeTakeFirst()
}

export async function updateOverrides(
  db: Db,
  site: Site,
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
