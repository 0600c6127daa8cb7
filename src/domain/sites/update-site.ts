import { type Updateable, sql } from 'kysely'
import type { BaseContext, SiteWithAddress } from '../../kernel/context.ts'
import { toBatches } from '../../storage/batches.ts'
import type { Db, Tables } from '../../schema/tables.ts'
import { type LiveEventContext, recordSiteEvent } from '../live/record-event.ts'
import { revalidate, revalidateSite, spaceCacheTag, urlCacheTag } from '../revalidation/revalidate.ts'

type UpdateContext = Pick<BaseContext, 'db' | 'now' | 'newId' | 'enqueue' | 'urls'> & LiveEventContext

/** Updates a site and gives it a new version, which invalidates everything that is cached for the site. */
export async function updateSite<Site extends SiteWithAddress>(
  context: UpdateContext,
  site: Site,
  values: Updateable<Tables['sites']> = {},
): Promise<Site> {
  const { db, now, newId, enqueue, urls } = context
  const updatedRow = await db
    .updateTable('sites')
    .set({ ...values, version: newId(), updated_at: now() })
    .where('organization_id', '=', site.organization_id)
    .where('id', '=', site.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const updatedSite = { ...site, ...updatedRow }
  await recordSiteEvent(context, site)
  await revalidateSite({ db, enqueue }, site.organization_id, site.id)
  if (urls.site(site) !== urls.site(updatedSite)) await revalidate({ db, enqueue }, [urlCacheTag(urls.site(site))])
  return updatedSite
}

/** Invalidates the sites that contain spaces which were updated, moved, deleted or restored. */
export async function invalidateSitesOfSpaces(
  { db, newId, enqueue }: Pick<BaseContext, 'db' | 'newId' | 'enqueue'>,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<void> {
  for (const ids of toBatches(spaceIds)) {
    const updatedSites = await sql<{
      id: string
    }>`update sites set version = ${newId()} where organization_id = ${organizationId} and id in (
      select site_id from site_items where organization_id = ${organizationId} and space_id in (${sql.join(ids)})
    ) returning id`.execute(db)
    for (const { id } of updatedSites.rows) await revalidateSite({ db, enqueue }, organizationId, id)
    await revalidate({ db, enqueue }, ids.map(spaceCacheTag))
  }
}

/** Removes spaces from all sites, before they move to another organization or are purged. */
export async function removeSpacesFromSites(
  context: Pick<BaseContext, 'db' | 'newId' | 'enqueue'>,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<void> {
  await invalidateSitesOfSpaces(context, organizationId, spaceIds)
  for (const ids of toBatches(spaceIds)) await deleteSiteItemsOfSpaces(context.db, organizationId, ids)
}

async function deleteSiteItemsOfSpaces(db: Db, organizationId: string, spaceIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('site_items')
    .where('organization_id', '=', organizationId)
    .where('space_id', 'in', spaceIds)
    .execute()
}
