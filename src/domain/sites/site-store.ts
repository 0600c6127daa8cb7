import { type Insertable, sql } from 'kysely'
import { selectVisibleSites } from '../../access/content-roles.ts'
import { siteAddressColumns } from '../../access/sites.ts'
import type { SiteType } from '../../contract/site.ts'
import type { SiteWithAddress, Viewer } from '../../kernel/context.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import { clearDefaultSite } from '../organizations/organization-store.ts'
import { deleteGrantsOfSite } from '../permissions/grant-store.ts'
import { defineLookup } from '../../storage/lookup.ts'
import type { Db, SiteKey, Tables } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { columnContains } from '../../storage/case-insensitive.ts'

interface SiteFilter {
  space?: string | undefined
  title?: string | undefined
  published?: boolean | undefined
  type?: readonly SiteType[] | undefined
}

/** Selects the items of sites that are spaces, with their spaces. */
function selectSpacesOnSites(db: Db) {
  return db
    .selectFrom('site_items')
    .innerJoin('spaces', (join) =>
      join
        .onRef('spaces.organization_id', '=', 'site_items.organization_id')
        .onRef('spaces.id', '=', 'site_items.space_id'),
    )
}

function selectMatchingSites(db: Db, viewer: Viewer, { space, title, published, type }: SiteFilter) {
  return selectVisibleSites(db, viewer)
    .$if(space !== undefined, (query) =>
      query.where(
        'sites.id',
        'in',
        selectSpacesOnSites(db)
          .where('site_items.organization_id', '=', viewer.organizationId)
          .where('site_items.space_id', '=', space as string)
          .where('spaces.deleted_at', 'is', null)
          .select('site_items.site_id'),
      ),
    )
    .$if(title !== undefined, (query) => query.where(columnContains('sites.title', title as string)))
    .$if(published !== undefined, (query) => query.where('sites.published', '=', toFlag(published as boolean)))
    .$if(type !== undefined, (query) => query.where('sites.type', 'in', type as SiteType[]))
}

export async function findSites(
  db: Db,
  viewer: Viewer,
  filter: SiteFilter,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<(SiteWithAddress & { own_rank: number | null })[]> {
  return selectMatchingSites(db, viewer, filter)
    .innerJoin('organizations', 'organizations.id', 'sites.organization_id')
    .$if(after !== undefined, (query) => query.where('sites.id', '>', after?.[0] as string))
    .selectAll('sites')
    .select(siteAddressColumns)
    .select('own.rank as own_rank')
    .orderBy('sites.id')
    .limit(limit + 1)
    .execute()
}

export async function countSites(db: Db, viewer: Viewer, filter: SiteFilter): Promise<number> {
  const { count } = await selectMatchingSites(db, viewer, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Counts the spaces on each of the sites, except deleted ones. */
export async function countSpacesOnSites(
  db: Db,
  organizationId: string,
  siteIds: readonly string[],
): Promise<Map<string, number>> {
  if (siteIds.length === 0) return new Map()
  const rows = await selectSpacesOnSites(db)
    .where('site_items.organization_id', '=', organizationId)
    .where('site_items.site_id', 'in', siteIds)
    .where('spaces.deleted_at', 'is', null)
    .groupBy('site_items.site_id')
    .select((eb) => ['site_items.site_id', eb.fn.countAll<number>().as('count')])
    .execute()
  return new Map(rows.map((row) => [row.site_id, row.count]))
}

/** Returns a text that changes with the spaces on a site, for changes that do not give the site a new version. */
export const findContentStamp = defineLookup(
  (db, { organizationId, siteId }: Record<'organizationId' | 'siteId', string>) =>
    selectSpacesOnSites(db)
      .where('site_items.organization_id', '=', organizationId)
      .where('site_items.site_id', '=', siteId)
      .select(
        sql<string | null>`string_agg(
        spaces.revision_id || spaces.updated_at || spaces.comments_open || ' ' || spaces.change_requests || ' ' ||
          spaces.change_requests_open || ' ' || spaces.change_requests_draft || coalesce(spaces.git_sync, ''),
        ' ' order by site_items.id
      )`.as('stamp'),
      ),
)

export async function insertSite(db: Db, site: Insertable<Tables['sites']>): Promise<void> {
  await db.insertInto('sites').values(site).execute()
}

/** Deletes a site; foreign keys delete what belongs to it. */
export async function deleteSite(db: Db, { organization_id, id }: SiteKey): Promise<void> {
  await deleteGrantsOfSite(db, { organization_id, id })
  await clearDefaultSite(db, { organization_id, id })
  await db.deleteFrom('sites').where('organization_id', '=', organization_id).where('id', '=', id).execute()
}

/** Finds sites of an organization. */
export const findSiteKeys = (db: Db, organizationId: string, limit: number): Promise<SiteKey[]> =>
  db
    .selectFrom('sites')
    .select(['organization_id', 'id'])
    .where('organization_id', '=', organizationId)
    .limit(limit)
    .execute()

/** Finds the basenames of an organization with a prefix. */
export async function findBasenames(db: Db, organizationId: string, prefix: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('sites')
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`substr(basename, 1, ${prefix.length}) = ${prefix}`)
    .select('basename')
    .execute()
  return new Set(rows.map((row) => row.basename))
}
