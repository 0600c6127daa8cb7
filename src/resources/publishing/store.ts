import type { Insertable, Updateable } from 'kysely'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, SiteKey, Tables } from '../../schema/tables.ts'
import { columnContains } from '../../storage/case-insensitive.ts'

function selectShareLinks(db: Db, site: SiteKey, search?: string) {
  return db
    .selectFrom('share_links')
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .$if(search !== undefined, (query) =>
      query.where((eb) => eb.or([columnContains('name', search as string), columnContains('key', search as string)])),
    )
}

export function findShareLinks(
  db: Db,
  site: SiteKey,
  search: string | undefined,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return selectShareLinks(db, site, search)
    .$if(after !== undefined, (query) => query.where('id', '>', after?.[0] as string))
    .selectAll()
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export async function countShareLinks(db: Db, site: SiteKey, search?: string): Promise<number> {
  const { count } = await selectShareLinks(db, site, search)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Finds a share link of a site. */
export function findShareLink(db: Db, site: SiteKey, id: string) {
  return selectShareLinks(db, site).selectAll().where('id', '=', id).executeTakeFirst()
}

export function insertShareLink(db: Db, link: Insertable<Tables['share_links']>) {
  return db.insertInto('share_links').values(link).returningAll().executeTakeFirstOrThrow()
}

export function updateShareLink(db: Db, site: SiteKey, id: string, values: Updateable<Tables['share_links']>) {
  return db
    .updateTable('share_links')
    .set(values)
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a share link; returns false if it did not exist. */
export async function deleteShareLink(db: Db, site: SiteKey, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('share_links')
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
