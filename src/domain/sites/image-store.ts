import { type Insertable, sql } from 'kysely'
import type { Db, SiteKey, Tables } from '../../schema/tables.ts'

const selectImages = (db: Db, site: SiteKey) =>
  db.selectFrom('site_images').where('organization_id', '=', site.organization_id).where('site_id', '=', site.id)

/** Finds an image of a site. */
export const findImage = (db: Db, site: SiteKey, id: string) =>
  selectImages(db, site).selectAll().where('id', '=', id).executeTakeFirst()

export async function countImages(db: Db, site: SiteKey): Promise<number> {
  const { count } = await selectImages(db, site)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the number of bytes of all images of a site, which are stored as Base64. */
export async function sumImageSizes(db: Db, site: SiteKey): Promise<number> {
  const { bytes } = await selectImages(db, site)
    .select(sql<number>`cast(coalesce(sum(length(rtrim(data, '=')) * 3 / 4), 0) as integer)`.as('bytes'))
    .executeTakeFirstOrThrow()
  return bytes
}

export async function insertImage(
  db: Db,
  site: SiteKey,
  image: Omit<Insertable<Tables['site_images']>, 'organization_id' | 'site_id'>,
): Promise<void> {
  await db
    .insertInto('site_images')
    .values({ ...image, organization_id: site.organization_id, site_id: site.id })
    .execute()
}
